"""Plots as SVG, drawn with the page's own colours, so that they suit light and dark."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10

from stationmaster.lab.report.parts import Bars, Dots
from stationmaster.lab.telling import number

WIDTH = 640


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two, about so many."""
    span = high - low or 1.0
    step = 10 ** floor(log10(span / about))
    step *= next(times for times in (1, 2, 5, 10) if span / (step * times) <= about)
    return [n * step for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _digits(marks: list[float]) -> int:
    step = marks[1] - marks[0] if len(marks) > 1 else 1
    return max(0, -floor(log10(step) + 1e-9))


def _svg(title: str, width: int, height: int, parts: list[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" style="max-width:{width}px">'
        f"<title>{escape(title)}</title>\n{body}\n</svg>"
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def bars(of: Bars, language: str) -> str:
    """A histogram; a mark at the mean."""
    width, height, left, right, top, bottom = 320, 170, 8, 8, 24, 34
    most, total = max(of.counts, default=0) or 1, sum(of.counts) or 1
    end = of.first + of.width * len(of.counts)

    def x(value: float) -> float:
        return left + (value - of.first) / max(end - of.first, 1) * (width - left - right)

    floor_y = height - bottom
    parts = [_text(left, 14, of.title, "name")]
    for at, count in enumerate(of.counts):
        tall = count / most * (floor_y - top)
        begin, finish = x(of.first + at * of.width), x(of.first + (at + 1) * of.width)
        said = f"{_range(of, at)}: {number(100 * count / total, language, 1)} %"
        parts.append(
            f'<rect x="{begin + 0.4:.1f}" y="{floor_y - tall:.1f}" width="{max(finish - begin - 0.8, 0.4):.1f}" '
            f'height="{tall:.1f}" class="bar"><title>{escape(said)}</title></rect>'
        )
    parts.append(_line(left, floor_y, width - right, floor_y, "axis"))
    for mark in ticks(of.first, end):
        parts.append(_text(x(mark), floor_y + 14, number(mark, language), "tick", "middle"))
    parts.append(_line(x(of.mean), top - 2, x(of.mean), floor_y, "mean"))
    parts.append(_text(width - right, height - 4, of.axis, "tick", "end"))
    return _svg(of.title, width, height, parts)


def _range(of: Bars, at: int) -> str:
    low = of.first + at * of.width
    return str(low) if of.width == 1 else f"{low}–{low + of.width - 1}"


def dots(of: Dots, language: str) -> str:
    """Means and intervals, one below the other."""
    row, top, bottom, right = 24, 12, 40, 16
    longest = max((len(label) for label, _ in of.rows), default=0)
    left = min(300, 14 + 6.6 * longest)
    height = top + row * len(of.rows) + bottom
    scale = 100 if of.percent else 1
    ends = [value for _, one in of.rows for value in ((one.low, one.high) if one.known else (one.mean,))]
    ends += [] if of.reference is None else [of.reference]
    low, high = min(ends, default=0) * scale, max(ends, default=1) * scale
    edge = (high - low or 1) * 0.06
    low, high = low - edge, high + edge

    def x(value: float) -> float:
        return left + (value * scale - low) / (high - low) * (WIDTH - left - right)

    floor_y = height - bottom
    marks = ticks(low, high, 6)
    parts = [_line(x(mark / scale), top - 4, x(mark / scale), floor_y, "grid") for mark in marks]
    parts += [
        _text(x(mark / scale), floor_y + 16, number(mark, language, _digits(marks)), "tick", "middle") for mark in marks
    ]
    if of.reference is not None:
        parts.append(_line(x(of.reference), top - 4, x(of.reference), floor_y, "reference"))
    for at, (label, one) in enumerate(of.rows):
        y = top + row * at + row / 2
        shown = label if len(label) <= 44 else f"{label[:43]}…"
        parts.append(_text(left - 10, y + 4, shown, "name", "end"))
        if one.known:
            parts.append(_line(x(one.low), y, x(one.high), y, "whisker"))
        parts.append(f'<circle cx="{x(one.mean):.1f}" cy="{y:.1f}" r="4" class="dot"/>')
    parts.append(_text(WIDTH - right, height - 6, of.axis + (" (%)" if of.percent else ""), "tick", "end"))
    return _svg(of.title, WIDTH, height, parts)


def plot(of: Bars | Dots, language: str) -> str:
    """A plot of whichever kind."""
    return bars(of, language) if isinstance(of, Bars) else dots(of, language)
