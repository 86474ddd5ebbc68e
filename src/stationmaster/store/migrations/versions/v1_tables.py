"""Steps, rows, talk, who is present, settings."""

from __future__ import annotations

from alembic import op

revision = "1"
down_revision = None

# In PostgreSQL names are compared byte by byte, as SQLite does, whatever the language of the database.
STATEMENTS = """
CREATE TABLE steps (
    table_id {name} NOT NULL,
    version INTEGER NOT NULL,
    at BIGINT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, version)
) {clustered};

CREATE TABLE tables (
    id {name} PRIMARY KEY,
    code {name} NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    changed BIGINT NOT NULL,
    is_public BOOLEAN NOT NULL,
    is_over BOOLEAN NOT NULL,
    due BIGINT,
    in_group TEXT,
    holders TEXT NOT NULL,
    summary TEXT NOT NULL,
    wake BIGINT,
    node TEXT
) {loose};

CREATE INDEX tables_wake ON tables (wake) WHERE wake IS NOT NULL;

CREATE INDEX tables_public ON tables (changed) WHERE is_public;

CREATE INDEX tables_in_group ON tables (in_group) WHERE in_group IS NOT NULL;

CREATE TABLE holders (
    holder TEXT NOT NULL,
    table_id {name} NOT NULL,
    PRIMARY KEY (holder, table_id)
) {clustered};

CREATE INDEX holders_table_id ON holders (table_id);

CREATE TABLE talk (
    table_id {name} NOT NULL,
    number INTEGER NOT NULL,
    at BIGINT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) {clustered};

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
"""

# One process serves an SQLite file, and who is present is known to that process alone.
PRESENCE = """
CREATE TABLE presence (
    table_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    node TEXT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (table_id, holder, node)
);

CREATE INDEX presence_node ON presence (node);
"""


def upgrade() -> None:
    """From nothing to the first release."""
    if op.get_bind().dialect.name == "postgresql":
        # Rows are rewritten with every move: room on each page keeps that from touching the indexes.
        text = STATEMENTS.format(name='TEXT COLLATE "C"', clustered="", loose="WITH (fillfactor = 50)") + PRESENCE
    else:
        text = STATEMENTS.format(name="TEXT", clustered="WITHOUT ROWID", loose="")
    for statement in text.split(";\n"):
        if statement.strip():
            op.execute(statement)
