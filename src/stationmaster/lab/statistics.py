"""What can be concluded from samples, as pure functions.

One deal played in all seat rotations is one sample, so samples are independent of each other; rounds of one deal
are not. Every interval is one of 95 %, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, isfinite, log, pi, sin, sqrt
from statistics import NormalDist

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CONFIDENCE = 0.95


class Interval(msgspec.Struct, frozen=True):
    """A mean and between what it lies; NaN bounds where too little was played to say."""

    mean: float
    low: float
    high: float
    samples: int

    @property
    def half(self) -> float:
        """Half its width: what is written behind ±."""
        return (self.high - self.low) / 2

    @property
    def known(self) -> bool:
        """Whether enough was played to say anything."""
        return isfinite(self.low)


def t_quantile(p: float, freedom: int) -> float:
    """The p-quantile of Student's t: exact for one and two degrees of freedom, else to half a percent or better.

    The Cornish-Fisher expansion, M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 26.7.5.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom: at least 1")
    if freedom == 1:
        return -cos(pi * p) / sin(pi * p)
    if freedom == 2:
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)))
    z = NormalDist().inv_cdf(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def interval(mean: float, deviation: float, samples: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of a mean of so many independent samples with this standard deviation."""
    if samples < 2:
        return Interval(mean, float("nan"), float("nan"), samples)
    half = t_quantile((1 + confidence) / 2, samples - 1) * deviation / sqrt(samples)
    return Interval(mean, mean - half, mean + half, samples)


def mean_interval(values: Floats | Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The mean of independent samples; of differences of two bots on the same deals this is the paired interval."""
    array = np.asarray(values, dtype=np.float64)
    if not len(array):
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    deviation = float(array.std(ddof=1)) if len(array) > 1 else 0.0
    return interval(float(array.mean()), deviation, len(array), confidence)


def share_interval(hits: float, samples: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a share: right near none and all too, where mean ± deviation is not.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if not samples:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / samples
    centre = (share + z * z / (2 * samples)) / (1 + z * z / samples)
    half = z / (1 + z * z / samples) * sqrt(share * (1 - share) / samples + z * z / (4 * samples * samples))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half), samples)


class Verdict(msgspec.Struct, frozen=True):
    """Where a sequential test stands: ``accepted`` is "H0", "H1" or None, after so many samples."""

    accepted: str | None
    samples: int
    llr: float
    lower: float
    upper: float


class Sprt(msgspec.Struct, frozen=True):
    """The generalised sequential probability ratio test of a mean: H0 ``low`` against H1 ``high``.

    The variance is not known and is put in as it was measured: with a parametric model of one nuisance parameter
    the likelihood ratio tends to the normal one (M. Van den Bergh, "A practical introduction to the GSPRT",
    as chess engines are tested). The bounds are A. Wald's, ±2.94 for errors of 5 %.
    """

    low: float = 0.0
    high: float = 1.0
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 50  # samples before anything is decided: a variance of fewer means little

    @property
    def lower(self) -> float:
        """At or under this, H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or over this, H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def ratios(self, values: Floats) -> Floats:
        """The log-likelihood ratio after each sample."""
        counts = np.arange(1, len(values) + 1, dtype=np.float64)
        means = np.cumsum(values) / counts
        shifted = values - (values[0] if len(values) else 0.0)  # squares of small numbers: nothing cancels
        spread = np.cumsum(shifted * shifted) / counts - (np.cumsum(shifted) / counts) ** 2
        variances = np.maximum(spread * counts / np.maximum(counts - 1, 1), 1e-9)
        slope: Floats = (self.high - self.low) * (2 * means - self.low - self.high) / (2 * variances)
        return counts * slope

    def test(self, values: Floats | Sequence[float]) -> Verdict:
        """Where the test stands, sample by sample in this order; what comes after a decision does not count."""
        ratios = self.ratios(np.asarray(values, dtype=np.float64))
        decided = ((ratios <= self.lower) | (ratios >= self.upper)) & (np.arange(1, len(ratios) + 1) >= self.least)
        if not decided.any():
            return Verdict(None, len(ratios), float(ratios[-1]) if len(ratios) else 0.0, self.lower, self.upper)
        at = int(decided.argmax())
        accepted = "H1" if ratios[at] >= self.upper else "H0"
        return Verdict(accepted, at + 1, float(ratios[at]), self.lower, self.upper)
