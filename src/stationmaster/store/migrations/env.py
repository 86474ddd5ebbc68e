"""What alembic runs to reach the database: the connection that it was handed."""

from __future__ import annotations

from alembic import context

from stationmaster.store.migrations import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transactional_ddl=True,  # SQLite's too: the caller has begun a transaction
)
context.run_migrations()
