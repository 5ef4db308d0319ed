"""The page: one HTML file that opens from disk and asks the network for nothing."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gfactor.reports.about import REFERENCES, assumptions, facts, methods, no_published, title
from gfactor.reports.extras import need
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
    """A table on the page: its rows as far as they are shown, how many there are, and those of
    its notes that no table before it in the section has."""

    name: str
    table: Table
    shown: Shown
    total: int
    notes: tuple[str, ...]


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
    return _template().render(
        title=title(results),
        facts=facts(results),
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
        _shown(tables, [name for name in tables if TABLES[name].section == section.name]),
        no_published(results) if section.name == "published" else "",
    )


def _shown(tables: Mapping[str, Table], names: Sequence[str]) -> tuple[ShownTable, ...]:
    found, told = [], set()
    for name in names:
        table, seen = tables[name], shown(tables[name])
        cut = Shown(seen.headings, seen.rows[:PAGE_ROWS])
        notes = tuple(note for note in table.notes if note not in told)
        told.update(notes)
        found.append(ShownTable(name, table, cut, len(seen.rows), notes))
    return tuple(found)


def _uri(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def _template() -> Any:
    jinja2 = need("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gfactor.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")
