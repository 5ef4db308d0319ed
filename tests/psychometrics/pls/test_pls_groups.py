"""Groups compared by permutation: MICOM's steps by brute force, and where they must (not) hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.pls import compare_groups_pls, fit_pls

MODEL = "A =~ a1 + a2 + a3; B =~ b1 + b2 + b3; B ~ A"


def made(seed: int, n: int = 300, *, weight: float = 0.8, shift: float = 0.0, spread: float = 1.0,
         slope: float = 0.5) -> Any:  # fmt: skip
    """Two groups; in the second a1 measures with another `weight`, A has another mean, its
    indicators another `spread`, and the path another `slope`. Typed Any because pandas leaves
    the types of its operations open."""
    rng = np.random.default_rng(seed)
    second = np.arange(n) % 2 == 1
    a = rng.normal(size=n) + np.where(second, shift, 0.0)
    b = np.where(second, slope, 0.5) * a + 0.8 * rng.normal(size=n)
    columns = {f"a{k}": 0.8 * a + 0.6 * rng.normal(size=n) for k in (1, 2, 3)}
    columns["a1"] = np.where(second, weight, 0.8) * a + 0.6 * rng.normal(size=n)
    columns = {name: values * np.where(second, spread, 1.0) for name, values in columns.items()}
    columns |= {f"b{k}": 0.8 * b + 0.6 * rng.normal(size=n) for k in (1, 2, 3)}
    return pd.DataFrame(columns).assign(group=np.where(second, "south", "north"))


def compared(data: Any, **changes: Any) -> Any:
    fit = fit_pls(MODEL, data)
    return compare_groups_pls(fit, data["group"], permutations=199, seed=1, **changes)


@pytest.mark.thorough
def test_the_steps_are_those_of_scores_made_by_hand() -> None:
    data = made(3, weight=0.3, shift=0.4, spread=1.5, slope=0.1)
    found = compared(data).composites.set_index("construct").loc["A"]
    names = ["a1", "a2", "a3"]
    whole = fit_pls(MODEL, data)
    z = (data[names] - data[names].mean()) / data[names].std()
    south = (data["group"] == "south").to_numpy()
    parts = [fit_pls(MODEL, data.loc[one]) for one in (~south, south)]
    scores = [z.to_numpy() @ part.weights.loc[names, "A"].to_numpy() for part in parts]
    assert found["correlation"] == pytest.approx(np.corrcoef(*scores)[0, 1], rel=1e-9)
    all_cases = z.to_numpy() @ whole.weights.loc[names, "A"].to_numpy()
    all_cases = all_cases / all_cases.std(ddof=1)
    north, other = all_cases[~south], all_cases[south]
    assert found["mean_difference"] == pytest.approx(north.mean() - other.mean(), rel=1e-9)
    ratio = np.log(north.var(ddof=1) / other.var(ddof=1))
    assert found["log_variance_ratio"] == pytest.approx(ratio, rel=1e-9)
    paths = compared(data).paths.iloc[0]
    assert paths["north"] == pytest.approx(parts[0].paths.loc["A", "B"], rel=1e-9)
    assert paths["difference"] == pytest.approx(paths["north"] - paths["south"])
    assert paths["p"] < 0.05


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "full"),
        ({"shift": 1.0}, "partial"),
        ({"spread": 2.0}, "partial"),
        ({"weight": -0.2}, "none"),
    ],
)
def test_every_step_fails_where_the_groups_differ_in_it(
    changes: dict[str, Any], verdict: str
) -> None:
    found = compared(made(5, **changes)).composites.set_index("construct")
    assert found.loc["A", "invariance"] == verdict


@pytest.mark.thorough
def test_a_summary_says_that_paths_are_not_comparable_before_it_shows_them() -> None:
    data = made(5, weight=-0.2)
    finding = "differences of A to B are no finding"
    first, *rest = compared(data).summary().splitlines()
    assert finding in first
    assert not any("comparable" in line for line in rest)
    fit = gf.pls(MODEL, data, group="group", permutations=199, seed=1)
    assert finding in fit.summary().splitlines()[0]
    further = fit.further["groups"].summary()
    assert further.splitlines()[1].startswith("Not comparable between the groups: A and its")
    assert further in fit.summary()
    paragraph = fit.further["groups"].paragraph()
    assert paragraph.index("not comparable") < paragraph.index("Standardized paths")
    comparable = gf.pls(MODEL, made(5), group="group", permutations=199, seed=1)
    assert "omparable" not in comparable.summary()


@pytest.mark.slow
def test_random_groups_differ_in_about_five_percent() -> None:
    """Of 200 pairs of groups from one population, each step rejects 2 to 16 (99.9 % of binomial
    draws at .05 with 200 trials lie in 1 to 21)."""
    rejected = np.zeros(3)
    for seed in range(200):
        data = made(100 + seed, 80)
        fit = fit_pls(MODEL, data)
        found = compare_groups_pls(fit, data["group"], permutations=99, seed=seed).composites
        values = found.loc[0, ["p_composition", "p_mean", "p_variance"]].to_numpy(float)
        rejected += values < 0.05
    assert (rejected >= 1).all()
    assert (rejected <= 21).all()


def test_the_seed_gives_the_same_and_names_of_rows_align_the_groups() -> None:
    data = made(7)
    data.loc[4, "a1"] = np.nan
    fit = fit_pls(MODEL, data, missing="listwise")
    one = compare_groups_pls(fit, data["group"], permutations=50, seed=2)
    same = compare_groups_pls(fit, data["group"].drop(index=4).tolist(), permutations=50, seed=2)
    assert one.to_dict() == same.to_dict()
    assert one.sizes == (149, 150)
    other = compare_groups_pls(fit, data["group"], permutations=50, seed=3)
    assert other.to_dict() != one.to_dict()
    assert "149" in one.summary()


def test_small_groups_are_a_warning() -> None:
    data = made(8, 60).assign(group=["few"] * 8 + ["many"] * 52)
    assert next(one.code for one in compared(data).diagnostics) == "small_group"


def test_what_cannot_be_compared_is_a_sentence() -> None:
    data = made(9)
    fit = fit_pls(MODEL, data)
    with pytest.raises(ParameterError, match="there are 3"):
        compare_groups_pls(fit, ["a", "b", "c"] * 100)
    with pytest.raises(ParameterError, match="one per row"):
        compare_groups_pls(fit, ["a", "b"])
    with pytest.raises(ParameterError, match="has no group"):
        compare_groups_pls(fit, data["group"].where(data.index > 0).tolist())
    still = fit_pls(MODEL, data.assign(a1=data["a1"].where(data["group"] == "north", 1.0)))
    with pytest.raises(ParameterError, match="cannot be fitted in one of the groups"):
        compare_groups_pls(still, data["group"])
    more = data.assign(c=data["a1"] + data["b1"] ** 2)
    moderated = fit_pls(MODEL + "; C =~ c; C ~ A + B + A:B", more)
    with pytest.raises(ParameterError, match="without interactions"):
        compare_groups_pls(moderated, data["group"])
    with pytest.raises(ParameterError, match="too few"):
        compare_groups_pls(fit, data["group"], permutations=1)
