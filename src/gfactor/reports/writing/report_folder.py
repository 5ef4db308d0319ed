"""Writing a report to a folder: the page, and every table and figure as a file of its own.

The page is one HTML file that opens from disk and loads nothing from the network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.items.files import check_writable, replacing
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.samples import gallery
from gfactor.reports.figure_registry import FIGURES, Figure, make_figures
from gfactor.reports.table_registry import TABLES, Table, make_tables
from gfactor.reports.writing.about import (
    REFERENCES,
    assumptions,
    facts,
    methods,
    no_published,
    title,
)
from gfactor.reports.writing.formatting import to_csv, to_latex, to_markdown
from gfactor.reports.writing.parts import (
    ShownFigure,
    ShownTable,
    shown_figures,
    shown_tables,
    style,
    template,
)

PAGE = "report.html"
FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": to_csv,
    "md": to_markdown,
    "tex": to_latex,
}
"""Endings of a table's files, and what writes them."""


@dataclass(frozen=True)
class Written:
    """Summary of a report: the page's path, and the names of tables and figures.

    Parameters
    ----------
    path : Path
        Path of the page.
    tables : list of str
        Names of the tables; each is a file of every format in `tables/`.
    figures : list of str
        Names of the figures; each is an SVG and a PNG file in `figures/`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gfactor.reports import Written
    >>> Written(Path("report.html"), ("summary",), ()).tables
    ('summary',)
    """

    path: Path
    tables: tuple[str, ...]
    figures: tuple[str, ...]


def write_report(
    results: Results, folder: Path | str, watch: Callable[[str], None] = lambda _: None
) -> Written:
    """Write `report.html`, `tables/NAME.{csv,md,tex}` and `figures/NAME.{svg,png}` in `folder`.

    The same results give the same bytes. Tables and figures of an earlier report that this one
    does not have are removed. `watch` is called with each step's name.

    Parameters
    ----------
    results : Results
        Results of a journal.
    folder : path
        Made if it does not exist.
    watch : callable
        Function that is called with each step's name.

    Returns
    -------
    Written
        The page's path, and the names of tables and figures.

    Raises
    ------
    ParameterError
        If the folder cannot be written.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from gfactor.reports import Results, write_report
    >>> write_report(Results.from_journal(journal), "report").path.name
    'report.html'
    """
    from gfactor.reports.drawing.canvas import drawing_style  # noqa: PLC0415  (an extra)

    folder = Path(folder)
    prepare(folder)
    with drawing_style():
        watch("tables")
        tables = make_tables(results)
    for name in TABLES:
        for ending, write in FORMATS.items():
            text = write(tables[name]) if name in tables else None
            put(folder / "tables" / f"{name}.{ending}", text.encode() if text else None)
    watch("figures")
    figures = {}
    for name, figure, rendered in make_figures(tables):
        figures[name] = figure, rendered
        watch(f"figure {name}")
    for name in FIGURES:
        for ending in ("svg", "png"):
            content = figures[name][1][ending] if name in figures else None
            put(folder / "figures" / f"{name}.{ending}", content)
    watch("page")
    drawn = {name: (figure, files["svg"]) for name, (figure, files) in figures.items()}
    put(folder / PAGE, page(results, tables, drawn).encode())
    return Written(folder / PAGE, tuple(tables), tuple(figures))


def prepare(folder: Path) -> None:
    """Make the folders of a report; ParameterError if they cannot be written."""
    try:
        for inner in (folder, folder / "tables", folder / "figures"):
            inner.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"cannot write a report to {str(folder)!r}: {error.strerror}; name a folder that you "
            "may write to"
        ) from error
    check_writable(folder / PAGE)


def check_folder(folder: Path) -> None:
    """Raise ParameterError unless a report can be written to `folder`; make nothing."""
    nearest = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not nearest.is_dir():
        reason = f"{str(nearest)!r} is a file"
    elif not os.access(nearest, os.W_OK | os.X_OK):
        reason = f"{str(nearest)!r} may not be written to"
    else:
        return
    raise ParameterError(
        f"cannot write a report to {str(folder)!r}: {reason}; name a folder that you may write to"
    )


def put(path: Path, content: bytes | None) -> None:
    """Write a file, or remove that of an earlier report."""
    if content is None:
        path.unlink(missing_ok=True)
        return
    with replacing(path) as temporary:
        temporary.write_bytes(content)


@dataclass(frozen=True)
class ShownSection:
    """A section with its tables and figures."""

    section: Section
    figures: tuple[ShownFigure, ...]
    tables: tuple[ShownTable, ...]
    remark: str = ""


def page(
    results: Results, tables: Mapping[str, Table], figures: Mapping[str, tuple[Figure, bytes]]
) -> str:
    """Return the page as HTML; `figures` are figures with their SVG."""
    sections = [_section(section, tables, figures, results) for section in SECTIONS]
    return template("report.html.j2").render(
        title=title(results),
        facts=facts(results),
        diagnostics=results.warnings,
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


@dataclass(frozen=True)
class Section:
    """A section: its name (also its anchor), its heading, and a sentence of introduction."""

    name: str
    title: str
    intro: str


SECTIONS: tuple[Section, ...] = (
    Section("summary", "Summary", "Who answered, and how well."),
    Section(
        "people",
        "People beside models",
        "What people can do on the same items, with intervals over persons and items.",
    ),
    Section(
        "paper",
        "The paper's tables",
        "As the benchmark's authors print them; their rows stand below ours, marked as published.",
    ),
    Section("conditions", "Between conditions", "The same items, put in two ways."),
    Section("replies", "Replies", "What the replies are like, right or wrong."),
    Section("errors", "Errors", "What goes wrong, as people have labeled it."),
    Section("domains", "By domain", "What each examinee can and cannot do."),
    Section("breakdowns", "By skill, answer type and size", "The same answers, grouped otherwise."),
    Section(
        "curves",
        "Accuracy against size",
        "How much there may be to see before accuracy falls: one psychometric function per domain.",
    ),
    Section(
        "reliability",
        "Reliability",
        "Whether the score tells examinees apart, and what limits those of the population.",
    ),
    Section("format", "Format errors", "Replies that do not conform to the output format."),
    Section("published", "Published figures", "What the benchmark's authors report."),
)
