"""Items of models that fix or share slopes are judged by the slope that they would have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats
from support.tiers import few

from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.brokenitems import FLAT, broken_items
from gfactor.psychometrics.irt.checks.freed_slopes import freed_slope, own_slopes


def _rasch_data(persons: int, items: int, sd: float, seed: int, more: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    theta = sd * rng.normal(size=(persons, 1))
    z = theta - np.r_[np.linspace(-1.5, 1.5, items), np.zeros(more)]
    return pd.DataFrame((rng.random(z.shape) < special.expit(z)) * 1.0).add_prefix("q")


def test_the_freed_slope_is_that_of_a_model_in_which_it_alone_is_free() -> None:
    data = _rasch_data(400, 6, 1.0, seed=2)
    data.iloc[:40, 1] = np.nan
    fit = fit_irt("rasch", data)
    values: Any = fit.parameters.pivot(index="item", columns="parameter", values="estimate")
    others = values.loc[[f"q{k}" for k in (0, 2, 3, 4, 5)], "d"].to_numpy(float)
    variance = float(fit.latent.set_index("parameter").loc["COV_11", "estimate"])
    theta, answered = np.linspace(-6, 6, 61), data["q1"].notna()
    curves = special.expit(theta[:, None] + others)
    seen: Any = data[answered]
    rows = seen[["q0", "q2", "q3", "q4", "q5"]].to_numpy()
    density = (
        np.exp(-0.5 * theta**2 / variance)[:, None]
        * np.prod(np.where(rows[:, None, :] == 1, curves, 1 - curves), axis=2).T
    )
    density /= density.sum(axis=0)

    def loss(x: np.ndarray) -> float:
        p = special.expit(x[0] * theta + x[1]) @ density
        return -float(np.log(np.where(data["q1"][answered] == 1, p, 1 - p)).sum())

    best = optimize.minimize(loss, [1.0, 0.0], method="BFGS")
    at_flat = optimize.minimize(lambda d: loss(np.array([1.2, d[0]])), [0.0], method="BFGS")
    freed = freed_slope(fit, 1, 1.2)
    assert freed.slope == pytest.approx(best.x[0], abs=1e-3)
    assert best.x[0] < 1.2
    root = np.sqrt(2 * (at_flat.fun - best.fun))
    assert freed.p_flat == pytest.approx(stats.norm.sf(root), abs=1e-3)
    assert freed.p_negative == 1.0


@pytest.mark.thorough
@pytest.mark.parametrize("sd", few((0.3, 0.7, 1.5), 1))
def test_at_most_one_in_twenty_sound_items_is_called_flat_whatever_the_spread(sd: float) -> None:
    flagged = [
        len(broken_items(fit_irt("rasch", _rasch_data(420, 12, sd, seed)), simulations=0)
            .table.query("measure == 'freed slope'"))
        for seed in range(3)
    ]  # fmt: skip
    assert sum(flagged) <= 0.05 * 3 * 12


@pytest.mark.thorough
@pytest.mark.parametrize("model", ["rasch", "1pl"])
def test_an_item_of_noise_and_one_of_a_wrong_key_are_named_where_slopes_are_shared(
    model: str,
) -> None:
    data = _rasch_data(500, 10, 1.0, seed=1)
    noise = data.sum(axis=1).rank(method="first") % 2  # As often by weak as by able ones.
    for name, item, reason in (
        ("noise", noise, "negative_slope"),
        ("turned", 1 - _rasch_data(500, 10, 1.0, seed=1, more=1)["q10"], "negative_discrimination"),
    ):
        table = broken_items(fit_irt(model, data.assign(**{name: item})), simulations=0).table
        found = table.query("measure == 'freed slope'")
        assert dict(zip(found["item"], found["reason"], strict=True)) == {name: reason}
        assert float(found["statistic"].iloc[0]) < FLAT


def test_the_freed_slope_is_relative_to_the_models() -> None:
    data = _rasch_data(300, 6, 0.8, seed=3)
    rasch, shared = (freed_slope(fit_irt(m, data), 2, FLAT) for m in ("rasch", "1pl"))
    assert shared.slope == pytest.approx(rasch.slope, abs=2e-3)


def test_slopes_are_an_items_own_only_where_no_other_item_has_them() -> None:
    data = _rasch_data(300, 4, 1.0, seed=4)
    assert own_slopes(fit_irt("2pl", data)).all()
    assert not own_slopes(fit_irt("1pl", data)).any()
    mixed = fit_irt({"q0": "2pl", "q1": "rasch", "q2": "rasch", "q3": "rasch"}, data)
    assert own_slopes(mixed).tolist() == [True, False, False, False]


@pytest.mark.thorough
def test_a_flat_item_of_categories_is_named_in_a_rating_scale() -> None:
    rng = np.random.default_rng(6)
    theta = rng.normal(size=(400, 1))
    graded = sum((rng.random((400, 6)) < special.expit(theta - b)) * 1 for b in (-1, 0, 1))
    data = pd.DataFrame(graded).add_prefix("i")
    data["noise"] = rng.permutation(data["i2"].to_numpy())
    for model in ("rsm", "pcm"):
        table = broken_items(fit_irt(model, data), simulations=0).table
        assert "noise" in set(table.query("measure == 'freed slope'")["item"]), model
