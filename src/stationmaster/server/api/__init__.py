"""The ways into the server over HTTP, by what they are about."""

from stationmaster.server.api import operation, people, rules, tables, together

ENDPOINTS = (*tables.ENDPOINTS, *people.ENDPOINTS, *rules.ENDPOINTS, *together.ENDPOINTS, *operation.ENDPOINTS)

__all__ = ["ENDPOINTS"]
