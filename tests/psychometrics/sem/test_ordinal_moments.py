"""Probabilities, polychoric correlations and their covariance have values known otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy.special import ndtr, ndtri

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.discrepancy import DiagonalWeight
from gfactor.psychometrics.sem.ordinal import (
    bivariate_normal_cdf,
    bivariate_normal_pdf,
    ordinal_moments,
)
from gfactor.psychometrics.sem.ordinal.columns import NumericColumn, numeric_column, ordinal_column
from gfactor.psychometrics.sem.ordinal.latent_correlations import _counts, _filled, polychoric
from gfactor.psychometrics.sem.ordinal.mixed_correlations import (
    LARGEST,
    _correlation,
    pearson,
    polyserial,
)

LIMIT = st.floats(-6, 6)
RHO = st.floats(-1, 1)


def cdf(h: float, k: float, rho: float) -> float:
    return float(bivariate_normal_cdf(np.array(h), np.array(k), np.array(rho)))


# mpmath 1.4.1, 25 digits: quad of npdf(x) ncdf((k - rho x) / sqrt(1 - rho^2)); 2026-11-21.
KNOWN = [
    (0.5, -0.3, 0.4, 0.31712692828616511),
    (-1.2, 0.7, -0.95, 0.00195351520484269456),
    (1.0, 1.01, 0.99, 0.828931257809382591),
    (0.1, 0.1, 0.9999, 0.537588253875714172),
    (-2.5, -2.4, 0.93, 0.00421404182786602538),
]


@pytest.mark.parametrize(("h", "k", "rho", "probability"), KNOWN)
def test_probabilities_to_fifteen_digits(
    h: float, k: float, rho: float, probability: float
) -> None:
    assert cdf(h, k, rho) == pytest.approx(probability, abs=1e-15)


def test_orthant_probabilities() -> None:
    for rho in (-0.999999, -0.95, -0.5, 0.0, 0.3, 0.925, 0.93, 0.9999999):
        assert cdf(0, 0, rho) == pytest.approx(0.25 + np.arcsin(rho) / (2 * np.pi), abs=1e-14)


@given(LIMIT, LIMIT, RHO)
def test_probabilities_obey_what_all_must(h: float, k: float, rho: float) -> None:
    value = cdf(h, k, rho)
    assert value == pytest.approx(cdf(k, h, rho), abs=1e-14)
    assert value == pytest.approx(float(ndtr(h)) - cdf(h, -k, -rho), abs=2e-14)
    low, high = max(0.0, float(ndtr(h) + ndtr(k) - 1)), float(min(ndtr(h), ndtr(k)))
    assert low - 1e-14 <= value <= high + 1e-14


@given(LIMIT, LIMIT, st.floats(-0.97, 0.97))
def test_the_slope_by_the_correlation_is_the_density(h: float, k: float, rho: float) -> None:
    # Plackett (1954).
    step = 1e-5
    slope = (cdf(h, k, rho + step) - cdf(h, k, rho - step)) / (2 * step)
    density = bivariate_normal_pdf(np.array(h), np.array(k), np.array(rho))
    assert slope == pytest.approx(float(density), abs=1e-7)


def test_infinite_limits_and_perfect_correlations() -> None:
    assert cdf(np.inf, 0.3, 0.7) == pytest.approx(float(ndtr(0.3)), abs=1e-15)
    assert cdf(-np.inf, 0.3, -0.98) == 0.0
    assert cdf(0.2, 0.5, 1.0) == pytest.approx(float(ndtr(0.2)), abs=1e-15)
    assert cdf(0.2, 0.5, -1.0) == pytest.approx(float(ndtr(0.2) + ndtr(0.5) - 1), abs=1e-15)


def pair(table: list[list[int]]) -> float:
    """The polychoric correlation of a table of counts."""
    counts = np.array(table)
    rows, columns = np.indices(counts.shape)
    x, y = (np.repeat(codes.ravel(), counts.ravel()).astype(float) for codes in (rows, columns))
    a, b = ordinal_column("a", x, np.unique(x)), ordinal_column("b", y, np.unique(y))
    return float(polychoric([a, b], np.array([0]), np.array([1])).rho[0])


def test_tetrachoric_of_medians_has_a_closed_form() -> None:
    # Both cut at zero: P(both below) = 1/4 + arcsin(rho) / (2 pi).
    assert pair([[40, 10], [10, 40]]) == pytest.approx(np.sin(2 * np.pi * (0.4 - 0.25)), abs=1e-12)
    assert pair([[25, 25], [25, 25]]) == pytest.approx(0.0, abs=1e-12)


def test_an_empty_cell_gets_one_half_and_margins_stay() -> None:
    assert pair([[30, 0], [10, 20]]) == pytest.approx(pair_counts([[29.5, 0.5], [10.5, 19.5]]))
    larger = pair([[20, 5, 0], [4, 20, 6], [1, 5, 20]])
    assert 0.5 < larger < 0.999


def pair_counts(table: list[list[float]]) -> float:
    """The tetrachoric correlation of fractional counts, by bisection of the upper left cell."""
    counts = np.array(table)
    total = counts.sum()
    h, k = ndtri(counts[0].sum() / total), ndtri(counts[:, 0].sum() / total)
    low, high = -0.9999, 0.9999
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(h, k, middle) < counts[0, 0] / total else (low, middle)
    return low


@pytest.mark.thorough
@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000), st.floats(-0.9, 0.9))
def test_a_large_population_gives_its_correlation_back(seed: int, rho: float) -> None:
    rng = np.random.default_rng(seed)
    cuts = [np.sort(rng.uniform(-1.5, 1.5, size=rng.integers(1, 4))) for _ in range(2)]
    edges = [np.concatenate([[-38.0], cut, [38.0]]) for cut in cuts]
    corners = bivariate_normal_cdf(edges[0][:, None], edges[1][None, :], np.array(rho))
    cells = np.diff(np.diff(corners, axis=0), axis=1)
    if (cells < 5e-4).any():
        return
    counts = np.rint(cells * 1e5).astype(int).tolist()
    assert pair(counts) == pytest.approx(rho, abs=0.005)


def test_order_of_categories_counts_and_their_numbers_do_not() -> None:
    rng = np.random.default_rng(2)
    z = rng.multivariate_normal([0, 0, 0], 0.5 + 0.5 * np.eye(3), size=300)
    x = pd.DataFrame(np.digitize(z, [-0.5, 0.6]), columns=list("abc"))
    first = ordinal_moments(x, list("abc"))
    second = ordinal_moments(x * 10 - 3, list("abc"))
    turned = ordinal_moments(x.assign(a=-x["a"]), list("abc"))
    np.testing.assert_allclose(first.cov, second.cov, atol=1e-13)
    np.testing.assert_allclose(turned.cov[0, 1:], -first.cov[0, 1:], atol=1e-12)
    assert first.statistics[:2] == pytest.approx(-turned.statistics[:2][::-1])


def test_gamma_of_thresholds_is_that_of_proportions() -> None:
    # The delta method: n var(threshold) = p (1 - p) / phi(threshold)^2.
    rng = np.random.default_rng(3)
    x = pd.DataFrame(
        (rng.normal(size=(500, 3)) > [0.2, -0.4, 0.0]).astype(int), columns=list("abc")
    )
    found = ordinal_moments(x, list("abc"))
    p = ndtr(found.thresholds)
    density = np.exp(-(found.thresholds**2) / 2) / np.sqrt(2 * np.pi)
    np.testing.assert_allclose(np.diag(found.gamma)[:3], p * (1 - p) / density**2, rtol=1e-10)


@pytest.mark.slow
def test_gamma_covers_the_spread_over_samples() -> None:
    rng = np.random.default_rng(4)
    made = []
    for _ in range(200):
        z = rng.multivariate_normal([0, 0, 0], 0.5 + 0.5 * np.eye(3), size=400)
        cut = np.digitize(z[:, 1:], [-0.5, 0.6])
        x = pd.DataFrame({"a": z[:, 0], "b": cut[:, 0], "c": cut[:, 1]})
        made.append(ordinal_moments(x, ["b", "c"]))
    spread = np.std([m.statistics for m in made], axis=0)
    told = np.mean([np.sqrt(np.diag(m.gamma) / m.n) for m in made], axis=0)
    # The standard error of a standard deviation of 200 draws is 5 %.
    np.testing.assert_allclose(told, spread, rtol=0.2)


def test_a_diagonal_weight_multiplies_as_the_matrix_that_it_stands_for() -> None:
    rng = np.random.default_rng(3)
    diagonal, vector, table = rng.random(4), rng.random(4), rng.random((4, 3))
    weight, matrix = DiagonalWeight(diagonal), np.diag(diagonal)
    np.testing.assert_allclose(weight @ vector, matrix @ vector)
    np.testing.assert_allclose(weight @ table, matrix @ table)
    np.testing.assert_allclose(table.T @ weight @ table, table.T @ matrix @ table)
    np.testing.assert_allclose(2.0 * weight @ table, 2.0 * matrix @ table)
    later = slice(1, None)
    np.testing.assert_allclose(weight[later, later] @ table[1:], matrix[1:, 1:] @ table[1:])
    with pytest.raises(IndexError, match="same rows and columns"):
        weight[later, slice(None)]


def test_cases_count_in_the_table_of_two_variables_if_they_show_both() -> None:
    codes = np.array([[0, 1], [0, 1], [1, 0], [-1, 1], [1, -1]])
    np.testing.assert_array_equal(_counts(codes, None, 2)[0, :, 1, :], [[0, 2], [1, 0]])
    weights = np.array([1.0, 0.5, 2.0, 7.0, 7.0])
    np.testing.assert_array_equal(_counts(codes, weights, 2)[0, :, 1, :], [[0, 1.5], [2, 0]])


@pytest.mark.thorough
@pytest.mark.parametrize("center", [-2.0, 0.0, 2.0])
@pytest.mark.parametrize("rho", [-0.97, -0.4, 0.0, 0.7, 0.98])
def test_the_search_begins_near_and_ends_at_the_maximum(rho: float, center: float) -> None:
    edges = [np.array([-np.inf, *(center + np.array([-0.5, 0.1, 0.8])), np.inf]) for _ in "ab"]
    corners = bivariate_normal_cdf(edges[0][:, None], edges[1][None, :], np.array(rho))
    counts = np.round(1e5 * np.diff(np.diff(corners, axis=0), axis=1)).astype(int)
    found = pair(counts.tolist())

    def loss(at: float) -> float:
        total, (first, second) = counts.sum(), (counts.sum(axis=1), counts.sum(axis=0))
        cut = [ndtri(margin.cumsum()[:-1] / total) for margin in (first, second)]
        h, k = (np.array([-np.inf, *one, np.inf]) for one in cut)
        grid = bivariate_normal_cdf(h[:, None], k[None, :], np.array(at))
        cells = np.diff(np.diff(grid, axis=0), axis=1)
        return -float((counts * np.log(np.maximum(cells, 1.5e-8))).sum())

    assert loss(found) <= min(loss(found - 1e-4), loss(found + 1e-4))
    assert found == pytest.approx(rho, abs=0.02)


def test_what_cannot_be_estimated_is_refused_or_named() -> None:
    with pytest.raises(ParameterError, match="'x' has no case in category 2 in group 'b'"):
        ordinal_column("x", np.array([1.0, 3.0]), np.array([1.0, 2.0, 3.0]), " in group 'b'")
    with pytest.raises(ParameterError, match="one category only"):
        ordinal_column("x", np.array([1.0, 1.0]), np.array([1.0]))
    same = pd.DataFrame({"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 0, 1, 1] * 10})
    found = ordinal_moments(same, list("abc"))
    assert found.perfect == (("a", "b"),)
    assert found.cov[0, 1] == 0.999
    assert np.isfinite(found.gamma).all()


def polyserial_loss(x: np.ndarray, codes: np.ndarray, rho: float) -> float:
    """Minus the mean log-likelihood of the categories given x, thresholds from the shares."""
    z = (x - x.mean()) / x.std()
    shares = np.cumsum(np.bincount(codes)) / len(codes)
    ends = np.concatenate([[-np.inf], ndtri(shares[:-1]), [np.inf]])
    root = np.sqrt(1 - rho**2)
    p = ndtr((ends[codes + 1] - rho * z) / root) - ndtr((ends[codes] - rho * z) / root)
    return -float(np.log(np.maximum(p, 1e-16)).mean())


@pytest.mark.parametrize("seed", range(40))
def test_polyserial_correlations_are_where_the_likelihood_is_highest(seed: int) -> None:
    """Few cases, values far out, strong correlations of either sign, one or two thresholds."""
    rng = np.random.default_rng(seed)
    n, rho = int(rng.integers(15, 60)), rng.uniform(-1, 1)
    x = rng.normal(size=n) if seed % 4 < 2 else rng.standard_t(1.2, size=n)
    y = rho * x + np.sqrt(1 - rho**2) * rng.normal(size=n) * (0.1 if seed % 2 else 1)
    codes = np.digitize(y, np.quantile(y, ([0.1], [0.3, 0.8], [0.5])[seed % 3]))
    column = ordinal_column("y", codes.astype(float), np.unique(codes).astype(float))
    found = polyserial(numeric_column("x", x), column)
    best: Any = optimize.minimize_scalar(
        lambda at: polyserial_loss(x, codes, at), bounds=(-LARGEST, LARGEST), method="bounded",
        options={"xatol": 1e-9},
    )  # fmt: skip
    assert found.rho == pytest.approx(best.x, abs=2e-5)
    if abs(found.rho) < LARGEST - 1e-6:
        assert float(found.scores.mean()) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("sign", [1, -1])
def test_correlations_of_one_that_orders_the_other_end_at_the_limit(sign: int) -> None:
    x = np.linspace(-2, 2, 30)
    codes = np.digitize(sign * x, [0.0])
    column = ordinal_column("y", codes.astype(float), np.array([0.0, 1.0]))
    assert polyserial(numeric_column("x", x), column).rho == pytest.approx(sign * LARGEST)


def test_scores_of_a_polyserial_correlation_are_slopes_of_each_cases_likelihood() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(2, 3, 25)
    codes = np.digitize(0.3 * x + rng.normal(size=25), [0.0, 1.2])
    column = ordinal_column("y", codes.astype(float), np.array([0.0, 1.0, 2.0]))
    number = numeric_column("x", x)
    found = polyserial(number, column)

    def each(mean: float, variance: float, rho: float, first: float, second: float) -> np.ndarray:
        z = (x - mean) / np.sqrt(variance)
        ends = np.array([-np.inf, first, second, np.inf])
        root = np.sqrt(1 - rho**2)
        p = ndtr((ends[codes + 1] - rho * z) / root) - ndtr((ends[codes] - rho * z) / root)
        return np.log(p) - 0.5 * np.log(variance) - z**2 / 2

    at = np.array([number.mean, number.variance, found.rho, *column.thresholds])
    slopes = [(each(*(at + m)) - each(*(at - m))) / 2e-6 for m in 1e-6 * np.eye(5)]
    assert found.first == pytest.approx(np.column_stack(slopes[:2]), abs=1e-7)
    assert found.scores == pytest.approx(slopes[2], abs=1e-7)
    assert found.second == pytest.approx(np.column_stack(slopes[3:]), abs=1e-7)


def test_the_correlation_of_two_continuous_variables_has_normal_scores() -> None:
    """Also where mean squares are not one, as among the cases that show both variables."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(2, 30)) + rng.normal(size=30)
    whole = numeric_column("x", x), numeric_column("y", y)
    assert pearson(*whole).rho == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
    moved = tuple(NumericColumn(c.name, c.values, c.mean + 0.1, c.variance * 1.3) for c in whole)
    found = pearson(moved[0], moved[1])

    def each(mx: float, vx: float, my: float, vy: float, rho: float) -> np.ndarray:
        a, b = (x - mx) / np.sqrt(vx), (y - my) / np.sqrt(vy)
        rest = 1 - rho**2
        density = -0.5 * (np.log(rest) + (a**2 - 2 * rho * a * b + b**2) / rest)
        return density - 0.5 * np.log(vx * vy)

    at = np.array([moved[0].mean, moved[0].variance, moved[1].mean, moved[1].variance, found.rho])
    slopes = [(each(*(at + m)) - each(*(at - m))) / 2e-6 for m in 1e-6 * np.eye(5)]
    assert slopes[4].mean() == pytest.approx(0, abs=1e-8)
    assert found.scores == pytest.approx(slopes[4], abs=1e-6)
    assert found.first == pytest.approx(np.column_stack(slopes[:2]), abs=1e-6)
    assert found.second == pytest.approx(np.column_stack(slopes[2:4]), abs=1e-6)


@pytest.mark.parametrize("scale", [0.3, 0.7, 1.0, 1.3])
def test_the_correlation_of_incomplete_columns_has_the_highest_likelihood(scale: float) -> None:
    """The normal likelihood with variances of one, by a grid."""
    grid = np.linspace(-0.9999, 0.9999, 20001)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=40)
        b = rng.choice([-0.7, 0.2, 0.9]) * a + rng.normal(size=40)
        a, b = scale * a, scale * b
        square, product = float((a**2 + b**2).mean()), float((a * b).mean())
        loss = np.log(1 - grid**2) + (square - 2 * grid * product) / (1 - grid**2)
        assert _correlation(a, b) == pytest.approx(grid[loss.argmin()], abs=2e-4)


def test_incomplete_columns_that_do_not_go_together_have_correlation_zero() -> None:
    assert _correlation(np.array([1.2, -1.2, 1.2, -1.2]), np.array([1.2, 1.2, -1.2, -1.2])) == 0


def test_an_empty_cell_of_two_by_two_is_filled_and_margins_stay() -> None:
    inside = np.ones((4, 2, 2), bool)
    counts = np.array(
        [[[0, 4], [5, 6]], [[3, 0], [5, 6]], [[3, 4], [0, 6]], [[0, 4], [5, 0]]], float
    )
    kept, perfect = _filled(counts, np.array([[2, 2]] * 4), inside)
    assert perfect.tolist() == [False, False, False, True]
    assert kept.tolist() == [
        [[0.5, 3.5], [4.5, 6.5]], [[2.5, 0.5], [5.5, 5.5]], [[2.5, 4.5], [0.5, 5.5]],
        [[0, 4], [5, 0]],
    ]  # fmt: skip
    assert counts[0, 0, 0] == 0
    wide = np.zeros((1, 3, 3))
    wide[0, :2] = [[1, 0, 2], [0, 3, 4]]
    shown = np.zeros((1, 3, 3), bool)
    shown[0, :2] = True
    large, perfect = _filled(wide, np.array([[2, 3]]), shown)
    assert (large == wide).all()
    assert not perfect.any()
