"""Conditional models: parameters per item and step, and designs of their difficulties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import special

import gfactor as gf
from gfactor.cli.analyses.conditional_irt import command
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional


def test_rating_scales_need_equal_categories_and_partial_credit_does_not() -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=(150, 1)) + rng.normal(size=(150, 3))
    equal = pd.DataFrame(np.digitize(z, [-0.6, 0.6])).add_prefix("r")
    unequal = equal.assign(r0=(equal["r0"] > 0).astype(int))
    with pytest.raises(ParameterError, match="rsm needs the same number of categories"):
        fit_conditional("rsm", unequal)
    # A parameter per step of an item, less one for the origin; item and step effects, less one.
    assert len(fit_conditional("pcm", unequal).estimates) == (1 + 2 + 2) - 1
    assert len(fit_conditional("pcm", equal).estimates) == 3 * 2 - 1
    assert len(fit_conditional("rsm", equal).estimates) == (3 - 1) + (2 - 1)


def answers(shifts: tuple[float, ...] = (0, 0, 0, 0, 0, 1.4), n: int = 400) -> pd.DataFrame:
    """Rasch items; the second half of the people finds some of them harder."""
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(n, 1)) + np.repeat([0, 0.3], n // 2)[:, None]
    b = np.linspace(-1, 1, len(shifts)) + np.repeat([0, 1], n // 2)[:, None] * np.array(shifts)
    right = rng.random((n, len(shifts))) < special.expit(theta - b)
    return pd.DataFrame(right.astype(float), columns=[f"i{k}" for k in range(len(shifts))])


def test_an_effect_on_easiness_needs_a_row_for_every_item() -> None:
    data = answers((0, 0, 0, 0))
    design = pd.DataFrame({"all": [0.0, 1, 1, 2]}, index=["i0", "i1", "i2", "i3"])
    found = fit_conditional("lltm", data, design=design)
    assert found.names == ("all",)
    # Rows are taken by name: their order is of no consequence.
    again = fit_conditional("lltm", data, design=design.iloc[::-1])
    assert again.estimates == pytest.approx(found.estimates)
    with pytest.raises(ParameterError, match="lltm needs a design"):
        fit_conditional("lltm", data)
    with pytest.raises(ParameterError, match="no row for the item 'i3'"):
        fit_conditional("lltm", data, design=design.head(3))
    with pytest.raises(ParameterError, match="two rows for the item 'i3'"):
        fit_conditional("lltm", data, design=design.iloc[[0, 1, 2, 3, 3]])
    with pytest.raises(ParameterError, match="no number in column 'all' for the item 'i1'"):
        fit_conditional("lltm", data, design=design.replace({"all": {1.0: np.nan}}))
    with pytest.raises(ParameterError, match="rasch takes no design"):
        fit_conditional("rasch", data, design=design)


def test_a_search_that_has_not_reached_the_tolerance_says_so() -> None:
    assert "not_converged" not in [
        one.code for one in fit_conditional("rasch", answers()).diagnostics
    ]
    found = fit_conditional("rasch", answers(), tolerance=0.0)
    assert [one.severity for one in found.diagnostics if one.code == "not_converged"] == ["error"]


def test_two_items_have_the_odds_of_those_who_solve_one() -> None:
    """With two items the conditional estimate is a logarithm of odds (Andersen 1972)."""
    pairs = [(1, 0)] * 30 + [(0, 1)] * 10 + [(1, 1)] * 7 + [(0, 0)] * 5
    found = gf.conditional_irt("rasch", pd.DataFrame(pairs, columns=["a", "b"]))
    first, second = found.easiness["easiness"].to_numpy(float)
    assert first - second == pytest.approx(np.log(30 / 10))
    assert found.easiness["se"].to_numpy(float)[0] * 2 == pytest.approx(np.sqrt(1 / 30 + 1 / 10))
    assert found.n_used == 40


def test_the_command_prints_what_the_function_returns(tmp_path: Path) -> None:
    data = answers((0, 0, 0, 0)).astype(int)
    design = pd.DataFrame({"item": data.columns, "step": [0, 1, 1, 2]})
    design.to_csv(tmp_path / "design.csv", index=False)
    table = data.assign(sex=["f", "m"] * 200)
    table.insert(0, "person", [f"p{k}" for k in range(400)])
    table.to_csv(tmp_path / "answers.csv", index=False)

    def printed(*words: str) -> dict[str, Any]:
        call = [str(tmp_path / "answers.csv"), *words, "--json"]
        done = CliRunner().invoke(command, call)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    lltm = printed("--model", "lltm", "--design", str(tmp_path / "design.csv"))
    direct = gf.conditional_irt("lltm", data, design=design.set_index("item"))
    assert lltm["parameters"][0]["parameter"] == "step"
    assert lltm["parameters"][0]["estimate"] == pytest.approx(direct.estimates[0])
    assert lltm["conditional_loglik"] == pytest.approx(direct.loglik)
    groups = printed("--model", "rasch", "--group", "sex", "-o", str(tmp_path / "page"))["groups"]
    women = gf.conditional_irt("rasch", data.iloc[::2])
    assert groups["f"]["conditional_loglik"] == pytest.approx(women.loglik)
    assert "conditional maximum likelihood" in (tmp_path / "page/1-f/paragraph.txt").read_text()
