"""``stationmaster play``: sit down at the table, or go on with a match."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import Any

from stationmaster.bots.levels import OPPONENT
from stationmaster.cli.matches import (
    Manner,
    fresh_path,
    is_busy,
    keep_manner,
    kept_manner,
    last_name,
    load_match,
    matches_folder,
    move_match,
    saved_matches,
    sole_player,
    unfinished,
    unused,
)
from stationmaster.cli.opponents import Opponents
from stationmaster.cli.output import ask, filled, read_rulebook, this_program
from stationmaster.cli.plain import Left, Plain
from stationmaster.engine.deal import check_players
from stationmaster.errors import RecordError, StationmasterError
from stationmaster.match.match import Match, is_plain
from stationmaster.rulebooks.rulebook import rulebook_from_record
from stationmaster.words import listing, say

DESCRIPTION = """\
Play a match line by line, in any terminal and with any screen reader: nothing is drawn, nothing moves.
You sit at seat 0; bots sit at the others. Every move is saved at once, so that a match is never lost:
start again to go on with it.
"""

EXAMPLES = """\
At the table, type the number of a move, or a word: draw, pass, stop, hand, table, moves, score, rules,
hint, why MOVE, tile TILE, last, save, help, quit.

examples:
  stationmaster play --plain
  stationmaster play --plain --rulebook supertrain --players 3 --name Ann
  stationmaster play --plain --players 3 --bots porter,dispatcher
  stationmaster play --plain --rulebook ours.toml --rounds 3
  stationmaster play --plain --resume
  stationmaster play --list
"""

OTHERS = ("Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Kurt", "Lola", "Mika", "Nora", "Otto")
FOR_A_NEW_MATCH = ("rulebook", "players", "name", "seed", "rounds", "open", "new")


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``play``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("--plain", action="store_true", help="line by line (so far the only way, and the default)")
    parser.add_argument("--rulebook", metavar="ID|FILE.toml", help="whose rules (default: tactic)")
    parser.add_argument("--players", type=int, metavar="N", help="you and the others (default: 4)")
    parser.add_argument("--name", help="what you are called (default: as the last time, or you are asked)")
    parser.add_argument(
        "--bots",
        metavar="NAME[,NAME…]",
        help="who plays against you: one for all, or one for each, as `stationmaster bots` lists them, or a bot of "
        f"your own as mybot:Mine (default: {OPPONENT})",
    )
    parser.add_argument("--seed", metavar="S", help="deal the same tiles as the last time with this seed")
    parser.add_argument("--rounds", type=int, metavar="N", help="fewer rounds than the rulebook has")
    parser.add_argument("--open", action="store_true", default=None, help="all hands lie open")
    told = parser.add_mutually_exclusive_group()
    told.add_argument("--full", action="store_true", help="tell the whole table at each of your turns")
    told.add_argument(
        "--brief",
        action="store_true",
        help="never do, only the trains open to you (default: in full at your first turn of a round, then briefly)",
    )
    parser.add_argument("--list", action="store_true", help="list the matches that are kept, and leave")
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
    if options.list:
        return list_matches(options.language)
    with ExitStack() as stack:
        try:
            match, path, others = the_match(options, stack)
        except Left:
            return 0
        match.record().save(path)
        keep_manner(path, Manner(options.language, others.names))
        full = True if options.full else False if options.brief else None
        plain = Plain(match, path, options.language, others, auto=options.auto, full=full)
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
    print(say("play.go-on-with", language))
    print(f"  {to_go_on(path)}", flush=True)


def to_go_on(path: Path) -> str:
    """The command that goes on with a match."""
    return f"{this_program()} play --plain --resume {quote(str(path))}"


def list_matches(language: str) -> int:
    """The matches that are kept, the one played last first."""
    folder = matches_folder()
    found = list(saved_matches())
    if not found:
        print(say("play.list.none", language, folder=folder))
        return 0
    print(say("play.list.title", language, count=len(found), folder=folder))
    for saved in found:
        values: dict[str, Any] = {"day": f"{saved.when:%Y-%m-%d}", "time": f"{saved.when:%H:%M}"}
        record, trouble, book = saved.record, saved.trouble, None
        try:
            book = rulebook_from_record(record.rulebook) if record else None
        except StationmasterError as error:
            trouble = f"{saved.path}: {error}"
        print()
        if record is None or book is None:
            print(filled(say("play.list.broken", language, problem=trouble.rstrip("."), **values)))
            continue
        values |= {"name": book.name, "players": listing(list(record.players), language)}
        values |= {"number": len(record.rounds), "rounds": book.rounds}
        values["winners"] = listing([record.players[seat] for seat in record.winners or ()], language)
        text = say("play.list.running" if record.winners is None else "play.list.over", language, **values)
        if is_busy(saved.path):
            text += " " + say("play.list.busy", language)
        print(filled(text))
        print(f"  {saved.path}")
    print()
    print(say("play.list.how", language))
    print(f"  {this_program()} play --plain --resume FILE")
    return 0


def last_unfinished(language: str, *, also_busy: bool) -> Path | None:
    """The match to go on with; those that cannot be read are named."""
    broken: list[str] = []
    found = unfinished(broken, also_busy=also_busy)
    for problem in broken:
        print(say("play.unreadable", language, problem=problem.rstrip(".")))
    return found


def the_match(options: argparse.Namespace, stack: ExitStack) -> tuple[Match, Path, Opponents]:
    """The match to play, its file, which nobody else may play at meanwhile, and who plays against me."""
    if options.resume is not None:
        for name in FOR_A_NEW_MATCH:
            if getattr(options, name) is not None:
                raise StationmasterError(f"--resume goes on with a match as it is; --{name} is for a new one")
        old = options.resume if options.resume != Path() else last_unfinished(options.language, also_busy=True)
        if old is None:
            raise StationmasterError(say("play.none-to-resume", options.language))
        return resumed(old, options.save, stack, options, options.bots)
    match = new_match(options)  # before any question, because it may be refused
    others = Opponents.read(options.bots, match.players - 1)
    old = options.save if options.save is not None and options.save.exists() else None
    if old is None and options.save is None and not options.new:
        old = last_unfinished(options.language, also_busy=False)
    declined = False
    if old is not None:
        played = readable(old)
        if not played.over and not options.new:
            if wants_to_go_on(played, old, options.language):
                return resumed(old, None, stack, options, None)
            declined = True
    if options.name is None and sys.stdin is not None and sys.stdin.isatty() and last_name() is None:
        match = new_match(options, asked_name(options.language))
    path = options.save or fresh_path(match.book.id)
    if not path.parent.is_dir():
        raise StationmasterError(f"{path}: there is no folder {path.parent}; make it, or name another file")
    kept = old
    if path == old:
        kept = unused(path)
        stack.enter_context(sole_player(path))
        move_match(path, kept)
        print(say("play.kept", options.language, file=kept))
    else:
        stack.enter_context(sole_player(path))
    if declined and kept is not None:
        print(filled(say("play.new-begins", options.language)))
        print(f"  {to_go_on(kept)}\n")
    return match, path, others


def readable(path: Path) -> Match:
    """The match in a file that a match is to be saved to."""
    try:
        return load_match(path)
    except RecordError as error:
        raise StationmasterError(f"{error}. So it is not overwritten; choose another file for --save") from None


def resumed(
    path: Path, save: Path | None, stack: ExitStack, options: argparse.Namespace, bots: str | None
) -> tuple[Match, Path, Opponents]:
    """Go on with the match in a file, in the same file or in another, as it was played: language and bots."""
    manner = kept_manner(path)
    if options.asked_language is None:
        options.language = manner.language or options.language
    if save is not None and save.exists() and not (path.exists() and save.samefile(path)):
        raise StationmasterError(f"{save} is there already; it is not overwritten")
    keep = save or path
    path.stat()  # says if there is none, before a lock is made beside it
    stack.enter_context(sole_player(keep))
    match = load_match(path)
    if match.over:
        raise StationmasterError(
            say("play.is-over", options.language, file=path, command=f"{this_program()} replay {quote(str(path))}")
        )
    others = match.players - 1
    if bots is not None or len(manner.bots) != others:
        return Match.resume(match.record()), keep, Opponents.read(bots, others)
    try:
        return Match.resume(match.record()), keep, Opponents(manner.bots)
    except StationmasterError as error:  # a bot of one's own that is there no more
        raise StationmasterError(f"{error}. --bots says who is to play instead") from None


def wants_to_go_on(match: Match, path: Path, language: str) -> bool:
    """Ask whether to go on with an unfinished match."""
    when = datetime.fromtimestamp(path.stat().st_mtime)
    question = say(
        "play.unfinished",
        language,
        name=match.book.name,
        number=match.number,
        rounds=match.book.rounds,
        players=listing(list(match.names), language),
        day=f"{when:%Y-%m-%d}",
        time=f"{when:%H:%M}",
    )
    print(filled(question))
    print(filled(say("play.go-on-means", language)))
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


def new_match(options: argparse.Namespace, name: str | None = None) -> Match:
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
    name = name or (options.name if options.name is not None else own_name(options.language))
    others = [other for other in OTHERS if other.casefold() != name.casefold()]
    if options.seed is not None and not is_plain(options.seed):
        raise StationmasterError(f"--seed {options.seed!r}: a seed is a number or one line of text")
    return Match(book, [name, *others[: players - 1]], seed=options.seed)


def own_name(language: str) -> str:
    """What somebody who does not say is called: in a terminal the same as in the last match."""
    known = last_name() if sys.stdin is not None and sys.stdin.isatty() else None
    return known or say("play.guest", language)


def asked_name(language: str) -> str:
    """Ask for the player's name; with nothing typed, "You"."""
    guest = say("play.guest", language)
    while True:
        try:
            name = ask(say("play.your-name", language, name=guest)).strip()
        except EOFError:
            print()
            raise Left from None
        if not name or is_plain(name):
            return name or guest
        print(say("play.name-again", language))
