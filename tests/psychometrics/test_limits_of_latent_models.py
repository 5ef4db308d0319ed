"""Limits of item response, factor and path models, met exactly and from both sides."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics import bootstrap_pls, fit_pls, parse_pls
from gfactor.psychometrics.factor.exploratory import efa
from gfactor.psychometrics.factor.exploratory.result import HIDDEN
from gfactor.psychometrics.generalizability.study import _carried
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.brokenitems import LEVEL, broken_items
from gfactor.psychometrics.irt.differential import DIF
from gfactor.psychometrics.irt.overallfit import overall_fit
from gfactor.psychometrics.irt.predictive import FAR, PredictiveCheck
from gfactor.psychometrics.pls.predict import PLSPrediction
from gfactor.psychometrics.psychophysics.fits import _falls, _verdict
from gfactor.psychometrics.sem.batches.outcome import FAILED, IMPROPER, INFINITE, PROPER
from gfactor.psychometrics.sem.bootstrapping.analysis import _findings
from gfactor.psychometrics.sem.measurement_invariance.analysis import _kept
from gfactor.psychometrics.sem.score_weights import scale_checks, solution_checks
from gfactor.psychometrics.sem.simulation.result import Replications, SimulationStudy


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
    for given in ({"n_bootstrap": 1}, {"indices": rows[:1]}, {"indices": rows[:0]}):
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


def resampled(kinds: str, converged: bool = True) -> list[tuple[str, str, str]]:
    """What is said of resamples: f failed, i improper, o at infinity, p proper."""
    names = {"f": FAILED, "i": IMPROPER, "o": INFINITE, "p": PROPER}
    every = [names[k] for k in kinds]
    fits: Any = MadeFits(every)
    fit: Any = Made(converged=converged, convergence=Made(sentence="no end"))
    return [(one.code, one.severity, one.sentence) for one in _findings(fit, fits)]


class MadeFits:
    """Resamples of given kinds, with a reason each."""

    def __init__(self, kinds: list[str]) -> None:
        self.kinds = kinds

    def __len__(self) -> int:
        return len(self.kinds)

    def count(self, kind: str) -> int:
        return self.kinds.count(kind)

    def reasons(self, kind: str) -> dict[str, int]:
        return {f"reason {k}": 1 for k in range(self.count(kind))}


def test_lost_infinite_and_improper_resamples_are_told_by_their_shares() -> None:
    assert resampled("p" * 50) == []
    assert resampled("f" + "p" * 49) == []
    ((code, severity, sentence),) = resampled("f" + "p" * 48)
    assert (code, severity) == ("resamples_lost", "warning")
    assert sentence == "1 of 49 resamples gave no fit (reason 0: 1)."
    assert resampled("ff" + "p" * 8)[0][1] == "warning"
    assert resampled("fff" + "p" * 11)[0][1] == "error"
    for letter, code in (("o", "resamples_at_infinity"), ("i", "resamples_improper")):
        assert resampled(letter + "p" * 19)[0][:2] == (code, "note")
        assert resampled(letter + "p" * 18)[0][:2] == (code, "warning")
        assert resampled(letter + "p" * 19)[0][2].startswith(("In 1 of 20", "1 of 20"))
    assert resampled("p", converged=False)[0][:2] == ("bootstrap_of_no_minimum", "error")


def levels(criterion: str, n: int, sizes: list[int], new: str, **changes: float) -> bool:
    """Whether a level holds whose CFI falls, and whose RMSEA and SRMR rise, by `changes`."""

    def fit(**measures: float) -> Any:
        return Made(measures=measures, n=n, sample=Made(groups=[Made(n=k) for k in sizes]),
                    problem=Made(df=9))  # fmt: skip

    before = fit(npar=4, chisq=1.0, df=9, pvalue=0.5, cfi=1.0, rmsea=0.0, srmr=0.0)
    after = fit(npar=4, chisq=1.0, df=9, pvalue=0.5, cfi=1.0 - changes.get("cfi", 0.0),
                rmsea=changes.get("rmsea", 0.0), srmr=changes.get("srmr", 0.0))  # fmt: skip
    difference: Any = Made(pvalue=changes.get("p", 0.5))
    level: Any = Made(new=(new,))
    return _kept(after, before, difference, level, (criterion, 0.05))


def test_a_level_holds_by_its_p_or_by_chens_rules() -> None:
    equal, large = [200, 200], 400
    assert levels("p", 400, equal, "loadings", p=0.05)
    assert not levels("p", 400, equal, "loadings", p=0.0499)
    assert not levels("p", 400, equal, "loadings", p=np.nan)
    # CFI alone, or RMSEA and SRMR alone, are not enough.
    assert levels("fit", large, equal, "loadings", cfi=0.5)
    assert levels("fit", large, equal, "loadings", rmsea=0.5, srmr=0.5)
    for changes in ({"rmsea": 0.015}, {"srmr": 0.03}):
        assert not levels("fit", large, equal, "loadings", cfi=0.0101, **changes)
        assert levels("fit", large, equal, "loadings", cfi=0.0099, **changes)
    assert levels("fit", large, equal, "loadings", cfi=0.02, rmsea=0.0149, srmr=0.0299)
    assert not levels("fit", large, equal, "intercepts", cfi=0.02, srmr=0.01)
    assert levels("fit", large, equal, "intercepts", cfi=0.02, srmr=0.0099)
    # Small or unequal samples have stricter limits; 300 is small, and half as many again equal.
    strict = {"cfi": 0.006, "rmsea": 0.012}
    assert levels("fit", 301, [150, 151], "loadings", **strict)
    assert not levels("fit", 300, [150, 150], "loadings", **strict)
    assert levels("fit", 500, [200, 300], "loadings", **strict)
    assert not levels("fit", 501, [200, 301], "loadings", **strict)


def test_a_logistic_study_needs_ten_of_the_rarer_score_per_parameter() -> None:
    def told(ones: int, n: int = 90, largest: float = 2.0, mean: float = 0.3) -> Any:
        y = np.r_[np.ones(ones), np.zeros(n - ones)]
        components = pd.DataFrame({"variance": [largest, 0.4, 3.29]}, index=["p", "t", "residual"])
        every = _carried("logistic", components, pd.DataFrame({"p": [1.0]}), y, mean)
        return [(one.code, one.values["rarer_scores"]) for one in every]

    assert told(30) == told(60) == told(45) == []
    assert told(29) == [("few_of_one_score", 29)]
    assert told(61) == [("few_of_one_score", 29)]
    assert told(3) == [("few_of_one_score", 3)]
    assert told(2) == [("not_carried", 2)]
    assert told(45, largest=100.0) == told(45, mean=10.0) == told(45, mean=-10.0) == []
    assert told(45, largest=100.1) == told(45, mean=-10.1) == [("not_carried", 45)]


def test_a_curve_is_flat_unless_its_trend_is_below_the_fifth_percentile() -> None:
    sizes, asked = np.array([1.0, 2, 3, 4]), np.full(4, 20.0)
    for right in ([18, 15, 14, 12], [15, 14, 15, 13], [12, 13, 14, 15], [10, 10, 10, 9]):
        k = np.array(right, float)
        p, away = k.sum() / 80, sizes - 2.5
        z = (k @ away) / np.sqrt(p * (1 - p) * 20 * (away**2).sum())
        assert _falls(sizes, k, asked) == (z < -1.6448536)
    assert not _falls(sizes, asked, asked)

    def verdict(threshold: float, right: list[float], n: int = 60, p: float = 0.05) -> Any:
        row = {"threshold": threshold, "threshold_low": 0.0, "threshold_high": 9.0, "guess": 0.2,
               "n": n, "p_fit": p, "slope": 1.0}  # fmt: skip
        changed = _verdict(row, sizes, np.array(right), asked, [])
        return [changed["threshold"], changed["censored"], changed["flag"]]

    falling = [20.0, 16, 8, 3]
    assert verdict(4.0, falling) == [4.0, "", ""]
    assert verdict(1.0, falling) == [1.0, "", ""]
    assert verdict(4.001, falling) == [4.0, "beyond", "threshold beyond the sizes given"]
    assert verdict(0.999, falling) == [1.0, "below", "threshold below the sizes given"]
    assert verdict(2.0, falling, 59)[2] == "few answers: slope leans on its prior"
    assert verdict(2.0, falling, p=0.049)[2] == "poor fit"
    # Flat at (1 + .2) / 2 of the answers right, the threshold lies beyond, below it before.
    for right, word, at in (([12.0] * 4, "beyond", 4.0), ([11.9] * 4, "below", 1.0)):
        assert verdict(2.0, right) == [at, word, f"flat curve; threshold {word} the sizes given"]


def test_coverage_counts_the_ends_of_intervals_and_power_does_not() -> None:
    runs = Replications(
        theta=np.array([[1.0], [3.0], [2.5], [np.nan]]),
        errors=np.array([[1.0], [1.5], [1.0], [1.0]]),
        chisq=np.array([1.0, special.chdtri(2, 0.05), 9.0, np.nan]),
        kind=np.array([PROPER, IMPROPER, FAILED, INFINITE]), reason=np.array(["", "a", "b", "c"]),
    )  # fmt: skip
    row = Made(lhs="x", op="~", rhs="y", group=1, free=1)
    reference: Any = Made(table=Made(rows=[row]), theta=np.array([3.0]), problem=Made(df=2))
    study = SimulationStudy(reference, (50,), 1, 0.95, runs, 2.0)
    assert study.rejected == pytest.approx(1 / 3)
    assert study.shares == {PROPER: 1, IMPROPER: 1, INFINITE: 1, FAILED: 1}
    (line,) = study.parameters.to_dict("records")
    assert (line["n"], line["coverage"], line["power"]) == (3, 1.0, pytest.approx(1 / 3))
    assert line["mean"] == pytest.approx(6.5 / 3)
    assert line["bias"] == pytest.approx(6.5 / 3 - 3)
    assert line["relative_bias"] == pytest.approx((6.5 / 3 - 3) / 3)
    assert line["sd"] == pytest.approx(np.std([1.0, 3.0, 2.5], ddof=1))
    assert line["se_ratio"] == pytest.approx(3.5 / 3 / line["sd"])
    assert line["coverage_se"] == 0.0
    fewer = replace(
        study, runs=replace(runs, theta=np.array([[1.0], [np.nan], [np.nan], [np.nan]]))
    )
    assert fewer.parameters.to_dict("records")[0]["n"] == 1
    assert "mean" not in fewer.parameters
    exact: Any = Made(table=reference.table, theta=reference.theta, problem=Made(df=0))
    assert np.isnan(replace(study, reference=exact).rejected)
