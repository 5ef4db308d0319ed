"""gfactor analyze reliability: coefficients against formulas and another optimizer."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import optimize
from support.tiers import few

import gfactor as gf
from gfactor import psychometrics as ps
from gfactor.api.analyses.internal_consistency import Consistency, consistency
from gfactor.cli.analyses.reliability import command
from gfactor.psychometrics.classical.consistency.lower_bound import greatest_lower_bound

LOADINGS = np.array([0.3, 0.5, 0.7, 0.9, 0.6])


def _congeneric(n: int = 400, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    g = rng.normal(size=(n, 1))
    errors = rng.normal(size=(n, 5)) * np.sqrt(1 - LOADINGS**2)
    return pd.DataFrame(g * LOADINGS + errors).add_prefix("item")


@cache
def _result() -> Consistency:
    return consistency(_congeneric())


def _bound_by_slsqp(s: np.ndarray) -> float:
    """The greatest lower bound by a general optimizer, the smallest eigenvalue as constraint."""
    k = len(s)
    answer = optimize.minimize(
        lambda errors: -errors.sum(), np.full(k, np.linalg.eigvalsh(s)[0] * 0.5), method="SLSQP",
        bounds=[(0, s[i, i]) for i in range(k)],
        constraints={"type": "ineq", "fun": lambda e: np.linalg.eigvalsh(s - np.diag(e))[0]},
        options={"maxiter": 1000, "ftol": 1e-12},
    )  # fmt: skip
    return 1 - answer.x.sum() / s.sum()


def test_parallel_indicators_have_one_reliability_by_every_coefficient() -> None:
    for k, r in ((3, 0.4), (8, 0.2)):
        matrix = np.full((k, k), r) + (1 - r) * np.eye(k)
        expected = k * r / (1 + (k - 1) * r)
        assert greatest_lower_bound(matrix)[0] == pytest.approx(expected, abs=1e-6)


def test_the_bound_of_one_factor_is_omega() -> None:
    matrix = np.outer(LOADINGS, LOADINGS) + np.diag(1 - LOADINGS**2)
    omega = LOADINGS.sum() ** 2 / matrix.sum()
    assert greatest_lower_bound(matrix)[0] == pytest.approx(omega, abs=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", few([1, 2, 3], 1))
def test_the_bound_agrees_with_a_general_optimizer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(60, 5)) * [1, 2, 3, 0.5, 1] + rng.normal(size=(60, 2)) @ rng.normal(
        size=(2, 5)
    )
    matrix = np.cov(x, rowvar=False)
    assert greatest_lower_bound(matrix)[0] == pytest.approx(_bound_by_slsqp(matrix), abs=2e-4)


@pytest.mark.thorough
def test_the_bound_is_at_least_alpha_and_does_not_depend_on_the_batch() -> None:
    x = _congeneric().to_numpy()
    matrices = np.stack([np.cov(x[:200], rowvar=False), np.cov(x, rowvar=False)])
    bounds = greatest_lower_bound(matrices)
    for matrix, bound in zip(matrices, bounds, strict=True):
        alpha = 5 / 4 * (1 - np.trace(matrix) / matrix.sum())
        assert alpha < bound < 1
        assert bound == pytest.approx(greatest_lower_bound(matrix)[0], abs=1e-6)


def test_coefficients_are_near_the_populations_and_alpha_is_gf_reliabilitys() -> None:
    rows = _result().coefficients
    omega = LOADINGS.sum() ** 2 / (LOADINGS.sum() ** 2 + (1 - LOADINGS**2).sum())
    assert rows.loc["omega", "ci_lower"] < omega < rows.loc["omega", "ci_upper"]
    assert rows.loc["omega", "estimate"] == pytest.approx(omega, abs=0.04)
    classical = ps.reliability(_congeneric())
    assert rows.loc["alpha", "estimate"] == pytest.approx(classical.alpha)
    assert rows.loc["alpha", "ci_upper"] == pytest.approx(classical.high)
    assert rows.loc["alpha", "estimate"] < rows.loc["omega", "estimate"]
    assert rows.loc["omega", "estimate"] <= rows.loc["glb", "estimate"] + 1e-3
    assert rows.loc["glb", ["ci_lower", "ci_upper"]].isna().all()


def test_measurement_error_is_in_units_of_the_sum_and_the_bound_has_no_interval() -> None:
    total = _congeneric().sum(axis=1)
    result = _result()
    assert result.sd == pytest.approx(total.std())
    alpha = result.coefficients.loc["alpha", "estimate"]
    assert result.sem == pytest.approx(total.std() * np.sqrt(1 - alpha))
    bound = {d.code: d for d in result.diagnostics}["glb_overestimates"]
    assert "has no interval" in bound.sentence


@pytest.mark.slow
def test_samples_overestimate_the_bound_as_its_note_says() -> None:
    rng = np.random.default_rng(8)
    for k, n, loadings, too_large in ((6, 300, (0.5, 0.8), 0.02), (12, 150, (0.4, 0.7), 0.04)):
        lam = np.linspace(*loadings, k)
        matrix = np.outer(lam, lam) + np.diag(1 - lam**2)
        root = np.linalg.cholesky(matrix)
        samples = [np.cov(rng.normal(size=(n, k)) @ root.T, rowvar=False) for _ in range(100)]
        mean = greatest_lower_bound(np.stack(samples)).mean()
        assert mean - greatest_lower_bound(matrix)[0] == pytest.approx(too_large, abs=0.012)


def test_omega_is_that_of_a_model_of_one_factor() -> None:
    data = _congeneric()
    fit = gf.sem("g =~ item0 + item1 + item2 + item3 + item4", data, std_lv=True)
    estimates = fit.estimates
    loadings = estimates.loc[estimates["op"] == "=~", "est"].sum()
    errors = estimates.loc[
        (estimates["op"] == "~~")
        & (estimates["lhs"] != "g")
        & (estimates["lhs"] == estimates["rhs"]),
        "est",
    ].sum()
    omega = loadings**2 / (loadings**2 + errors)
    assert _result().coefficients.loc["omega", "estimate"] == pytest.approx(omega, abs=1e-5)


def test_items_have_rest_correlations_and_alpha_without_them_with_intervals() -> None:
    data, rows = _congeneric(), _result().indicators
    rest = data.drop(columns="item3").sum(axis=1)
    r = np.corrcoef(data["item3"], rest)[0, 1]
    assert rows.loc["item3", "rest_correlation"] == pytest.approx(r)
    margin = 1.959964 / np.sqrt(397)
    assert rows.loc["item3", "rest_lower"] == pytest.approx(
        np.tanh(np.arctanh(r) - margin), abs=1e-6
    )
    without = ps.reliability(data.drop(columns="item3"))
    assert rows.loc["item3", "alpha_without"] == pytest.approx(without.alpha)
    assert rows.loc["item3", "alpha_without_lower"] == pytest.approx(without.low)
    assert rows.loc["item3", "alpha_without_upper"] == pytest.approx(without.high)


@pytest.mark.thorough
def test_reversed_and_constant_items_and_two_factors_are_named() -> None:
    data = _congeneric().assign(item2=lambda d: -d["item2"], same=1.0)
    codes = {d.code: d for d in consistency(data).diagnostics}
    assert codes["reversed_indicators"].where == ("item2",)
    assert codes["constant_indicators"].where == ("same",)
    two = pd.concat([_congeneric(), _congeneric(seed=2).add_prefix("b")], axis=1)
    assert "one_factor_misfits" in {d.code for d in consistency(two).diagnostics}
    pair = consistency(_congeneric().filter(["item2", "item3"]))
    assert "no_omega" in {d.code for d in pair.diagnostics}
    assert np.isnan(pair.coefficients.loc["omega", "estimate"])


@pytest.mark.thorough
def test_the_verb_prints_the_tables_and_a_result_per_group(tmp_path: Path) -> None:
    data = _congeneric().assign(country=["DE", "FR"] * 200, age=range(400))
    path = tmp_path / "answers.csv"
    data.to_csv(path, index=False)
    words = [str(path), "--columns", "item*"]
    printed = CliRunner().invoke(command, words)
    assert printed.exit_code == 0, printed.output
    for word in ("alpha", "omega", "glb", "split_half", "rest_correlation", "alpha_without"):
        assert word in printed.output
    grouped = CliRunner().invoke(command, [*words, "--group", "country", "--json"])
    groups = json.loads(grouped.stdout)["groups"]
    for name, document in groups.items():
        part = data.loc[data.country == name].filter(like="item")
        alpha = next(r for r in document["coefficients"] if "Feldt" in str(r))
        assert alpha["estimate"] == pytest.approx(gf.reliability(part).alpha)
