"""Parts of every page: tables and figures as they are shown, and the templates."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gfactor.escaping import visible
from gfactor.reports.figure_registry import Figure
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.formatting import Cells, blocks, formatted

PAGE_ROWS = 300
"""Longer tables are cut on the page (not in their files): browsers grow slow, readers faster."""


WHOLE_ROWS = 60
"""Tables of up to as many rows stand on the page at their full height."""


@dataclass(frozen=True)
class ShownTable:
    """A table on the page: the rows that are shown, in blocks of columns that fit, the number of
    all rows, and the notes that no earlier table of the section has."""

    name: str
    table: Table
    cells: Cells
    blocks: tuple[Cells, ...]
    total: int
    notes: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Return True if the page shows it at its full height, not in a box that scrolls."""
        return len(self.cells.rows) <= WHOLE_ROWS

    @property
    def extent(self) -> str:
        """Return, in words, the part of the table that the page shows and the file with the
        rest."""
        rows = f"{self.total:,} row{'s' * (self.total != 1)}"
        if self.total > len(self.cells.rows):
            return f"{rows}, of which the first {len(self.cells.rows):,} are here; all are in"
        if not self.whole:
            return f"{rows}, in a box that scrolls; whole in"
        return rows + ":"

    def part(self, number: int) -> str:
        """Return the heading's words for a block, from 1; "" if there is only one."""
        return f" (columns, part {number} of {len(self.blocks)})" * (len(self.blocks) > 1)


@dataclass(frozen=True)
class ShownFigure:
    """A figure on the page, as a data URI, and the width in pixels that it was drawn with."""

    name: str
    figure: Figure
    uri: str
    width: int


def shown_tables(tables: Mapping[str, Table]) -> tuple[ShownTable, ...]:
    """Return tables as a page shows them, in their order."""
    tables_shown, notes_so_far = [], set()
    for name, table in tables.items():
        seen = formatted(table)
        cut = Cells(seen.headings, seen.rows[:PAGE_ROWS])
        notes = tuple(note for note in table.notes if note not in notes_so_far)
        notes_so_far.update(notes)
        parts = blocks(table, cut)
        tables_shown.append(ShownTable(name, table, cut, parts, len(seen.rows), notes))
    return tuple(tables_shown)


def shown_figures(figures: Mapping[str, tuple[Figure, bytes]]) -> tuple[ShownFigure, ...]:
    """Return figures with their SVG as a page shows them, in their order."""
    return tuple(
        ShownFigure(name, figure, _uri(svg), _width(svg)) for name, (figure, svg) in figures.items()
    )


def style() -> str:
    """Return the style sheet of every page."""
    return files("gfactor.reports").joinpath("templates", "report.css").read_text("utf-8")


def _width(svg: bytes) -> int:
    """Return the width of a drawing in pixels; that of a page if it does not say one."""
    drawn = re.search(rb'<svg[^>]*? width="([\d.]+)pt"', svg)
    return round(float(drawn[1]) * _PIXELS_PER_POINT) if drawn else _PAGE_PIXELS


_PIXELS_PER_POINT = 96 / 72
_PAGE_PIXELS = 640


def _uri(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def template(name: str) -> Any:
    """Return a template of `templates/`; compiled once in a process."""
    return _environment().get_template(name)


@cache
def _environment() -> Any:
    import jinja2  # noqa: PLC0415 - not loaded by commands that write no page

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gfactor.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["unbroken"] = unbroken
    return environment


def unbroken(text: str) -> Any:
    """Return a text as HTML in which no option of a command is broken behind one of its hyphens."""
    import markupsafe  # noqa: PLC0415 - as above

    escaped = str(markupsafe.escape(visible(text)))
    whole = re.sub(r"(?<!\S)\(?--[a-z][a-z-]*", r'<span class="option">\g<0></span>', escaped)
    return markupsafe.Markup(whole)


def link(address: str) -> Any:
    """Return an address as a link that names it."""
    import markupsafe  # noqa: PLC0415 - as above

    return markupsafe.Markup('<a href="{0}">{0}</a>').format(address)


def _visible(value: object) -> object:
    """Escape a value for a page; our own markup (a style sheet) stays as it is."""
    return visible(value) if type(value) is str else value
