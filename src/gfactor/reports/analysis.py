"""The page of an analysis that has no journal: diagnostics first, then its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gfactor.psychometrics import Diagnostic, by_severity
from gfactor.reports.figure import Figure, drawing_style, rendered
from gfactor.reports.parts import shown_figures, shown_tables, style, template
from gfactor.reports.table import Table
from gfactor.reports.writing import FORMATS, PAGE, Written, prepare, put


@dataclass(frozen=True)
class AnalysisReport:
    """What a page of an analysis shows, in the order in which it is read.

    Parameters
    ----------
    title: what was analyzed.
    facts: pairs of a name and a value at the head of the page: estimator, n, data file.
    diagnostics: of the result; shown first, errors before warnings.
    figures: by file name; made inside `gfactor.reports.figure.drawing_style()`, and each names
        the tables that it was drawn from.
    tables: by file name.
    methods: sentences: estimators, settings, assumptions.
    references: the sources, one string each.
    findings: sentences that say what was found, above the figures.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


def write_analysis(report: AnalysisReport, folder: Path | str) -> Written:
    """Write `report.html`, `tables/NAME.{csv,md,tex}` and `figures/NAME.{svg,png}` in `folder`.

    The same report gives the same bytes. Raises ParameterError where the folder cannot be
    written, MissingExtraError where jinja2 or matplotlib is missing.
    """
    folder = Path(folder)
    prepare(folder)
    for name, table in report.tables.items():
        for ending, write in FORMATS.items():
            put(folder / "tables" / f"{name}.{ending}", write(table).encode())
    with drawing_style():
        drawn = {name: (fig, rendered(fig.drawing)) for name, fig in report.figures.items()}
    for name, (_, files) in drawn.items():
        for ending, content in files.items():
            put(folder / "figures" / f"{name}.{ending}", content)
    page = template("analysis.html.j2").render(
        report=report,
        diagnostics=by_severity(report.diagnostics),
        figures=shown_figures({name: (f, files["svg"]) for name, (f, files) in drawn.items()}),
        tables=shown_tables(report.tables),
        css=style(),
    )
    put(folder / PAGE, page.encode())
    return Written(folder / PAGE, tuple(report.tables), tuple(report.figures))
