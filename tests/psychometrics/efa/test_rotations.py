"""Every rotation is at a minimum of its criterion, and where lavaan's is.

tests/oracles/efa/rotations.json was recorded by tests/oracles/efa/rotations.R.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli
from support.factor_samples import three_correlated_factors
from support.oracles import ORACLES

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.factor.exploratory import ROTATIONS, bootstrap_efa, efa, extract, rotate
from gfactor.psychometrics.factor.exploratory.errors import rotation_constraints
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    RotationSettings,
    named_criterion,
    rotation_name,
)

RECORDED: dict[str, Any] = json.loads((ORACLES / "efa" / "rotations.json").read_text())
CASES: dict[str, Any] = RECORDED["cases"]
NAMES: list[str] = RECORDED["names"]
FULL = np.kron(np.eye(3), np.full((4, 1), 0.7)).astype(np.float64)
"""A target with all cells."""


def sample(name: str) -> pd.DataFrame:
    """Correlations of a recorded sample of 400 persons."""
    return pd.DataFrame(RECORDED["samples"][name], NAMES, NAMES)


def options_of(name: str) -> dict[str, Any]:
    """Our parameters of a recorded case."""
    given = CASES[name]["args"]
    out: dict[str, Any] = {"kaiser": False}
    if name in ("cfT", "cfQ"):
        out["kappa"] = given["orthomax.gamma"] / 12 if name == "cfT" else 1.0
    if name == "oblimin":
        out["gamma"] = given["oblimin.gamma"]
    if "target" in given:
        mask = np.array(given.get("target.mask", np.ones((12, 3))), float)
        aims = np.where(mask > 0, np.array(given["target"], float), np.nan)
        out["target"] = pd.DataFrame(aims, NAMES)
    return out


def settings_of(rotation: str) -> RotationSettings:
    """Parameters under which a criterion of 12 indicators and 3 factors is not a special case."""
    aims = FULL.copy()
    aims[::5] = np.nan
    return RotationSettings(
        kaiser=False, gamma=-0.4, kappa=0.2, zeros=15 if rotation == "simplimax" else None,
        target=aims,
    )  # fmt: skip


@pytest.mark.parametrize("rotation", list(ROTATIONS))
def test_a_criterions_gradient_is_the_derivative_of_its_value(rotation: str) -> None:
    criterion = named_criterion(rotation, settings_of(rotation))
    loadings = np.random.default_rng(1).normal(size=(2, 12, 3))
    gradient, step = criterion(loadings)[1], 1e-6
    slopes = np.zeros_like(loadings)
    for cell in np.ndindex(12, 3):
        move = np.zeros((12, 3))
        move[cell] = step
        ends = [criterion(loadings + sign * move)[0] for sign in (1, -1)]
        slopes[:, *cell] = (ends[0] - ends[1]) / (2 * step)
    scale = np.abs(slopes).max()
    np.testing.assert_allclose(gradient / scale, slopes / scale, atol=1e-7)


@pytest.mark.thorough
@pytest.mark.parametrize("rotation", sorted(set(ROTATIONS) - {"promax", "oblimax"}))
def test_a_rotation_is_a_stationary_point_below_its_starts(rotation: str) -> None:
    settings, kind = settings_of(rotation), ROTATIONS[rotation]
    unrotated = extract(sample("clusters").to_numpy(), 3, "ml").loadings
    found = rotate(unrotated, rotation, starts=2, **vars(settings))
    criterion = named_criterion(rotation, settings)
    slopes = rotation_constraints(criterion, kind.oblique, kaiser=False)
    assert np.abs(slopes(found.loadings, found.correlations)).max() < 1e-6
    value = criterion(found.loadings[None])[0][0]
    assert value == pytest.approx(found.value, abs=1e-9)
    draws = np.random.default_rng(7).normal(size=(30, 3, 3))
    if kind.oblique:
        turns = draws / np.linalg.norm(draws, axis=1, keepdims=True)
        starts = unrotated @ np.linalg.inv(turns).transpose(0, 2, 1)
    else:
        starts = unrotated @ np.linalg.qr(draws)[0]
    assert (criterion(starts)[0] > value).all()
    common = found.loadings @ found.correlations @ found.loadings.T
    np.testing.assert_allclose(common, unrotated @ unrotated.T, atol=1e-9)


def aligned(found: Any, expected: np.ndarray, free: bool) -> tuple[np.ndarray, np.ndarray]:
    """Loadings and correlations in the order and direction of lavaan's, if these are free."""
    values, phi = found.loadings.to_numpy(), found.phi.to_numpy()
    m = found.factors
    orders = [list(one) for one in itertools.permutations(range(m))] if free else [list(range(m))]
    best = min(orders, key=lambda order: np.abs(np.abs(values[:, order]) - np.abs(expected)).max())
    signs = np.sign((values[:, best] * expected).sum(axis=0))
    return values[:, best] * signs, phi[np.ix_(best, best)] * np.outer(signs, signs)


FLAT = {"bifactorQ": 1e-3, "bentlerQ": 3e-5}
"""Limits of cases whose criterion is so flat that lavaan's search stops earlier than 1e-5."""

FEW_STARTS = {"bifactorT": 20, "bifactorQ": 10}


@pytest.mark.thorough
@pytest.mark.parametrize("name", list(CASES))
def test_rotations_are_lavaans(name: str) -> None:
    case = CASES[name]
    found = efa(
        sample(case["sample"]), case["factors"], n=400, rotation=name,
        starts=FEW_STARTS.get(name, 4), **options_of(name),
    )  # fmt: skip
    expected = np.array(case["loadings"])
    loadings, phi = aligned(found, expected, free=not name.startswith(("target", "pst")))
    within = FLAT.get(name, 1e-5)
    np.testing.assert_allclose(loadings, expected, atol=within)
    np.testing.assert_allclose(phi, np.array(case["phi"]), atol=within)
    assert found.oblique == ROTATIONS[found.rotation].oblique


def test_every_rotation_is_compared_or_stands_for_one_that_is() -> None:
    compared = {rotation_name(name) for name in CASES}
    # promax is compared in test_efa_oracles; oblimax collapses, in lavaan as here.
    assert set(ROTATIONS) - compared == {"promax", "oblimax"}


@pytest.mark.thorough
def test_crawford_and_fergusons_family_has_varimax_and_quartimax_as_members() -> None:
    for kappa, other in ((1 / 12, "varimax"), (0.0, "quartimax")):
        found = efa(sample("clusters"), 3, n=400, rotation="cfT", kappa=kappa)
        same = efa(sample("clusters"), 3, n=400, rotation=other, kaiser=False)
        np.testing.assert_allclose(found.loadings, same.loadings, atol=1e-6)
    assert (
        "rotation cfT (kappa 0.0833333)"
        in efa(sample("clusters"), 3, n=400, rotation="cfT", kappa=1 / 12).title
    )


@pytest.mark.thorough
def test_the_general_factor_of_a_bifactor_rotation_comes_first() -> None:
    found = efa(sample("general"), 4, n=400, rotation="bifactorT", starts=20)
    assert found.loadings["F1"].to_numpy().min() > 0.35
    groups = found.loadings[["F2", "F3", "F4"]].to_numpy()
    np.testing.assert_array_equal(np.sort(np.abs(groups).argmax(axis=1)), np.repeat(range(3), 4))
    # A general factor that explains less than a group factor stays the first.
    weak = np.column_stack([np.full(12, 0.2), np.kron(np.eye(2), np.full((6, 1), 0.7))])
    turned = rotate(weak, "bifactorT", starts=8).loadings
    explained = (turned**2).sum(axis=0)
    assert explained[1] >= explained[2]
    assert named_criterion("bifactorT")(turned[None])[0][0] < 1e-8


@pytest.mark.thorough
def test_factors_stay_in_the_order_and_direction_of_their_target() -> None:
    aims = pd.DataFrame(FULL, NAMES)
    mirrored = aims[[2, 0, 1]] * [-1, 1, 1]
    given: Any = {"n": 400, "starts": 2}
    plain = efa(sample("clusters"), 3, rotation="targetQ", target=aims, **given).loadings
    found = efa(sample("clusters"), 3, rotation="targetQ", target=mirrored.iloc[::-1], **given)
    np.testing.assert_allclose(
        found.loadings, plain[["F3", "F1", "F2"]].to_numpy() * [-1, 1, 1], atol=1e-7
    )
    # Where a target has zeros only, most loadings are positive.
    zeros = mirrored.where(mirrored == 0).to_numpy()
    found = efa(sample("clusters"), 3, rotation="pstT", target=zeros, **given)
    assert (found.loadings.sum() > 0).all()
    sizes = found.loadings.abs().to_numpy().reshape(3, 4, 3).sum(axis=1)
    assert sizes.argmax(axis=0).tolist() == [2, 0, 1]


def test_orthogonal_target_rotation_is_the_rotation_of_procrustes() -> None:
    """Schoenemann (1966): the orthogonal matrix of the singular vectors of A'T."""
    unrotated = extract(sample("clusters").to_numpy(), 3, "ml").loadings
    aims = FULL
    left, _, right = np.linalg.svd(unrotated.T @ aims)
    turned = rotate(unrotated, "targetT", target=aims).loadings
    np.testing.assert_allclose(turned, unrotated @ left @ right, atol=1e-8)


@pytest.mark.thorough
def test_simplimax_makes_as_many_loadings_small_as_it_is_asked_to() -> None:
    one, two = (
        efa(sample("clusters"), 3, n=400, rotation="simplimax", zeros=zeros, starts=6)
        for zeros in (19, 22)
    )
    squares = [np.sort(found.loadings.to_numpy().ravel() ** 2) for found in (one, two)]
    assert squares[0][:19].sum() < squares[1][:19].sum()
    assert squares[1][:22].sum() < squares[0][:22].sum()


def test_factors_that_become_the_same_are_an_error() -> None:
    found = efa(sample("general"), 2, n=400, rotation="oblimax", starts=2)
    first = found.diagnostics[0]
    assert (first.code, first.severity) == ("rotation_collapsed", "error")
    assert found.errors is None
    assert not found.converged
    assert not efa(three_correlated_factors(), 3, gamma=1.0, starts=1).converged


def test_names_of_gparotation_and_lavaan_are_understood() -> None:
    for name, ours in (("GEOMINQ", "geomin"), ("tandem1", "tandemI"), ("biquartimin", "bifactorQ")):
        assert efa(sample("clusters"), 2, n=400, rotation=name, starts=1).rotation == ours
    with pytest.raises(UnknownNameError, match="did you mean 'bentlerT'"):
        efa(sample("clusters"), 3, n=400, rotation="bentler")
    with pytest.raises(UnknownNameError) as refused:
        efa(sample("clusters"), 3, n=400, rotation="zzz")
    for name in ROTATIONS:
        assert name in str(refused.value)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"rotation": "targetQ"}, "needs a target: a table of 12 indicators x 3 factors"),
        ({"rotation": "targetT", "target": np.zeros((12, 2))}, "has 12 x 2 cells"),
        ({"rotation": "pstQ", "target": np.full((12, 3), np.nan)}, "at least 6"),
        ({"rotation": "pstT", "target": np.full((12, 3), np.nan)}, "at least 3"),
        ({"rotation": "targetT", "target": pd.DataFrame(np.zeros((3, 3)))}, "no row for x1, x2"),
        ({"rotation": "simplimax", "zeros": 36}, "zeros must be from 1 to 35 for 12 x 3 loadings"),
        ({"rotation": "cfQ", "kappa": 1.1}, "weight from 0 to 1, not 1.1"),
        ({"rotation": "geominT", "delta": -0.1}, "0 or more, not -0.1"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        efa(sample("clusters"), 3, n=400, **options)


@pytest.mark.thorough
def test_resamples_are_rotated_with_the_parameters_of_the_solution() -> None:
    data = three_correlated_factors(150)
    found = efa(data, 2, rotation="cfQ", kappa=0.8, starts=2)
    draws = bootstrap_efa(found, data, n_bootstrap=8, seed=1).intervals.set_index("statistic")
    other = efa(data, 2, rotation="cfQ", kappa=0.0, starts=2)
    middle = draws[["low", "high"]].mean(axis=1)
    far = {
        name: abs(middle["F1 with F2"] - one.phi.loc["F1", "F2"])
        for name, one in (("own", found), ("other", other))
    }
    assert far["own"] < far["other"]


def test_a_target_is_read_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, aims = tmp_path / "scores.csv", tmp_path / "target.csv"
    data = three_correlated_factors(150)
    data.to_csv(table, index=False)
    zeros = np.where(np.kron(np.eye(3), np.ones((3, 1))) > 0, np.nan, 0.0)
    target = pd.DataFrame(zeros, list(data), ["a", "b", "c"])
    target.iloc[::-1].to_csv(aims)
    words = ["analyze", "efa", str(table), "--factors", "3", "--rotation", "pstQ"]
    ran = run_cli(monkeypatch, capsys, *words, "--target", str(aims), "--json")
    expected = efa(data, 3, rotation="targetQ", target=zeros).loadings
    found = pd.DataFrame(json.loads(ran.out)["loadings"]).T
    np.testing.assert_allclose(found, expected, atol=1e-8)
    ran = run_cli(monkeypatch, capsys, *words)
    assert ran.code != 0
    assert "rotation 'targetQ' needs a target" in ran.err
