"""How many sequences of moves there are: two fixed deals for each rulebook, counted by both referees, and pinned."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import oracle
from stationmaster.rulebooks.rulebook import rulebooks

pytestmark = pytest.mark.core

_spec = importlib.util.spec_from_file_location("perft_make", Path(__file__).parents[1] / "perft" / "make.py")
assert _spec is not None
assert _spec.loader is not None
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)

DEALS = make.deals()
for_each_deal = pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal['rulebook']}, {deal['about']}")


def test_every_rulebook_has_two_deals() -> None:
    assert Counter(deal["rulebook"] for deal in DEALS) == dict.fromkeys(rulebooks(), 2)
    assert all(len(deal["counts"]) >= 4 for deal in DEALS)


@for_each_deal
def test_the_core_counts_as_pinned(deal: dict[str, Any]) -> None:
    state = make.round_of(deal)._state
    depth = len(deal["counts"])
    assert [make.perft(state, depth) for depth in range(1, depth + 1)] == deal["counts"]


@for_each_deal
def test_the_oracle_counts_as_pinned(deal: dict[str, Any]) -> None:
    round = make.oracle_of(deal)
    few = [count for count in deal["counts"] if count <= 1_500]
    assert [oracle.perft(round, depth) for depth in range(1, len(few) + 1) if deal["counts"][depth - 1] <= 1_500] == few
