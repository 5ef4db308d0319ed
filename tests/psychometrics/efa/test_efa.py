"""A factor analysis recovers what was put in, and says what speaks against it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cli import run_cli
from support.factor_samples import three_correlated_factors

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.factor.correlations import correlate, given_correlations
from gfactor.psychometrics.factor.exploratory import (
    degrees_of_freedom,
    efa,
    extract,
    parallel_analysis,
    rotate,
    schmid_leiman,
)
from gfactor.psychometrics.factor.exploratory.criteria import geomin, oblimin, quartimax, varimax
from gfactor.psychometrics.factor.exploratory.result import HIDDEN

CLEAN = np.kron(np.eye(3), np.array([[0.8], [0.7], [0.6], [0.5]]))


def population(phi: float) -> pd.DataFrame:
    """Correlations of twelve indicators, four per factor, factors correlated `phi`."""
    r = CLEAN @ (np.full((3, 3), phi) + (1 - phi) * np.eye(3)) @ CLEAN.T
    np.fill_diagonal(r, 1.0)
    names = [f"i{n}" for n in range(1, 13)]
    return pd.DataFrame(r, names, names)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["ml", "minres", "pa"])
@pytest.mark.parametrize("rotation", ["oblimin", "geomin", "promax"])
def test_a_population_with_simple_structure_comes_back(method: str, rotation: str) -> None:
    found = efa(population(0.4), 3, n=500, method=method, rotation=rotation)
    order = np.argsort(np.abs(found.loadings.to_numpy()).argmax(axis=0))
    loadings = found.loadings.to_numpy()[:, order]
    within = 1e-5 if rotation == "oblimin" else 0.06
    np.testing.assert_allclose(loadings, CLEAN, atol=within)
    assert found.fit.chi_square < 1e-9
    assert found.fit.rmsr < 1e-6


def test_correlations_of_factors_come_back() -> None:
    found = efa(population(0.4), 3, n=500)
    np.testing.assert_allclose(found.phi.to_numpy()[np.triu_indices(3, 1)], 0.4, atol=1e-6)
    g = schmid_leiman(found)
    assert g.second_order.to_numpy() == pytest.approx(np.sqrt(0.4), rel=1e-5)
    total = population(0.4).to_numpy().sum()
    assert g.omega_hierarchical == pytest.approx(0.4 * CLEAN.sum() ** 2 / total, rel=1e-5)


@pytest.mark.thorough
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["varimax", "quartimax", "oblimin", "geomin"]))
def test_rotation_keeps_what_is_common(seed: int, rotation: str) -> None:
    a = np.random.default_rng(seed).normal(size=(10, 3)) / 2
    turned = rotate(a, rotation, starts=2, seed=seed)
    common = turned.loadings @ turned.correlations @ turned.loadings.T
    np.testing.assert_allclose(common, a @ a.T, atol=1e-9)
    np.testing.assert_allclose(np.diag(turned.correlations), 1.0, atol=1e-9)


@pytest.mark.thorough
def test_promax_raises_to_the_fourth_power_unless_told_otherwise() -> None:
    a = np.random.default_rng(6).normal(size=(12, 3)) / 2
    by_default = rotate(a, "promax").loadings
    fourth, third = (rotate(a, "promax", power=power).loadings for power in (4.0, 3.0))
    np.testing.assert_array_equal(by_default, fourth)
    assert np.abs(by_default - third).max() > 1e-3


@pytest.mark.slow
def test_more_starts_find_no_worse_rotation() -> None:
    a = np.random.default_rng(4).normal(size=(12, 4)) / 2
    values = [rotate(a, "geomin", starts=n, seed=1).value for n in (1, 5, 40)]
    assert values[0] >= values[1] >= values[2]
    assert rotate(a, "geomin", starts=40, seed=1).optima > 1


@pytest.mark.thorough
def test_parallel_analysis_finds_three_factors_and_none_in_noise() -> None:
    x = three_correlated_factors(400)
    for kind in ("factors", "components"):
        assert parallel_analysis(correlate(x), kind).factors in (2, 3)
    big = given_correlations(population(0.3), 1000)
    assert parallel_analysis(big).factors == 3
    noise = pd.DataFrame(np.random.default_rng(1).normal(size=(150, 8)))
    assert parallel_analysis(correlate(noise), "components").factors == 0
    assert "no_factor" in [d.code for d in efa(noise.add_prefix("v")).diagnostics]


def test_parallel_analysis_stops_at_the_first_eigenvalue_that_noise_reaches() -> None:
    """One pair of eight indicators correlates: eigenvalues 1.84, six of 1, and 0.16."""
    r = np.eye(8)
    r[0, 1] = r[1, 0] = 0.84
    names = list("abcdefgh")
    found = parallel_analysis(
        given_correlations(pd.DataFrame(r, names, names), 200), "components", draws=100
    )
    table = found.eigenvalues
    above = (table["observed"] > table["percentile"]).to_numpy()
    assert above[0]
    assert not above[1]
    assert above[2:].any()  # Later ones lie above theirs again, and are no factors.
    assert found.factors == 1
    assert table["exceeds"].tolist() == [True] + 7 * [False]


def test_parallel_analysis_repeats_itself() -> None:
    x = correlate(three_correlated_factors())
    one, two = (parallel_analysis(x, seed=3, draws=50) for _ in range(2))
    pd.testing.assert_frame_equal(one.eigenvalues, two.eigenvalues)
    assert one.eigenvalues["observed"].to_numpy().sum() == pytest.approx(
        (1 - 1 / np.diag(np.linalg.inv(x.values))).sum()
    )


def test_a_heywood_case_is_named() -> None:
    # Loadings of 1.1, 0.6, 0.5: the first indicator's uniqueness would be -0.21.
    r = np.outer([1.1, 0.6, 0.5, 0.4], [1.1, 0.6, 0.5, 0.4])
    np.fill_diagonal(r, 1.0)
    frame = pd.DataFrame(r, list("abcd"), list("abcd"))
    for method in ("ml", "minres", "pa"):
        first = efa(frame, 1, n=200, method=method).diagnostics[0]
        assert (first.code, first.where) == ("heywood_case", ("a",))


def test_extraction_is_at_a_minimum() -> None:
    r = correlate(three_correlated_factors()).values
    for method in ("ml", "minres"):
        assert extract(r, 3, method).gradient < 1e-9


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([[1, 0.3], [0.3, 0.9]], "the diagonal of a correlation matrix must be 1"),
        ([[1, 0.3], [0.2, 1]], "symmetric"),
        ([[1, 1.2], [1.2, 1]], "values from -1 to 1"),
        ([[1, np.nan], [np.nan, 1]], "symmetric"),
        ([[1, 0.3, 0.1], [0.3, 1, 0.1]], "square, not 2 x 3"),
        ([[1.0]], "square, not 1 x 1"),
    ],
)
def test_a_matrix_that_is_none_of_correlations_is_refused(cells: Any, why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        given_correlations(pd.DataFrame(cells, dtype=float), 100)


def test_what_cannot_be_analyzed_is_refused() -> None:
    x = three_correlated_factors()
    with pytest.raises(ParameterError, match=r"9 indicators cannot identify 6 factors; .* 1 to 5"):
        efa(x, 6)
    with pytest.raises(ParameterError, match="each of v1, v2, total follows exactly"):
        efa(x.assign(total=x["v1"] + x["v2"]), 2)
    with pytest.raises(UnknownNameError, match="did you mean 'oblimin'"):
        efa(x, 3, rotation="oblimn")
    with pytest.raises(UnknownNameError, match="did you mean 'minres'"):
        efa(x, 3, method="minre")
    with pytest.raises(ParameterError, match="oblique rotation such as oblimin"):
        schmid_leiman(efa(x, 3, rotation="varimax"))
    assert degrees_of_freedom(9, 3) == 12


@pytest.mark.thorough
def test_the_command_prints_and_gives_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    three_correlated_factors().to_csv(path, index=False)
    words = ["analyze", "efa", str(path), "--factors", "3", "--general"]
    ran = run_cli(monkeypatch, capsys, *words)
    assert ran.code == 0
    assert "omega hierarchical 0.632" in ran.out
    ran = run_cli(monkeypatch, capsys, *words, "--json")
    found = json.loads(ran.out)
    assert found["fit"]["df"] == 12
    assert found["general"]["omega_total"] == pytest.approx(0.85114, abs=1e-5)
    ran = run_cli(monkeypatch, capsys, "analyze", "efa", str(path), "--factors", "many")
    assert (ran.code, ran.err) == (
        2,
        "gfactor: Invalid value for '--factors': it is a number or 'parallel', not 'many'\n",
    )
    assert run_cli(monkeypatch, capsys, "analyze", "efa", str(path)).code == 0


def frame(n: int = 80, k: int = 6, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, k))
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(1, k + 1)])


def test_loadings_are_shown_from_the_limit_on() -> None:
    solution = efa(frame(), 1)
    column = [HIDDEN, HIDDEN - 1e-9, -HIDDEN, 0.9, 0.8, 0.7]
    shown = replace(solution, loadings=pd.DataFrame({"F1": column}, index=solution.loadings.index))
    lines = shown.summary().splitlines()
    assert ("empty cells: loadings below 0.1, of either sign" in lines) == bool(
        (shown.loadings.abs() < HIDDEN).to_numpy().any()
    )
    blank = {
        name: next(one for one in lines if one.strip().startswith(name))
        for name in ("x1", "x2", "x3")
    }
    assert [len(line.split()) for line in blank.values()] == [4, 3, 4]


@pytest.mark.parametrize("criterion", [varimax, quartimax, oblimin, geomin])
@pytest.mark.parametrize("parameter", [0.0, 0.3])
def test_a_rotation_criterions_gradient_is_the_derivative_of_its_value(
    criterion: Any, parameter: float
) -> None:
    loadings = np.random.default_rng(1).normal(size=(2, 5, 3))
    extra = (parameter,) if parameter and criterion in (oblimin, geomin) else ()
    gradient, step = criterion(loadings, *extra)[1], 1e-6
    slopes = np.zeros_like(loadings)
    for cell in np.ndindex(5, 3):
        move = np.zeros((5, 3))
        move[cell] = step
        ends = [criterion(loadings + sign * move, *extra)[0] for sign in (1, -1)]
        slopes[:, *cell] = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(gradient, slopes, atol=1e-7)
