"""A bot at a server's table: it sits down, plays what sheds most points, and goes on until the match is over.

    python examples/table_bot.py https://example.org/t/ABCDEF "Otto the bot"

It needs nothing but the legal moves that the server tells: no rule of the game is in here.
"""

import asyncio
import sys

import stationmaster as sm
from stationmaster.client import ClientError, Server


def choose(view, legal):
    """The heaviest tile that may be played; else draw, pass or stop."""

    def points(text):
        tile = sm.Move.parse(text).tile
        return -1 if tile is None else tile.points(view.book)

    return max(legal, key=points)


async def play(link, name):
    server = Server(link)
    code = link.rstrip("/").rpartition("/")[2]
    seat = await server.join(code, name)
    async with server.client(code) as client:
        async for event in client:
            match event["event"]:
                case "your-turn":
                    await client.play(choose(client.view, event["legal"]), seat=seat, version=event["version"])
                case "deal-wrong":
                    await client.say(f"Round {event['round']} was not dealt as promised: {event['why']}")
                case "shown" if client.view.stage == "between":
                    await client.do(next=True)
                case "match-over":
                    break
        return client.view.totals


if __name__ == "__main__":
    try:
        print("The totals:", asyncio.run(play(*sys.argv[1:3])))
    except ClientError as error:
        sys.exit(str(error))
