"""Latent class models: closed forms, brute force on small problems, borders, missing cells."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import gfactor as gf
from gfactor.errors import ParameterError


def drawn(n: int, seed: int, items: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    able = rng.random((n, 1)) < 0.6
    right = rng.random((n, items)) < np.where(able, 0.85, 0.25) + np.linspace(-0.1, 0.1, items)
    return pd.DataFrame(right.astype(int)).add_prefix("i")


DATA = drawn(300, 1)


def log_likelihood(theta: np.ndarray, data: pd.DataFrame) -> float:
    """Of two classes and items of two answers, case by case."""
    share = 1 / (1 + np.exp(-theta[0]))
    p = 1 / (1 + np.exp(-theta[1:].reshape(2, 1, -1)))
    x = data.to_numpy(float)
    each = np.where(np.isnan(x), 1.0, np.where(x == 1, p, 1 - p)).prod(axis=2)
    return float(np.log((1 - share) * each[0] + share * each[1]).sum())


def brute_force(data: pd.DataFrame) -> tuple[np.ndarray, float]:
    rng = np.random.default_rng(5)
    ends = [
        minimize(lambda x: -log_likelihood(x, data), rng.normal(size=9), options={"gtol": 1e-7})
        for _ in range(4)
    ]
    best = min(ends, key=lambda end: end.fun)
    return best.x, -best.fun


@pytest.mark.thorough
@pytest.mark.parametrize("missing", [False, True])
def test_brute_force_finds_the_same_maximum_and_the_same_errors(missing: bool) -> None:
    data: Any = drawn(200, 3)
    if missing:
        data = data.mask(np.random.default_rng(4).random(data.shape) < 0.15)
        data = data[data.notna().any(axis=1)]
    fit: Any = gf.latent_classes(data, 2)
    theta, value = brute_force(data)
    assert fit.log_likelihood == pytest.approx(value, abs=1e-6)
    step = 1e-3
    around = np.zeros((9, 9))
    for i, j in product(range(9), repeat=2):
        a, b = step * np.eye(9)[i], step * np.eye(9)[j]
        corners = ((1, a + b), (-1, a - b), (-1, b - a), (1, -a - b))
        around[i, j] = sum(s * log_likelihood(theta + x, data) for s, x in corners) / (4 * step**2)
    errors = np.sqrt(np.diag(np.linalg.inv(-around)))
    p = 1 / (1 + np.exp(-theta))
    share, answers = fit.shares, fit.probabilities[fit.probabilities["category"] == 1]
    np.testing.assert_allclose(sorted(share["share"]), sorted([p[0], 1 - p[0]]), atol=1e-5)
    np.testing.assert_allclose(share["se"], errors[0] * p[0] * (1 - p[0]), rtol=1e-3)
    order = np.argsort(p[1:])
    np.testing.assert_allclose(np.sort(answers["probability"]), p[1:][order], atol=1e-5)
    own = answers.sort_values("probability")["se"].to_numpy()
    np.testing.assert_allclose(own, (errors[1:] * p[1:] * (1 - p[1:]))[order], rtol=1e-3)


def test_three_items_and_two_classes_have_the_closed_form_of_their_moments() -> None:
    data = drawn(500, 2, items=3)
    x = data.to_numpy(float)
    both = np.array([[1.0, x[:, 1].mean()], [x[:, 0].mean(), (x[:, 0] * x[:, 1]).mean()]])
    third = x[:, 2]
    right = np.array(
        [[third.mean(), (x[:, 1] * third).mean()],
         [(x[:, 0] * third).mean(), (x[:, 0] * x[:, 1] * third).mean()]]
    )  # fmt: skip
    expected = np.sort(np.linalg.eigvals(np.linalg.solve(both, right)).real)
    fit = gf.latent_classes(data, 2)
    own = fit.probabilities.query("item == 'i2' and category == 1")["probability"]
    np.testing.assert_allclose(np.sort(own), expected, atol=1e-6)
    assert fit.df == 0
    assert fit.g2 is None


def test_one_class_has_the_shares_of_the_answers_and_their_binomial_errors() -> None:
    data = DATA.assign(i3=np.arange(300) % 3)
    fit = gf.latent_classes(data, 1)
    table = fit.probabilities.set_index(["item", "category"])
    p = DATA["i0"].mean()
    assert table.loc[("i0", 1), "probability"] == pytest.approx(p)
    assert table.loc[("i0", 1), "se"] == pytest.approx(np.sqrt(p * (1 - p) / 300))
    assert table.loc[("i3", 2), "se"] == pytest.approx(np.sqrt(2 / 9 / 300))
    assert fit.n_parameters == 5
    assert np.isnan(fit.entropy)


def test_criteria_entropy_and_g2_are_their_definitions() -> None:
    fit: Any = gf.latent_classes(DATA, 2)
    k, n, value = 9, 300, fit.log_likelihood
    assert (fit.n_parameters, fit.df) == (k, 6)
    assert fit.bic == pytest.approx(np.log(n) * k - 2 * value)
    assert fit.aic == pytest.approx(2 * k - 2 * value)
    assert fit.sabic == pytest.approx(np.log((n + 2) / 24) * k - 2 * value)
    p = fit.posterior.to_numpy()
    assert fit.entropy == pytest.approx(1 + (p * np.log(p)).sum() / (n * np.log(2)))
    counts = DATA.value_counts().to_numpy()
    assert fit.g2 == pytest.approx(2 * (counts @ np.log(counts / n) - value))
    assert fit.replicated >= 2
    assert (fit.shares["share"].diff().dropna() <= 0).all()


@pytest.mark.thorough
def test_bic_takes_the_number_of_classes_that_there_are() -> None:
    data = drawn(600, 8, items=6)
    bic = {k: gf.latent_classes(data, k, starts=10).bic for k in (1, 2, 3)}
    assert min(bic, key=lambda k: bic[k]) == 2


def test_classes_do_not_depend_on_the_order_of_cases_or_the_seed() -> None:
    first = gf.latent_classes(DATA, 2)
    again = gf.latent_classes(DATA.sample(frac=1, random_state=1), 2, seed=9)
    np.testing.assert_allclose(
        first.probabilities["probability"], again.probabilities["probability"], atol=1e-7
    )
    np.testing.assert_allclose(first.posterior, again.posterior.sort_index(), atol=1e-6)


def test_probabilities_of_nought_have_exact_limits_and_a_note() -> None:
    data = pd.DataFrame(
        np.repeat([[0, 0, 0], [1, 1, 1], [1, 0, 1], [1, 1, 0]], [40, 30, 10, 10], 0)
    )
    fit: Any = gf.latent_classes(data, 2)
    edge = fit.probabilities[fit.probabilities["probability"] < 1e-5]
    assert len(edge)
    assert edge["se"].isna().all()
    assert (edge["ci_lower"] == 0).all()
    low = fit.shares["share"].min() * 90
    assert edge["ci_upper"].max() <= 1 - 0.025 ** (1 / low) + 1e-6
    assert "probability_at_border" in [one.code for one in fit.diagnostics]


def test_items_that_everybody_answers_alike_are_left_out_and_named() -> None:
    without = gf.latent_classes(DATA, 2)
    fit = gf.latent_classes(DATA.assign(same=1), 2)
    assert fit.n_items == without.n_items
    assert fit.log_likelihood == without.log_likelihood
    (left_out,) = [one for one in fit.diagnostics if one.code == "constant_items"]
    assert left_out.where == ("same",)


def test_answers_in_words_are_categories_as_numbers_are() -> None:
    words = DATA.replace({0: "never", 1: "often"})
    found, numbers = gf.latent_classes(words, 2), gf.latent_classes(DATA, 2)
    assert set(found.probabilities["category"]) == {"never", "often"}
    assert found.log_likelihood == numbers.log_likelihood
    assert "often" in found.summary()
    mixed = gf.latent_classes(DATA.astype(object).replace({1: "often"}), 2)
    assert mixed.probabilities["category"][:2].tolist() == [0, "often"]


def test_what_cannot_be_determined_or_used_is_said() -> None:
    codes = [one.code for one in gf.latent_classes(drawn(200, 1, items=2), 2).diagnostics]
    assert codes[0] == "not_identified"
    with pytest.raises(ParameterError, match="no item has two different answers"):
        gf.latent_classes(DATA * 0, 2)
    with pytest.raises(ParameterError, match="has 300 different values, too many for an item"):
        gf.latent_classes(DATA.assign(i1=np.arange(300)), 2)
    with pytest.raises(ParameterError, match="n_classes is 0"):
        gf.latent_classes(DATA, 0)
    with pytest.raises(ParameterError, match="case 4 has no answer"):
        gf.latent_classes(DATA.mask(DATA.index.to_series() == 4), 2)
    with pytest.raises(ParameterError, match="case 4 has no answer"):
        gf.latent_classes(DATA.mask(DATA.index.to_series() == 4).set_axis(DATA.index.to_list()), 2)
    with pytest.raises(ParameterError, match="two columns are called 'i1'; give each its own"):
        gf.latent_classes(pd.concat([DATA, DATA[["i1"]]], axis=1), 2)


def test_other_numbers_of_classes_stand_in_one_table_and_in_the_text() -> None:
    found = gf.latent_classes(DATA, 2, against=[1], starts=5)
    alone = gf.latent_classes(DATA, 1)
    assert found.comparison is not None
    assert found.comparison["classes"].tolist() == [1, 2]
    assert found.comparison["bic"].tolist() == pytest.approx([alone.bic, found.bic])
    assert "other numbers of classes" in found.summary()
    assert "comparison" in found.to_dict()
    with pytest.raises(ParameterError, match="against is 0"):
        gf.latent_classes(DATA, 2, against=[0])


def test_the_text_has_intervals_of_answers_and_of_two_answers_the_higher_one() -> None:
    found = gf.latent_classes(DATA, 1)
    row = found.probabilities.query("item == 'i0' and category == 1").iloc[0]
    lines = [line for line in found.summary().splitlines() if line.startswith("i0")]
    ends = f"[{row['ci_lower']:.3f}, {row['ci_upper']:.3f}]"
    assert [line.split() for line in lines] == [
        ["i0", "1", f"{row['probability']:.3f}", *ends.split()]
    ]
