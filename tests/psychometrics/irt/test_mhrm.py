"""Metropolis-Hastings Robbins-Monro against brute-force quadrature and known truths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from psychometrics.irt.test_many_factors import answers, clusters

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt import Quadrature, fit_irt
from gfactor.psychometrics.irt.data import read_responses
from gfactor.psychometrics.irt.estimation.clouds import even_points, first_moments
from gfactor.psychometrics.irt.estimation.mhrm import Sampler, Stages, search
from gfactor.psychometrics.irt.estimation.sampled import sampled_likelihood
from gfactor.psychometrics.irt.likelihood.building import build
from gfactor.psychometrics.irt.likelihood.complete import (
    AbilityDensity,
    all_information,
    all_scores,
    answers_of,
    log_answers,
)
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses
from gfactor.psychometrics.irt.request import Request

MODELS = ("2pl", "3pl", "grm", "gpcm", "nrm")


def graded(persons: int = 12) -> pd.DataFrame:
    """Answers to four items of two factors, two of them with three categories."""
    data = answers(persons, 2, 3, 0.3, 4)
    data["i0"] += data.pop("i1")
    data["i3"] += data.pop("i4")
    data.iloc[1, 1] = np.nan
    return data


def specified(data: pd.DataFrame, model: str, **options: Any) -> tuple[Any, CodedResponses]:
    table, _ = read_responses(data)
    count = len(table.codes)
    groups = options.get("groups")
    codes = np.zeros(count, int) if groups is None else (np.array(groups) == "v").astype(int)
    made = build(table, Request(model, clusters(data, 2), **options))
    return made, CodedResponses(table.codes, np.ones(count), codes, options.get("covariates"))


def log_density(model: Any, data: CodedResponses, x: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Log density (P,) of answers and abilities of the first group."""
    group, values = model.groups[0], model.values(x)
    total = AbilityDensity(group, values, data.covariates).log_density(theta)
    for block in group.blocks:
        total += log_answers(block, values, theta[:, None], data.codes[:, block.columns])[:, 0]
    return total


@pytest.mark.parametrize("name", MODELS)
def test_scores_and_information_are_the_derivatives_of_the_complete_likelihood(name: str) -> None:
    frame = graded() if name in ("grm", "gpcm", "nrm") else answers(12, 2, 2, 0.3, 4)
    covariates = np.random.default_rng(3).normal(size=(12, 1))
    model, data = specified(frame, name, covariates=covariates, covariate_names=("x",))
    rng = np.random.default_rng(1)
    x = model.start + rng.normal(0, 0.05, len(model.start))
    theta, group = rng.normal(size=(12, 2)), model.groups[0]

    def gradient(at: np.ndarray) -> np.ndarray:
        values, total = model.values(at), np.zeros(len(model.base))
        latent = AbilityDensity(group, values, covariates)
        places, scores = all_scores(group, values, theta, data.codes, latent)
        np.add.at(total, places, scores.sum(axis=0))
        return model.design.T @ total

    step = 1e-5 * np.eye(len(x))
    up = [log_density(model, data, x + e, theta).sum() for e in step]
    down = [log_density(model, data, x - e, theta).sum() for e in step]
    assert gradient(x) == pytest.approx((np.array(up) - down) / 2e-5, abs=1e-6)
    latent = AbilityDensity(group, model.values(x), covariates)
    matrix = all_information(group, model.values(x), theta, data.codes, np.ones(12), latent)
    bend = np.array([gradient(x - e) - gradient(x + e) for e in step]) / 2e-5
    assert model.design.T @ matrix @ model.design.toarray() == pytest.approx(bend, abs=1e-5)


@pytest.mark.parametrize("name", [*MODELS, "4pl"])
def test_fishers_information_is_the_mean_over_the_answers_that_may_come(name: str) -> None:
    data = graded() if name in ("grm", "gpcm", "nrm") else answers(12, 2, 2, 0.3, 4)
    model, _ = specified(data, name)
    values = model.values(model.start + np.random.default_rng(1).normal(0, 0.3, len(model.start)))
    theta = np.random.default_rng(2).normal(size=(5, 2))
    for block in model.groups[0].blocks:
        item, on = values[block.index[0]], theta[:, list(block.factors)]
        every = [np.full(5, code, np.int16) for code in range(block.categories)]
        alone = [np.full((5, len(block.columns)), -1, np.int16) for _ in every]
        for table, codes in zip(alone, every, strict=True):
            table[:, 0] = codes
        chances = [np.exp(log_answers(block, values, theta[:, None], table)) for table in alone]
        hessian = sum(
            p[:, 0, None, None] * answers_of(block, item, on, codes).second
            for p, codes in zip(chances, every, strict=True)
        )
        fisher = answers_of(block, item, on, every[-1], fisher=True).second
        assert fisher == pytest.approx(hessian, rel=1e-9, abs=1e-12)


@pytest.mark.thorough
def test_draws_have_the_mean_of_the_posterior_and_the_wanted_acceptance() -> None:
    frame = answers(100, 2, 3, 0.3, 4)
    model, data = specified(frame, "2pl")
    quadrature: Any = fit_irt(
        "2pl", frame, factors=clusters(frame, 2), tolerance=1e9, force=True,
        quadrature=Quadrature(15, 5.0),
    )  # fmt: skip
    sampler = Sampler(model, data, np.random.default_rng(1))
    values = model.values(quadrature.optimum.x)
    sampler.shape(values)
    moves = [(sampler.move(values, 1)[0], sampler.theta.mean(axis=0)) for _ in range(250)]
    rates, means = zip(*moves[50:], strict=True)
    assert 0.2 < np.mean(rates) < 0.5
    expected = quadrature.scores()[["F1", "F2"]].to_numpy().mean(axis=0)
    assert np.mean(means, axis=0) == pytest.approx(expected, abs=0.03)


def test_importance_sampling_gives_log_likelihood_gradient_and_abilities_of_quadrature() -> None:
    data = answers(150, 2, 3, 0.3, 4)
    none: Any = {"slope": None}  # Fewer than 200 persons get a prior unless one is named.
    brute: Any = fit_irt(
        "2pl", data, factors=clusters(data, 2), tolerance=1e9, quadrature=Quadrature(21, 6.0),
        force=True, priors=none,
    )  # fmt: skip
    likelihood, x = brute.likelihood, brute.optimum.x
    sampler = Sampler(likelihood.model, likelihood.data, np.random.default_rng(2))
    moments = first_moments(sampler, likelihood.model.values(x))
    sampled = sampled_likelihood(sampler, x, moments, 256)
    at = sampled.evaluate(x)
    assert 0 < at.loglik_error < 0.2
    assert at.loglik == pytest.approx(brute.loglik, abs=4 * at.loglik_error)
    assert at.gradient == pytest.approx(brute.optimum.at.gradient, abs=0.5)
    mean, sd = sampled.moments(0, at.posteriors[0])
    scores = brute.scores()
    assert mean == pytest.approx(scores[["F1", "F2"]].to_numpy(), abs=0.15)
    assert sd == pytest.approx(scores[["F1_se", "F2_se"]].to_numpy(), abs=0.15)
    exact = likelihood.observed(brute.optimum.at)
    assert sampled.observed(at) == pytest.approx(exact, abs=0.05 * float(np.abs(exact).max()))


@pytest.mark.parametrize("case", ["3pl", "nrm", "groups", "covariates"])
def test_draws_give_likelihood_gradient_and_information_of_quadrature_at_any_point(
    case: str,
) -> None:
    frame = graded(60) if case == "nrm" else answers(60, 2, 2, 0.3, 4)
    covariates = np.random.default_rng(3).normal(size=(60, 1))
    options: dict[str, Any] = {
        "groups": {"groups": ["u", "v"] * 30, "equal": ("slopes",)},
        "covariates": {"covariates": covariates, "covariate_names": ("x",)},
    }.get(case, {})
    model, data = specified(frame, case if case in MODELS else "2pl", **options)
    x = model.start + np.random.default_rng(1).normal(0, 0.1, len(model.start))
    brute = Marginal(model, data, Quadrature(31, 6.0))
    exact = brute.evaluate(x)
    sampler = Sampler(model, data, np.random.default_rng(2))
    sampled = sampled_likelihood(sampler, x, first_moments(sampler, model.values(x)), 1024)
    at = sampled.evaluate(x)
    assert 0 < at.loglik_error < 0.05
    assert at.loglik == pytest.approx(exact.loglik, abs=4 * at.loglik_error)
    spread = at.by_part.std(axis=0, ddof=1) / np.sqrt(len(at.by_part))
    assert np.all(np.abs(at.gradient - exact.gradient) < 8 * spread + 1e-3)
    curvature = brute.observed(exact)
    assert sampled.observed(at) == pytest.approx(curvature, abs=0.1 * np.abs(curvature).max())


def test_the_search_gives_the_same_bytes_for_a_seed_and_ends_by_the_rule_of_three_cycles() -> None:
    model, data = specified(answers(60, 2, 2, 0.3, 4), "1pl")
    stages = Stages(5, 5, 10, tolerance=10.0)
    first, second, third = (
        search(model, data, np.random.default_rng(seed), stages) for seed in (1, 1, 2)
    )
    assert first.x.tobytes() == second.x.tobytes() != third.x.tobytes()
    assert (first.cycles, first.converged) == (13, True)
    strict = search(model, data, np.random.default_rng(1), Stages(5, 5, 10, tolerance=0.0))
    assert (strict.cycles, strict.converged) == (20, False)


def test_points_fill_the_cube_evenly() -> None:
    points = even_points(512, 3)
    share = (points < 0.5).all(axis=1).mean()
    assert share == pytest.approx(1 / 8, abs=0.01)
    assert points.mean(axis=0) == pytest.approx(np.full(3, 0.5), abs=0.01)


def test_what_draws_cannot_do_is_refused_in_a_sentence() -> None:
    data = answers(40, 2, 2, 0.3, 1)
    with pytest.raises(ParameterError, match="has no nodes; leave out quadrature"):
        fit_irt("1pl", data, method="mhrm", quadrature=Quadrature(5, 3.0))
    with pytest.raises(ParameterError, match="leave out method 'mhrm'"):
        fit_irt("1pl", data, method="MHRM", bifactor={"S": ["i0", "i1"]})
    with pytest.raises(UnknownNameError, match="method"):
        fit_irt("1pl", data, method="em")


@pytest.mark.slow
@pytest.mark.parametrize(("model", "exploratory"), [
    ("2pl", False), ("2pl", True), ("3pl", False), ("grm", False), ("gpcm", False), ("nrm", False),
])  # fmt: skip
def test_estimates_and_standard_errors_are_those_of_quadrature(
    model: str, exploratory: bool
) -> None:
    data: Any = answers(400, 2, 6, 0.4, 3)
    if model in ("grm", "gpcm", "nrm"):
        data = data.assign(i0=data.pop("i0") + data.pop("i1"), i6=data.pop("i6") + data.pop("i7"))
        data = data[sorted(data, key=lambda name: int(name[1:]))]
    factors: Any = 2 if exploratory else clusters(data, 2)
    agree(data, model=model, factors=factors)


def agree(data: pd.DataFrame, **options: Any) -> None:
    """Fit by nodes and by draws, and compare."""
    brute: Any = fit_irt(data=data, method="quadrature", **options)
    drawn: Any = fit_irt(data=data, method="mhrm", seed=1, **options)
    assert drawn.converged
    assert drawn.loglik == pytest.approx(brute.loglik, abs=4 * drawn.loglik_error + 0.01)
    errors = np.sqrt(np.diag(brute.vcov.core))
    away = (drawn.optimum.x - brute.optimum.x) / errors
    assert np.abs(away).max() < max(0.1, 5 * drawn.optimum.estimates_error)
    assert np.sqrt(np.diag(drawn.vcov.core)) == pytest.approx(errors, rel=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["groups", "items that differ", "covariates", "guessing"])
def test_groups_covariates_and_fixed_guessing_are_drawn_as_they_are_integrated(name: str) -> None:
    data = answers(400, 2, 6, 0.4, 3)
    groups = ["u", "v"] * 200
    covariates = pd.DataFrame({"x": np.random.default_rng(5).normal(size=400)})
    agree(data, model="2pl", factors=clusters(data, 2), **{
        "groups": {"groups": groups, "equal": ("slopes",)},
        "items that differ": {"groups": groups, "free_items": ("i2",)},
        "covariates": {"covariates": covariates},
        "guessing": {"guess": 0.1},
    }[name])  # fmt: skip


@pytest.mark.slow
def test_five_factors_are_drawn_by_default_and_their_truth_is_recovered() -> None:
    data = answers(1000, 5, 5, 0.4, 7)
    fit: Any = fit_irt("2pl", data, factors=clusters(data, 5))
    assert fit.facts["method"] == "mhrm"
    assert fit.converged
    rng = np.random.default_rng(7)
    rng.normal(size=(1000, 5))
    true = rng.uniform(0.8, 1.8, (5, 1))
    rows = fit.parameters[fit.parameters["free"] & fit.parameters["parameter"].str.match(r"a\d")]
    z = (rows["estimate"].to_numpy() - np.tile(true[:, 0], 5)) / rows["se"].to_numpy()
    assert np.sqrt((z**2).mean()) == pytest.approx(1, abs=0.45)
    covariances = fit.latent[fit.latent["se"].notna()]
    assert len(covariances) == 10
    z = (covariances["estimate"] - 0.4) / covariances["se"]
    assert np.sqrt((z**2).mean()) < 1.6
    assert fit.scores().shape == (1000, 10)


@pytest.mark.slow
def test_seven_factors_have_scores_a_document_and_a_page(tmp_path: Path) -> None:
    data = answers(400, 7, 3, 0.4, 2)
    fit: Any = fit_irt("2pl", data, factors=clusters(data, 7))
    assert fit.reliability["F7"] > 0
    assert np.isfinite(fit.to_dict()["loglik_error"])
    fit.report(tmp_path)
    assert any("Monte Carlo error" in p.read_text("utf-8") for p in tmp_path.rglob("*.html"))
