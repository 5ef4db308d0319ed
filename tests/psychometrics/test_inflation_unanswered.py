"""Items without an answer: they drop out for all models, and the result says what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics.inference.form_completion import completed
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of

PUBLIC = [f"public{k}" for k in range(200)]
FRESH = [f"fresh{k}" for k in range(200)]


def answers(seed: int, models: int = 26) -> pd.DataFrame:
    """Answers of honest models; items are listed from hard to easy, and ability counts for less on
    hard ones."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 0.8, (models, 1))
    easiness = np.sort(rng.normal(0.8, 1.3, (2, 200))).ravel()
    slope = 1 / (1 + np.exp(-easiness))
    right = rng.random((models, 400)) < 1 / (1 + np.exp(-slope * theta - easiness))
    return pd.DataFrame(right * 1.0, [f"m{k}" for k in range(models)], [*PUBLIC, *FRESH])


def examined(table: pd.DataFrame, **options: Any) -> Inflation:
    given: dict = {"examinee": "m0", "public": PUBLIC, "fresh": FRESH, **options}
    return inflation_of(table, **given)


def codes(found: Inflation) -> dict[str, str]:
    return {one.code: one.severity for one in found.diagnostics}


@pytest.mark.parametrize("form", [PUBLIC, FRESH])
def test_items_that_the_examinee_left_out_are_left_out_for_all_models(form: list[str]) -> None:
    """As if nobody had been given them."""
    table = answers(1)
    table.loc["m0", form[:60]] = np.nan
    found = examined(table)
    stay = {"public": PUBLIC[60:]} if form is PUBLIC else {"fresh": FRESH[60:]}
    by_hand = examined(answers(1), **stay)
    assert (found.estimate, found.ci_lower) == pytest.approx((by_hand.estimate, by_hand.ci_lower))
    assert found.tests["p"].to_numpy() == pytest.approx(by_hand.tests["p"].to_numpy(), nan_ok=True)
    assert (found.n_public, found.n_fresh) == (by_hand.n_public, by_hand.n_fresh)
    assert found.n_public + found.n_fresh == 340


def test_missing_hard_items_are_a_warning_and_few_missing_by_chance_a_note() -> None:
    table, by_chance = answers(2), answers(2)
    table.loc["m0", PUBLIC[:16]] = np.nan
    by_chance.loc["m0", PUBLIC[::12]] = np.nan
    assert codes(examined(answers(2))) == {}
    assert codes(examined(table)) == {"unanswered": "warning"}
    assert codes(examined(by_chance)) == {"unanswered": "note"}
    sentence = examined(table).diagnostics[0].sentence
    assert sentence.startswith("16 of 200 public items have no answer of m0")
    assert "not missing by chance" in sentence
    by_chance.loc["m0", PUBLIC[::8]] = np.nan
    assert codes(examined(by_chance)) == {"unanswered": "warning"}


def test_references_without_answers_to_hard_items_hardly_move_the_result() -> None:
    complete = examined(answers(3))
    table = answers(3)
    table.loc["m1":"m8", PUBLIC[:100]] = np.nan
    found = examined(table)
    width, before = (one.ci_upper - one.ci_lower for one in (found, complete))
    assert width < 1.3 * before
    assert found.estimate == pytest.approx(complete.estimate, abs=0.2 * before)
    assert found.references["n_public"].tolist() == [100] * 8 + [200] * 17
    assert codes(found) == {"references_unanswered_public": "warning"}
    assert "Mostly hard items are missing" in found.diagnostics[0].sentence


def test_an_item_that_no_reference_answered_is_left_out() -> None:
    table = answers(4)
    table.loc["m1":, PUBLIC[0]] = np.nan
    assert examined(table).estimate == examined(answers(4), public=PUBLIC[1:]).estimate


def test_completed_shares_are_those_of_the_whole_form_where_ability_counts_less_on_hard_items() -> (
    None
):
    off = []
    for seed in range(10):
        form = np.array(answers(seed)[PUBLIC])
        holed = form.copy()
        holed[:8, :100] = np.nan
        filled = completed(holed)
        assert (filled[:, 100:] == form[:, 100:]).all()
        off.append((filled - form)[:8].mean())
    assert np.mean(off) == pytest.approx(0, abs=0.01)
    assert completed(form) is form


@pytest.mark.slow
def test_honest_models_that_left_out_hard_items_are_accused_in_5_of_100() -> None:
    """Of 200 draws without the hardest tenth, within three Monte Carlo errors."""
    alarms = []
    for seed in range(200):
        table = answers(6000 + seed)
        table.loc["m0", PUBLIC[:20]] = np.nan
        alarms.append(examined(table).tests["p"].iloc[0] <= 0.05)
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.046)
