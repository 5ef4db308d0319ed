"""Right answers where the scale says that a model should be wrong, and wrong keys."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of
from gfactor.psychometrics.inference.inflation_each import inflation_of_each
from gfactor.psychometrics.inference.inflation_fit import beyond, misfits

PUBLIC = [f"public{k}" for k in range(300)]
FRESH = [f"fresh{k}" for k in range(300)]
WRONG = PUBLIC[:20]
"""Items whose published key is wrong: able models miss it, others hit it by chance."""


def answers(seed: int, models: int = 31, learned: int = 0, agreeing: float = 0.0) -> pd.DataFrame:
    """Models of one ability; the first has learned the hardest items, or wrong keys, by heart."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 0.8, (models, 1))
    theta[0] = 0.2
    easiness = rng.normal(0.3, 1.2, 600)
    right = rng.random((models, 600)) < special.expit(theta + easiness)
    right[:, :20] = rng.random((models, 20)) < special.expit(-1 - 0.6 * theta)
    right[0, np.argsort(easiness[:300])[:learned]] = True
    right[0, :20] |= rng.random(20) < agreeing
    return pd.DataFrame(right * 1.0, [f"m{k}" for k in range(models)], [*PUBLIC, *FRESH])


def examined(table: pd.DataFrame, **options: Any) -> Inflation:
    given: dict = {"examinee": "m0", "public": PUBLIC, "fresh": FRESH, **options}
    return inflation_of(table, **given)


def row(found: Inflation, test: str) -> dict[str, Any]:
    return found.tests.set_index("test").loc[test].to_dict()


@cache
def p_values(test: str, learned: int = 0, agreeing: float = 0.0, draws: int = 200) -> np.ndarray:
    """Of the first model if it has learned something, else of the second, of any ability."""
    examinee = "m0" if learned or agreeing else "m1"
    tables = (answers(5000 + k, learned=learned, agreeing=agreeing) for k in range(draws))
    found = (examined(table, examinee=examinee, wrong_keys=WRONG) for table in tables)
    return np.array([row(one, test)["p"] for one in found])


def test_misfit_is_the_score_of_a_slope_below_one_at_the_ability_of_the_models_own_total() -> None:
    form = np.array(answers(1, models=8)[FRESH])
    form[2, :40] = np.nan
    for k in (0, 2):
        others = np.delete(form, k, axis=0)
        right, n = np.nansum(others, axis=0), (~np.isnan(others)).sum(axis=0)
        b, x = np.log((right + 0.5) / (n - right + 0.5)), form[k]
        b, x = b[~np.isnan(x)], x[~np.isnan(x)]
        ability: Any = optimize.brentq(
            lambda a, b=b, x=x: special.expit(a + b).sum() - x.sum(), -9, 9
        )

        def log_likelihood(slope: float, ability: float, b: Any = b, x: Any = x) -> float:
            z = ability + slope * b
            return float((x * z - np.logaddexp(0, z)).sum())

        step = 1e-4
        score = log_likelihood(1 + step, ability) - log_likelihood(1 - step, ability)
        p = special.expit(ability + b)
        w = p * (1 - p)
        information = (w * b**2).sum() - (w * b).sum() ** 2 / w.sum()
        assert misfits(form)[k] == pytest.approx(
            -score / (2 * step) / np.sqrt(information), rel=1e-4
        )


def test_a_model_with_everything_or_nothing_right_has_no_misfit() -> None:
    form = np.array(answers(1, models=8)[FRESH])
    form[1], form[2] = 1.0, 0.0
    assert np.isnan(misfits(form)).tolist() == [False, True, True, *[False] * 5]
    table = answers(1)
    table.loc["m0", PUBLIC] = 1.0
    assert not row(examined(table), "fit")["offered"]


def test_beyond_is_the_prediction_of_a_regression_on_few_references() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=13)
    y = 1 + 2 * x + rng.normal(size=13)
    line: Any = stats.linregress(x[1:], y[1:])
    rest = y[1:] - line.intercept - line.slope * x[1:]
    mean, n = x[1:].mean(), 12
    error = np.sqrt(
        rest @ rest / (n - 2) * (1 + 1 / n + (x[0] - mean) ** 2 / ((x[1:] - mean) ** 2).sum())
    )
    by_hand = (y[0] - line.intercept - line.slope * x[0]) / error
    statistic, p = beyond(y, x)
    assert statistic == pytest.approx(by_hand)
    assert p == pytest.approx(stats.t.sf(by_hand, n - 2))
    assert np.isnan(beyond(y[:5], x[:5])).all()
    assert np.isnan(beyond(np.r_[np.nan, y[1:]], x)).all()
    flat = beyond(np.r_[1.0, np.zeros(12)], x)
    assert np.isnan(flat).all()


def test_hard_items_learned_by_heart_are_a_misfit() -> None:
    found = examined(answers(11, learned=45))
    assert row(found, "fit")["p"] < 0.02
    assert row(examined(answers(11)), "fit")["p"] > 0.05


def test_agreement_with_wrong_keys_is_found_and_that_of_an_honest_model_is_not() -> None:
    assert row(examined(answers(12, agreeing=0.7), wrong_keys=WRONG), "keys")["p"] < 0.02
    assert row(examined(answers(12), wrong_keys=WRONG), "keys")["p"] > 0.05


def test_wrong_keys_are_told_by_the_references_of_the_examinees_ability() -> None:
    """Of agreement on the logit scale, the part that fresh accuracy does not predict."""
    table = answers(13, models=14)
    found = row(examined(table, wrong_keys=WRONG), "keys")
    agreed, right = table[WRONG].sum(axis=1).to_numpy(), table[FRESH].sum(axis=1).to_numpy()
    y = np.log((agreed + 0.5) / (20.5 - agreed))
    x = np.log((right + 0.5) / (300.5 - right))
    assert (found["statistic"], found["p"]) == pytest.approx(beyond(y, x))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("models", "wrong", "fit", "keys"),
    [
        (19, (), False, False), (20, (), True, False), (5, WRONG, False, False),
        (6, WRONG, False, True), (6, WRONG[:9], False, False), (6, WRONG[:10], False, True),
        (1, WRONG, False, False),
    ],
)  # fmt: skip
def test_misfit_needs_nineteen_references_and_wrong_keys_five_and_ten_items(
    models: int, wrong: Any, fit: bool, keys: bool
) -> None:
    tests = examined(answers(2, models=models), wrong_keys=wrong).tests.set_index("test")["offered"]
    assert (bool(tests["fit"]), bool(tests["keys"])) == (fit, keys)


def test_wrong_keys_are_of_public_items() -> None:
    with pytest.raises(ParameterError, match="'fresh0', whose key is said to be wrong, is not a p"):
        examined(answers(2), wrong_keys=["public1", "fresh0"])


def test_with_too_many_models_for_the_references_the_result_says_so() -> None:
    """The most extreme of 20 has p of 10/30 of a t test and 20/30 of a rank of half of 1 in 21."""
    table = answers(3, models=24, learned=45)
    table.loc["m0", PUBLIC] = 1.0
    references = [f"m{k}" for k in range(4, 24)]
    found = {
        n: inflation_of_each(
            table, examinees=[f"m{k}" for k in range(n)], references=references,
            public=PUBLIC, fresh=FRESH,
        )
        for n in (3, 4)
    }  # fmt: skip
    least = {n: one.models[["p_t", "adjusted_t"]].to_numpy(float).min(axis=0)
             for n, one in found.items()}  # fmt: skip
    assert least[3][0] == pytest.approx(20 / 30 / 42, abs=1e-4)
    assert [d.code for d in found[3].diagnostics if d.code.startswith("few_references_for")] == []
    assert least[3][1] < 0.05
    assert "few_references_for_models" in [d.code for d in found[4].diagnostics]
    assert least[4][1] > 0.05


def test_of_several_models_the_p_values_of_both_are_adjusted() -> None:
    found = inflation_of_each(
        answers(12, agreeing=0.7), examinees=["m0", "m1"], public=PUBLIC, fresh=FRESH,
        wrong_keys=WRONG,
    ).models  # fmt: skip
    assert found.loc["m0", "adjusted_keys"] == pytest.approx(2 * min(found["p_keys"]))
    assert "adjusted_fit" in found


@pytest.mark.slow
@pytest.mark.parametrize("test", ["fit", "keys"])
def test_honest_models_are_accused_in_5_of_100(test: str) -> None:
    """Of 200 draws of 30 references, within three Monte Carlo errors."""
    assert (p_values(test) <= 0.05).mean() == pytest.approx(0.05, abs=0.046)


@pytest.mark.slow
def test_what_is_learned_is_mostly_found() -> None:
    assert (p_values("fit", learned=45, draws=40) <= 0.05).mean() > 0.8
    assert (p_values("keys", agreeing=0.7, draws=40) <= 0.05).mean() > 0.8
