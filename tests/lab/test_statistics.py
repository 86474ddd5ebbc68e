"""Statistics with known answers."""

from __future__ import annotations

from math import isnan, log

import numpy as np
import pytest

from stationmaster.lab.statistics import Sprt, interval, mean_interval, share_interval, t_quantile


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_quantiles_as_in_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(quantile, rel=2e-3)
    assert t_quantile(0.025, freedom) == pytest.approx(-quantile, rel=2e-3)


def test_the_interval_of_a_mean() -> None:
    # Mean 3, deviation 1.5811, t(4) 2.7764: half is 2.7764 * 1.5811 / sqrt(5).
    found = mean_interval([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.half == pytest.approx(1.9632, abs=2e-3)
    assert (found.low, found.high) == (pytest.approx(1.0368, abs=2e-3), pytest.approx(4.9632, abs=2e-3))
    assert found.samples == 5


def test_too_little_says_nothing() -> None:
    assert mean_interval([7.0]).mean == 7
    assert not mean_interval([7.0]).known
    assert isnan(mean_interval([]).mean)
    assert isnan(share_interval(0, 0).mean)
    assert interval(1, 0, 2).half == 0


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    held = [found.low <= 2 <= found.high for found in (mean_interval(rng.normal(2, 9, 12)) for _ in range(2000))]
    assert 0.935 < np.mean(held) < 0.965


def test_paired_samples_know_more_than_apart() -> None:
    rng = np.random.default_rng(1)
    deal = rng.normal(30, 20, 400)  # what a deal brings to both
    a, b = deal + rng.normal(-1, 2, 400), deal + rng.normal(0, 2, 400)
    together = mean_interval(a - b)
    assert together.high < 0
    assert mean_interval(a).half + mean_interval(b).half > 5 * together.half


def test_wilson_as_published() -> None:
    # R. G. Newcombe (1998), table I: 81 of 263, and 0 of 20.
    found = share_interval(81, 263)
    assert (found.low, found.high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))
    none = share_interval(0, 20)
    assert (none.low, none.high) == (0, pytest.approx(0.1611, abs=1e-4))


def test_the_bounds_of_the_test() -> None:
    assert Sprt().upper == pytest.approx(log(19))
    assert Sprt().lower == pytest.approx(-2.944, abs=1e-3)


def test_the_ratio_is_that_of_two_normal_distributions() -> None:
    values = np.random.default_rng(3).normal(0.6, 4, 50)
    variance = values.var(ddof=1)

    def likelihood(mean: float) -> float:
        return float(-((values - mean) ** 2).sum() / (2 * variance))

    assert Sprt(low=0, high=1).ratios(values)[-1] == pytest.approx(likelihood(1) - likelihood(0))


def test_what_comes_after_the_decision_does_not_count() -> None:
    values = np.concatenate([np.random.default_rng(5).normal(3, 4, 200), np.full(200, -50.0)])
    found = Sprt().test(values)
    assert found.accepted == "H1"
    assert found.samples < 200
    assert Sprt().test(values[: found.samples]) == found
    assert Sprt().test(values[: found.samples - 1]).accepted is None


def test_those_who_play_alike_are_no_better() -> None:
    found = Sprt().test(np.zeros(60))
    assert (found.accepted, found.samples) == ("H0", Sprt().least)
    assert Sprt().test(np.ones(60) * 2).accepted == "H1"
    assert Sprt().test([]).accepted is None


@pytest.mark.parametrize(("mean", "wrong"), [(0, "H1"), (1, "H0")])
def test_errors_stay_near_five_per_cent(mean: float, wrong: str) -> None:
    rng = np.random.default_rng(7)
    found = [Sprt().test(rng.normal(mean, 6, 4000)).accepted for _ in range(600)]
    assert None not in found
    assert 0.02 < found.count(wrong) / 600 < 0.08
