"""Every condition of the referee was true once and false once in the random play that the oracle agrees with.

The interpreted core notes what its conditions were (``pure.witnessed``) while both referees play. Rounds of the
printed rulebooks meet most of it; what is rare comes from house rules that were found by playing many:

    pytest tests/engine/test_branches.py -m long -s
"""

from __future__ import annotations

import random

import pytest

import oracle
from both import Both, both, house_mix
from pure import rounds_by, witnessed
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round, core_state
from stationmaster.errors import IllegalMoveError
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

# What decides no rule: setting up, playouts, taking back, and what other tests ask.
BESIDES = {
    "__init__", "_interpreted_fields", "clear", "copy_from", "below", "deal_random", "engine_from_hands", "set_engine",
    "place_nth", "slot_of", "play_randomly", "many_rounds", "rules", "random_rounds", "void_rows", "load", "lay_out",
    "push", "pop", "copy", "hand", "bone_pile", "random_move", "copies", "bytes",
}  # fmt: skip

# House rules, by number, whose first stacked round meets what the printed rulebooks hardly meet.
RARE = (
    0, 1, 3, 4, 7, 10, 13, 14, 16, 22, 23, 33, 42, 43, 45, 50, 51, 64, 66, 71, 113, 209, 254, 277, 279, 296, 566, 742,
    1020, 1075, 1702, 2754, 3328, 5499, 9187, 18291,
)  # fmt: skip

# What no round that begins with a deal can bring about, and why.
OUT_OF_REACH = {
    "double_allowed: exposed > 2 was never true": "with two exposed, phase TWO asks for their trains only",
    "find_anywhere: fits == 0 was never true": "who holds an A can place it, and does not draw",
    "draws_here: self.phase == FOLLOW was never false": "TWO and EXTRA always have a placement",
    "draws_here: not self.pending & WHOLE_TURN was never false": "a drawn first tile is no double: that is the engine",
    "exposed_if_legal: self.found < 0 was never true": "whoever asks has found the placements",
    "may: self.may_stop() was never true": "a string without a placement ends by itself",
    "may: code == PASS_CODE was never false": "there is no other move",
    "refusal: self.refusal_of_fit(train, a, b) was never false": "it is the last question, and the move is not legal",
    "refusal_of_giving_up: self.may_stop() was never true": "a string without a placement ends by itself",
    "refusal_of_fit: b == WILD was never false": "another tile with W attached fits everywhere",
    "refusal_of_fit: a == b was never false": "what fits and is not legal is a double",
    "refusal_of_fit: self.turn_doubles was never false": "… and a second one",
    "refusal_of_fit: popcount(self.turn_doubles | bit(train)) > 2 was never true": "see double_allowed",
}


def ask_of_a_copy(round: Round, move: str) -> None:
    """Of a round whose placements nobody has asked for yet, too."""
    assert round.copy().why_illegal(move) is None


def play_curiously(table: Both, rng: random.Random, stacked: bool) -> None:
    """Play a round out, asking of every tile in the hand, on every train, why it may not lie there."""
    while legal := table.check():
        table.ask_anything(legal)
        for word in ("draw", "pass", "stop"):
            table.ask(Move.parse(word), legal)
        if table.naive.doubles or table.asking.random() < 0.1:
            table.round.observe(table.naive.turn)
            for tile in set(table.naive.hands[table.naive.turn or 0]):
                for attached, exposed in oracle.ways(tile):
                    for train in table.naive.trains:
                        table.ask(Move.parse(f"{attached}-{exposed}@{train}"), legal)
        ask_of_a_copy(table.round, legal[0])
        table.play(oracle.choose_stacked(legal, rng) if stacked else rng.choice(legal))
    table.check_end()
    with pytest.raises(IllegalMoveError, match="over"):
        table.round.push("draw")


def test_every_condition_was_true_once_and_false_once(capsys: pytest.CaptureFixture[str]) -> None:
    core, unseen = witnessed(BESIDES)
    with rounds_by(core):
        for id in rulebooks():
            for players in (rulebook(id).players[0], 4):
                for number in (0, 1, 3):
                    play_curiously(*both(rulebook(id), players, number))
        for mix in RARE:
            play_curiously(*both(*house_mix(mix), 1))
        playout = core_state(rulebook("front-porch"), 4)
        playout.random_rounds(20, 12, 14, 1)  # a playout does not keep what a hand was seen to lack
    left = sorted(unseen())
    with capsys.disabled():
        print(f"\nNot met by random play: {len(left)} outcomes of conditions, {len(OUT_OF_REACH)} of them out of reach")
    assert set(left) == set(OUT_OF_REACH)


@pytest.mark.long
def test_what_is_rare_can_be_found() -> None:
    """Plays house rules until nothing new is met, and prints those that met something, for RARE."""
    core, unseen = witnessed(BESIDES)
    found, left = [], len(unseen())
    with rounds_by(core):
        for mix in range(20_000):
            table, rng, stacked = both(*house_mix(mix), 1)
            if mix < 1500:
                play_curiously(table, rng, stacked)
            else:
                table.play_out(rng, stacked)
            if len(unseen()) < left:
                found.append(mix)
                left = len(unseen())
    print(f"RARE = {tuple(found)}")
    print(*unseen(), sep="\n")
    assert len(found) > 20
