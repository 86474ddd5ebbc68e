"""``stationmaster bench``: how fast the referee is."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from random import Random
from threading import Barrier, Thread
from time import perf_counter
from typing import Any

from stationmaster import engine
from stationmaster.cli.output import print_json, read_rulebook
from stationmaster.engine.core import State
from stationmaster.engine.deal import Deal, check_players
from stationmaster.engine.observation import Observation
from stationmaster.engine.round import Round, core_end, core_state
from stationmaster.engine.tiles import Tile, tile_set
from stationmaster.planner.longest import longest_train
from stationmaster.rulebooks.rulebook import Rulebook
from stationmaster.words import say

Results = dict[str, Any]

EXAMPLES = """\
examples:
  stationmaster bench playouts --rulebook puremco-12 --players 4 --rounds 200000 --json
  stationmaster bench playouts --threads 2
  stationmaster bench api --rulebook supertrain
  stationmaster bench copy
  stationmaster bench sample --players 4
  stationmaster bench train --hands 1000
  stationmaster bench start
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``bench``."""
    parser.description, parser.epilog = "Measure how fast the referee is on this machine.", EXAMPLES
    kinds = parser.add_subparsers(title="what to measure", metavar="WHAT", required=True)

    def add(name: str, about: str, measure: Callable[[argparse.Namespace], Results], repeat: int = 3) -> Any:
        sub = kinds.add_parser(name, help=about, description=about.capitalize() + ".", parents=[shared])
        sub.add_argument("--json", action="store_true", help="print the figures for a program to read")
        sub.add_argument(
            "--repeat", type=positive, default=repeat, help="how often; the best counts (default: %(default)s)"
        )
        sub.set_defaults(measure=measure, what=name)
        if measure not in (start, train):
            sub.add_argument("--rulebook", default="puremco-12", metavar="ID", help="(default: %(default)s)")
            sub.add_argument("--players", type=positive, help="(default: 4, or as many as can play)")
        if measure is not start:
            sub.add_argument("--seed", type=int, default=1, help="of the random numbers (default: %(default)s)")
        return sub

    some = add("playouts", "rounds played out at random inside the core", playouts)
    some.add_argument("--rounds", type=positive, help="(default: 200000, or 200 when the core is interpreted)")
    some.add_argument("--threads", type=positive, default=1, help="share the rounds (default: %(default)s)")
    some = add("api", "random play through legal_moves and push", api)
    some.add_argument("--rounds", type=positive, help="(default: 1000, or 20 when the core is interpreted)")
    add("copy", "copies of a state inside the core", copy)
    some = add("sample", "deals that agree with what a seat has seen, inside the core", sample)
    some.add_argument("--deals", type=positive, help="(default: 200000, or 200 when the core is interpreted)")
    some = add("train", "the longest train of random hands, through longest_train", train, repeat=5)
    some.add_argument("--hands", type=positive, default=200, help="of each kind (default: %(default)s)")
    add("start", "what importing and --help take over a bare start of Python", start, repeat=7)


def positive(text: str) -> int:
    """A whole number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    results = options.measure(options)
    if options.json:
        print_json(results)
    else:
        for kind in results.pop("kinds", ()):
            what = f"cli.bench.{'wild' if kind['wild'] else 'plain'}-{'covered' if kind['covered'] else 'hands'}"
            figures = {name: figure(value, options.language) for name, value in kind.items()}
            figures |= {"median": figures["p50_us"], "slowest": figures["max_us"]}
            figures["what"] = say(what, options.language, **figures)
            print(say("cli.bench.kind", options.language, **figures))
        for name, value in results.items():
            label = say("cli.bench." + name.replace("_", "-"), options.language)
            print(f"{label}: {figure(value, options.language)}")
    return 0


def figure(value: object, language: str) -> str:
    """A figure as people read it."""
    if isinstance(value, bool):
        return say("cli.bench.yes" if value else "cli.bench.no", language)
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.4g}"
    return str(value)


def the_table(options: argparse.Namespace) -> tuple[Rulebook, int]:
    """The rulebook and the number of players that were asked for."""
    book = read_rulebook(options.rulebook)
    players = options.players or min(book.players, key=lambda seats: abs(seats - 4))
    check_players(book, players)
    return book, players


def about(book: Rulebook, players: int) -> Results:
    """What every measurement of a rulebook says of itself."""
    return {"rulebook": book.id, "players": players, "compiled": engine.compiled}


def first_engine(book: Rulebook) -> int:
    """The first round's engine as the core numbers it, or -1 for the highest double held."""
    return core_end(Tile.parse(book.engines[0]).low) if book.engine == "descending" else -1


# ---- Rounds played out in the core ------------------------------------------------------------------


def playouts(options: argparse.Namespace) -> Results:
    """Rounds a second, each thread with a state of its own."""
    book, players = the_table(options)
    rounds = options.rounds or (200_000 if engine.compiled else 200)
    threads = min(options.threads, rounds)
    results = [play_out(book, players, rounds, threads, options.seed) for _ in range(options.repeat)]
    seconds, counts = min(results)
    points, plays, draws, passes, stops, blocked = counts
    decisions = plays + draws + passes + stops
    return about(book, players) | {
        "rounds": rounds,
        "threads": threads,
        "seconds": seconds,
        "rounds_per_s": rounds / seconds,
        "decisions_per_s": decisions / seconds,
        "decisions_per_round": decisions / rounds,
        "points_per_round": points / rounds,
        "blocked_rounds": blocked,
    }


def play_out(book: Rulebook, players: int, rounds: int, threads: int, seed: int) -> tuple[float, list[int]]:
    """Play so many rounds on so many threads; the seconds it took, and the counts of all."""
    states = [core_state(book, players) for _ in range(threads)]
    shares = [rounds // threads + (number < rounds % threads) for number in range(threads)]
    counts: list[tuple[int, ...]] = [()] * threads
    ready = Barrier(threads + 1)

    def work(number: int) -> None:
        state: State = states[number]
        ready.wait()
        counts[number] = state.random_rounds(
            shares[number], first_engine(book), book.deal[players], (seed + number) & 0xFFFFFFFF or 1
        )

    workers = [Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    ready.wait()
    started = perf_counter()
    for worker in workers:
        worker.join()
    return perf_counter() - started, [sum(column) for column in zip(*counts, strict=True)][:6]


# ---- Through the public API -------------------------------------------------------------------------


def api(options: argparse.Namespace) -> Results:
    """Moves a second of random play by ``legal_moves`` and ``push``; dealing is not counted."""
    book, players = the_table(options)
    count = options.rounds or (1000 if engine.compiled else 20)
    best: tuple[float, int] | None = None
    for _ in range(options.repeat):
        rng = Random(options.seed)
        rounds = [Round(book, Deal.shuffle(book, players, seed=f"{options.seed}/{number}")) for number in range(count)]
        started = perf_counter()
        for round in rounds:
            while round.turn is not None:
                moves = round.legal_moves()
                round.push(moves[int(rng.random() * len(moves))])
        taken = perf_counter() - started, sum(len(round.moves) for round in rounds)
        best = taken if best is None else min(best, taken)
    assert best is not None
    seconds, moves_made = best
    return about(book, players) | {
        "rounds": count,
        "seconds": seconds,
        "moves": moves_made,
        "moves_per_s": moves_made / seconds,
    }


# ---- Copies -----------------------------------------------------------------------------------------


def copy(options: argparse.Namespace) -> Results:
    """Nanoseconds for a copy of a state in the middle of a round, and how many bytes it has."""
    book, players = the_table(options)
    state = core_state(book, players)
    state.seed(options.seed & 0xFFFFFFFF or 1)
    state.deal(first_engine(book), book.deal[players], 0)
    for _ in range(10 * players):
        if state.whose() >= 0:
            state.push(state.random_move())
    times = 2_000_000 if engine.compiled else 2000
    seconds = []
    for _ in range(options.repeat):
        started = perf_counter()
        state.copies(times)
        seconds.append(perf_counter() - started)
    return about(book, players) | {"copies": times, "ns_per_copy": min(seconds) / times * 1e9, "bytes": state.bytes()}


# ---- Sampled deals ----------------------------------------------------------------------------------

SPOTS = 20  # from the beginning of a round to its end


def sample(options: argparse.Namespace) -> Results:
    """Deals a second of the unseen tiles, over spots spread evenly from the beginning of a round to its end."""
    book, players = the_table(options)
    deals = max(1, (options.deals or (200_000 if engine.compiled else 200)) // SPOTS)
    observations = [a_spot(book, players, f"{options.seed}/{number}", number / SPOTS) for number in range(SPOTS)]
    best = float("inf")
    for _ in range(options.repeat):
        rng = Random(options.seed)
        worlds = [observation.worlds(rng) for observation in observations]
        started = perf_counter()
        for one in worlds:
            one.many(deals)
        best = min(best, perf_counter() - started)
    return about(book, players) | {"deals": deals * SPOTS, "seconds": best, "deals_per_s": deals * SPOTS / best}


def a_spot(book: Rulebook, players: int, seed: str, far: float) -> Observation:
    """What the seat to move has seen so far into a round of random play: 0 is its beginning, 1 its end."""
    rng = Random(seed)
    round = Round(book, Deal.shuffle(book, players, seed=seed))
    while round.turn is not None:
        round.push(rng.choice(round.legal_moves()))
    for _ in range(max(1, len(round.moves) - int(far * len(round.moves)))):
        round.pop()
    return round.observe(round.turn)


# ---- The longest train --------------------------------------------------------------------------------

HANDS = (  # highest number, wild tiles, how many tiles, whether a double at the end has to be covered
    (12, False, 15, False),
    (12, False, 20, False),
    (12, False, 25, False),
    (12, False, 25, True),
    (18, False, 25, False),
    (18, False, 40, False),
    (12, True, 16, False),
    (12, True, 20, False),
    (12, True, 25, False),
    (12, True, 25, True),
)


def train(options: argparse.Namespace) -> Results:
    """Microseconds for the longest train of random hands from random ends; of each hand the best of the repeats."""
    return {
        "compiled": engine.compiled,
        "hands": options.hands,
        "kinds": [of_hands(*kind, options) for kind in HANDS],
    }


def of_hands(highest: int, wild: bool, size: int, covered: bool, options: argparse.Namespace) -> Results:
    """``unproven`` counts answers without a proof; ``gap`` is how many tiles at most are between one and its bound."""
    rng = Random(options.seed)
    whole = list(tile_set(highest, wild))
    taken, gaps = [], []
    for _ in range(options.hands):
        hand, end = rng.sample(whole, size), rng.randint(0, highest)
        seconds = []
        for _ in range(options.repeat):
            started = perf_counter()
            found = longest_train(hand, end, covered=covered)
            seconds.append(perf_counter() - started)
            if not found.proven:
                gaps.append(found.bound - len(found.tiles))
        taken.append(min(seconds) * 1e6)
    return {
        "highest": highest,
        "wild": wild,
        "tiles": size,
        "covered": covered,
        "p50_us": sorted(taken)[len(taken) // 2],
        "max_us": max(taken),
        "unproven": len(gaps),
        "gap": max(gaps, default=0),
    }


# ---- Starting ---------------------------------------------------------------------------------------


def start(options: argparse.Namespace) -> Results:
    """Milliseconds that importing and ``--help`` take, less what Python alone takes."""
    commands = {
        "python_ms": ["-c", ""],
        "import_ms": ["-c", "import stationmaster"],
        "help_ms": ["-m", "stationmaster", "--help"],
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(options.repeat):  # in turns, so that a busy moment meets all alike
        for name, command in commands.items():
            started = perf_counter()
            subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
            best[name] = min(best[name], (perf_counter() - started) * 1000)
    bare = best["python_ms"]
    return {
        "compiled": engine.compiled,
        "python_ms": bare,
        "import_ms": max(0.0, best["import_ms"] - bare),
        "help_ms": max(0.0, best["help_ms"] - bare),
    }
