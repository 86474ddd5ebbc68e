"""A report as one page that needs nothing else: plots, tables and style are all in it."""

from __future__ import annotations

from html import escape

from stationmaster.lab.report.parts import Bars, Document, Section, Table
from stationmaster.lab.report.plots import plot
from stationmaster.words import say

STYLE = """\
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #22252a; --quiet: #666b73; --line: #dedad0;
  --accent: #1f5f8b; --soft: #1f5f8b66; --mark: #b4461f; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #e4e2dc; --quiet: #9a9ea6; --line: #33373e;
  --accent: #7db8e0; --soft: #7db8e080; --mark: #f0906a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font: 1.0625rem/1.55 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 .5rem; text-wrap: balance; }
p { margin: .5rem 0; }
.about { color: var(--quiet); }
nav ul { padding: 0; margin: 1.5rem 0; list-style: none; columns: 2; }
a { color: var(--accent); }
table, svg, nav, figcaption { font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
  font-size: .875rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums lining-nums; min-width: 60%; }
th, td { padding: .3rem .9rem .3rem 0; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: bottom; }
th { font-weight: 600; color: var(--quiet); }
th:first-child, td:first-child { text-align: left; }
td { white-space: nowrap; }
td:first-child { white-space: normal; min-width: 16rem; }
figure { margin: 1rem 0; }
figcaption { color: var(--quiet); }
.many { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
.many figure { margin: 0; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font-size: 12px; }
svg .tick { fill: var(--quiet); font-size: 11px; }
svg .axis, svg .grid { stroke: var(--line); }
svg .bar { fill: var(--soft); }
svg .bar:hover { fill: var(--accent); }
svg .mean, svg .reference { stroke: var(--mark); stroke-dasharray: 3 3; }
svg .whisker { stroke: var(--accent); stroke-width: 2; }
svg .dot { fill: var(--accent); }
@media print { body { font-size: 10pt; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
"""


def html(of: Document, language: str) -> str:
    """The page."""
    about = "\n".join(f'<p class="about">{escape(line)}</p>' for line in of.about)
    contents = "\n".join(
        f'<li><a href="#s{at}">{escape(section.title)}</a></li>' for at, section in enumerate(of.sections)
    )
    sections = "\n".join(_section(at, section, language) for at, section in enumerate(of.sections))
    return f"""\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Stationmaster">
<title>{escape(of.title)}</title>
<style>
{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(of.title)}</h1>
{about}
<nav aria-label="{escape(say("lab.report.contents", language))}"><ul>
{contents}
</ul></nav>
{sections}
</main>
</body>
</html>
"""


def _section(at: int, of: Section, language: str) -> str:
    parts = [f'<section id="s{at}">', f"<h2>{escape(of.title)}</h2>"]
    parts += [f"<p>{escape(line)}</p>" for line in of.says]
    small = [f"<figure>{plot(one, language)}</figure>" for one in of.plots if isinstance(one, Bars)]
    wide = [one for one in of.plots if not isinstance(one, Bars)]
    for one in wide:
        caption = f"<figcaption>{escape(one.title)}</figcaption>" if len(wide) > 1 else ""
        parts.append(f"<figure>{caption}{plot(one, language)}</figure>")
    if small:
        parts += ['<div class="many">', *small, "</div>"]
    parts += [_table(one, language) for one in of.tables]
    return "\n".join([*parts, "</section>"])


def _table(of: Table, language: str) -> str:
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in of.head)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in of.rows(language)
    )
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>'
