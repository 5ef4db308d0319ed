"""Limits of item response, factor and path models, met exactly and from both sides."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics import bootstrap_pls, fit_pls, parse_pls
from gfactor.psychometrics.factor.exploratory import efa
from gfactor.psychometrics.factor.exploratory.result import HIDDEN
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.brokenitems import LEVEL, broken_items
from gfactor.psychometrics.irt.differential import DIF
from gfactor.psychometrics.irt.overallfit import overall_fit
from gfactor.psychometrics.irt.predictive import FAR, PredictiveCheck
from gfactor.psychometrics.pls.predict import PLSPrediction
from gfactor.psychometrics.sem.score_weights import scale_checks, solution_checks


def frame(n: int = 80, k: int = 6, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, k))
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(1, k + 1)])


def test_checks_far_out_and_items_that_differ_are_counted_below_their_limits() -> None:
    p = [FAR, FAR - 1e-9, 1 - FAR, 1 - FAR + 1e-9, 0.5]
    assert PredictiveCheck(pd.DataFrame({"p": p}), 40).title.startswith("2 of 5 predictive checks")
    table = pd.DataFrame({"p_adjusted": [0.05, 0.05 - 1e-9, 0.9]})
    assert "1 of 3 items differ" in DIF("Wald", ("a", "b"), table, ()).title


def test_a_simulated_p_of_a_twentieth_flags_no_item_and_one_below_does() -> None:
    rng = np.random.default_rng(3)
    z = rng.normal(size=(150, 1)) - np.linspace(-1, 1, 5)
    data = pd.DataFrame((rng.random(z.shape) < 1 / (1 + np.exp(-z))) * 1.0).add_prefix("i")
    data["copy"] = data["i2"]
    fit = fit_irt(data.assign(copy=data["i2"].where(np.arange(150) % 12 > 0, 0.0)), "rasch")
    assert LEVEL == 0.05
    reasons = [set(broken_items(fit, simulations=n).table["reason"]) for n in (19, 20)]
    assert "locally_dependent" not in reasons[0]
    assert "locally_dependent" in reasons[1]


def test_one_degree_of_freedom_is_enough_for_a_test_of_overall_fit() -> None:
    rng = np.random.default_rng(5)
    z = rng.normal(size=(200, 1)) - [-0.5, 0.2, 0.6]
    data = pd.DataFrame((rng.random(z.shape) < 1 / (1 + np.exp(-z))) * 1.0).add_prefix("i")
    fit = fit_irt(data, "2pl", fixed={"i0.a1": 1.0}, force=True)
    assert overall_fit(fit).df == 1
    with pytest.raises(ParameterError, match="M2 has 0 degrees of freedom"):
        overall_fit(fit_irt(data, "2pl", force=True))


def test_loadings_are_shown_from_the_limit_on() -> None:
    solution = efa(frame(), 1)
    column = [HIDDEN, HIDDEN - 1e-9, -HIDDEN, 0.9, 0.8, 0.7]
    shown = replace(solution, loadings=pd.DataFrame({"F1": column}, index=solution.loadings.index))
    lines = shown.summary().splitlines()
    blank = {
        name: next(one for one in lines if one.strip().startswith(name))
        for name in ("x1", "x2", "x3")
    }
    assert [len(line.split()) for line in blank.values()] == [4, 3, 4]


def test_predictive_power_is_medium_from_half_of_the_indicators_on() -> None:
    def power(*rmse: float) -> str:
        table = pd.DataFrame({"rmse": rmse, "lm_rmse": 1.0})
        return PLSPrediction(table, table, table, 5, 1, "direct", "direct", 50).power  # type: ignore[arg-type]

    assert power(0.9, 1.0, 1.1, 0.8) == "medium"
    assert power(0.9, 1.0, 1.1) == "low"
    assert (power(0.9, 0.8), power(1.0, 1.2), power(0.5, np.nan)) == ("high", "none", "medium")


def test_a_bootstrap_of_a_path_model_needs_two_resamples() -> None:
    data = frame()
    fit = fit_pls(data, parse_pls("A =~ x1 + x2; B =~ x3 + x4; B ~ A"))
    rows = np.random.default_rng(1).integers(0, 80, (2, 80))
    assert bootstrap_pls(fit, indices=rows).n_bootstrap == 2
    for given in ({"resamples": 1}, {"indices": rows[:1]}, {"indices": rows[:0]}):
        with pytest.raises(ParameterError, match=r"[01] resamples are too few"):
            bootstrap_pls(fit, **given)  # type: ignore[arg-type]


def point(p: int = 4) -> Any:
    return Made(sigma=np.eye(p), mu=np.zeros(p))


def said(rows: Any) -> list[tuple[str, tuple[str, ...]]]:
    checks = scale_checks(point(), np.asarray(rows, float), list("abcd"), "")
    return [(one.code, one.where) for one in checks]


def test_rows_are_far_out_beyond_three_standard_deviations() -> None:
    assert said([[3.0, 0, 0, 0]]) == []
    assert said([[3.001, 0, 0, 0]]) == [("scores_extrapolate", ("a",))]
    assert said([[-3.001, 0, 0, 0]]) == [("scores_extrapolate", ("a",))]
    # The median of four columns lies between the second and the third.
    assert said([[4.0, 4.0, 2.0, 0]]) == [("scores_extrapolate", ("a", "b"))]
    assert said([[4.0, 4.0, 2.1, 0]]) == [("scores_on_another_scale", ("a", "b"))]
    assert said([[4.0, np.nan, np.nan, 0]]) == [("scores_extrapolate", ("a",))]


def test_a_spread_thrice_the_models_is_another_scale_where_five_rows_show_it() -> None:
    away = np.array([-1.0, 1, -1, 1, 0]) / np.sqrt(0.8)

    def scaled(spread: float, rows: int = 5) -> list[str]:
        return [code for code, _ in said(np.outer(away[:rows], np.full(4, spread)))]

    assert scaled(2.99) == scaled(1 / 2.99) == []
    assert scaled(3.01) == scaled(1 / 3.01) == ["scores_on_another_scale"]
    assert scaled(3.01, 4) == []


def test_scores_are_doubted_below_a_determinacy_of_four_fifths() -> None:
    def codes(precision: list[float], residual: float = 0.5, method: str = "regression") -> Any:
        structure = Made(observed=("x", "y"), n_true_latent=2)
        loading = np.array([[1.0, 0.0], [0.5, 0.0]])
        here: Any = Made(structure=structure, theta=np.diag([residual, 0.4]), loading=loading)
        checks = solution_checks(here, method, ("f", "g"), np.array(precision), "")
        return [(one.code, one.severity, one.where) for one in checks]

    assert codes([0.8, 0.9]) == []
    assert codes([0.799, np.nan]) == [("scores_indeterminate", "warning", ("f", "g"))]
    assert codes([0.9, 0.9], 0.0) == []
    assert codes([0.9, 0.9], -0.01) == [("scores_from_heywood_case", "warning", ("x",))]
    assert codes([0.9, 0.9], -0.01, "bartlett") == [
        ("scores_from_heywood_case", "error", ("x",)),
        ("no_bartlett_scores", "warning", ("g",)),
    ]
