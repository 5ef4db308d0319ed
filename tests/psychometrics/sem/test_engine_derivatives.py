"""Exact derivatives agree with differences, for every estimator and every kind of model."""

from __future__ import annotations

import numpy as np
import pytest
from support.sem_models import GROWTH, REGRESSIONS, SECOND_ORDER, problem, sample

from gfactor.psychometrics.sem.discrepancy import blockwise
from gfactor.psychometrics.sem.inference.scores import casewise_scores
from gfactor.psychometrics.sem.optimize import start_values
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import Problem

KINDS: list[tuple[str, dict[str, object]]] = [
    ("ML", {"estimator": "ML"}),
    ("ML with means", {"estimator": "ML", "meanstructure": True}),
    ("Wishart", {"estimator": "ML", "likelihood": "wishart"}),
    ("full information", {"estimator": "ML", "missing": "ml"}),
    ("GLS", {"estimator": "GLS", "meanstructure": True}),
    ("ULS", {"estimator": "ULS"}),
    ("WLS", {"estimator": "WLS"}),
]
MODELS = {"second order": SECOND_ORDER, "regressions": REGRESSIONS, "growth": GROWTH}


def somewhere(given: Problem) -> np.ndarray:
    """Parameters near the start values, with a Sigma that is positive definite."""
    start = start_values(ParameterTable(()), given.structure, given.sample)
    rng = np.random.default_rng(3)
    for _ in range(50):
        theta = start * (1 + 0.1 * rng.standard_normal(len(start)))
        theta = theta + 0.05 * rng.standard_normal(len(start))
        if np.isfinite(given.discrepancy.value(given.discrepancy.at(theta))):
            return theta
    raise AssertionError("no point found")


@pytest.mark.thorough
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("kind", "options"), KINDS, ids=[kind for kind, _ in KINDS])
@pytest.mark.parametrize("group", [None, "school"])
def test_gradient_and_hessian(
    model: str, kind: str, options: dict[str, object], group: str | None
) -> None:
    missing = 0.1 if kind == "full information" else 0.0
    means = {"meanstructure": True} if model == "growth" else {}
    given = problem(MODELS[model], sample(400, missing=missing), group, **{**options, **means})
    f = given.discrepancy
    theta = somewhere(given)
    step = 1e-6
    moves = np.eye(len(theta)) * step
    slopes = [f.value(f.at(theta + m)) - f.value(f.at(theta - m)) for m in moves]
    bends = [f.gradient(f.at(theta + m)) - f.gradient(f.at(theta - m)) for m in moves]
    point = f.at(theta)
    gradient, hessian = f.gradient(point), f.hessian(point)
    scale = max(1.0, np.abs(gradient).max())
    assert gradient == pytest.approx(np.array(slopes) / (2 * step), abs=1e-6 * scale)
    scale = np.abs(hessian).max()
    assert hessian == pytest.approx(np.array(bends) / (2 * step), abs=1e-6 * scale)
    assert hessian == pytest.approx(hessian.T, abs=1e-10 * scale)


@pytest.mark.parametrize("model", MODELS)
def test_delta_is_the_derivative_of_the_moments(model: str) -> None:
    given = problem(MODELS[model], sample(), meanstructure=True)
    theta = somewhere(given)
    rows, columns = np.tril_indices(len(given.sample.variables))
    order = np.lexsort((rows, columns))

    def moments(at: np.ndarray) -> np.ndarray:
        group = given.discrepancy.at(at).groups[0]
        return np.concatenate([group.mu, group.sigma[rows[order], columns[order]]])

    delta = given.discrepancy.at(theta).delta(0)
    for k, move in enumerate(np.eye(len(theta)) * 1e-6):
        slope = (moments(theta + move) - moments(theta - move)) / 2e-6
        assert delta[:, k] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_casewise_scores_sum_to_the_slope_of_the_log_likelihood(missing: float) -> None:
    given = problem(REGRESSIONS, sample(150, missing=missing), estimator="ML", missing="ml")
    point = given.discrepancy.at(somewhere(given))
    rows = given.sample.groups[0].rows
    assert rows is not None
    scores = casewise_scores(given.discrepancy, point, 0, rows)  # type: ignore[arg-type]
    slope = given.discrepancy.gradient(point)
    assert scores.mean(axis=0) == pytest.approx(-slope, abs=1e-10)


def test_the_expected_information_is_the_mean_of_the_hessian_under_the_model() -> None:
    """At a sample that the model fits perfectly the two agree."""
    given = problem(SECOND_ORDER, sample(300), estimator="ML")
    f = given.discrepancy
    theta = somewhere(given)
    point = f.at(theta)
    sigma = point.groups[0].sigma
    f.blocks[0].cov[0][:] = sigma  # type: ignore[attr-defined]
    fresh = f.at(theta)
    assert f.hessian(fresh) == pytest.approx(f.expected(fresh), abs=1e-10)


RNG = np.random.default_rng


@pytest.mark.parametrize("limit", [2, 60])
def test_sums_over_blocks_are_those_of_the_blocks_one_by_one(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the definition, tr(L dSigma_i R dSigma_j), and dmu' W dSigma u."""
    monkeypatch.setattr(blockwise, "_LARGEST", limit)
    rng, p, r = RNG(3), 4, 5
    a, b = rng.normal(size=(2, r, p))
    weight = np.array([0.5, 2.0, 1.5])

    def symmetric() -> np.ndarray:
        x = rng.normal(size=(3, p, p))
        return x + x.mT

    left, right, pull = symmetric(), symmetric(), rng.normal(size=(3, p))
    mean = rng.normal(size=(2, p))
    slopes = a[:, :, None] * b[:, None] + b[:, :, None] * a[:, None]
    wanted = np.einsum("k,kab,ibc,kcd,jda->ij", weight, left, slopes, right, slopes)
    found = blockwise.summed_pair_products(weight, left, right, (a, b))
    np.testing.assert_allclose(found, (wanted + wanted.T) / 2)
    mixed = np.einsum("k,ma,kab,ibc,kc->mi", weight, mean, left, slopes, pull)
    found = blockwise.summed_mixed_products(weight, left, pull, (a, b), mean)
    np.testing.assert_allclose(found, mixed)
