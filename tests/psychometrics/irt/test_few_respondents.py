"""What few respondents allow: shrunken items, predictive checks, errors of few clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.predictive import predictive_check
from gfactor.psychometrics.irt.models.hierarchical import fit_hierarchical


def draw(rng: np.random.Generator, persons: int, a: np.ndarray, b: np.ndarray) -> pd.DataFrame:
    p = 1 / (1 + np.exp(-a * (rng.normal(size=(persons, 1)) - b)))
    return pd.DataFrame((rng.uniform(size=p.shape) < p).astype(int)).add_prefix("i")


def rmse(found: Any, truth: np.ndarray) -> float:
    return float(np.sqrt(np.mean((np.asarray(found) - truth) ** 2)))


def test_an_unknown_model_is_named_before_respondents_are_counted() -> None:
    data = draw(np.random.default_rng(0), 8, np.ones(4), np.zeros(4))
    with pytest.raises(UnknownNameError, match="unknown item response model '5pl'"):
        fit_irt("5pl", data)


def test_slopes_without_a_prior_are_those_of_the_likelihood_alone() -> None:
    data = draw(np.random.default_rng(3), 120, np.array([0.7, 1.0, 1.4, 1.8, 1.0]), np.zeros(5))
    default, free = fit_irt("2pl", data), fit_irt("2pl", data, priors={"slope": None})
    assert default.likelihood.model.priors
    assert not free.likelihood.model.priors
    assert free.loglik > default.loglik
    spreads = [float(np.std(fit.items["a"].to_numpy())) for fit in (free, default)]
    assert spreads[0] > spreads[1]
    codes = [[one.code for one in fit.diagnostics] for fit in (default, free)]
    assert "slopes_with_prior" in codes[0]
    assert "slopes_without_prior" in codes[1]


def test_none_is_no_stated_prior_for_fewer_than_thirty() -> None:
    data = draw(np.random.default_rng(3), 20, np.ones(5), np.zeros(5))
    with pytest.raises(ParameterError, match="20 respondents are too few for a discrimination"):
        fit_irt("2pl", data, priors={"slope": None})


@pytest.mark.slow
def test_shrunken_items_are_nearer_to_the_truth_and_their_spread_is_found() -> None:
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(3):
        a, b = rng.lognormal(0.1, 0.3, 30), rng.normal(0.3, 0.8, 30)
        data = draw(rng, 60, a, b)
        shrunk, stated = fit_hierarchical("2pl", data), fit_irt("2pl", data)
        kept = [int(name[1:]) for name in shrunk.table.items]
        errors.append([
            rmse(np.log(fit.items["a"]), np.log(a[kept])) for fit in (shrunk, stated)
        ] + [rmse(fit.items["b"], b[kept]) for fit in (shrunk, stated)])  # fmt: skip
        said = next(d for d in shrunk.diagnostics if d.code == "shrunk_to_items")
        assert said.severity == "warning"
        assert abs(said.values["log_slope_mean"] - 0.1) < 0.25
        assert 0.5 < said.values["intercept_sd"] < 1.4
    slope, slope_stated, b_shrunk, b_stated = np.mean(errors, axis=0)
    assert slope < 0.95 * slope_stated
    assert b_shrunk < 0.85 * b_stated


@pytest.mark.thorough
def test_equal_items_are_shrunk_to_one_and_different_ones_are_not() -> None:
    rng = np.random.default_rng(2)
    alike = draw(rng, 40, np.ones(20), np.zeros(20))
    different = draw(rng, 40, np.ones(20), np.linspace(-2, 2, 20))
    ratio: list[Any] = [
        fit_hierarchical("rasch", data).items["b"].std() / fit_irt("rasch", data).items["b"].std()
        for data in (alike, different)
    ]
    assert ratio[0] < 0.6
    assert ratio[1] > 0.75


def test_what_cannot_be_shrunk_is_said() -> None:
    rng = np.random.default_rng(3)
    data = draw(rng, 20, np.ones(8), np.zeros(8))
    with pytest.raises(ParameterError, match="20 respondents are too few"):
        fit_hierarchical("2pl", data)
    with pytest.raises(ParameterError, match="not in 'grm'"):
        fit_hierarchical("grm", data)
    with pytest.raises(ParameterError, match="4 items that vary"):
        fit_hierarchical("rasch", data.iloc[:, :4])
    with pytest.raises(ParameterError, match="score them right or wrong"):
        fit_hierarchical("rasch", data.assign(i0=np.arange(20) % 3))


@pytest.mark.thorough
def test_a_rasch_model_is_found_wanting_where_slopes_differ() -> None:
    rng = np.random.default_rng(4)
    different = draw(rng, 300, np.tile([0.2, 2.2], 8), np.tile([-0.5, 0, 0.5, 1], 4))
    found = predictive_check(fit_irt("rasch", different), draws=40, seed=1)
    table = found.table.set_index("check")
    assert table.loc["spread of item-rest correlations", "p"] == 0
    assert [d.code for d in found.diagnostics].count("predictive_misfit") >= 1
    free = predictive_check(fit_irt("2pl", different), draws=40, seed=1)
    p = free.table.set_index("check").loc["spread of item-rest correlations", "p"]
    assert 0.05 < p < 0.95


@pytest.mark.thorough
def test_data_of_the_model_pass_and_draws_follow_the_seed() -> None:
    rng = np.random.default_rng(5)
    data = draw(rng, 120, np.ones(12), np.linspace(-1, 1, 12))
    data.iloc[::4, 3] = np.nan
    fit = fit_irt("rasch", data)
    found = predictive_check(fit, draws=60, seed=2)
    assert found.diagnostics == ()
    inside = found.table["observed"].between(found.table["low"], found.table["high"])
    assert inside.mean() > 0.8
    assert found.table.equals(predictive_check(fit, draws=60, seed=2).table)
    assert not found.table.equals(predictive_check(fit, draws=60, seed=3).table)


@pytest.mark.slow
def test_clustered_errors_are_those_of_leaving_out_families() -> None:
    rng = np.random.default_rng(6)
    families = np.repeat(np.arange(12), 5)
    first = draw(rng, 12, np.ones(10), np.linspace(-1, 1, 10)).to_numpy()[families]
    own = draw(rng, 60, np.ones(10), np.linspace(-1, 1, 10)).to_numpy()
    right = np.where(rng.uniform(size=own.shape) < 0.6, first, own)
    data = pd.DataFrame(right).add_prefix("i")
    se = {
        kind: fit_irt("rasch", data, clusters=list(families), errors=kind).items["se_b"].to_numpy()
        for kind in ("observed", "cluster-plain", "cluster")
    }
    without = np.array([
        fit_irt("rasch", data.loc[families != g]).items["b"] for g in range(12)
    ])  # fmt: skip
    b = fit_irt("rasch", data).items["b"].to_numpy()
    jackknife = np.sqrt(11 / 12 * ((without - b) ** 2).sum(axis=0))
    assert np.median(se["cluster"] / jackknife) == pytest.approx(1, abs=0.06)
    assert np.median(se["cluster-plain"] / jackknife) < np.median(se["cluster"] / jackknife)
    assert np.median(se["observed"] / jackknife) < 0.85


@pytest.mark.thorough
def test_errors_over_three_clusters_are_never_below_those_of_independent_respondents() -> None:
    """Six answers of 0 or 1 have an information of at most 6/4, hence an error of at least .816."""
    data = draw(np.random.default_rng(9), 6, np.ones(12), np.linspace(-1, 1, 12))
    data = data.loc[:, data.nunique() == 2]
    families = ["a", "a", "b", "b", "c", "c"]
    plain: Any = fit_irt("rasch", data, clusters=families, errors="cluster-plain")
    assert plain.items["se_b"].min() < 0.6
    fit: Any = fit_irt("rasch", data, clusters=families)
    assert fit.items["se_b"].min() > 0.816
    assert (fit.items["se_b"] >= plain.items["se_b"] - 1e-9).all()
    (said,) = [one for one in fit.diagnostics if one.code == "few_clusters"]
    assert said.values == {"n": 6, "clusters": 3}
    many = draw(np.random.default_rng(9), 60, np.ones(4), np.zeros(4))
    codes = {one.code for one in fit_irt("rasch", many, clusters=[k // 3 for k in range(60)])
             .diagnostics}  # fmt: skip
    assert "few_clusters" not in codes
