"""Residuals, mean squares and S-X2 of items and persons are those of their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.brokenitems import broken_items
from gfactor.psychometrics.irt.checks.itemfit import (
    _merged,
    item_fit,
    observed_points,
    person_fit,
    q3,
    residuals,
)
from gfactor.psychometrics.irt.checks.overallfit import overall_fit
from gfactor.psychometrics.irt.documents import document
from gfactor.psychometrics.irt.item_tables import ability_unit


def answers(persons: int = 200, items: int = 6, seed: int = 4) -> Any:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    return pd.DataFrame((rng.random(z.shape) < special.expit(z)).astype(float)).add_prefix("i")


@pytest.fixture(scope="module")
def fit() -> Any:
    return fit_irt("rasch", answers())


@pytest.fixture(scope="module")
def difficulties(fit: Any) -> np.ndarray:
    return fit.items["b"].to_numpy(float)


def test_residuals_are_answers_less_probabilities(fit: Any, difficulties: np.ndarray) -> None:
    theta = np.linspace(-2, 2, 200)
    codes = fit.table.codes.copy()
    codes[3, 2] = -1
    residual, variance = residuals(fit, codes, theta)
    p = special.expit(theta[:, None] - difficulties)
    assert variance == pytest.approx(p * (1 - p), abs=1e-9)
    assert np.isnan(residual[3, 2])
    shown = codes >= 0
    assert residual[shown] == pytest.approx((codes - p)[shown], abs=1e-9)


def test_fit_of_items_is_that_of_answers_predicted_from_the_other_answers(
    fit: Any, difficulties: np.ndarray
) -> None:
    theta = fit.likelihood.nodes[:, 0]
    curves, x = special.expit(theta[:, None] - difficulties), answers().to_numpy()
    prior = np.exp(fit.likelihood.latent(
        fit.likelihood.model.groups[0], fit.optimum.at.values
    ).log_weights[0])  # fmt: skip
    chances = np.where(x[:, None, :] == 1, curves, 1 - curves)
    for j, name in enumerate(fit.table.items):
        rest = prior * np.delete(chances, j, axis=2).prod(axis=2)
        p = (rest @ curves[:, j]) / rest.sum(axis=1)
        # Over the posterior the mean square of two categories is that of the prediction.
        squares = np.where(x[:, j] == 1, (1 - p) / p, p / (1 - p))
        assert fit.item_fit.loc[name, "outfit"] == pytest.approx(squares.mean(), rel=1e-6)


@pytest.mark.thorough
def test_mean_squares_of_items_are_1_on_average_if_the_model_holds() -> None:
    fits = [fit_irt("rasch", answers(420, 12, seed)).item_fit for seed in range(6)]
    for measure in ("infit", "outfit"):
        assert np.mean([one[measure].mean() for one in fits]) == pytest.approx(1, abs=0.015)


@pytest.mark.thorough
def test_s_x2_is_taken_from_the_persons_who_answered_every_item() -> None:
    p_values, fits = [], []
    for seed in range(8):
        gaps = answers(420, 12, 50 + seed)
        gaps = gaps.mask(np.random.default_rng(seed).random(gaps.shape) < 0.03)
        fit = fit_irt("rasch", gaps)
        p_values += [*fit.item_fit["s_x2_p"]]
        assert set(fit.item_fit["s_x2_n"]) == {len(gaps.dropna())}
        fits.append((fit, len(gaps.dropna())))
    assert 0.01 < np.mean(np.array(p_values) < 0.05) < 0.11
    fit, complete = fits[-1]
    assert overall_fit(fit).n == complete
    broken = broken_items(fit, simulations=5)
    (note,) = (d for d in broken.diagnostics if d.code == "s_x2_of_complete")
    assert f"from the {complete} of 420 persons" in note.sentence
    assert "not looked at" not in broken.title


@pytest.mark.thorough
def test_200_persons_who_answered_every_item_are_enough_whatever_their_share() -> None:
    gaps = answers(600, 6, 3)
    gaps.iloc[220:, 0] = np.nan
    fit = fit_irt("rasch", gaps)
    assert set(fit.item_fit["s_x2_n"]) == {220}
    assert overall_fit(fit).n == 220
    gaps.iloc[199:, 0] = np.nan
    few = fit_irt("rasch", gaps)
    assert set(few.item_fit["s_x2_n"]) == {0}
    found = {one["code"]: one for one in document(few)["diagnostics"]}
    assert "199 of 600 persons answered every item, fewer than half and than 200" in str(
        found["no_s_x2"]
    )
    assert "data.dropna()" in str(found["no_m2"])


def test_without_m2_of_groups_no_fit_of_items_is_pointed_to() -> None:
    fit = fit_irt("rasch", answers(400, 6, 3), groups=["f", "m"] * 200)
    found = {one["code"]: str(one) for one in document(fit)["diagnostics"]}
    assert "Fit each group by itself" in found["no_m2"]
    assert "fit of items" not in found["no_m2"]


def test_the_unit_of_ability_is_a_logit_only_where_its_variance_is_estimated() -> None:
    fits = {model: fit_irt(model, answers()) for model in ("rasch", "1pl", "2pl")}
    units = {model: ability_unit(fit.likelihood.model) for model, fit in fits.items()}
    assert units == {"rasch": "logits", "1pl": "standard deviations", "2pl": "standard deviations"}


def test_what_was_not_looked_at_is_named_beside_the_count_of_broken_items() -> None:
    gaps = answers(200)
    gaps.iloc[:120, 0] = np.nan
    broken = broken_items(fit_irt("rasch", gaps), simulations=0)
    assert broken.title.endswith("items have something wrong (not looked at: S-X2, Q3, outfit)")
    (note,) = (d for d in broken.diagnostics if d.code == "no_s_x2")
    assert "80 of 200 persons answered every item" in note.sentence


def test_fit_of_persons_is_taken_at_eap_abilities(fit: Any, difficulties: np.ndarray) -> None:
    theta = fit.scores("eap")["theta"].to_numpy()
    p = special.expit(theta[:, None] - difficulties)
    x = answers().to_numpy()
    z2 = (x - p) ** 2 / (p * (1 - p))
    items: Any = item_fit(fit)
    persons: Any = person_fit(fit)
    pd.testing.assert_frame_equal(fit.item_fit, items)
    pd.testing.assert_frame_equal(fit.person_fit, persons)
    assert persons["outfit"].to_numpy() == pytest.approx(z2.mean(axis=1), rel=1e-6)
    weighed = (z2 * p * (1 - p)).sum(axis=1) / (p * (1 - p)).sum(axis=1)
    assert persons["infit"].to_numpy() == pytest.approx(weighed, rel=1e-6)
    log = np.where(x == 1, np.log(p), np.log(1 - p)).sum(axis=1)
    mean = (p * np.log(p) + (1 - p) * np.log(1 - p)).sum(axis=1)
    spread = (p * (1 - p) * np.log(p / (1 - p)) ** 2).sum(axis=1)
    assert persons["zh"].to_numpy() == pytest.approx((log - mean) / np.sqrt(spread), rel=1e-6)
    expected = pd.DataFrame(x - p).corr().to_numpy()
    assert q3(fit).to_numpy() == pytest.approx(expected, abs=1e-6)
    # S-X2 of six items has at most five scores, less the one parameter of the item.
    assert (items["s_x2_df"] <= 4).all()
    assert items["s_x2_p"].to_numpy() == pytest.approx(
        stats.chi2.sf(items["s_x2"], items["s_x2_df"])
    )


def rows(*given: tuple[float, float, float]) -> list[np.ndarray]:
    """Persons, expected right and expected wrong of each score; the observed is told by place."""
    return [np.array([n, k, right, wrong]) for k, (n, right, wrong) in enumerate(given)]


def test_scores_with_small_expectations_are_merged_inwards_or_into_the_smaller_neighbor() -> None:
    fine = rows((9, 4, 5), (8, 4, 4), (9, 5, 4))
    assert [list(r) for r in _merged([*fine], 1.0)] == [list(r) for r in fine]
    first = _merged(rows((4, 0.5, 3.5), (8, 4, 4), (9, 5, 4)), 1.0)
    assert [r[0] for r in first] == [12, 9]
    last = _merged(rows((9, 5, 4), (8, 4, 4), (4, 3.9, 0.1)), 1.0)
    assert [r[0] for r in last] == [9, 12]
    left = _merged(rows((7, 5, 2), (4, 0.5, 3.5), (8, 4, 4)), 1.0)
    assert [r[0] for r in left] == [11, 8]
    right = _merged(rows((9, 5, 4), (4, 0.5, 3.5), (8, 4, 4)), 1.0)
    assert [r[0] for r in right] == [9, 12]
    assert right[1].tolist() == [12, 1 + 2, 4.5, 7.5]
    alone = _merged(rows((1, 0.5, 0.5), (6, 3, 3), (7, 3, 4), (1, 0.5, 0.5)), 0.1)
    assert [r[0] for r in alone] == [7, 8]
    assert [r[0] for r in _merged(rows((3, 2.0, 1.0), (3, 1.0, 2.0)), 1.0)] == [3, 3]
    assert len(_merged(rows((3, 2, 0.5), (3, 0.5, 2)), 5.0)) == 1


def test_observed_shares_of_a_class_have_wilsons_interval(fit: Any) -> None:
    found: Any = observed_points(fit, ["i2"], points=4)
    assert found["n"].sum() == 200
    assert (found["category"] == 1).all()
    assert found["theta"].is_monotonic_increasing
    assert set(found["point"]) <= {1, 2, 3, 4}
    assert found["point"].is_monotonic_increasing
    for row in found.to_dict("records"):
        low, high = wilson(row["share"] * row["n"], row["n"])
        assert (row["share_low"], row["share_high"]) == pytest.approx((float(low), float(high)))
    assert (found["n"] @ found["share"]) == pytest.approx(answers()["i2"].sum())
    # Under the model at its estimates all expected right answers are as many as those observed.
    assert (found["n"] @ found["expected"]) == pytest.approx(answers()["i2"].sum(), rel=0.02)
    with pytest.raises(ParameterError, match="no item 'q' in the fit"):
        observed_points(fit, ["q"])
    assert len(observed_points(fit, ["i0", "i1"], points=1)) == 2
