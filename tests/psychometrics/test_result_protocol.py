"""Every analysis returns a `Result`: text, notebook, strict JSON and a page, in one way."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import json
import pkgutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.every_result import RESULTS
from support.tiers import slow

import gfactor
from gfactor.psychometrics import Diagnostic
from gfactor.results import Result, by_row, plain, shown

ROOT = Path(gfactor.__file__).parent
WRITTEN_ONCE = {"to_dict", "summary", "_repr_html_", "__repr__", "report"}
EVIL = "<script>alert(1)</script>"


SAME_PAGE = (
    "adequacy of a singular matrix", "agreement, Fleiss", "agreement, undefined", "efa, parallel",
    "efa, no degrees of freedom", "difference of two items", "irt, drawn", "plan, not reached",
    "reliability of two", "sem, no degrees of freedom", "sem, not identified",
)  # fmt: skip
"""Results whose page another result of their class writes."""
DRAWN = "irt, drawn"
"""A search of seconds, whose result is of the same class as one without chance."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=slow) if n == DRAWN else n for n in RESULTS]
)
def test_a_result_speaks_the_protocol(name: str) -> None:
    result = RESULTS[name]()
    assert isinstance(result, Result)
    assert result.title
    assert "\n" not in result.title
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert document == result.to_dict()
    said = [d.to_dict() for d in result.diagnostics]
    assert document.get("diagnostics", said) == plain(said)
    severities = [["error", "warning", "note"].index(d.severity) for d in result.diagnostics]
    assert severities == sorted(severities)
    assert all(isinstance(table, pd.DataFrame) for table in result.tables.values())
    lines = result.summary().splitlines()
    assert lines[: len(said)] == [str(d) for d in result.diagnostics]
    assert len(lines) > len(said)
    assert 1 <= len(repr(result).splitlines()) <= 10
    assert f"<{type(result).__name__}: " in repr(result)
    page = result._repr_html_()
    assert page.count("<h4>") == len(result.tables)
    assert page.count("<li>") == len(said)


def check_page(result: Result, folder: Path) -> None:
    written = result.report(folder)
    text = written.path.read_text("utf-8")
    assert all(d.sentence[:30] in text for d in result.diagnostics if "'" not in d.sentence)
    assert all((folder / "tables" / f"{t}.csv").exists() for t in written.tables)
    assert all(f"figures/{name}.svg" in text for name in written.figures)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=slow) if n in SAME_PAGE else n for n in RESULTS]
)
def test_a_result_writes_its_page(name: str, tmp_path: Path) -> None:
    check_page(RESULTS[name](), tmp_path / "page")


@pytest.mark.slow
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_writes_its_page_with_figures(name: str, tmp_path: Path) -> None:
    check_page(RESULTS[name](), tmp_path / "page")


TESTED_ELSEWHERE = {
    "AdaptiveScores",
    "Backups",
    "CalibratedScores",
    "Calibration",
    "Checklist",
    "DesignStudy",
    "FamilyFit",
    "ModelReport",
    "PredictiveCheck",
    "PrunedItems",
    "SlopeDesign",
}
"""Results of journals, studies and commands: tests/psychometrics/irt, tests/cli, tests/studies."""


def test_every_kind_of_result_is_taken_through_it() -> None:
    for package in ("gfactor.psychometrics", "gfactor.replications"):
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            importlib.import_module(module.name)
    kinds, waiting = set[type](), [Result]
    while waiting:
        below = [k for k in waiting.pop().__subclasses__() if k.__module__.startswith("gfactor.")]
        kinds.update(below)
        waiting += below
    taken = {type(RESULTS[name]()).__name__ for name in RESULTS if name != DRAWN}
    assert {kind.__name__ for kind in kinds} - TESTED_ELSEWHERE == taken


def test_factor_and_path_models_have_fit_measures_by_name() -> None:
    factors, paths = RESULTS["efa"](), RESULTS["pls"]()
    assert factors.fit_measures["rmsea"] == factors.fit.rmsea
    assert paths.fit_measures["srmr"] == paths.srmr


@pytest.mark.slow
def test_no_analysis_writes_the_protocol_again() -> None:
    """Only `Result` defines it; the classes say what is in it."""
    again = []
    for path in [*(ROOT / "psychometrics").rglob("*.py"), *(ROOT / "replications").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name != "Diagnostic":
                again += [
                    f"{path.name}: {node.name}.{one.name}"
                    for one in node.body
                    if isinstance(one, ast.FunctionDef) and one.name in WRITTEN_ONCE
                ]
    assert not again


def test_plain_values_hold_no_nan_numpy_or_pandas() -> None:
    frame = pd.DataFrame({"a": [1.0, np.inf]}, index=["x", "y"])
    held = {
        "frame": frame.rename_axis("row"),
        "series": pd.Series([np.nan], ["s"]),
        "array": np.array([[1, 2]]),
        "number": np.float64(2.5),
        3: {"set": (np.bool_(True), None)},
    }
    assert plain(held) == {
        "frame": [{"row": "x", "a": 1.0}, {"row": "y", "a": None}],
        "series": {"s": None},
        "array": [[1, 2]],
        "number": 2.5,
        "3": {"set": [True, None]},
    }
    assert by_row(frame) == {"x": {"a": 1.0}, "y": {"a": None}}
    assert [shown(v) for v in (np.nan, 0.00001, 0.25, 0.0, {"a": 1.5})] == [
        "-", "1.0e-05", "0.250", "0.000", "a 1.500",
    ]  # fmt: skip


@dataclasses.dataclass(frozen=True, repr=False)
class _Many(Result):
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        return EVIL


def test_a_long_list_of_diagnostics_is_counted_and_names_are_escaped() -> None:
    many = tuple(Diagnostic("x", "error", f"{EVIL} {k}", "Nothing.") for k in range(30))
    result = _Many(many)
    assert len(repr(result).splitlines()) == 10
    assert "30 serious" in repr(result)
    assert "<script" not in result._repr_html_()
    assert result.summary().count(EVIL) == 31
