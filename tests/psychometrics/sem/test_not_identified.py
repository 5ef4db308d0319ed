"""A model that is not identified says so first, and prints nothing that the data do not settle."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.results.apa import document

TWICE = "a =~ x1 + x2 + x3 + x4\nb =~ x1 + x2 + x3 + x4"


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(300, 1)) + rng.normal(size=(300, 6))
    return pd.DataFrame(values, columns=[f"x{k}" for k in range(1, 7)])


def test_it_comes_first_and_without_the_advice_to_search_again(data: pd.DataFrame) -> None:
    codes = [one.code for one in sem.fit(TWICE, data).diagnostics]
    assert codes[0] == "not_identified"
    assert not {"saddle_point", "not_converged", "gradient_not_zero"} & set(codes)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("model", "remedy"),
    [
        (TWICE, "orthogonal = True"),
        ("g =~ x1 + x2 + x3 + x4 + x5 + x6\ns =~ x1 + x2 + x3\nt =~ x4 + x5 + x6", "orthogonal"),
        ("a =~ x1 + x2", "a has two indicators: add a third"),
        ("a =~ NA*x1 + x2 + x3\na ~~ a", "Fix a loading or a variance of each factor"),
    ],
)
def test_the_remedy_names_what_the_factors_lack(
    data: pd.DataFrame, model: str, remedy: str
) -> None:
    first = sem.fit(model, data).diagnostics[0]
    assert first.code == "not_identified"
    assert remedy in first.remedy


def test_values_that_the_data_do_not_determine_are_left_out(data: pd.DataFrame) -> None:
    fit = sem.fit("a =~ x1 + x2", data)
    text, content = str(fit.apa()), document(fit)
    assert "omega" not in text
    assert "Explained variance    R2" not in text
    assert "are left out: the data do not determine them" in text
    assert (content["r2"], content["reliability"]) == (None, None)
    assert all(row["std.all"] is None for row in content["estimates"])
    identified = document(sem.fit("a =~ x1 + x2 + x3", data))
    assert identified["reliability"] is not None
