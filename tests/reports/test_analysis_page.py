"""The page of an analysis: diagnostics first, tables and figures as files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics import Diagnostic
from gfactor.reports import AnalysisReport, Figure, Table, write_analysis
from gfactor.reports.drawing.canvas import blank, drawing_style
from gfactor.reports.pages.cfa import cfa_report
from gfactor.reports.writing.formatting import formatted


def report() -> AnalysisReport:
    with drawing_style():
        drawing = blank(3, 2)
        drawing.subplots().plot([0, 1], [0, 1])
    frame = pd.DataFrame({"factor": ["Gv", "Gf"], "loading": [0.8, 0.4], "loading_low": [0.7, 0.1]})
    return AnalysisReport(
        title="Two factors <script>alert(1)</script>",
        facts=(("n", "68"),),
        diagnostics=(
            Diagnostic("small_n", "note", "There are 68 persons.", "Ask more."),
            Diagnostic("heywood_case", "error", "Logo has a negative variance.", "Do not use it."),
        ),
        figures={"paths": Figure("Paths", "A line.", ("loadings",), drawing)},
        tables={"loadings": Table("Loadings", frame)},
        methods=("Maximum likelihood.",),
    )


def test_the_most_severe_diagnostic_comes_before_every_number(tmp_path: Path) -> None:
    page = write_analysis(report(), tmp_path).path.read_text("utf-8")
    at = [page.index(text) for text in ("negative variance", "68 persons", "data:image/svg", "Gv")]
    assert at == sorted(at)


def test_names_from_outside_are_text_not_markup(tmp_path: Path) -> None:
    assert "<script>" not in write_analysis(report(), tmp_path).path.read_text("utf-8")


def test_an_option_in_a_sentence_is_not_broken_behind_its_hyphens(tmp_path: Path) -> None:
    told = Diagnostic("few", "note", "<b> a--b", "Ask more (--min-items, --se 0.5).")
    page = write_analysis(replace(report(), diagnostics=(told,)), tmp_path).path.read_text("utf-8")
    whole = '<span class="option">(--min-items</span>, <span class="option">--se</span> 0.5).'
    assert f"Ask more {whole}" in page
    assert "&lt;b&gt; a--b" in page
    assert ".option { white-space: nowrap; }" in page


def test_tables_and_figures_lie_beside_the_page_and_are_the_same_every_time(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_analysis(report(), tmp_path / folder)
    files = sorted(p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*.*"))
    assert [str(f) for f in files] == [
        "figures/paths.png",
        "figures/paths.svg",
        "report.html",
        "tables/loadings.csv",
        "tables/loadings.md",
        "tables/loadings.tex",
    ]
    assert all(
        (tmp_path / "one" / f).read_bytes() == (tmp_path / "two" / f).read_bytes() for f in files
    )


def test_a_page_without_methods_has_no_empty_heading(tmp_path: Path) -> None:
    with_methods = write_analysis(report(), tmp_path / "with").path.read_text("utf-8")
    assert 'id="methods"' in with_methods
    bare = replace(report(), methods=(), references=())
    assert "Methods" not in write_analysis(bare, tmp_path / "bare").path.read_text("utf-8")


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot write a report"):
        write_analysis(report(), tmp_path / "file")


def test_fit_measures_show_counts_as_whole_numbers() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(80, 1)) + rng.normal(size=(80, 4))
    fit = gf.sem("f =~ a + b + c + d", pd.DataFrame(x, columns=list("abcd")), estimator="MLR")
    table = cfa_report(fit).tables["fit"]
    shown = {row[0].text: row[1] for row in formatted(table).rows}
    assert (shown["npar"].text, shown["df"].text, shown["baseline.df"].text) == ("8", "2", "6")
    assert shown["npar"].number
    assert shown["cfi"].text == f"{fit.measures['cfi']:.4f}"


@pytest.mark.thorough
def test_the_fit_of_a_paper_is_one_row_of_the_reported_variants(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(80, 1)) + rng.normal(size=(80, 4))
    data = pd.DataFrame(x, columns=list("abcd"))
    fit = gf.sem("f =~ a + b + c + d", data, estimator="MLR")
    table = formatted(cfa_report(fit).tables["fit_indices"])
    names = [one.text for one in table.headings]
    assert names == ["estimator", "χ²", "df", "p", "CFI", "TLI", "RMSEA", "SRMR"]
    (row,) = table.rows
    measures = {
        "χ²": "chisq.scaled", "CFI": "cfi.robust", "TLI": "tli.robust", "RMSEA": "rmsea.robust",
        "SRMR": "srmr",
    }  # fmt: skip
    texts = dict(zip(names, (one.text for one in row), strict=True))
    assert {name: texts[name] for name in measures} == {
        name: f"{fit.measures[key]:.3f}" for name, key in measures.items()
    }
    assert texts["df"] == "2"
    saturated = gf.sem("f =~ a + b + c", data)
    assert "fit_indices" not in cfa_report(saturated).tables
