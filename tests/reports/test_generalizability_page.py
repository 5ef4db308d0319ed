"""The page of a generalizability study reads as the field writes: design, coefficients, sources."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pandas as pd

import gfactor as gf


def page_of(folder: Path) -> str:
    """The words of a page with a D-study, 5 persons by 2 raters by 3 tasks."""
    cells = product(range(5), range(2), range(3))
    rows = [(p, r, t, p + (p * r) % 3 + (p * t + r) % 4) for p, r, t in cells]
    data = pd.DataFrame(rows, columns=["person", "rater", "task", "score"])
    study = gf.gtheory(
        data, object="person", facets=["rater", "task"], grid={"rater": [1, 2]}, cut=3.0
    )
    assert study.to_dict()["conditions"] == {"rater": 2, "task": 3}
    assert study.to_dict()["confounded_with_error"] == "person x rater x task"
    page = study.report(folder).path.read_text("utf-8")
    body = page[page.index("<header>") :]
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


def test_the_page_names_design_coefficients_and_the_confounded_source(tmp_path: Path) -> None:
    text = page_of(tmp_path)
    assert text.startswith("gfactor analysis Generalizability study Object of measurement person")
    assert "Facet rater 2 conditions Facet task 3 conditions" in text
    assert "Generalizability coefficient Eρ²" in text
    assert "Dependability Φ(3) at the cut" in text
    assert "For means over 2 conditions of rater and 3 conditions of task, the general" in text
    assert "person × rater × task, confounded with error" in text
    assert "With 3 conditions of task, as in the data." in text
    assert not re.search(r"e rho2|ci lower|n rater|d study|criterion", text)


def test_its_file_of_components_keeps_the_names_that_a_plan_reads(tmp_path: Path) -> None:
    page_of(tmp_path)
    table = pd.read_csv(tmp_path / "tables" / "components.csv")
    assert table["effect"].tolist()[-1] == "person x rater x task"
    assert {"variance", "ci_lower", "ci_upper"} <= set(table.columns)
