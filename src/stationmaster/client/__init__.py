"""For programs that play at a server's tables: a client of the protocol in docs/protocol.md.

>>> from stationmaster.client import Client, Server
>>> Client("https://example.org/t/ABCDEF").address
'wss://example.org/ws/ABCDEF'
"""

from stationmaster.client.client import Client
from stationmaster.client.http import Server
from stationmaster.client.trouble import ClientError, Refused
from stationmaster.client.view import View

__all__ = ["Client", "ClientError", "Refused", "Server", "View"]
