"""The warning that one factor does not fit: rare for data of one ability, usual for data of two."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.classical.consistency.one_factor import one_factor_misfit
from gfactor.psychometrics.diagnostic import Diagnostic

SLOPES = {"rasch": (1.3, 1.5), "2pl": (1.7, 1.5), "steep": (2.0, 2.5)}
"""Slopes of 0/1 items, and difficulties from minus to plus."""


def _answers(ability: np.ndarray, k: int, kind: str, rng: np.random.Generator) -> pd.DataFrame:
    """Indicators of abilities (n, 1), or (n, k) with one for each indicator."""
    n = len(ability)
    if kind == "normal":
        x = 0.6 * ability + 0.8 * rng.normal(size=(n, k))
    else:
        slope, spread = SLOPES[kind]
        logits = slope * (ability - np.linspace(-spread, spread, k))
        x = (rng.random((n, k)) < 1 / (1 + np.exp(-logits))).astype(float)
    table = pd.DataFrame(x).add_prefix("x")
    return table.loc[:, table.std() > 0]


def _one(n: int, k: int, kind: str, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return _answers(rng.normal(size=(n, 1)), k, kind, rng)


def _two(n: int, k: int, kind: str, seed: int) -> pd.DataFrame:
    """Every second indicator measures a second ability, which correlates .3 with the first."""
    rng = np.random.default_rng(seed)
    first, other = rng.normal(size=(2, n, 1))
    second = 0.3 * first + np.sqrt(0.91) * other
    return _answers(np.where(np.arange(k) % 2, first, second), k, kind, rng)


def _misfit(x: pd.DataFrame) -> list[Diagnostic]:
    fit = sem.fit(f"g =~ {' + '.join(x.columns)}", x, estimator="MLR", std_lv=True)
    return one_factor_misfit(fit, x)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["normal", "rasch", "steep"])
def test_few_persons_with_one_ability_are_not_said_to_have_several(kind: str) -> None:
    assert not any(_misfit(_one(60, 24, kind, seed)) for seed in range(3))


def test_items_of_unequal_difficulty_are_no_second_ability() -> None:
    assert not any(_misfit(_one(400, 24, "steep", seed)) for seed in range(3))


@pytest.mark.parametrize("kind", ["normal", "2pl"])
def test_two_abilities_are_found_with_200_persons(kind: str) -> None:
    (warning,) = _misfit(_two(200, 24, kind, 2))
    assert warning.code == "one_factor_misfits"
    assert warning.values["rmsea"] > 0.05
    assert "RMSEA 0." in warning.sentence


def test_fewer_than_one_and_a_half_persons_per_indicator_are_not_tested() -> None:
    assert not _misfit(_two(35, 24, "normal", 1))
    assert _misfit(_two(120, 24, "normal", 1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "rasch", "steep"])
@pytest.mark.parametrize("k", [8, 12, 24])
@pytest.mark.parametrize("n", [40, 60, 100, 400])
def test_one_ability_gets_the_warning_in_at_most_five_of_a_hundred_samples(
    n: int, k: int, kind: str
) -> None:
    runs = 100
    warned = 0
    for seed in range(runs):
        try:
            warned += bool(_misfit(_one(n, k, kind, 1000 + seed)))
        except ParameterError:  # The items have no covariance matrix with an inverse.
            continue
    # With a rate of 5 %, more than 9 of 100 samples happen in 3 %.
    assert warned <= 9


@pytest.mark.slow
@pytest.mark.parametrize(("k", "kind"), [(8, "normal"), (12, "normal"), (24, "normal"),
                                         (12, "2pl"), (24, "2pl")])  # fmt: skip
def test_two_abilities_get_the_warning_in_most_samples_of_200(k: int, kind: str) -> None:
    warned = sum(bool(_misfit(_two(200, k, kind, 2000 + seed))) for seed in range(40))
    assert warned >= 30
