"""The page of an analysis that has no journal: diagnostics first, then its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gfactor.psychometrics import Diagnostic, by_severity
from gfactor.reports.answers.samples import SampledItem
from gfactor.reports.figure_registry import Figure
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.parts import shown_figures, shown_tables, style, template
from gfactor.reports.writing.report_folder import FORMATS, PAGE, Written, prepare, put


@dataclass(frozen=True)
class AnalysisReport:
    """Content of a page of an analysis, in the order in which it is read.

    Parameters
    ----------
    title : str
        Title of the analysis.
    facts : tuple[tuple[str, str], ...]
        Pairs of a name and a value at the head of the page: estimator, n, data file.
    diagnostics : list of Diagnostic
        Diagnostics of the result; shown first, errors before warnings.
    figures : dict of str to Figure
        Figures by file name; made inside `gfactor.reports.drawing.canvas.drawing_style()`, and
        each names the tables that it was drawn from.
    tables : dict of str to Table
        Tables by file name.
    methods : list of str
        Sentences: estimators, settings, assumptions.
    references : list of str
        The sources, one string each.
    findings : list of str
        Sentences about the results, above the figures.
    samples : list of SampledItem
        Items as they were shown, with replies, below the tables.
    sheets : bool
        True for a page to be printed on few sheets: small letters, nothing that is folded.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.reports import AnalysisReport, Table
    >>> table = Table("Means", pd.DataFrame({"model": ["m"], "mean": [0.5]}))
    >>> AnalysisReport("A page", (("n", "1"),), tables={"means": table}).title
    'A page'
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    samples: tuple[SampledItem, ...] = ()
    sheets: bool = False


def write_analysis(report: AnalysisReport, folder: Path | str) -> Written:
    """Write `report.html`, `tables/NAME.{csv,md,tex}` and `figures/NAME.{svg,png}` in `folder`.

    The same report gives the same bytes.

    Parameters
    ----------
    report : AnalysisReport
        Content of the page.
    folder : path
        Folder of the page; made if it does not exist.

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
    >>> import pandas as pd
    >>> from gfactor.reports import AnalysisReport, Table, write_analysis
    >>> table = Table("Means", pd.DataFrame({"model": ["m"], "mean": [0.5]}))
    >>> write_analysis(AnalysisReport("A page", (), tables={"means": table}), "page").tables
    ('means',)
    """
    from gfactor.reports.drawing.canvas import drawing_style, rendered  # noqa: PLC0415  (an extra)

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
