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


@pytest.mark.thorough
@pytest.mark.parametrize("form", [PUBLIC, FRESH])
def test_items_that_the_examinee_left_out_are_left_out_for_all_models(form: list[str]) -> None:
    """As if nobody had been given them, if they are no harder than the others."""
    table, rest = answers(1), [name for k, name in enumerate(form) if k % 4]
    table.loc["m0", form[::4]] = np.nan
    found = examined(table)
    by_hand = examined(answers(1), **{"public" if form is PUBLIC else "fresh": rest})
    assert (found.estimate, found.ci_lower) == pytest.approx((by_hand.estimate, by_hand.ci_lower))
    assert found.tests["p"].to_numpy() == pytest.approx(by_hand.tests["p"].to_numpy(), nan_ok=True)
    assert (found.n_public, found.n_fresh) == (by_hand.n_public, by_hand.n_fresh)
    assert found.n_public + found.n_fresh == 350


@pytest.mark.thorough
def test_missing_hard_items_are_a_warning_and_few_missing_by_chance_a_note() -> None:
    table, by_chance = answers(2), answers(2)
    table.loc["m0", PUBLIC[:16]] = np.nan
    by_chance.loc["m0", PUBLIC[::12]] = np.nan
    assert codes(examined(answers(2))) == {}
    assert codes(examined(table)) == {"unanswered": "warning"}
    assert codes(examined(by_chance)) == {"unanswered": "note"}
    sentence = examined(table).diagnostics[0].sentence
    assert sentence.startswith("16 of 200 public items have no answer of m0")
    assert "harder than by chance" in sentence
    by_chance.loc["m0", PUBLIC[::8]] = np.nan
    assert codes(examined(by_chance)) == {"unanswered": "warning"}


def ends(found: Inflation) -> list[float]:
    return [found.estimate, found.ci_lower, found.ci_upper, float(found.tests["p"].iloc[0])]


@pytest.mark.thorough
def test_hard_public_items_without_an_answer_count_as_wrong_in_the_lower_end_and_in_p() -> None:
    table, left_out = answers(2), examined(answers(2), public=PUBLIC[16:])
    table.loc["m0", PUBLIC[:16]] = 0.0
    wrong = examined(table)
    table.loc["m0", PUBLIC[:16]] = np.nan
    found = examined(table)
    assert wrong.ci_lower < left_out.ci_lower
    assert ends(found) == pytest.approx(
        [left_out.estimate, wrong.ci_lower, left_out.ci_upper, ends(wrong)[3]]
    )
    powers = [one.power["power"].to_numpy(float) for one in (found, wrong)]
    assert (powers[0] < powers[1]).all()
    assert found.power["points"].to_numpy() == pytest.approx(wrong.power["points"].to_numpy())


def test_hard_fresh_items_without_an_answer_count_as_wrong_in_the_upper_end() -> None:
    table, left_out = answers(2), examined(answers(2), fresh=FRESH[40:])
    table.loc["m0", FRESH[:40]] = 0.0
    wrong = examined(table)
    table.loc["m0", FRESH[:40]] = np.nan
    found = examined(table)
    assert wrong.ci_upper > left_out.ci_upper
    assert ends(found) == pytest.approx([*ends(left_out)[:2], wrong.ci_upper, ends(left_out)[3]])


def failed(table: pd.DataFrame, count: int, form: list[str] = PUBLIC) -> list[str]:
    """The hardest items of a form that the examinee has wrong."""
    return [name for name in form if table.loc["m0", name] == 0][:count]


def test_no_verdict_is_given_that_would_not_hold_if_unanswered_items_were_wrong() -> None:
    table = answers(1)
    lost = failed(table, 40)
    table.loc["m0", lost] = np.nan
    left_out = examined(table.drop(columns=lost), public=[n for n in PUBLIC if n not in lost])
    assert left_out.higher
    found = examined(table)
    assert not found.higher
    assert "m0: not decided, as this does not hold if its 40 unanswered" in found.sentence
    assert "public items would have been wrong" in found.sentence


def test_a_leak_is_found_though_hard_items_have_no_answer() -> None:
    table = answers(5)
    learned = failed(table, 200)[20:]
    table.loc["m0", learned[::2]] = 1.0
    table.loc["m0", PUBLIC[:10]] = np.nan
    found = examined(table)
    assert codes(found)["unanswered"] == "warning"
    assert found.higher


def test_public_twins_that_lack_an_answer_more_often_than_fresh_ones_count_as_wrong() -> None:
    """Lot would leave both without an answer equally often; then pairs are left out."""
    table, twins = answers(6).iloc[:3], dict(zip(PUBLIC, FRESH, strict=True))
    table.loc["m0"] = np.tile(np.arange(200) % 2, 2)
    table.loc["m0", FRESH[100:116:2]] = 1.0
    table.loc["m0", PUBLIC[120:136:2]] = 1.0
    even = examined(table, twins=twins)
    assert even.pairs == (8, 8)
    table.loc["m0", PUBLIC[100:116:2]] = np.nan
    found = examined(table, twins=twins)
    assert found.estimate == pytest.approx(100 * 8 / 192)
    assert found.pairs == (8, 8)
    assert found.ci_lower == pytest.approx(even.ci_lower)
    assert "not decided, as this does not hold if its 8 unanswered public items" in found.sentence
    table.loc["m0", FRESH[120:136:2]] = np.nan
    assert examined(table, twins=twins).pairs == (0, 0)


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


@pytest.mark.thorough
def test_completed_shares_are_those_of_the_whole_form_where_ability_counts_less_on_hard_items() -> (
    None
):
    off = []
    for seed in range(10):
        form = np.array(answers(seed)[PUBLIC])
        assert completed(form) is form
        holed = form.copy()
        holed[:8, :100] = np.nan
        filled = completed(holed)
        assert (filled[:, 100:] == form[:, 100:]).all()
        off.append((filled - form)[:8].mean())
    assert np.mean(off) == pytest.approx(0, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("own", [False, True], ids=["hardest", "failed"])
def test_honest_models_without_answers_are_called_higher_in_at_most_5_of_100(own: bool) -> None:
    """Of 200 draws without the hardest tenth, or without as many items that the model fails; within
    two Monte Carlo errors."""
    alarms = []
    for seed in range(200):
        table = answers(6000 + seed)
        table.loc["m0", failed(table, 20) if own else PUBLIC[:20]] = np.nan
        alarms.append(examined(table).tests["p"].iloc[0] <= 0.05)
    assert np.mean(alarms) <= 0.081


def test_the_sentence_counts_references_beside_the_estimate_that_it_names() -> None:
    """Not beside that which counts unanswered items as wrong."""
    table = answers(2)
    table.loc["m0", PUBLIC[:16]] = np.nan
    found, left_out = examined(table), examined(answers(2), public=PUBLIC[16:])
    assert found.sentence.partition("; of")[2] == left_out.sentence.partition("; of")[2]
    assert found.standardized == pytest.approx(left_out.standardized)
    assert found.standardized > found.tests["statistic"].iloc[0]


def test_few_missing_answers_of_one_reference_are_no_warning() -> None:
    table = answers(3)
    table.loc["m1", PUBLIC[:20]] = np.nan
    assert codes(examined(table)) == {"references_unanswered_public": "note"}


def test_a_model_under_two_prefixes_is_named_with_what_to_do() -> None:
    table = answers(2)
    table.loc["vlmevalkit:owl 8B"] = table.loc["m1"].where(table.columns.isin(PUBLIC))
    table.loc["replies:owl 8B"] = table.loc["m1"].where(table.columns.isin(FRESH))
    (found,) = (d for d in examined(table).diagnostics if d.code == "references_left_out")
    assert "mean one model ('vlmevalkit:owl 8B' and 'replies:owl 8B'), import" in found.remedy
    assert "--examinee NAME" in found.remedy
    table = table.drop(index="replies:owl 8B")
    (found,) = (d for d in examined(table).diagnostics if d.code == "references_left_out")
    assert found.remedy == "Complete their answers."
