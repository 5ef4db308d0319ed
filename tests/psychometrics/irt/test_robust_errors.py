"""Errors over persons and clusters, and scores of bifactor models, by their definitions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.psychometrics.irt import Quadrature, fit_irt


def answers(persons: int, items: int, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    right = rng.random(z.shape) < special.expit(1.2 * z)
    return pd.DataFrame(right.astype(int)).add_prefix("i")


def errors(fit: Any) -> np.ndarray:
    return fit.parameters["se"].dropna().to_numpy()


def test_persons_as_clusters_give_the_sandwich_with_its_finite_sample_factor() -> None:
    data = answers(150, 5)
    sandwich = fit_irt("2pl", data, errors="sandwich")
    clustered = fit_irt("2pl", data, clusters=range(150), errors="cluster-plain")
    factor = np.sqrt(150 / 149)
    np.testing.assert_allclose(errors(clustered), factor * errors(sandwich), rtol=1e-8)
    observed = errors(fit_irt("2pl", data))
    assert (np.abs(errors(sandwich) / observed - 1) > 1e-4).any()


def test_every_person_twice_in_a_cluster_has_the_errors_of_each_once() -> None:
    data = answers(250, 5, 2)
    once = fit_irt("2pl", data, errors="sandwich")
    both = pd.concat([data, data], ignore_index=True)
    twice = fit_irt("2pl", both, clusters=[*range(250)] * 2, errors="cluster-plain")
    factor = np.sqrt(250 / 249)
    np.testing.assert_allclose(errors(twice), factor * errors(once), rtol=1e-6)


def test_scores_of_a_bifactor_model_are_means_over_all_factors_at_once() -> None:
    """By a sum over the whole grid of the general and both specific factors."""
    data = answers(60, 6, 3)
    groups = {"s": ["i1", "i2"], "t": ["i3", "i4", "i5"]}
    grid = Quadrature(9, 3.0)
    fit: Any = fit_irt("2pl", data, bifactor=groups, quadrature=grid, force=True)
    found = fit.scores()
    table = fit.parameters.set_index(["item", "parameter"])["estimate"]
    line, weight = grid.line, np.exp(-(grid.line**2) / 2)
    nodes = np.array(list(product(line, repeat=3)))
    loglik = np.log(np.array([np.prod(w) for w in product(weight / weight.sum(), repeat=3)]))
    loglik = np.repeat(loglik[None], 60, axis=0)
    for item in data:
        slopes = np.array([table.get((item, f"a{k}"), 0.0) for k in (1, 2, 3)])
        z = nodes @ slopes + table[item, "d"]
        signs = 2 * data[item].to_numpy()[:, None] - 1
        loglik = loglik + special.log_expit(signs * z)
    posterior = special.softmax(loglik, axis=1)
    mean = posterior @ nodes
    sd = np.sqrt(posterior @ nodes**2 - mean**2)
    np.testing.assert_allclose(found[["F1", "F2", "F3"]], mean, atol=1e-8)
    np.testing.assert_allclose(found[["F1_se", "F2_se", "F3_se"]], sd, atol=1e-8)


@pytest.mark.parametrize("kind", ["rsm", "pcm"])
def test_thresholds_are_where_neighboring_categories_are_equally_likely(kind: str) -> None:
    rng = np.random.default_rng(4)
    z = rng.normal(size=(200, 1)) + rng.normal(size=(200, 4))
    data = pd.DataFrame(np.digitize(z, [-1.0, 0.2, 1.3])).add_prefix("r")
    fit: Any = fit_irt(kind, data)
    steps = fit.parameters.set_index(["item", "parameter"])["estimate"]
    found = fit.thresholds.groupby("item", sort=False)["b"].apply(list)
    for item in data:
        if kind == "pcm":
            total = np.array([steps[item, f"d{k}"] for k in (1, 2, 3)])
            wanted = -np.diff(total, prepend=0)
        else:
            wanted = np.array([steps[item, f"b{k}"] for k in (1, 2, 3)]) - steps[item, "c"]
        np.testing.assert_allclose(found[item], wanted, rtol=1e-9)


def test_the_error_of_an_asymptote_is_that_of_its_logit_times_its_slope() -> None:
    rng = np.random.default_rng(11)
    theta = rng.normal(size=(400, 1))
    p = 0.25 + 0.75 * special.expit(1.5 * (theta - np.linspace(-1, 1, 4)))
    data = pd.DataFrame((rng.random(p.shape) < p).astype(float), columns=list("wxyz"))
    fit: Any = fit_irt("3pl", data, priors={"g": ("normal", -1.1, 0.5)})
    rows = fit.parameters.query("parameter == 'g' and free")
    labels = list(fit.likelihood.model.free_labels)
    errors = np.sqrt(np.diag(fit.vcov.core))
    for row in rows.to_dict("records"):
        (place,) = (k for k, name in enumerate(labels) if name == f"{row['item']}.logit_g")
        g = row["estimate"]
        assert g == pytest.approx(special.expit(fit.optimum.x[place]))
        assert row["se"] == pytest.approx(errors[place] * g * (1 - g), rel=1e-6)
    assert len(rows) == 4
