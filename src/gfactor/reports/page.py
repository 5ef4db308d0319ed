"""The page: one HTML file that opens from disk and asks the network for nothing."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gfactor.errors import MissingExtraError
from gfactor.reports.about import REFERENCES, assumptions, facts, methods, no_published
from gfactor.reports.figure import FIGURES, Figure
from gfactor.reports.formatting import Shown, shown
from gfactor.reports.gallery import gallery
from gfactor.reports.results import Results
from gfactor.reports.sections import SECTIONS, Section
from gfactor.reports.table import TABLES, Table

PAGE_ROWS = 300
"""Longer tables are cut on the page (not in their files): browsers grow slow, readers faster."""


@dataclass(frozen=True)
class ShownTable:
    """A table on the page: its rows as far as they are shown, and how many there are."""

    name: str
    table: Table
    shown: Shown
    total: int


@dataclass(frozen=True)
class ShownFigure:
    """A figure on the page, as a data URI."""

    name: str
    figure: Figure
    uri: str


@dataclass(frozen=True)
class ShownSection:
    """A section with what it holds."""

    section: Section
    figures: tuple[ShownFigure, ...]
    tables: tuple[ShownTable, ...]
    remark: str = ""


def page(
    results: Results, tables: Mapping[str, Table], figures: Mapping[str, tuple[Figure, bytes]]
) -> str:
    """The page as HTML; `figures` are figures with their SVG.

    Raises MissingExtraError where jinja2 is not installed.
    """
    sections = [_section(section, tables, figures, results) for section in SECTIONS]
    found = facts(results)
    return _template().render(
        title=" ".join(value for name, value in found if name in ("Benchmark", "Edition")),
        facts=found,
        sections=[s for s in sections if s.figures or s.tables or s.remark],
        gallery=gallery(results),
        methods=methods(results),
        assumptions=assumptions(results),
        references=REFERENCES,
        css=files("gfactor.reports").joinpath("templates", "report.css").read_text("utf-8"),
    )


def _section(
    section: Section,
    tables: Mapping[str, Table],
    figures: Mapping[str, tuple[Figure, bytes]],
    results: Results,
) -> ShownSection:
    return ShownSection(
        section,
        tuple(
            ShownFigure(name, figure, _uri(svg))
            for name, (figure, svg) in figures.items()
            if FIGURES[name].section == section.name
        ),
        tuple(
            _shown(name, table)
            for name, table in tables.items()
            if TABLES[name].section == section.name
        ),
        no_published(results) if section.name == "published" else "",
    )


def _shown(name: str, table: Table) -> ShownTable:
    seen = shown(table)
    return ShownTable(name, table, Shown(seen.headings, seen.rows[:PAGE_ROWS]), len(seen.rows))


def _uri(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def _template() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MissingExtraError("a report", "report") from error
    environment = Environment(
        loader=PackageLoader("gfactor.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")
