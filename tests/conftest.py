"""What all tests share: the option for more random rounds, and how hypothesis looks for examples."""

from __future__ import annotations

import pytest
from hypothesis import settings

from postgres import postgres  # noqa: F401 - a fixture

pytest.register_assert_rewrite("both", "pure", "serving")

settings.register_profile("stationmaster", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("stationmaster")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rounds",
        type=int,
        metavar="N",
        help="compare the core with the oracle over N rounds of every rulebook and number of players, "
        "and N house rules (tests/engine/test_agreement.py)",
    )
