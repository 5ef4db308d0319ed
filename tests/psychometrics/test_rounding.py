"""Equal in exact arithmetic means equal: order, choice and zeros do not hang on the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.exploratory import efa, rotate
from gfactor.psychometrics.irt.scales.linking import link
from gfactor.psychometrics.rounding import cleared, descending, first_largest, magnitude
from gfactor.results import _number  # pyright: ignore[reportPrivateUsage]


def test_ties_up_to_rounding_stand_in_their_given_order() -> None:
    values = [1.0, 3.0 - 1e-12, np.nan, 3.0, 1.0 + 1e-13, 0.0, 1e-16]
    assert descending(values).tolist() == [1, 3, 0, 4, 5, 6, 2]
    assert descending([1.0, 1.0 + 3e-6]).tolist() == [1, 0]
    assert first_largest([2.0, 5.0, 5.0 + 1e-9]) == 1
    assert descending([]).tolist() == []


def test_only_what_is_zero_up_to_rounding_becomes_zero() -> None:
    assert cleared([1e-12, -1e-12, 1e-9, np.nan]).tolist()[:3] == [0.0, 0.0, 1e-9]
    assert cleared([1e-9, 1e-9], [1e3, 1.0]).tolist() == [0.0, 1e-9]


def test_a_gradient_is_told_by_its_power_of_ten() -> None:
    assert [magnitude(g) for g in (0.0, 3e-16, 1e-8, 2e-8, 0.1, 0.3)] == [
        1e-8, 1e-8, 1e-8, 1e-7, 0.1, 1.0,
    ]  # fmt: skip
    assert np.isnan(magnitude(np.nan))


def test_a_number_half_way_between_two_prints_is_printed_alike_on_every_machine() -> None:
    assert {_number(0.2875 + k * 2.0**-54) for k in range(-3, 4)} == {_number(0.2875)}
    assert [_number(v) for v in (0.28749999, 0.0, 1e-5, 12.0)] == [
        "0.287",
        "0.000",
        "1.0e-05",
        "12.000",
    ]


def test_a_zero_is_printed_without_a_sign() -> None:
    assert _number(-0.0) == _number(0.0) == "0.000"


def of_two_factors(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    f = rng.multivariate_normal([0, 0], [[1, 0.4], [0.4, 1]], n)
    loadings = np.array([[0.8, 0], [0.7, 0.2], [0.6, 0], [0, 0.8], [0.2, 0.7], [0, 0.6]])
    noise = rng.normal(size=(n, 6))
    return pd.DataFrame(f @ loadings.T + 0.6 * noise, columns=[f"x{k}" for k in range(1, 7)])


MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
SECOND_ORDER = "f1 =~ x1 + x2\nf2 =~ x3 + x4\nf3 =~ x5 + x6\ng =~ f1 + f2 + f3"


@pytest.mark.thorough
@pytest.mark.parametrize("model", [MODEL, SECOND_ORDER])
def test_equivalent_changes_of_a_model_stand_in_the_order_of_the_model(model: str) -> None:
    """Freeing equivalent parameters gains exactly the same: rounding must not order them."""
    data = of_two_factors()
    plain = sem.modification_indices(sem.fit(model, data))
    names = ["lhs", "op", "rhs"]
    assert np.isclose(np.diff(plain["mi"]), 0, atol=1e-6 * plain["mi"].max()).any()
    rng = np.random.default_rng(1)
    for _ in range(3):
        moved = data.sample(frac=1, random_state=1) * (1 + 1e-12 * rng.uniform(-1, 1, data.shape))
        found = sem.modification_indices(sem.fit(model, moved))
        assert found[names].equals(plain[names])
        np.testing.assert_allclose(found["epc"], plain["epc"], rtol=1e-6, atol=1e-8)


def test_a_model_that_reproduces_everything_leaves_nothing() -> None:
    fit = sem.fit("x1 ~ x2 + x3", of_two_factors(), meanstructure=True)
    for kind in ("raw", "cor", "normalized", "standardized"):
        assert (fit.residuals(kind) == 0).all(axis=None)
    assert fit.measures["srmr"] == fit.measures["fmin"] == fit.measures["chisq"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("rotation", ["geomin", "oblimin", "varimax", "quartimax"])
def test_rotated_loadings_move_no_more_than_the_data(rotation: Any) -> None:
    data = of_two_factors()
    plain = efa(data, 2, rotation=rotation).loadings
    rng = np.random.default_rng(2)
    for seed in range(3):
        moved = data.sample(frac=1, random_state=seed)
        moved = moved * (1 + 1e-12 * rng.uniform(-1, 1, data.shape))
        found = efa(pd.DataFrame(moved[data.columns[::-1]]), 2, rotation=rotation).loadings
        np.testing.assert_allclose(found.loc[plain.index], plain, atol=1e-10)


def test_a_rotation_ends_where_the_criterion_has_no_slope() -> None:
    rng = np.random.default_rng(7)
    loadings = np.kron(np.eye(4), [[0.8], [0.7], [0.6], [0.5]]) + rng.normal(0, 0.1, (16, 4))
    one = rotate(loadings, "geomin", starts=5, seed=1)
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    other = rotate(loadings @ turn, "geomin", starts=5, seed=1)
    assert one.value == pytest.approx(other.value, rel=1e-12)
    np.testing.assert_allclose(one.loadings, other.loadings, atol=1e-10)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["haebara", "stocking-lord"])
def test_linking_errors_move_no_more_than_the_items(method: Any) -> None:
    rng = np.random.default_rng(3)
    old = pd.DataFrame({"a": rng.uniform(0.7, 1.6, 12), "b": rng.normal(size=12)})
    new = pd.DataFrame({"a": old["a"] * 1.2, "b": (old["b"] - 0.3) / 1.2})
    new += rng.normal(0, 0.05, new.shape)
    error = np.diag(rng.uniform(0.01, 0.02, 24))
    plain = link(old, new, method=method, old_vcov=error, new_vcov=error)
    moved = 1 + 1e-12 * rng.uniform(-1, 1, old.shape)
    found = link(old * moved, new / moved, method=method, old_vcov=error, new_vcov=error)
    for name in ("slope", "intercept", "slope_se", "intercept_se"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name), rel=1e-8), name
