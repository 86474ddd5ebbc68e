"""Numbers and intervals as people read them."""

from __future__ import annotations

from math import isnan

from stationmaster.lab.statistics import Interval
from stationmaster.words import DEFAULT, say

MINUS = "\N{MINUS SIGN}"


def number(value: float, language: str = DEFAULT, digits: int = 0) -> str:
    """A number: "1,250", "−18.2"; "1.250", "−18,2" in Spanish."""
    if isnan(value):
        return "–"
    text = f"{abs(value):,.{digits}f}"
    if language == "es":
        text = text.translate(str.maketrans(",.", ".,"))
    nothing = not any(sign in "123456789" for sign in text)
    return text if value >= 0 or nothing else MINUS + text


def digits_for(half: float) -> int:
    """After the point as many digits as the interval leaves any sense: two that count."""
    if isnan(half) or half <= 0:
        return 2
    return 0 if half >= 10 else 1 if half >= 1 else 2 if half >= 0.1 else 3


def within(of: Interval, language: str = DEFAULT, *, percent: bool = False) -> str:
    """A mean with its interval: "−18.2 ± 0.4", "31.4 ± 0.9 %"."""
    scale = 100 if percent else 1
    digits = digits_for(of.half * scale)
    if percent:
        digits = min(digits, 2)
    mean = number(of.mean * scale, language, digits)
    text = f"{mean} ± {number(of.half * scale, language, digits)}" if of.known else mean
    return f"{text} %" if percent else text


def between(of: Interval, language: str = DEFAULT) -> str:
    """A share in per cent and between what it lies, for intervals that are not even: "0.4 % (0.2–0.9)"."""
    digits = digits_for(of.half * 100)
    low, mean, high = (number(value * 100, language, digits) for value in (of.low, of.mean, of.high))
    return f"{mean} % ({low}–{high})" if of.known else f"{mean} %"


def duration(seconds: float) -> str:
    """How long: "0:09", "12:30", "1:02:03"."""
    whole = int(seconds + 0.5)
    minutes, hours = whole // 60, whole // 3600
    return f"{hours}:{minutes % 60:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def unit(by_money: bool, language: str = DEFAULT) -> str:
    """What is counted: points or cents."""
    return say("lab.unit.cents" if by_money else "lab.unit.points", language)
