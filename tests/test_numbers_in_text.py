"""Printed tables write the numbers of a column alike, and p-values as sentences do."""

from __future__ import annotations

import numpy as np
import pandas as pd

import gfactor as gf
from gfactor.numbers_in_text import p_value, printed


def test_a_p_value_is_never_printed_as_zero() -> None:
    table = pd.DataFrame({"d_pvalue": [1e-12, 0.0432, np.nan], "p_adjusted": [0.5, 9e-4, 1.0]})
    lines = [line.split() for line in printed(table, index=False).splitlines()]
    assert lines == [
        ["d_pvalue", "p_adjusted"], ["<", ".001", ".500"], [".043", "<", ".001"], ["-", "1.000"],
    ]  # fmt: skip
    assert p_value(1e-12, "= ") == "< .001"


def test_numbers_of_a_column_have_the_same_decimals() -> None:
    table = pd.DataFrame({"F1": [0.2, 0.1764, np.nan], "n": [3, 20, 100], "name": ["a", "b", "c"]})
    rows = [line.split() for line in printed(table, missing="").splitlines()[1:]]
    assert rows == [["0", "0.200", "3", "a"], ["1", "0.176", "20", "b"], ["2", "100", "c"]]


def test_loadings_of_a_factor_analysis_are_printed_with_three_decimals() -> None:
    random = np.random.default_rng(4)
    factor = random.normal(size=(300, 1))
    data = pd.DataFrame(factor * 0.7 + random.normal(size=(300, 5)) * 0.7).add_prefix("x").round(2)
    text = gf.efa(data, factors=1).summary()
    row = next(line for line in text.splitlines() if line.startswith("x0")).split()
    assert [len(number.partition(".")[2]) for number in row[1:]] == [3, 3, 3]
