"""Every rotation of `efa` inside a model: the loadings of rotating the unrotated solution, the same
fit, errors by the delta method, targets by name, lavaan's names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    ROTATIONS,
    RotationSettings,
    named_criterion,
)
from gfactor.psychometrics.factor.exploratory.rotation import rotate
from gfactor.psychometrics.sem.optimize import search
from gfactor.psychometrics.sem.optimize.starts import parameter_scales
from gfactor.psychometrics.sem.rotated_solutions import rotated_parameters, without_rotation

INDICATORS = [f"x{k}" for k in range(1, 10)]
MODEL = f'efa("b")*f1 + efa("b")*f2 + efa("b")*f3 =~ {" + ".join(INDICATORS)}'
DATA = recorded.sample("three_factors")
TARGET = pd.DataFrame(
    [[np.nan if i // 3 == j else 0.0 for j in range(3)] for i in range(9)],
    INDICATORS, ["f1", "f2", "f3"],
)  # fmt: skip
NAMES = [name for name in ROTATIONS if name != "promax"]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "cfT": {"kappa": 0.1}, "cfQ": {"kappa": 0.1}, "oblimin": {"gamma": -0.5},
    "targetT": {"target": TARGET}, "targetQ": {"target": TARGET}, "simplimax": {"zeros": 15},
}  # fmt: skip


FLAT = ("bifactorQ",)
"""The data have no general factor, so that this criterion is nearly constant around its minimum."""
EVERY = [pytest.param(name, marks=pytest.mark.slow if name in {*FLAT, "simplimax"} else ())
         for name in NAMES]  # fmt: skip


def fitted(rotation: str, **changes: Any) -> sem.Fit:
    return sem.fit(
        MODEL, DATA, rotation=rotation, rotation_args=ARGUMENTS.get(rotation, {}), **changes
    )


def loadings(fit: sem.Fit, column: str = "est") -> np.ndarray:
    frame = fit.estimates.query("op == '=~'")
    return frame.pivot(index="rhs", columns="lhs", values=column).to_numpy()


def scaled(rotation: str, standardized: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """The loadings that the criterion sees: rows of length one under Kaiser's weights."""
    if not ROTATIONS[rotation].kaiser:
        return standardized
    return standardized / np.sqrt(((standardized @ phi) * standardized).sum(axis=1, keepdims=True))


def correlations(fit: sem.Fit) -> np.ndarray:
    return fit.latent_covariance().to_numpy()[:3, :3]


@pytest.mark.thorough
@pytest.mark.parametrize("rotation", EVERY)
def test_the_loadings_are_those_of_the_unrotated_solution_after_rotation(rotation: str) -> None:
    fit = fitted(rotation)
    assert fit.converged
    assert fit.problem.df == 12
    sd = np.sqrt(np.diag(fit.implied()[1]))
    standardized = loadings(fit) / sd[:, None]
    phi = correlations(fit)
    # Any solution of uncorrelated factors; a target would see another order of the factors.
    values, vectors = np.linalg.eigh(phi)
    plain = standardized @ vectors * np.sqrt(values)
    entries = {k: v for k, v in ARGUMENTS.get(rotation, {}).items() if k != "target"}
    target = TARGET.to_numpy() if rotation.startswith("target") else None
    again = rotate(plain, rotation, delta=0.001, target=target, **entries)
    settings = RotationSettings(delta=0.001, target=target, **entries)
    value = named_criterion(rotation, settings)(scaled(rotation, standardized, phi)[None])[0][0]
    assert value <= again.value + 1e-6 * abs(again.value) + 1e-9
    if rotation not in FLAT:
        order = [
            int(np.abs(np.abs(again.loadings) - np.abs(one)[:, None]).sum(axis=0).argmin())
            for one in standardized.T
        ]
        assert sorted(order) == [0, 1, 2]
        np.testing.assert_allclose(
            np.abs(standardized), np.abs(again.loadings[:, order]), atol=2e-4
        )
        if ROTATIONS[rotation].in_place == "all":
            assert order == [0, 1, 2]
        if ROTATIONS[rotation].in_place == "first":
            assert order[0] == 0
    if not ROTATIONS[rotation].oblique:
        np.testing.assert_allclose(phi, np.eye(3), atol=1e-9)


@pytest.mark.thorough
def test_no_rotation_changes_the_fit() -> None:
    fits = [fitted(name) for name in ("geomin", "varimax", "bifactorT", "infomaxQ")]
    for fit in fits[1:]:
        assert fit.measures["chisq"] == pytest.approx(fits[0].measures["chisq"], abs=1e-7)
        np.testing.assert_allclose(fit.implied()[1], fits[0].implied()[1], atol=1e-7)


@pytest.mark.thorough
@pytest.mark.parametrize("rotation", EVERY)
def test_conditions_are_zero_and_their_derivatives_those_of_differences(rotation: str) -> None:
    fit = fitted(rotation)
    block: Any = fit.problem.constraints.rotations[0]
    assert block.size == 6
    np.testing.assert_allclose(block.residuals(fit.theta), 0, atol=1e-7)
    # A little aside: at the minimum a criterion may be too flat for differences.
    theta = fit.theta + 1e-3 * np.random.default_rng(1).normal(size=len(fit.theta))
    steps = 1e-6 * np.eye(len(theta))
    slopes = [(block.residuals(theta + s) - block.residuals(theta - s)) / 2e-6 for s in steps]
    np.testing.assert_allclose(block.jacobian(theta), np.array(slopes).T, rtol=2e-5, atol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("rotation", ["varimax", "cfT", "bentlerQ", "targetQ"])
def test_standard_errors_are_those_of_rotating_the_unrotated_solution(rotation: str) -> None:
    """The delta method: how the rotated parameters move with the unrotated ones."""
    fit = fitted(rotation)
    problem = fit.problem
    plain = without_rotation(problem.constraints)
    scale = parameter_scales(problem.structure, problem.sample)
    start = np.where(plain.linear.theta(np.ones(len(plain.linear.kept))) == 0, 0, fit.theta)
    still = np.zeros(problem.structure.n_free, dtype=bool)
    end = search(problem.discrepancy, plain, start, scale, still).point
    basis = plain.linear.basis
    inner = np.linalg.inv(basis.T @ problem.discrepancy.expected(end) @ basis) / fit.n
    step = 3e-4
    ends = [
        [rotated_parameters(end.theta + s * step * way, problem.constraints) for s in (1, -1)]
        for way in basis.T
    ]
    slopes = np.array([(one - other) / (2 * step) for one, other in ends]).T
    np.testing.assert_allclose(slopes @ inner @ slopes.T, fit.vcov_matrix, atol=1e-5)


def test_a_target_goes_by_names_and_fixes_the_order_of_the_factors() -> None:
    plain = fitted("targetQ")
    turned = TARGET.loc[INDICATORS[::-1], ["f3", "f1", "f2"]]
    assert sem.fit(MODEL, DATA, rotation="pstQ", rotation_args={"target": turned}).theta == (
        pytest.approx(plain.theta, abs=1e-8)
    )
    other = TARGET.rename(columns={"f1": "f2", "f2": "f1"})
    swapped = sem.fit(MODEL, DATA, rotation="targetQ", rotation_args={"target": other})
    np.testing.assert_allclose(loadings(swapped)[:, [1, 0, 2]], loadings(plain), atol=1e-6)


def test_the_summary_says_how_factors_were_rotated() -> None:
    assert (
        "rotated by cfT (orthogonal, kappa 0.1, standardized loadings)" in fitted("cfT").summary()
    )
    assert "rotated by varimax (orthogonal, Kaiser's weights, unstandardized loadings)" in (
        fitted("varimax", rotation_std_ov=False).summary()
    )


@pytest.mark.parametrize(
    ("given", "name", "entries"),
    [
        ({"rotation": "quartimin"}, "quartimin", {}),
        ({"rotation": "cf", "rotation.args": {"cf.gamma": 0.3}}, "cfQ", {"kappa": 0.3}),
        ({"rotation": "infomax", "rotation.args": {"orthogonal": True}}, "infomaxT", {}),
        ({"rotation": "tandem1"}, "tandemI", {}),
        ({"rotation": "varimax", "rotation.args": {"row.weights": "none"}}, "varimax",
         {"kaiser": False}),
        ({"rotation": "geomin", "rotation.args": {"geomin.epsilon": 0.01}}, "geomin", {}),
    ],
)  # fmt: skip
def test_lavaans_names_are_understood(
    given: dict[str, Any], name: str, entries: dict[str, Any]
) -> None:
    options = sem.from_lavaan(given)
    assert options.rotation == name
    assert dict(options.rotation_args) == entries
