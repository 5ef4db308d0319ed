"""Three and more abilities: lattices of nodes, their precision, rotations, and the information."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.api.inputs.progress_bars import climbs
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import Quadrature, fit_irt
from gfactor.psychometrics.irt.estimation.free_rotation import rotation_of
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.lattice import ERROR, TAIL, fine, moved, pilot


def answers(persons: int, factors: int, items: int, rho: float, seed: int) -> pd.DataFrame:
    """Answers to `items` items of each factor, slopes .8 to 1.8."""
    rng = np.random.default_rng(seed)
    spread = np.full((factors, factors), rho) + (1 - rho) * np.eye(factors)
    theta = rng.normal(size=(persons, factors)) @ np.linalg.cholesky(spread).T
    slopes = np.kron(np.eye(factors), rng.uniform(0.8, 1.8, (items, 1)))
    chance = special.expit(theta @ slopes.T + rng.normal(0, 0.8, factors * items))
    return pd.DataFrame((rng.uniform(size=chance.shape) < chance) * 1.0).add_prefix("i")


def clusters(data: pd.DataFrame, factors: int) -> dict[str, list[str]]:
    parts = np.array_split(data.columns, factors)
    return {f"F{f}": list(part) for f, part in enumerate(parts, start=1)}


def incomplete() -> pd.DataFrame:
    """Twelve items of three factors, one with three categories, one not asked of everybody."""
    data = answers(250, 3, 5, 0.4, 3)
    data["i5"] += data.pop("i9")
    data.iloc[::7, 2] = np.nan
    return data.drop(columns=["i4", "i14"])


@pytest.fixture(scope="module")
def three() -> Any:
    data = incomplete()
    return fit_irt("2pl", data, factors=clusters(data, 3))


@pytest.fixture(scope="module")
def exploratory() -> Any:
    return fit_irt("2pl", answers(400, 3, 5, 0.3, 5), factors=3)


@pytest.mark.thorough
def test_the_log_likelihood_is_that_of_a_product_of_lines_and_no_step_there_gains(
    three: Any,
) -> None:
    likelihood, x = three.likelihood, three.optimum.x
    brute = Marginal(likelihood.model, likelihood.data, Quadrature(25, 6.0))
    at = brute.evaluate(x)
    assert len(brute.nodes) > 12 * len(likelihood.nodes)
    assert at.loglik == pytest.approx(three.loglik, abs=0.005)
    step = np.linalg.solve(likelihood.observed(three.optimum.at), at.gradient)
    assert brute.evaluate(x + step, derivative=False).loglik < at.loglik + 0.001


@pytest.mark.parametrize("factors", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_factors_that_share_nothing_are_fitted_as_if_each_were_alone(factors: int) -> None:
    data = answers(250, factors, 4, 0.0, 11)
    members = clusters(data, factors)
    together = fit_irt("2pl", data, factors=members, correlated=False)
    alone = [fit_irt("2pl", data.loc[:, list(items)]) for items in members.values()]
    assert together.converged
    assert together.loglik == pytest.approx(sum(fit.loglik for fit in alone), abs=0.01)
    items = pd.concat([fit.items for fit in alone])
    assert together.items["a"].to_numpy() == pytest.approx(items["a"].to_numpy(), abs=0.01)
    assert together.items["se_a"].to_numpy() == pytest.approx(items["se_a"].to_numpy(), rel=0.02)


@pytest.mark.thorough
def test_the_information_by_pairs_of_answers_is_that_of_every_person_at_every_node(
    three: Any,
) -> None:
    likelihood, at = three.likelihood, three.optimum.at
    assert likelihood.by_pairs
    person_by_person = sum(factor.T @ factor for factor in likelihood.missing_factors(at))
    assert likelihood.missing_information(at) == pytest.approx(
        person_by_person, abs=1e-9 * float(np.abs(person_by_person).max())
    )


@pytest.mark.thorough
@pytest.mark.parametrize("model", ["2pl", "3pl", "grm"])
def test_many_persons_have_the_information_that_their_rows_have(model: str) -> None:
    """With groups, weights, and an item that some did not answer."""
    data = answers(150, 1, 5, 0.0, 12)
    if model == "grm":
        data += answers(150, 1, 5, 0.0, 13)
    data = data.mask(np.arange(750).reshape(150, 5) % 11 == 0)
    fit: Any = fit_irt(
        model, data, groups=["u", "v"] * 75, force=True, weights=list(1 + np.arange(150) % 3 / 2),
        tolerance=1e9,
    )  # fmt: skip
    likelihood, at = fit.likelihood, fit.optimum.at
    assert likelihood.many_persons
    by_rows = sum(factor.T @ factor for factor in likelihood.missing_factors(at))
    assert likelihood.missing_information(at) == pytest.approx(
        by_rows, abs=1e-9 * float(np.abs(by_rows).max())
    )


@pytest.mark.thorough
def test_the_information_is_the_bend_of_the_objective_in_two_weighted_groups() -> None:
    data = answers(60, 3, 2, 0.4, 8)
    fit: Any = fit_irt(
        "2pl", data, factors=clusters(data, 3), groups=["u", "v"] * 30, force=True,
        weights=list(1 + np.arange(60) % 3 / 2), quadrature=Quadrature(5, 3.0), tolerance=1e9,
    )  # fmt: skip
    likelihood = fit.likelihood
    x = fit.optimum.x + np.random.default_rng(1).normal(0, 0.05, fit.n_free)
    observed = likelihood.observed(likelihood.evaluate(x))
    step = 1e-5 * np.eye(len(x))
    numeric = [
        (likelihood.evaluate(x - e).gradient - likelihood.evaluate(x + e).gradient) / 2e-5
        for e in step
    ]
    assert likelihood.by_pairs
    assert observed == pytest.approx(np.array(numeric), abs=1e-5)


def test_a_lattice_integrates_a_normal_posterior_with_the_stated_error() -> None:
    for factors in (3, 4, 5):
        lattice = pilot(factors)
        nodes = lattice.nodes - 0.37
        weights = np.exp(-0.5 * (lattice.nodes**2).sum(axis=1))
        weights /= weights.sum()
        assert weights @ lattice.nodes == pytest.approx(np.zeros(factors), abs=1e-12)
        assert weights @ lattice.nodes**2 == pytest.approx(np.ones(factors), abs=0.03)
        assert np.linalg.norm(nodes + 0.37, axis=1).max() <= lattice.limit + 1e-9
        # Body-centered: half of the nodes of the cube's corners are its centers.
        steps = lattice.nodes / (1.2 * np.sqrt(2))
        assert np.abs(2 * steps - np.round(2 * steps)).max() < 1e-9


def test_another_lattice_of_the_same_kind_agrees_and_a_coarse_one_does_not(three: Any) -> None:
    likelihood, optimum = three.likelihood, three.optimum

    def difference(error: float) -> float:
        values = []
        for lattice in (base := fine(likelihood, optimum.at, error), moved(base)):
            there = Marginal(likelihood.model, likelihood.data, lattice)
            values.append(there.evaluate(optimum.x, derivative=False).loglik)
        return abs(values[0] - values[1])

    assert difference(ERROR) < 0.02 < difference(0.2)
    assert 0 < TAIL <= 1e-4


def test_loadings_turned_to_their_zeros_give_the_same_curves(exploratory: Any) -> None:
    rotation = rotation_of(exploratory.likelihood.model)
    assert rotation is not None
    freed = rotation.freed
    x = freed.start + np.random.default_rng(2).normal(0, 0.5, len(freed.start))
    before = freed.values(x)[rotation.slopes]
    after = rotation.model.values(rotation.turned_back(x))
    loadings = after[rotation.slopes]
    assert loadings @ loadings.T == pytest.approx(before @ before.T)
    assert loadings[np.triu_indices(3, 1)] == pytest.approx(np.zeros(3), abs=0)
    assert (loadings.sum(axis=0) >= 0).all()
    rest = np.setdiff1d(np.arange(len(after)), rotation.slopes)
    assert after[rest] == pytest.approx(freed.values(x)[rest])


@pytest.mark.parametrize("options", [
    {"model": "1pl"}, {"priors": {"slope": ("lognormal", 0.0, 0.5)}}, {"fixed": {"i4.a1": 1.0}},
    {"constraints": [["i4.a1", "i5.a1"]]}, {"groups": ["u", "v"] * 20},
])  # fmt: skip
def test_models_that_a_rotation_would_change_are_not_rotated(options: dict[str, Any]) -> None:
    data = answers(40, 3, 2, 0.3, 1)
    given = {"model": "2pl", "priors": {"slope": None}, **options}
    fit: Any = fit_irt(
        data=data, factors=3, quadrature=Quadrature(3, 2.0), tolerance=1e9, force=True, **given
    )
    assert rotation_of(fit.likelihood.model) is None


def test_an_exploratory_fit_is_the_best_of_several_starts(exploratory: Any) -> None:
    likelihood = exploratory.likelihood
    assert exploratory.converged
    assert rotation_of(likelihood.model) is not None
    assert np.linalg.eigvalsh(exploratory.optimum.information)[0] > 0
    assert exploratory.optimum.gradient < 1e-7


@pytest.mark.thorough
def test_results_do_not_hang_on_the_last_digits_or_the_order_of_persons(three: Any) -> None:
    data = incomplete()
    turned = fit_irt(
        "2pl", data.iloc[::-1], factors=clusters(data, 3), weights=[1 + 1e-10] * len(data)
    )
    assert turned.loglik == pytest.approx(three.loglik, abs=1e-6)
    assert turned.optimum.x == pytest.approx(three.optimum.x, abs=1e-5)
    assert np.array_equal(turned.likelihood.nodes, three.likelihood.nodes)


def test_nodes_that_cannot_follow_steep_slopes_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gfactor.psychometrics.irt.likelihood.lattice.MOST_NODES", 300)
    data = answers(60, 3, 3, 0.4, 4)
    steep = {f"i{j}.a{j // 3 + 1}": 12.0 for j in range(9)}
    fit: Any = fit_irt("2pl", data, factors=clusters(data, 3), fixed=steep, tolerance=1e-2)
    (found,) = [d for d in fit.diagnostics if d.code == "integral_imprecise"]
    assert found.severity == "warning"
    assert found.values["difference"] > 0.02
    assert len(fit.likelihood.nodes) < 400


def test_nodes_for_more_factors_than_six_are_refused() -> None:
    data = answers(40, 7, 2, 0.3, 1)
    for factors in (7, clusters(data, 7)):
        with pytest.raises(ParameterError, match="6 factors at the most, got 7; method 'mhrm'"):
            fit_irt("2pl", data, factors=factors, method="quadrature", force=True)
    with pytest.raises(ParameterError, match="factors must be 1 or more, got 0"):
        fit_irt("2pl", data, factors=0, force=True)


def test_progress_shows_the_log_likelihood_and_its_change() -> None:
    texts: list[str] = []

    class Bar:
        def set_postfix_str(self, text: str, refresh: bool) -> None:
            texts.append(text)

        def update(self) -> None:
            texts.append("+")

    advance = climbs(Bar())  # type: ignore[arg-type]
    advance(1, -120.5)
    advance(2, -119.25)
    assert texts == ["log-likelihood -120.50", "+", "log-likelihood -119.25 (+1.2)", "+"]
