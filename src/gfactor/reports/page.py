"""The page: one HTML file that opens from disk and asks the network for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gfactor.reports.about import REFERENCES, assumptions, facts, methods, no_published, title
from gfactor.reports.figure import FIGURES, Figure
from gfactor.reports.gallery import gallery
from gfactor.reports.parts import (
    ShownFigure,
    ShownTable,
    shown_figures,
    shown_tables,
    style,
    template,
)
from gfactor.reports.results import Results
from gfactor.reports.sections import SECTIONS, Section
from gfactor.reports.table import TABLES, Table


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
    return template("report.html.j2").render(
        title=title(results),
        facts=facts(results),
        sections=[s for s in sections if s.figures or s.tables or s.remark],
        gallery=gallery(results),
        methods=methods(results),
        assumptions=assumptions(results),
        references=REFERENCES,
        css=style(),
    )


def _section(
    section: Section,
    tables: Mapping[str, Table],
    figures: Mapping[str, tuple[Figure, bytes]],
    results: Results,
) -> ShownSection:
    here = section.name
    return ShownSection(
        section,
        shown_figures({n: both for n, both in figures.items() if FIGURES[n].section == here}),
        shown_tables({n: table for n, table in tables.items() if TABLES[n].section == here}),
        no_published(results) if here == "published" else "",
    )
