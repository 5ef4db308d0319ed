"""The likelihood of item response models: exact derivatives, admissible values, information."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.psychometrics import irt
from gfactor.psychometrics.irt.likelihood import specification
from gfactor.psychometrics.irt.likelihood.curves import ability_derivatives, derivatives
from gfactor.psychometrics.irt.likelihood.information import Marginal


def two_factors(**options: Any) -> Any:
    rng = np.random.default_rng(4)
    data = pd.DataFrame((rng.random((40, 4)) < 0.6) * 1.0, columns=list("abcd"))
    return irt.fit_irt(
        "2pl", data, factors={"f": ["a", "b"], "g": ["c", "d"]}, groups=["u", "v"] * 20,
        quadrature=irt.Quadrature(3, 2.0), force=True, tolerance=1e9, **options,
    )  # fmt: skip


def test_natural_parameters_of_abilities_have_two_exact_derivatives() -> None:
    likelihood: Marginal = two_factors().likelihood
    group = likelihood.model.groups[1]
    values = likelihood.model.values(np.array(likelihood.model.start))
    at = np.array([0.4, -0.7, 1.3, 0.5, 0.8])
    pairs = [(0, 0), (1, 0), (1, 1)]

    def put(x: np.ndarray) -> np.ndarray:
        moved = values.copy()
        moved[group.mean] = x[:2]
        for (i, j), v in zip(pairs, x[2:], strict=True):
            moved[group.covariance[i, j]] = v
        return moved

    def natural(x: np.ndarray) -> np.ndarray:
        precision = np.linalg.inv([[x[2], x[3]], [x[3], x[4]]])
        quadratic = [-precision[i, j] / (2 if i == j else 1) for i, j in pairs]
        return np.concatenate([precision @ x[:2], quadratic])

    known = likelihood.latent(group, put(at))
    nodes = likelihood.nodes
    assert known.statistics == pytest.approx(
        np.column_stack([nodes, nodes[:, 0] ** 2, nodes[:, 0] * nodes[:, 1], nodes[:, 1] ** 2])
    )
    log_density = known.statistics @ natural(at)
    assert np.diff(known.log_weights[0]) == pytest.approx(np.diff(log_density))
    assert np.exp(known.log_weights).sum() == pytest.approx(1)
    for k in range(5):
        step = np.zeros(5)
        step[k] = 1e-5
        slope = (natural(at + step) - natural(at - step)) / 2e-5
        assert known.jacobian[:, k] == pytest.approx(slope, abs=1e-8)
        ends = [likelihood.latent(group, put(at + s)).jacobian for s in (step, -step)]
        assert known.bend[:, :, k] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-6)


def test_admissible_are_finite_values_positive_covariances_and_falling_thresholds() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame(rng.integers(0, 3, (60, 3)), columns=list("abc")).astype(float)
    fit = irt.fit_irt("grm", data, force=True, tolerance=1e9)
    model = fit.likelihood.model
    values = fit.optimum.at.values
    (block,) = model.groups[0].blocks
    first, last = block.index[0, -2:]
    assert model.admissible(values)
    for value in (values[first], values[first] + 0.1, np.nan, np.inf):
        moved = values.copy()
        moved[last] = value
        assert not model.admissible(moved)
    two: Any = two_factors().likelihood.model
    start = two.values(np.array(two.start))
    for value, good in ((0.99, True), (1.0, False), (-1.0, False), (1.2, False)):
        group = two.groups[1]
        moved = start.copy()
        moved[group.covariance] = [[1.0, value], [value, 1.0]]
        assert two.admissible(moved) is good


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["groups", "covariates", "free variance", "two factors"])
def test_the_observed_information_is_the_bend_of_the_objective(kind: str) -> None:
    weights: Any = 1.0 + np.arange(40) % 3 * 0.5
    age = pd.DataFrame({"age": (np.arange(40) % 7 - 2.5) / 3})
    if kind == "groups":
        fit = two_factors(weights=weights)
    elif kind == "two factors":
        fit = two_factors(weights=weights, covariates=age)
    else:
        rng = np.random.default_rng(6)
        data = pd.DataFrame((rng.random((40, 3)) < 0.6) * 1.0, columns=list("abc"))
        model = "2pl" if kind == "covariates" else "rasch"
        fit = irt.fit_irt(model, data, covariates=age, weights=weights, force=True, tolerance=1e9)
    likelihood = fit.likelihood
    rng = np.random.default_rng(3)
    x = np.array(fit.optimum.x) + rng.normal(0, 0.05, len(fit.optimum.x))
    known = likelihood.observed(likelihood.evaluate(x))
    step = 1e-5
    for k in range(len(x)):
        move = np.zeros(len(x))
        move[k] = step
        ends = [likelihood.evaluate(x + s).gradient for s in (move, -move)]
        slope = -(ends[0] - ends[1]) / (2 * step)
        assert known[:, k] == pytest.approx(slope, abs=1e-4 * max(1.0, np.abs(slope).max()))


CURVES: dict[Any, list[list[float]]] = {
    "graded": [[1.4, 0.9, -0.3, -1.2], [0.6, 1.5, 0.2, -0.4]],
    "2pl": [[1.4, 0.9], [0.6, -0.4]],
    "4pl": [[1.4, 0.9, -1.5, 2.5], [0.6, -0.4, -2.0, 3.0]],
    "gpcm": [[1.4, 0.5, -0.3, 0.2], [0.6, -0.4, 0.9, 0.1]],
    "nominal": [[1.2, 0.7, 1.9, 0.4, -0.3, 0.2], [0.6, 1.2, 1.1, -0.4, 0.6, 0.1]],
    "rating": [[1.1, -0.5, 0.2, 0.7, 0.3], [0.7, -0.8, 0.1, 0.4, -0.6]],
}


@pytest.mark.parametrize("kind", CURVES)
def test_probabilities_have_two_exact_derivatives(kind: Any) -> None:
    values, theta, step = np.array(CURVES[kind]), np.array([-1.3, 0.2, 1.1]), 1e-5
    count = 2 if kind in ("2pl", "4pl") else 4

    def at(move: float) -> Any:
        return ability_derivatives(kind, values, theta + move, count)

    here = at(0.0)
    assert np.exp(here.value).sum(axis=1) == pytest.approx(np.ones((2, 3)))
    assert here.first == pytest.approx((at(step).value - at(-step).value) / (2 * step), abs=1e-8)
    assert here.second == pytest.approx((at(step).first - at(-step).first) / (2 * step), abs=1e-8)

    def of(moved: np.ndarray) -> Any:
        return derivatives(kind, moved, theta[:, None], count)

    both = of(values)
    assert both.value == pytest.approx(here.value)
    for k in range(values.shape[1]):
        move = np.zeros(values.shape)
        move[:, k] = step
        more, less = of(values + move), of(values - move)
        assert both.first[..., k] == pytest.approx((more.value - less.value) / (2 * step), abs=1e-8)
        slope = (more.first - less.first) / (2 * step)
        assert both.second[..., k, :] == pytest.approx(slope, abs=1e-8)


def test_derivatives_of_thresholds_far_apart_are_finite() -> None:
    values = np.array([[1.0, 900.0, -5.0]])
    at = derivatives("graded", values, np.array([[0.3]]), 3)
    assert np.isfinite(at.first).all()
    assert at.second[0, 1, 0] == pytest.approx(
        np.diag([0, 0, 0]) - np.outer([0.3, 0, 1], [0.3, 0, 1]) * special.expit(-4.7)
        * special.expit(4.7)
    )  # fmt: skip


def test_the_complete_information_is_the_same_as_a_dense_and_as_a_sparse_matrix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = two_factors(priors={"slope": ("lognormal", 0.0, 0.5)})
    dense = fit.likelihood.expected_complete(fit.optimum.at)
    monkeypatch.setattr(specification, "FEW_PARAMETERS", 0)
    sparse = fit.likelihood.expected_complete(fit.optimum.at)
    assert isinstance(dense, np.ndarray)
    assert not isinstance(sparse, np.ndarray)
    np.testing.assert_allclose(sparse.toarray(), dense, rtol=1e-12, atol=1e-12)
