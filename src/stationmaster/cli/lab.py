"""``stationmaster lab``: let bots play many rounds, and say what comes of it with its uncertainty."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stationmaster.cli.output import print_json, read_rulebook
from stationmaster.engine.deal import check_players
from stationmaster.errors import StationmasterError
from stationmaster.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.lab.job import Job
    from stationmaster.lab.progress import Progress
    from stationmaster.lab.results import Results
    from stationmaster.lab.run import Watch
    from stationmaster.rulebooks.rulebook import Rulebook

INTERRUPTED = 130
LIBRARIES = ("numpy", "pyarrow", "duckdb", "openskill", "distributed")  # what [lab] installs

EXAMPLES = """\
examples:
  stationmaster lab match planner greedy --deals 2000
  stationmaster lab match rollout@50ms planner --sprt
  stationmaster lab match mybots:Heaviest random --rulebook tactic --players 3 --seats 2
  stationmaster lab ladder random greedy planner rollout@400 --deals 500
  stationmaster lab study study.toml --save results
  stationmaster lab report results

A bot is named by its id (or module:Class), with a limit if you like: rollout@50ms for time a
move, rollout@400 for playouts a move. One deal played in all seat rotations is one sample.
Ctrl-C keeps what was played; the same command with --resume goes on.
"""
MATCH = """\
examples:
  stationmaster lab match planner greedy
  stationmaster lab match rollout planner --limit 50ms --sprt      is rollout a point better?
  stationmaster lab match planner greedy --matches 200              whole matches
  stationmaster lab match planner greedy --workers 2 --json
"""
LADDER = """\
examples:
  stationmaster lab ladder random greedy planner
  stationmaster lab ladder random greedy planner rollout@400 --rulebook supertrain --players 3
"""
STUDY = """\
A study is a TOML file:

  title = "Does going first matter?"
  questions = ["place"]            what the report answers: place, endings, luck, rules, mexican, money
  seed = "first"
  deals = 2000                     of each cell; or matches = 500, for whole matches
  rulebooks = ["puremco-12", "tactic", "ours.toml"]
  players = [2, 4]
  tables = [["planner"], ["planner", "greedy"]]    the last bot takes the seats that are left
  limit = "5ms"                    of bots that have none of their own

  [[house]]                        a house rule that is put on every rulebook
  name = "open doubles bind nobody"
  changes = { open_doubles_bind = false }

examples:
  stationmaster lab study first.toml
  stationmaster lab study first.toml --save results/first --resume
"""
REPORT = """\
examples:
  stationmaster lab report results                          writes results/report.html
  stationmaster lab report first second --output both.html
  stationmaster lab report results --text
  stationmaster lab report results --markdown --output docs/studies/first.md
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``lab``."""
    parser.description = "A laboratory: bots play many rounds; means come with their 95 % intervals."
    parser.epilog = EXAMPLES
    kinds = parser.add_subparsers(title="what to do", metavar="WHAT", required=True)

    def add(name: str, about: str, examples: str, does: Callable[[argparse.Namespace], int]) -> Any:
        sub = kinds.add_parser(
            name,
            help=about,
            description=about[0].upper() + about[1:] + ".",
            epilog=examples,
            parents=[shared],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(does=does)
        sub.add_argument("--json", action="store_true", help="print the figures for a program to read")
        return sub

    some = add("match", "bot A against bot B: the difference, and the share of rounds won", MATCH, play_match)
    some.add_argument("a", metavar="A", help="a bot, as planner, rollout@50ms, rollout@400 or mybots:Heaviest")
    some.add_argument("b", metavar="B", help="the bot at the other seats")
    some.add_argument("--seats", type=positive, default=1, metavar="N", help="how many A takes (default: %(default)s)")
    some.add_argument(
        "--sprt",
        type=float,
        nargs="?",
        const=1.0,
        metavar="H1",
        help="stop as soon as it is clear whether A is no better (H0) or better by H1 points a round (default: 1)",
    )
    _of_games(some)
    _of_runs(some)
    some = add("ladder", "all against all: ratings, and how each pair does at one table", LADDER, play_ladder)
    some.add_argument("bots", metavar="BOT", nargs="+", help="a bot, as planner, rollout@50ms or mybots:Heaviest")
    _of_games(some)
    _of_runs(some)
    some = add("study", "play what a file says; results as Parquet", STUDY, play_study)
    some.add_argument("file", metavar="FILE.toml", type=Path, help="the study")
    _of_runs(some)
    some = add("report", "one page with plots, or tables for a text, from results", REPORT, report)
    some.add_argument("results", metavar="RESULTS", nargs="+", type=Path, help="folders of results")
    form = some.add_mutually_exclusive_group()
    form.add_argument("--text", action="store_true", help="tables for the terminal")
    form.add_argument("--markdown", action="store_true", help="tables for a text")
    some.add_argument("--output", type=Path, metavar="FILE", help="where to (default: report.html beside the results)")


def _of_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rulebook", default="puremco-12", metavar="ID", help="or FILE.toml (default: %(default)s)")
    parser.add_argument("--players", type=positive, metavar="N", help="(default: 4, or as many as can play)")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument(
        "--deals", type=positive, metavar="N", help="each played in all rotations (default: 1000; with --sprt 100000)"
    )
    amount.add_argument("--matches", type=positive, metavar="N", help="whole matches instead of single deals")
    parser.add_argument("--seed", default="1", help="another seed, other deals (default: %(default)s)")
    parser.add_argument("--limit", metavar="LIMIT", help="of bots without one of their own: 50ms, 0.1s, or playouts")


def _of_runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="where results are kept")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on with what was played before")
    again.add_argument("--fresh", action="store_true", help="begin anew, and drop what was played before")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes that play (default: all cores)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on a Dask cluster, as tcp://127.0.0.1:8786")


def positive(text: str) -> int:
    """A whole number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def run(options: argparse.Namespace) -> int:
    """Do what was asked for."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise StationmasterError(
            f"the laboratory needs {', '.join(missing)}: make lab installs it "
            "(outside of a checkout: pip install 'stationmaster[lab]')"
        )
    does: Callable[[argparse.Namespace], int] = options.does
    return does(options)


# ---- Playing ----------------------------------------------------------------------------------------


def play_match(options: argparse.Namespace) -> int:
    """A against B."""
    from stationmaster.lab.entrants import entrant, read_limit
    from stationmaster.lab.match import Standing, match_job
    from stationmaster.lab.said import match_known, match_lines
    from stationmaster.lab.statistics import Sprt

    book, players = the_table(options)
    default = read_limit(options.limit) if options.limit else None
    a, b = entrant(options.a, default), entrant(options.b, default)
    if options.sprt is not None and not options.sprt > 0:
        raise StationmasterError(f"--sprt {options.sprt:g}: how much better A would be, above 0")
    job = match_job(a, b, book, players, options.seats, seed=options.seed, matches=bool(options.matches))
    sprt = Sprt(high=options.sprt) if options.sprt is not None else None
    target = options.matches or options.deals or (100_000 if sprt else 1000)
    standing = Standing(job, target, sprt)
    return carry_out(options, job, [target], standing, lambda: match_known(standing, options.language), match_lines)


def play_ladder(options: argparse.Namespace) -> int:
    """All against all."""
    from stationmaster.lab.entrants import entrant, read_limit
    from stationmaster.lab.ladder import Climb, ladder_job
    from stationmaster.lab.said import ladder_known, ladder_lines

    book, players = the_table(options)
    default = read_limit(options.limit) if options.limit else None
    entrants = [entrant(text, default) for text in options.bots]
    job = ladder_job(entrants, book, players, seed=options.seed, matches=bool(options.matches))
    target = options.matches or options.deals or 1000
    climb = Climb(job, target)
    return carry_out(options, job, [target], climb, lambda: ladder_known(climb, options.language), ladder_lines)


def play_study(options: argparse.Namespace) -> int:
    """What a file says."""
    from stationmaster.lab.said import study_known, study_lines
    from stationmaster.lab.study import Course, read_study

    study = read_study(options.file, read_rulebook)
    course = Course(study)
    targets = [study.samples] * len(study.job.cells)
    return carry_out(options, study.job, targets, course, lambda: study_known(course, options.language), study_lines)


def the_table(options: argparse.Namespace) -> tuple[Rulebook, int]:
    """The rulebook and the number of players that were asked for."""
    book = read_rulebook(options.rulebook)
    players = options.players or min(book.players, key=lambda seats: abs(seats - 4))
    check_players(book, players)
    return book, players


def carry_out(
    options: argparse.Namespace,
    job: Job,
    targets: Sequence[int],
    tally: Any,
    known: Callable[[], str],
    lines: Callable[[Any, str], list[str]],
) -> int:
    """Play, show how far it is, and say what came of it; what was played is kept in any case."""
    from stationmaster.lab.progress import Progress
    from stationmaster.lab.run import carry_out as play

    language: str = options.language
    results = the_results(options, job)
    progress = Progress(sum(targets), language, job.cells[0].matches)
    interrupted = False
    try:
        play(
            results,
            targets,
            watching(tally, progress, known),
            begin=lambda: progress.begin(tally.count, tally.rounds),
            workers=options.workers,
            scheduler=options.scheduler,
        )
    except KeyboardInterrupt:
        interrupted = True
    finally:
        progress.clear()
    if options.json:
        about = {"complete": not interrupted, "folder": str(results.folder), "seconds": progress.seconds}
        print_json(tally.figures() | about | {"rounds_per_s": progress.speed(tally.rounds)})
    elif tally.count:
        print("\n".join(lines(tally, language)))
    if interrupted:
        kept = say("lab.stopped", language, done=f"{tally.count:,}", total=f"{sum(targets):,}", folder=results.folder)
        print(kept, file=sys.stderr)
        return INTERRUPTED
    if not options.json:
        print(say("lab.kept", language, folder=results.folder))
    return 0


def watching(tally: Any, progress: Progress, known: Callable[[], str]) -> Watch:
    """Take in what was played, and show it."""

    def watch(task: Any, of: Any) -> bool:
        enough: bool = tally.add(task, of)
        progress.show(tally.count, tally.rounds, known)
        return enough

    return watch


def the_results(options: argparse.Namespace, job: Job) -> Results:
    """Where results go: a new folder, or one that is gone on with."""
    from stationmaster.lab.results import JOB, Results, default_folder

    folder: Path = options.save or default_folder(job)
    if (folder / JOB).exists() and not options.fresh:
        there = Results.read(folder)
        if there.job.key != job.key:
            raise StationmasterError(
                f"{folder} holds the results of something else; name another folder, or begin anew with --fresh"
            )
        if options.resume or not there.begun():
            return there
        raise StationmasterError(
            f"{folder} holds what was played of this before: go on with --resume, begin anew with --fresh, "
            "or take other deals with --seed"
        )
    return Results.new(folder, job)


# ---- Telling ----------------------------------------------------------------------------------------


def report(options: argparse.Namespace) -> int:
    """A page, or tables."""
    from stationmaster.lab.report import document, html, markdown, text
    from stationmaster.lab.results import Results

    sections = document([Results.read(folder) for folder in options.results], options.language)
    if options.json:
        print_json(sections.figures())
        return 0
    if options.text or options.markdown:
        made = text(sections, options.language) if options.text else markdown(sections, options.language)
        if options.output is None:
            print(made, end="")
            return 0
    else:
        made = html(sections, options.language)
    path = options.output or options.results[0] / "report.html"
    path.write_text(made, "utf-8")
    print(say("lab.report.written", options.language, file=path))
    return 0
