"""Four people at a table of boardgame.io's server: Socket.IO over a WebSocket, one move told to all four."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from load.load import SEATS, Load, Table
from load.socket import Socket

if TYPE_CHECKING:
    import asyncio

GAME = "trivial"
STATE = re.compile(rb'"_stateID":(\d+)')
UPDATE = f'42/{GAME},["update",'.encode()
SYNC = f'42/{GAME},["sync",'.encode()


class Player(Socket):
    """One player of a match."""

    __slots__ = ("number", "table")

    def __init__(self, table: BoardgameTable, number: int, port: int) -> None:
        super().__init__("/socket.io/?EIO=4&transport=websocket", port, {})
        self.table = table
        self.number = number

    def heard(self, data: bytes) -> None:
        table = self.table
        if data.startswith(UPDATE):
            found = STATE.search(data)
            if found is not None and int(found[1]) == table.state + 1 and table.missing:
                table.told()
                if not table.missing:
                    table.state += 1
                    table.may_move()
        elif data == b"2":
            self.say(b"3")
        elif data.startswith(b"0"):
            self.say(f"40/{GAME},".encode())
        elif data.startswith(b"40"):
            sync = ["sync", table.id, str(self.number), None, SEATS]
            self.say(f"42/{GAME},{json.dumps(sync)}".encode())
        elif data.startswith(SYNC):
            table.synced += 1
            if table.synced == SEATS and not table.here.done():
                table.here.set_result(None)

    def lost(self) -> None:
        if not self.table.left:
            self.table.load.trouble[f"a connection was lost ({self.closed})"] += 1


class BoardgameTable(Table):
    """A match of four players, whose turn it is one after the other."""

    def __init__(self, load: Load, port: int, number: int) -> None:
        super().__init__(load)
        self.port = port
        self.id = f"match{number}"
        self.state = 0
        self.synced = 0
        self.left = False
        self.players: list[Player] = []
        self.here: asyncio.Future[None] = load.loop.create_future()

    async def open(self) -> None:
        for number in range(SEATS):
            player = Player(self, number, self.port)
            self.players.append(player)
            await player.open(self.port)
        await self.here
        self.may_move()

    def move(self) -> None:
        mover = self.state % SEATS
        self.sending()
        payload = {"type": "play", "args": ["12-5@0"], "playerID": str(mover), "credentials": None}
        update = ["update", {"type": "MAKE_MOVE", "payload": payload}, self.state, self.id, str(mover)]
        self.players[mover].say(f"42/{GAME},{json.dumps(update)}".encode())

    def close(self) -> None:
        self.left = True
        for player in self.players:
            player.close()
