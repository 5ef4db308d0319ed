"""The page behind `report(folder)` of every result; `gfactor.results` imports this when asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd

from gfactor.psychometrics.factor.exploratory import Efa
from gfactor.psychometrics.generalizability import Generalizability
from gfactor.psychometrics.gold import BenchmarkComparison
from gfactor.psychometrics.inference.inflation import Inflation
from gfactor.psychometrics.inference.inflation_each import Inflations
from gfactor.psychometrics.irt.anchors.placement import Placement
from gfactor.psychometrics.irt.checks.brokenitems import affordable_simulations, broken_items
from gfactor.psychometrics.irt.models.explanatory import DesignFit
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.psychometrics.pls import PLSFit
from gfactor.psychometrics.pruning import Pruning
from gfactor.psychometrics.sem import Fit
from gfactor.psychometrics.trees import GapAnalysis
from gfactor.replications.m3gia import RouteComparison
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.figure_registry import Figure
from gfactor.reports.pages.analysis import AnalysisReport, write_analysis
from gfactor.reports.pages.benchmark_comparison import comparison_report
from gfactor.reports.pages.cfa import cfa_report
from gfactor.reports.pages.gap import write_gap
from gfactor.reports.pages.generalizability import generalizability_report
from gfactor.reports.pages.inflation import inflation_report, inflations_report
from gfactor.reports.pages.irt import irt_report
from gfactor.reports.pages.irt_tables import predicted_table
from gfactor.reports.pages.m3gia import gia_report
from gfactor.reports.pages.placement import placement_report
from gfactor.reports.pages.pls import pls_report
from gfactor.reports.pages.profile import write_profile
from gfactor.reports.pages.pruning import pruning_report
from gfactor.reports.pages.result_figures import figures_of
from gfactor.reports.paragraphs import has_paragraph, write_paragraph
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.report_folder import Written
from gfactor.results import Result, shown, writes_page_of

_P_VALUE = re.compile(r"(^|[._ ])(p|pvalue|p_?(holm|fdr|fit|adjusted))$")
_LONG = 40


def write_page(
    result: Result,
    folder: Path | str,
    further: Mapping[str, Result | pd.DataFrame] | None = None,
) -> Written:
    """Write the page of any result: facts, diagnostics and tables, then further tables, and its
    paragraph.

    Parameters
    ----------
    result : Result
        The result that gives the page its title.
    folder : path
        Made if it does not exist.
    further : mapping of str to Result or DataFrame, optional
        Further results of the same data, and further tables, by name.

    Returns
    -------
    Written
        `path` of the page, names of `tables`.
    """
    frames, all_facts = dict(result.tables), {**result.facts}
    diagnostics = list(result.diagnostics)
    for name, one in (further or {}).items():
        if isinstance(one, pd.DataFrame):
            frames[name] = one
            continue
        frames |= {f"{name}_{part}": frame for part, frame in one.tables.items()}
        all_facts |= {f"{name}_{fact}": value for fact, value in one.facts.items()}
        diagnostics += [entry for entry in one.diagnostics if entry not in diagnostics]
    tables = {
        name: Table(
            _caption(name),
            table := _with_names(frame),
            decimals=3,
            folded=len(frame) > _LONG,
            p_values=tuple(str(column) for column in table if _P_VALUE.search(str(column))),
        )
        for name, frame in frames.items()
        if len(frame)
    }
    texts = tuple((name.replace("_", " "), shown(value)) for name, value in all_facts.items())
    with drawing_style():
        figures = {name: _drawn_from(draw(), tables) for name, draw in figures_of(result).items()}
    report = AnalysisReport(result.title, texts, tuple(diagnostics), figures, tables)
    written = write_analysis(report, folder)
    if has_paragraph(result):
        write_paragraph(result, folder)
    return written


def _caption(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _drawn_from(figure: Figure, tables: Mapping[str, Table]) -> Figure:
    """The figure with its tables as this page calls them: other pages have other names."""
    there = tuple(name for name in figure.tables if name in tables)
    return replace(figure, tables=there or tuple(tables)[:1])


@writes_page_of(Result)
def _page(result: Result, folder: Path | str) -> Written:
    return write_page(result, folder)


@writes_page_of(Efa)
def _efa_page(result: Efa, folder: Path | str) -> Written:
    further = {"parallel": result.parallel, "general": result.general}
    return write_page(
        result, folder, {name: one for name, one in further.items() if one is not None}
    )


@writes_page_of(DesignFit)
def _design_page(result: DesignFit, folder: Path | str) -> Written:
    return write_page(result, folder, {"difficulty_by_design": predicted_table(result).frame})


@writes_page_of(Fit)
def _sem_page(fit: Fit, folder: Path | str) -> Written:
    written = write_analysis(cfa_report(fit), folder)
    write_paragraph(fit, folder)
    return written


@writes_page_of(Generalizability)
def _generalizability_page(study: Generalizability, folder: Path | str) -> Written:
    return write_generalizability(study, folder)


def write_generalizability(
    study: Generalizability,
    folder: Path | str,
    designs: pd.DataFrame | None = None,
    cut: float | None = None,
) -> Written:
    """Write the page of a generalizability study, with other designs and a cut if given."""
    written = write_analysis(generalizability_report(study, designs, cut), folder)
    write_paragraph(study, folder)
    return written


@writes_page_of(PLSFit)
def _pls_page(fit: PLSFit, folder: Path | str) -> Written:
    further = (fit.further.get(name) for name in ("bootstrap", "prediction", "groups"))
    written = write_analysis(pls_report(fit, *further, data=Path(fit.source).name), folder)
    write_paragraph(fit, folder)
    return written


@writes_page_of(IRTFit)
def _irt_page(fit: IRTFit, folder: Path | str) -> Written:
    model, broken = fit.likelihood.model, None
    if model.factors == 1 and len(model.groups) == 1:
        broken = broken_items(fit, simulations=affordable_simulations(fit, 100))
    written = write_analysis(irt_report(fit, broken), folder)
    write_paragraph(fit, folder)
    return written


@writes_page_of(Profile)
def _profile_page(profile: Profile, folder: Path | str) -> Written:
    return write_profile(profile, folder)


@writes_page_of(GapAnalysis)
def _gap_page(result: GapAnalysis, folder: Path | str) -> Written:
    return write_gap(result, folder)


@writes_page_of(Placement)
def _placement_page(placement: Placement, folder: Path | str) -> Written:
    with drawing_style():
        report = placement_report(placement)
    return write_analysis(report, folder)


@writes_page_of(Inflation)
def _inflation_page(result: Inflation, folder: Path | str) -> Written:
    with drawing_style():
        report = inflation_report(result)
    return write_analysis(report, folder)


@writes_page_of(Inflations)
def _inflations_page(result: Inflations, folder: Path | str) -> Written:
    return write_analysis(inflations_report(result), folder)


@writes_page_of(Pruning)
def _pruning_page(pruning: Pruning, folder: Path | str) -> Written:
    return write_analysis(pruning_report(pruning), folder)


@writes_page_of(BenchmarkComparison)
def _comparison_page(comparison: BenchmarkComparison, folder: Path | str) -> Written:
    return write_analysis(comparison_report(comparison, comparison.source), folder)


@writes_page_of(RouteComparison)
def _gia_page(result: RouteComparison, folder: Path | str) -> Written:
    return write_analysis(gia_report(result), folder)


def _with_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn the row names into the first column, unless they only number the rows from 0."""
    frame = frame.rename(columns=str)
    if isinstance(frame.index, pd.MultiIndex):
        return frame.reset_index()
    if isinstance(frame.index, pd.RangeIndex) and frame.index.name is None:
        return frame
    name = frame.index.name or ("" if "" not in frame.columns else "row")
    return frame.rename_axis(index=name).reset_index()
