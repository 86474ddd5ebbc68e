"""``stationmaster play --plain``: whole matches, what can be typed, and what is told."""

from __future__ import annotations

import re
import shlex
import string
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import stationmaster as sm
from cli.commands import Ran, ones, record_text
from stationmaster.bots.levels import OPPONENT
from stationmaster.bots.naming import about
from stationmaster.cli.answers import WORDS, read_answer, words
from stationmaster.cli.output import this_program
from stationmaster.engine.round import PHASES
from stationmaster.words import LANGUAGES, catalogue

Run = Callable[..., Ran]

TILE = re.compile(r"\b(?:\d+|[ADRSTW])-(?:\d+|W)\b")


def the_match(folder: Path) -> sm.Match:
    """The one match that is kept in a folder."""
    (path,) = folder.glob("*.json")
    return sm.Record.load(path).replay()


def plain(text: str) -> str:
    """All in one line."""
    return " ".join(text.split())


# ---- Whole matches ----


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", sm.rulebooks())
def test_a_whole_match_is_played(run: Run, matches: Path, id: str, language: str) -> None:
    options = ["--players", 3, "--name", "Zoë", "--seed", 5, "--rounds", 2, "--language", language]
    code, out, err = run("play", "--plain", "--rulebook", id, *options, typed=ones())
    assert (code, err) == (0, "")
    match = the_match(matches)
    assert match.over
    assert match.names == ("Zoë", "Ben", "Cleo")
    assert all(name in out.splitlines()[-3] for name in (match.names[seat] for seat in match.winners or ()))
    assert all(f" {total} " in out or f" {total}\n" in out for total in match.totals)
    assert out.splitlines()[-1].endswith(".json.")
    letters = "ZoëáéíóúñÁÉÍÓÚÑ¿«»“”" + string.ascii_letters
    assert set(out) <= set(letters + string.digits + " \n.,:;()-$'?/_"), "nothing that a screen reader stumbles over"


def test_the_longest_lists_and_all_seats(run: Run, matches: Path) -> None:
    assert run("play", "--rulebook", "puremco-18", "--players", 14, "--rounds", 1, typed=ones()).code == 0
    assert the_match(matches).players == 14


def test_one_may_play_alone(run: Run, matches: Path) -> None:
    code, out, _ = run("play", "--rulebook", "pressman", "--players", 1, "--rounds", 1, typed="help\n" + ones())
    assert code == 0
    assert "0 is your train." in plain(out)
    assert the_match(matches).over


def test_hands_may_lie_open(run: Run) -> None:
    out = run("play", "--open", "--players", 2, "--seed", 1, typed="quit\n").out
    assert re.search(r"\nBen holds \d+ tiles: \d+-\d+, ", out)


def test_forced_draws_and_passes_may_go_by_themselves(run: Run, matches: Path) -> None:
    options = ["--rounds", 1, "--seed", 3, "--auto"]
    out = plain(run("play", *options, typed=ones()).out)
    assert "Nothing fits, so you draw a tile. You draw" in out
    assert "Press Enter for the only move: draw a tile" not in out
    assert the_match(matches).over


def test_the_same_seed_gives_the_same_match(run: Run, matches: Path) -> None:
    texts = []
    for _ in range(2):
        run("play", "--new", "--rounds", 1, "--seed", "again", "--save", "match.json", typed=ones())
        texts.append(Path("match.json").read_text())
    assert texts[0] == texts[1]
    assert sm.Record.loads(texts[0]).seed == "again"


def test_a_house_rule_from_a_file(run: Run, matches: Path) -> None:
    Path("ours.toml").write_text('based_on = "tactic"\nname = "Ours"\n[changes]\nrounds = 1\n')
    assert run("play", "--rulebook", "ours.toml", typed=ones()).out.startswith("Ours. At the table:")
    assert the_match(matches).over


def test_two_players_of_one_name_are_told_apart(run: Run, matches: Path) -> None:
    run("play", "--name", "ben", "--players", 3, typed="")
    assert the_match(matches).names == ("ben", "Cleo", "Dora")


def test_nothing_is_told_that_the_seat_has_not_seen(run: Run, matches: Path) -> None:
    """Until the hands are laid open, every tile named is on the table or has been in the own hand."""
    for id in ("tactic", "supertrain", "pressman"):
        out = run(
            "play", "--new", "--rulebook", id, "--seed", 9, "--rounds", 1, "--save", f"{id}.json", typed=ones()
        ).out
        round = sm.Record.load(f"{id}.json").replay().round
        told = {str(sm.Tile.parse(text)) for text in TILE.findall(out.partition("The round is ")[0])}
        mine = {str(tile) for tile in round.deal.hands[0]}
        draws = iter(round.deal.bone_pile)
        for seat, move in round.moves:
            if move.kind == "draw":
                drawn = str(next(draws))
                mine |= {drawn} if seat == 0 else set()
            elif move.tile is not None:
                mine.add(str(move.tile))
        assert told <= mine | {str(round.deal.engine)}
        assert len(told) > 20


# ---- What is told ----


def test_a_turn_is_told_in_sentences(run: Run) -> None:
    out = run("play", "--seed", 7, "--name", "Ann", "--bots", "random", typed="3\nquit\n").out
    first, second = out.split("Your turn.")[1:3]
    assert (
        first
        == (
            "\nThe engine is 12-12. There are 30 tiles in the bone pile.\n"
            "The Mexican Train: not begun, begins with 12.\n"
            "Your train: not begun, begins with 12.\n"
            "Ben's train: not begun, begins with 12. Ben holds 15 tiles.\n"
            "Cleo's train: not begun, begins with 12. Cleo holds 15 tiles.\n"
            "Dora's train: not begun, begins with 12. Dora holds 15 tiles.\n"
            "Your hand, 15 tiles: 0-3, 0-7, 0-11, 0-12, 1-10, 1-11, 1-12, 3-4, 4-7, 4-8,\n"
            "5-10, 6-8, 7-9, 7-11, 10-12. Of these, 0-12, 1-12 and 10-12 fit.\n"
            "You may play:\n"
            "1: 0-12 on your train, showing 0\n"
            "2: 0-12 on the Mexican Train, showing 0\n"
            "3: 1-12 on your train, showing 1\n"
            "4: 1-12 on the Mexican Train, showing 1\n"
            "5: 10-12 on your train, showing 10\n"
            "6: 10-12 on the Mexican Train, showing 10\n"
            "Your move? 3\n"
            "You play 1-12 on your train, which now shows 1.\n"
        )
        + first[first.index("Ben plays") :]
    )
    assert "Open to you: your train shows 1 and the Mexican Train shows 2.\n" in second
    assert "Ben's train: " not in second


def test_the_end_of_a_round_is_told(run: Run, matches: Path) -> None:
    out = run("play", "--rulebook", "quarter-pot", "--seed", 4, "--rounds", 1, "--players", 3, typed=ones()).out
    match = the_match(matches)
    end = plain(out[out.rindex("The round is") :])
    for name, points, hand in zip(match.names, match.totals, match.round.hands, strict=True):
        tiles = ", ".join(map(str, hand))
        assert f"{name}: {tiles} left, {points} point" in end if hand else f"{name}: nothing left, 0 points." in end
    assert "Wins $" in end
    assert "Pays $" in end
    assert "The match goes to" in end


# ---- What can be typed ----


def ask(run: Run, *typed: str, **options: object) -> str:
    """Type at the first move of one and the same match; what is answered."""
    out = run("play", "--new", "--seed", 7, "--name", "Ann", typed="\n".join([*typed, "quit"]) + "\n").out
    return plain(out.split("Your move? ", 1)[1])


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("3", "12-1@0"),
        ("12-1@0", "12-1@0"),
        ("1-12@0", "12-1@0"),
        (" 12-1 @ 0 ", "12-1@0"),
        ("12-10@m", "12-10@M"),
        ("12-10@Mexican", "12-10@M"),
        ("12-1@mine", "12-1@0"),
        ("1-12 @ me", "12-1@0"),
        ("12-1@ann", "12-1@0"),
        ("3.", "12-1@0"),
    ],
)
def test_a_move_is_a_number_or_its_notation(run: Run, matches: Path, typed: str, played: str) -> None:
    ask(run, typed)
    assert str(the_match(matches).round.moves[0][1]) == played


def test_an_illegal_move_gets_the_reason_and_the_clause(run: Run, matches: Path) -> None:
    out = ask(run, "0-3@0", "draw", "12-0@2")
    assert "0-3@0 is not legal. 0-3 cannot join like that: the open end of your train is 12" in out
    assert "By tactic.7: " in out
    assert "You cannot draw now. You can play" in out
    assert "By tactic.17: If you can play, you must." in out
    assert "12-0@2 is not legal. There is no marker on Cleo's train" in out
    assert the_match(matches).round.moves == []


def test_a_train_may_be_named_by_its_player(run: Run) -> None:
    assert "12-0@2 is not legal." in ask(run, "12-0@cleo")
    assert "There is no train called zz. Trains are called Ben, Cleo and Dora, mexican or mine." in ask(run, "12-0@zz")


@pytest.mark.parametrize("text", ["why 0-3@0", "why draw", "WHY 0-3", "why 5-5"])
def test_why_a_move_is_not_legal(run: Run, text: str) -> None:
    out = ask(run, text)
    assert "is not legal. " in out or "You cannot draw now. " in out
    assert re.search(r"By (tactic|referee)\.", out)


def test_why_says_also_that_a_move_is_legal(run: Run) -> None:
    assert "12-0@0 is legal: 0-12 on your train, showing 0." in ask(run, "why 12-0@0")
    assert "12-0@M is legal: 0-12 on the Mexican Train, showing 0." in ask(run, "why 2")
    assert "There is no move 99" in ask(run, "why 99")
    assert "Type why and a move" in ask(run, "why")
    assert "Type why and a move" in ask(run, "why me")


def test_a_tile_alone_will_do_if_it_fits_in_one_place(run: Run, matches: Path) -> None:
    assert "0-12 fits in more than one place. Type the number of one: 1: 0-12 on your train" in ask(run, "12-0")
    assert "is not in your hand" in ask(run, "5-5")


def test_words_ask_for_what_there_is_to_know(run: Run) -> None:
    assert ask(run, "table").startswith("table The engine is 12-12.")
    assert ask(run, "hand").startswith("hand Your hand, 15 tiles:")
    assert ask(run, "moves").startswith("moves You may play: 1: 0-12")
    assert ask(run, "score").startswith("score Round Engine Ann Ben")
    assert ask(run, "rules").startswith("rules Tactic The box")
    assert "The match is saved in " in ask(run, "save").split("Your move?")[0]
    out = ask(run, "help")
    assert all(f" {word}: " in out for word in WORDS)
    assert "0 is yours, then 1 Ben, 2 Cleo and 3 Dora." in out


@pytest.mark.parametrize("typed", ["99", "0", "blah", "12-@0", "9" * 5000, "1 2", "@", "-", "é", "why"])
def test_what_is_not_understood_is_no_move(run: Run, matches: Path, typed: str) -> None:
    assert ask(run, typed)
    assert the_match(matches).round.moves == []


def test_help_is_offered_for_what_is_not_understood(run: Run) -> None:
    assert "“blah” is not understood. Type a number from 1 to 6, or help." in ask(run, "blah")
    assert "There is no move 99: type a number from 1 to 6, or help." in ask(run, "99")
    assert "Type a number from 1 to 6, or help." in ask(run, "")


def test_enter_plays_the_only_move(run: Run, matches: Path) -> None:
    typed = "".join("1\n\n" for _ in range(1000))
    out = run("play", "--seed", 7, "--rounds", 1, typed=typed).out
    assert "Press Enter for the only move" in out
    assert the_match(matches).over


def test_words_are_understood_in_both_languages_and_when_they_are_only_begun() -> None:
    round = sm.Round(sm.rulebook("tactic"), sm.Deal.shuffle(sm.rulebook("tactic"), 4, seed=7))
    legal = round.legal_moves()

    def word(text: str, language: str) -> str | None:
        return read_answer(text, legal, round, language).word

    assert [word(text, "en") for text in ("HELP", "?", "q", "tab", "sc", "r")] == [
        "help",
        "help",
        "quit",
        "table",
        "score",
        "rules",
    ]
    assert [word(text, "es") for text in ("ayuda", "AYUDA", "help", "mesa", "salir", "quit")] == [
        "help",
        "help",
        "help",
        "table",
        "quit",
        "quit",
    ]
    assert word("h", "en") is None, "hand or help"
    assert read_answer("robar", legal, round, "es").move == sm.Move("draw")
    assert read_answer("explica robar", legal, round, "es").move == sm.Move("draw")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_things_are_typed_alike(language: str) -> None:
    typed = words(language)
    assert len(set(typed.values())) == len(WORDS)
    for other in LANGUAGES:
        meant = {text: word for word, text in words(other).items()}
        assert all(meant.get(text, word) == word for word, text in typed.items())


# ---- Between rounds, and leaving ----


def test_between_rounds_one_may_ask_and_leave(run: Run, matches: Path) -> None:
    one_round = record_length(run, matches)
    typed = "1\n" * one_round + "score\nhelp\nsave\nquit\n"
    out = run("play", "--new", "--seed", 7, "--rounds", 2, "--save", "two.json", typed=typed).out
    after = out.split("Press Enter for the next round:", 1)[1]
    assert after.count("Press Enter for the next round:") == 3
    assert "To go on with it:\n  stationmaster play --plain --resume two.json" in after
    match = sm.Record.load("two.json").replay()
    assert (match.number, match.round.turn) == (1, None)
    out = run("play", "--resume", "two.json", typed="quit\n").out
    assert "Press Enter for the next round:" in out
    assert "Round 1 of 2 has been played." in out
    assert "You start" not in out


def record_length(run: Run, matches: Path) -> int:
    """How many answers a round of the first moves takes."""
    run("play", "--new", "--seed", 7, "--rounds", 1, typed=ones())
    return sum(seat == 0 for seat, _ in the_match(matches).round.moves)


@pytest.mark.parametrize("typed", ["quit\n", ""])
def test_leaving_says_where_the_match_is(run: Run, matches: Path, typed: str) -> None:
    code, out, err = run("play", typed=typed)
    (path,) = matches.glob("*.json")
    assert (code, err) == (0, "")
    assert out.splitlines()[-3:] == [
        f"The match is saved in {path}.",
        "To go on with it:",
        f"  stationmaster play --plain --resume {path}",
    ]


# ---- Going on ----


def test_a_match_left_and_taken_up_again_is_the_match_played_at_once(run: Run) -> None:
    options = ["--seed", 5, "--rounds", 2, "--rulebook", "supertrain", "--name", "Ann"]
    run("play", *options, "--save", "once.json", typed=ones())
    run("play", *options, "--save", "often.json", typed="1\n" * 3)
    for _ in range(100):
        out = run("play", "--resume", "often.json", typed="1\n" * 5).out
        if "The match is over." in out:
            break
    assert Path("often.json").read_text() == Path("once.json").read_text()


def test_starting_again_offers_to_go_on(run: Run, matches: Path) -> None:
    run("play", "--seed", 7, "--players", 3, typed="1\n")
    out = run("play", typed="what\ny\nquit\n").out
    assert "not over: Tactic, round 1 of 13, with You, Ben and Cleo, last played on 20" in plain(out)
    assert "Please type y for yes or n for no." in out
    assert "At the table:" in out
    assert len(the_match(matches).round.moves) > 2
    assert "¿Seguir con esa partida? (s o n) s\n" in run("play", "--language", "es", typed="s\nsalir\n").out


def test_an_offer_may_be_declined_and_nothing_is_lost(run: Run, matches: Path) -> None:
    run("play", typed="1\n")
    (first,) = matches.glob("*.json")
    text = first.read_text()
    out = run("play", "--players", 2, typed="n\n").out
    assert "A new match begins. The other one is kept; to go on with that one later:" in plain(out)
    assert f"\n  stationmaster play --plain --resume {first}\n" in out
    assert "Round 1" in out
    assert first.read_text() == text
    assert len(list(matches.glob("*.json"))) == 2
    assert run("play", typed="").out.endswith("(y or n) \n")
    assert len(list(matches.glob("*.json"))) == 2
    run("play", "--new", typed="")
    assert len(list(matches.glob("*.json"))) == 3


def test_a_finished_match_is_not_offered(run: Run, matches: Path) -> None:
    run("play", "--rounds", 1, typed=ones())
    assert "not over" not in run("play", typed="").out
    assert run("play", "--resume", typed="1\n").code == 0


def test_resume_takes_the_match_played_last(run: Run, matches: Path) -> None:
    run("play", "--name", "First", typed="1\n")
    run("play", "--new", "--name", "Second", typed="1\n")
    assert "Second" in run("play", "--resume", typed="").out


def test_a_broken_match_is_not_offered(run: Run, matches: Path) -> None:
    run("play", typed="1\n")
    (path,) = matches.glob("*.json")
    path.write_text(path.read_text()[:-50])
    out = run("play", typed="").out
    assert "not over" not in out
    assert f"A saved match cannot be read, and is left as it is: {path}: " in out


def test_matches_are_listed(run: Run, matches: Path) -> None:
    assert run("play", "--list").out == f"No matches are kept in {matches}.\n"
    run("play", "--rulebook", "pressman", "--rounds", 1, "--players", 2, typed=ones())
    run("play", "--new", "--name", "Ann", "--players", 3, typed="1\n")
    matches.joinpath("broken.json").write_text("{")
    code, out, err = run("play", "--list")
    assert (code, err) == (0, "")
    said = plain(out)
    assert f"3 matches are kept in {matches}, the one played last first:" in said
    assert "Tactic, Ann, Ben and Cleo: round 1 of 13." in said
    assert "You and Ben: over, won by " in said
    assert f": cannot be read: {matches}/broken.json: " in said
    assert all(f"  {path}\n" in out for path in matches.glob("20*.json"))


def test_a_match_goes_on_in_the_language_it_was_played_in(run: Run) -> None:
    run("play", "--save", "m.json", "--language", "es", typed="1\nsalir\n")
    assert "¿Qué juegas?" in run("play", "--resume", "m.json", typed="1\nsalir\n").out
    assert "Your move?" in run("play", "--resume", "m.json", "--language", "en", typed="quit\n").out
    assert "Your move?" in run("play", "--resume", "m.json", typed="quit\n").out


def test_going_on_tells_what_was_played_last(run: Run) -> None:
    run("play", "--save", "m.json", "--seed", 7, "--bots", "random", typed="3\nquit\n")
    out = run("play", "--resume", "m.json", typed="last\nquit\n").out
    assert "You are back in round 1 of 13. The engine is 12-12.\nWhat was played last:\nYou play 1-12 on" in out
    assert out.count("You play 1-12 on your train, which now shows 1.\nBen plays 5-12 on the Mexican Train") == 2


def test_the_whole_table_is_told_at_every_turn_or_never(run: Run) -> None:
    def tables(*options: str) -> int:
        return run("play", "--new", "--seed", 7, *options, typed="3\n1\nquit\n").out.count("\nThe engine is 12-12.")

    assert [tables(), tables("--full"), tables("--brief")] == [1, 3, 0]
    assert run("play", "--full", "--brief").code == 2


def test_letters_are_explained_at_the_table(run: Run) -> None:
    options = ["--rulebook", "supertrain", "--new", "--rounds", 1]
    said = "".join(run("play", *options, "--seed", seed, typed="moves\nhelp\n" + ones()).out for seed in range(4))
    assert re.search(r"\n\d+: A-W, anywhere, on ", said)
    assert re.search(r"\d+: S-W, skip, the next player misses a turn, on ", said)
    assert "A, anywhere; D, the next player draws first; R," in plain(said)
    out = plain(run("play", *options, typed="tile A-W\ntile 3-W\ntile 3-3\ntile 1-99\ntile 12-15\nquit\n").out)
    assert "A, anywhere (three tiles): it may go on anybody's train" in out
    assert "A tile with a number and a red train, like 3-W, may be laid either way." in out
    assert "3-3 is a double: it joins 3, and has to be covered. Left in a hand it counts 6 points." in out
    assert "Type tile and a tile, as tile 5-12." in out
    assert "There is no 12-15 in this set." in out


def test_spanish_is_said_as_it_is_spoken(run: Run) -> None:
    out = plain(run("play", "--language", "es", "--seed", 7, typed="robar\npor qué 1-1\nPOR QUE 2\nsalir\n").out)
    assert "Robar no es legal ahora. Puedes jugar" in out
    assert "1-1@0 no es legal. No tienes 1-1 en la mano." in out
    assert "12-0@M es legal: 0-12 en el tren mexicano, mostrando 0." in out


# ---- The others, and hints ----


def test_the_others_say_how_they_play(run: Run) -> None:
    def said(*options: object) -> str:
        return plain(run("play", "--new", "--players", 3, *options, typed="").out)

    assert "Ben and Cleo play by chance: any legal move" in said("--bots", "random")
    assert "Ben and Cleo always play the tile that counts the most." in said("--bots", "greedy")
    both = said("--bots", "greedy, random")
    assert "Ben always plays the tile that counts the most. Cleo plays by chance: any legal move" in both
    assert about(sm.bot(OPPONENT), ["Ben", "Cleo"]) in said()
    assert "Ben and Cleo play as conductors: they look some tiles ahead" in said()
    assert "Ben plays as a porter: looks a tile ahead" in said("--bots", "porter,stationmaster")
    assert "play by chance" not in run("play", "--new", "--rulebook", "pressman", "--players", 1, typed="").out


def bots_moves(path: Path) -> dict[int, list[tuple[sm.Move, sm.Move]]]:
    """What was played at each seat but mine, each with what the greedy bot would have played."""
    played: dict[int, list[tuple[sm.Move, sm.Move]]] = {}
    round = sm.Record.load(path).replay().round
    again = sm.Round(round.book, round.deal)
    for seat, move in round.moves:
        greedy = sm.bot("greedy").consider(again.observe(seat), sm.Limit(), Random(1)).move
        played.setdefault(seat, []).append((move, greedy))
        again.push(move)
    return played


def test_each_plays_as_was_asked_for(run: Run) -> None:
    run("play", "--players", 3, "--bots", "random,greedy", "--rounds", 1, "--save", "m.json", "--seed", 3, typed=ones())
    played = bots_moves(Path("m.json"))
    assert all(move is greedy for move, greedy in played[2])
    assert any(move is not greedy for move, greedy in played[1])


def test_a_match_remembers_who_plays(run: Run) -> None:
    run("play", "--players", 3, "--bots", "random,greedy", "--rounds", 1, "--save", "m.json", "--seed", 3, typed="1\n")
    out = plain(run("play", "--resume", "m.json", typed="1\n1\n").out)
    assert "Ben plays by chance: any legal move, each as likely as the next. Cleo always plays" in out
    out = plain(run("play", "--save", "m.json", "--bots", "random", typed="y\n1\n1\n").out)
    assert "Cleo always plays the tile that counts the most." in out, "that would have been for a new match"
    run("play", "--resume", "m.json", typed=ones())
    assert all(move is greedy for move, greedy in bots_moves(Path("m.json"))[2])


def test_others_may_be_asked_to_go_on(run: Run) -> None:
    run("play", "--players", 3, "--save", "m.json", "--bots", "random", typed="1\n")
    assert "Ben and Cleo always play" in plain(run("play", "--resume", "m.json", "--bots", "greedy", typed="1\n").out)
    assert "Ben and Cleo always play" in plain(run("play", "--resume", "m.json", typed="1\n").out)
    Path(".m.json.manner").write_text("{}")
    assert "Ben and Cleo always play" not in plain(run("play", "--resume", "m.json", typed="1\n").out)
    Path(".m.json.manner").write_bytes(b"\xff")
    assert run("play", "--resume", "m.json", typed="1\n").code == 0


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("chess", "no bot is called 'chess': there are random, greedy"),
        ("greedy,random", "--bots greedy,random: 2 bots for 3 other players; name one for all, or one for each"),
        ("", "no bot is called ''"),
        ("nobot.py:Mine", "there is no file nobot.py"),
    ],
)
def test_a_bot_that_is_not_there_does_not_play(run: Run, matches: Path, bots: str, said: str) -> None:
    code, out, err = run("play", "--bots", bots, typed="1\n")
    assert (code, out) == (2, "")
    assert err.startswith(f"stationmaster: {said}")
    assert not list(matches.glob("*.json"))


MINE = """
import stationmaster as sm

class Mine(sm.Bot):
    id = "mine"

    def consider(self, observation, limit, rng):
        if len(observation.history) > 8:
            {trouble}
        return sm.Advice(observation.legal_moves[-1])
"""


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("1 / 0", "raised ZeroDivisionError: division by zero (trouble0.py, line 9)"),
        ("return sm.Advice(sm.Move('stop'))", "advises stop, which is not legal"),
    ],
)
def test_a_bot_of_ones_own_may_play_and_fail(
    run: Run, monkeypatch: pytest.MonkeyPatch, trouble: str, said: str
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    name = f"trouble{'stop' in trouble:d}"
    Path(f"{name}.py").write_text(MINE.format(trouble=trouble))
    code, out, err = run("play", "--players", 3, "--bots", f"{name}:Mine", "--save", "m.json", typed=ones())
    assert "Ben and Cleo play as the bot mine does." in out
    assert code == 2
    assert err == (
        f"stationmaster: the bot {name}:Mine {said}. To see what is wrong: stationmaster bots check {name}:Mine\n"
    )
    assert len(sm.Record.load("m.json").rounds[0].moves) > 8, "what was played before is kept"


def test_a_bot_of_ones_own_may_be_gone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("passing.py").write_text(MINE.format(trouble="pass"))
    run("play", "--players", 2, "--bots", "passing.py:Mine", "--save", "m.json", typed="1\n")
    Path("passing.py").unlink()
    code, _, err = run("play", "--resume", "m.json", typed="1\n")
    assert (code, err) == (
        2,
        "stationmaster: there is no file passing.py. --bots says who is to play instead\n",
    )
    assert run("play", "--resume", "m.json", "--bots", "greedy", typed="1\n").code == 0


def test_a_hint_is_a_move_of_the_list_and_says_why(run: Run, matches: Path) -> None:
    said = re.match(r"hint A hint: (\d+), ([^.]+)\. (It|Over) \S", ask(run, "hint"))
    assert said is not None
    assert the_match(matches).round.moves == []
    listed = plain(run("play", "--new", "--seed", 7, typed="quit\n").out)
    assert f"{said[1]}: {said[2]}" in listed
    out = plain(run("play", "--new", "--seed", 7, "--language", "es", typed="pista\nsalir\n").out)
    assert re.search(r"Una pista: \d+, [^.]+ en [^.]+, mostrando \d+\. \S", out)


def test_there_are_hints_for_every_decision(run: Run) -> None:
    for rulebook in ("supertrain", "front-porch"):
        typed = "hint\n1\n" * 300
        options = ("--rulebook", rulebook, "--rounds", 1, "--players", 2, "--bots", "random", "--seed", 1)
        out = run("play", "--new", *options, typed=typed).out
        assert out.count("A hint: ") > 5
        assert "A hint: 1, draw a tile. It is the only legal move." in plain(out)
        assert "@" not in "".join(line for line in out.splitlines() if "A hint: " in line or "better so" in line)


def test_lines_are_as_wide_as_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = run("play", "--seed", 7, "--save", "m.json", typed="3\nquit\n").out
    assert max(map(len, out.splitlines()[:-3])) <= 40
    monkeypatch.delenv("COLUMNS")
    out = run("play", "--new", "--seed", 7, typed="quit\n").out
    assert "7-11, 10-12. Of these, 0-12, 1-12 and 10-12 fit." in out


def test_the_hint_is_a_command_that_works_as_it_was_started(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    script = home / "bin" / "stationmaster"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    for started, said in (
        ("bin/stationmaster", "bin/stationmaster"),
        ("/x/stationmaster/__main__.py", f"{shlex.quote(sys.executable)} -m stationmaster"),
    ):
        monkeypatch.setattr(sys, "argv", [started])
        assert this_program() == said
    monkeypatch.setenv("PATH", str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert this_program() == "stationmaster"


def test_a_match_from_anywhere_can_be_gone_on_with(run: Run) -> None:
    Path("ann.json").write_text(record_text(moves=5))
    assert "Ann's turn" not in run("play", "--resume", "ann.json", typed="1\nquit\n").out
    assert len(sm.Record.load("ann.json").rounds[0].moves) > 5


def test_a_match_that_is_over_cannot_be_gone_on_with(run: Run, record: Path) -> None:
    code, _, err = run("play", "--resume", record)
    assert code == 2
    assert err == f"stationmaster: {record}: this match is over. To see it again: stationmaster replay {record}\n"


def test_a_match_may_go_on_in_another_file(run: Run) -> None:
    Path("old.json").write_text(record_text(moves=5))
    text = Path("old.json").read_text()
    assert run("play", "--resume", "old.json", "--save", "new.json", typed="1\n").code == 0
    assert Path("old.json").read_text() == text
    assert len(sm.Record.load("new.json").rounds[0].moves) > 5
    assert run("play", "--resume", "old.json", "--save", "new.json").code == 2


def test_a_match_in_a_file_of_its_own_is_offered_and_never_overwritten(run: Run) -> None:
    run("play", "--save", "mine.json", "--seed", 1, typed="1\n")
    text = Path("mine.json").read_text()
    assert "Play on with that match?" in run("play", "--save", "mine.json", typed="y\n").out
    assert Path("mine.json").read_text() == text
    out = run("play", "--save", "mine.json", "--seed", 2, typed="n\n").out
    assert "What was in that file is now in mine-2.json." in out
    assert Path("mine-2.json").read_text() == text
    assert Path("mine.json").read_text() != text


# ---- The words ----


def test_every_phase_and_word_has_its_sentence() -> None:
    keys = catalogue("en")
    assert all(f"play.help.{word}" in keys for word in WORDS)
    for phase in PHASES.values():
        assert phase == "play" or f"play.expected.{phase}" in keys


def test_no_sentence_of_the_command_line_is_left_over() -> None:
    source = "\n".join(path.read_text("utf-8") for path in Path(sm.__file__).parent.joinpath("cli").glob("*.py"))
    made = ("table.move.", "table.letter.", "table.you.", "play.word.", "play.help.", "play.expected.")
    made = (*made, "cli.bench.", "cli.db.", "cli.verify.")
    mine = [key for key in catalogue("en") if key.split(".")[0] in ("table", "play", "cli")]
    chosen = {
        "table.hand-empty",
        "table.hand-of-empty",
        *(f"play.{what}-is-legal" for what in ("draw", "must-draw", "pass", "stop")),
        *(f"play.{what}-not-legal" for what in ("draw", "pass", "stop")),
        "play.tile.plain",
        "play.tile.double",
        *(f"cli.settle.{what}" for what in ("more", "less", "both", "same")),
        *(f"cli.settle.not-compared-{why}" for why in ("tile", "small", "players", "wild", "played")),
    }
    assert {key for key in mine if f'"{key}"' not in source and not key.startswith(made)} == chosen
