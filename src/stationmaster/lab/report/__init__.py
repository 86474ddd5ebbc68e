"""Reports: what results say, as a page with plots, as tables for a text, or for a program."""

from stationmaster.lab.report.contents import document
from stationmaster.lab.report.page import html
from stationmaster.lab.report.plain import markdown, text

__all__ = ["document", "html", "markdown", "text"]
