"""A report as a folder: the page, and beside it every table and figure as files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.items.files import check_writable, replacing
from gfactor.reports.figure import FIGURES, make_figures
from gfactor.reports.formatting import to_csv, to_latex, to_markdown
from gfactor.reports.page import page
from gfactor.reports.results import Results
from gfactor.reports.table import TABLES, Table, make_tables

PAGE = "report.html"
FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": to_csv,
    "md": to_markdown,
    "tex": to_latex,
}
"""Endings of a table's files, and what writes them."""


@dataclass(frozen=True)
class Written:
    """What was written: the page's path, and the names of tables and figures.

    Parameters
    ----------
    path : Path
        Of the page.
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
    does not have are removed. `watch` is told each step's name.

    Parameters
    ----------
    results : Results
        Of a journal.
    folder : path
        Made where it does not exist.
    watch : callable
        Is told each step's name.

    Returns
    -------
    Written
        The page's path, and the names of tables and figures.

    Raises
    ------
    ParameterError
        Where the folder cannot be written, MissingExtraError where jinja2 or matplotlib is
        missing.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from gfactor.reports import Results, write_report
    >>> write_report(Results.from_journal(journal), "report").path.name
    'report.html'
    """
    from gfactor.reports.drawing import drawing_style  # noqa: PLC0415  (an extra)

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
    """Make the folders of a report; ParameterError where they cannot be written."""
    try:
        for inner in (folder, folder / "tables", folder / "figures"):
            inner.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"cannot write a report to {str(folder)!r}: {error.strerror}; name a folder that you "
            "may write to"
        ) from error
    check_writable(folder / PAGE)


def put(path: Path, content: bytes | None) -> None:
    """Write a file as a whole, or remove what an earlier report left there."""
    if content is None:
        path.unlink(missing_ok=True)
        return
    with replacing(path) as temporary:
        temporary.write_bytes(content)
