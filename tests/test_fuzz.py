"""A short run of the fuzzer; `python fuzz/fuzz_notation.py --seconds 600` looks further."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "fuzz" / "fuzz_notation.py"


@pytest.mark.parametrize("tries", [700, pytest.param(40_000, marks=pytest.mark.long)])
def test_damaged_texts_are_refused_and_nothing_worse(tries: int) -> None:
    spec = importlib.util.spec_from_file_location("fuzz_notation", PATH)
    assert spec is not None
    assert spec.loader is not None
    fuzzer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzzer)
    counts, wrong = fuzzer.fuzz(list(fuzzer.TARGETS), seed=tries, tries=tries, seconds=None)
    assert wrong == []
    for name in fuzzer.TARGETS:
        assert counts[f"{name} accepted"] > tries // 100
        assert counts[f"{name} refused"] > tries // 100
