"""For whoever runs the server: is it well, what does it count, and the little that an admin may do."""

from __future__ import annotations

from ipaddress import ip_address

import msgspec

from stationmaster import __version__
from stationmaster.server import people, shapes
from stationmaster.server.api.tables import BEFORE, PAGE, find, page
from stationmaster.server.denied import Denied
from stationmaster.server.endpoint import Asked, Endpoint, Plain
from stationmaster.server.headers import header
from stationmaster.server.refusal import Refusal


async def health(asked: Asked) -> shapes.State:
    """The process answers."""
    return shapes.State(state="alive", version=__version__)


async def ready(asked: Asked) -> shapes.State:
    """The database answers too, and the server is not about to stop."""
    if asked.house.closing:
        raise Denied("closing")
    try:
        await asked.house.store.check()
    except Exception as error:  # whatever a database may say, it cannot be used
        raise Refusal("store-unavailable") from error
    return shapes.State(state="ready", version=__version__)


async def metrics(asked: Asked) -> Plain:
    """For Prometheus on this machine, or with the admin's token."""
    scope = asked.request.scope
    client = scope.get("client")
    local = client is not None and ip_address(client[0].partition("%")[0]).is_loopback
    if not local or header(scope["headers"], b"x-forwarded-for"):  # a proxy on this machine brings others
        admin(asked)
    return Plain(asked.house.metrics.text().encode(), "text/plain; version=0.0.4; charset=utf-8")


def admin(asked: Asked) -> None:
    """Refuses who does not show the admin's token."""
    if not people.is_admin(asked.request.scope["headers"], asked.house.settings.admin_token):
        raise Denied("not-admin")


async def tables(asked: Asked) -> shapes.AdminTables:
    """All tables."""
    admin(asked)
    tables, more = page(await asked.house.store.rows(before=asked.whole("before"), limit=PAGE), None)
    return shapes.AdminTables(tables=tables, more=more)


async def close(asked: Asked) -> shapes.Closed:
    """End a table."""
    admin(asked)
    row = await find(asked)
    await asked.house.hall.close_table(row.table)
    return shapes.Closed(table=row.table)


async def limits(asked: Asked) -> shapes.InForce:
    """The limits, and how far they are used."""
    admin(asked)
    house = asked.house
    return shapes.InForce(
        limits={name: str(value) for name, value in msgspec.structs.asdict(house.settings.limits).items()},
        connections=house.connections.all,
        addresses=len(house.requests),
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/healthz",
        does=health,
        says="The process answers",
        gives=shapes.State,
        group="operation",
    ),
    Endpoint(
        method="GET",
        path="/readyz",
        does=ready,
        says="The database answers too, and the server is not about to stop",
        gives=shapes.State,
        group="operation",
        refusals=("closing", "store-unavailable"),
    ),
    Endpoint(
        method="GET",
        path="/metrics",
        does=metrics,
        says="Figures for Prometheus; from this machine, or with the admin's token",
        kind="text/plain",
        group="operation",
        refusals=("not-admin",),
    ),
    Endpoint(
        method="GET",
        path="/api/admin/tables",
        does=tables,
        says="All tables, the latest changed first",
        gives=shapes.AdminTables,
        query=(BEFORE,),
        group="admin",
        person="admin",
        refusals=("not-admin", "bad-query"),
    ),
    Endpoint(
        method="DELETE",
        path="/api/admin/tables/{table}",
        does=close,
        says="End a table",
        gives=shapes.Closed,
        group="admin",
        person="admin",
        refusals=("not-admin", "no-such-table"),
    ),
    Endpoint(
        method="GET",
        path="/api/admin/limits",
        does=limits,
        says="The limits in force, and how far they are used",
        gives=shapes.InForce,
        group="admin",
        person="admin",
        refusals=("not-admin",),
    ),
)
