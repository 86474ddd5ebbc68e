"""``stationmaster play``: sit down at the table, or go on with a match."""

from __future__ import annotations

import argparse
import getpass
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from stationmaster.cli.matches import fresh_path, load_match, sole_player, unfinished, unused
from stationmaster.cli.output import ask, filled, read_rulebook
from stationmaster.cli.plain import Left, Plain
from stationmaster.engine.deal import check_players
from stationmaster.errors import RecordError, StationmasterError
from stationmaster.match.match import Match, is_plain
from stationmaster.words import say

DESCRIPTION = """\
Play a match line by line, in any terminal and with any screen reader: nothing is drawn, nothing moves.
You sit at seat 0; the others play at random. Every move is saved at once, so that a match is never lost:
start again to go on with it.
"""

EXAMPLES = """\
At the table, type the number of a move, or a word: draw, pass, stop, hand, table, moves, score, rules,
why MOVE, save, help, quit.

examples:
  stationmaster play --plain
  stationmaster play --plain --rulebook supertrain --players 3 --name Ann
  stationmaster play --plain --rulebook ours.toml --rounds 3
  stationmaster play --plain --resume
"""

OTHERS = ("Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Kurt", "Lola", "Mika", "Nora", "Otto")
FOR_A_NEW_MATCH = ("rulebook", "players", "name", "seed", "rounds", "open", "new")


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``play``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("--plain", action="store_true", help="line by line (so far the only way, and the default)")
    parser.add_argument("--rulebook", metavar="ID|FILE.toml", help="whose rules (default: tactic)")
    parser.add_argument("--players", type=int, metavar="N", help="you and the others (default: 4)")
    parser.add_argument("--name", help="what you are called (default: your name on this computer)")
    parser.add_argument("--seed", metavar="S", help="deal the same tiles as the last time with this seed")
    parser.add_argument("--rounds", type=int, metavar="N", help="fewer rounds than the rulebook has")
    parser.add_argument("--open", action="store_true", default=None, help="all hands lie open")
    parser.add_argument(
        "--auto", action="store_true", help="where you can only draw or only pass, do so without asking"
    )
    parser.add_argument(
        "--save", metavar="FILE", type=Path, help="where to keep the match (default: with your matches)"
    )
    parser.add_argument(
        "--new", action="store_true", default=None, help="begin a new match without asking about an old one"
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        nargs="?",
        const=Path(),
        type=Path,
        help="go on with the match in FILE, or with the one that was played last",
    )


def run(options: argparse.Namespace) -> int:
    """Play until the match is over or the player leaves."""
    with ExitStack() as stack:
        try:
            match, path = the_match(options, stack)
        except Left:
            return 0
        match.record().save(path)
        plain = Plain(match, path, options.language, auto=options.auto)
        try:
            plain.play()
        except Left:
            goodbye(path, options.language)
        except KeyboardInterrupt:
            print()
            goodbye(path, options.language)
            return 130
    return 0


def goodbye(path: Path, language: str) -> None:
    """Say where the match is, and how to go on with it."""
    print(say("play.saved", language, file=path))
    print(say("play.go-on-with", language, command=f"stationmaster play --plain --resume {quoted(path)}"), flush=True)


def quoted(path: Path) -> str:
    """A path as it can be typed in a shell."""
    from shlex import quote

    return quote(str(path))


def the_match(options: argparse.Namespace, stack: ExitStack) -> tuple[Match, Path]:
    """The match to play and its file, which nobody else may play at meanwhile."""
    if options.resume is not None:
        for name in FOR_A_NEW_MATCH:
            if getattr(options, name) is not None:
                raise StationmasterError(f"--resume goes on with a match as it is; --{name} is for a new one")
        old = options.resume if options.resume != Path() else unfinished()
        if old is None:
            raise StationmasterError(say("play.none-to-resume", options.language))
        return resumed(old, options.save, stack, options.language)
    match = new_match(options)  # before any question, because it may be refused
    old = options.save if options.save is not None and options.save.exists() else None
    if old is None and options.save is None and not options.new:
        old = unfinished()
    if old is not None:
        played = readable(old)
        if not played.over and not options.new and wants_to_go_on(played, old, options.language):
            return resumed(old, None, stack, options.language)
    path = options.save or fresh_path(match.book.id)
    if path == old:
        kept = unused(path)
        stack.enter_context(sole_player(path))
        path.rename(kept)
        print(say("play.kept", options.language, file=kept))
    else:
        stack.enter_context(sole_player(path))
    return match, path


def readable(path: Path) -> Match:
    """The match in a file that a match is to be saved to."""
    try:
        return load_match(path)
    except RecordError as error:
        raise StationmasterError(f"{error}. So it is not overwritten; choose another file for --save") from None


def resumed(path: Path, save: Path | None, stack: ExitStack, language: str) -> tuple[Match, Path]:
    """Go on with the match in a file, in the same file or in another."""
    if save is not None and save.exists() and not (path.exists() and save.samefile(path)):
        raise StationmasterError(f"{save} is there already; it is not overwritten")
    keep = save or path
    path.stat()  # says if there is none, before a lock is made beside it
    stack.enter_context(sole_player(keep))
    match = load_match(path)
    if match.over:
        raise StationmasterError(
            say("play.is-over", language, file=path, command=f"stationmaster replay {quoted(path)}")
        )
    return Match.resume(match.record()), keep


def wants_to_go_on(match: Match, path: Path, language: str) -> bool:
    """Ask whether to go on with an unfinished match."""
    when = datetime.fromtimestamp(path.stat().st_mtime)
    question = say(
        "play.unfinished",
        language,
        name=match.book.name,
        number=match.number,
        rounds=match.book.rounds,
        day=f"{when:%Y-%m-%d}",
        time=f"{when:%H:%M}",
    )
    print(filled(question))
    while True:
        try:
            answer = ask(say("play.go-on", language)).strip().lower()
        except EOFError:
            print()
            raise Left from None
        if answer in ("y", "yes", say("play.yes", language)[0], say("play.yes", language)):
            return True
        if answer in ("n", "no", say("play.no", language)[0], say("play.no", language)):
            return False
        print(say("play.yes-or-no", language))


def new_match(options: argparse.Namespace) -> Match:
    """A match as the command line asks for it."""
    book = read_rulebook(options.rulebook or "tactic")
    changes: dict[str, Any] = {}
    if options.rounds is not None:
        changes["rounds"] = options.rounds
    if options.open:
        changes["open_hands"] = True
    if changes:
        book = book.with_changes(**changes)
    players = options.players if options.players is not None else min(book.players, key=lambda n: abs(n - 4))
    check_players(book, players)
    name = options.name if options.name is not None else own_name(options.language)
    others = [other for other in OTHERS if other.casefold() != name.casefold()]
    if options.seed is not None and not is_plain(options.seed):
        raise StationmasterError(f"--seed {options.seed!r}: a seed is a number or one line of text")
    return Match(book, [name, *others[: players - 1]], seed=options.seed)


def own_name(language: str) -> str:
    """The name of whoever is logged in."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = ""
    name = name[:1].upper() + name[1:]
    return name if is_plain(name) else say("play.guest", language)
