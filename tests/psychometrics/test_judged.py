"""Judged scores: people's marks of a part correct a judge, and the interval holds the truth."""

from __future__ import annotations

import numpy as np
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.judged import MIN_MARKS, Corrected, corrected_score

ANSWERS = 500


def drawn(
    rng: np.random.Generator, accuracy: float, sensitivity: float, specificity: float, marked: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth, the judge's marks, and people's marks of a random part."""
    right = (rng.random(ANSWERS) < accuracy) * 1.0
    hit = np.where(right == 1, rng.random(ANSWERS) < sensitivity, rng.random(ANSWERS) < specificity)
    judge = np.where(hit, right, 1 - right)
    people = np.full(ANSWERS, np.nan)
    people[rng.choice(ANSWERS, marked, replace=False)] = 0
    return right, judge, np.where(np.isnan(people), np.nan, right)


def width(found: Corrected) -> float:
    return found.ci_upper - found.ci_lower


def test_a_judge_who_misses_a_third_is_corrected() -> None:
    rng = np.random.default_rng(3)
    right, judge, people = drawn(rng, 0.7, 0.65, 1.0, 250)
    found = corrected_score(judge, people)
    assert found.judge < 0.5
    assert found.ci_lower < right.mean() < found.ci_upper
    assert found.sensitivity[0] == pytest.approx(judge[(people == 1)].mean())
    assert found.specificity[0] == 1.0
    assert found.bias[0] == pytest.approx(np.nanmean(judge - people))


def test_the_estimate_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(4)
    _, judge, people = drawn(rng, 0.6, 0.85, 0.9, 100)
    found = corrected_score(judge, people)
    both = ~np.isnan(people)
    by_hand = people[both].mean() + found.weight * (judge[~both].mean() - judge[both].mean())
    assert found.estimate == pytest.approx(by_hand)
    # The weight is near the one that makes the variance smallest.
    best = np.cov(people[both], judge[both])[0, 1] / judge[both].var() / (1 + 100 / 400)
    assert found.weight == pytest.approx(best, abs=0.03)


def test_a_judge_who_tosses_coins_is_hardly_used() -> None:
    rng = np.random.default_rng(5)
    _, _, people = drawn(rng, 0.5, 1, 1, 200)
    found = corrected_score((rng.random(ANSWERS) < 0.5) * 1.0, people)
    assert found.weight < 0.15
    assert width(found) == pytest.approx(found.people_upper - found.people_lower, rel=0.05)


def test_a_perfect_judge_gives_nearly_the_interval_of_all_answers_marked() -> None:
    rng = np.random.default_rng(6)
    right, judge, people = drawn(rng, 0.6, 1, 1, 200)
    found, whole = corrected_score(judge, people), corrected_score(judge, right)
    assert width(found) < 1.15 * width(whole)
    assert width(found) < 0.75 * (found.people_upper - found.people_lower)


def test_agreement_on_all_marked_answers_leaves_some_width() -> None:
    people = np.r_[np.ones(15), np.zeros(15), np.full(470, np.nan)]
    judge = np.r_[np.ones(15), np.zeros(15), np.ones(235), np.zeros(235)]
    assert width(corrected_score(judge, people, these_items=True)) > 0.03


def test_the_interval_about_these_items_is_the_narrower_one() -> None:
    rng = np.random.default_rng(7)
    _, judge, people = drawn(rng, 0.6, 0.9, 0.9, 150)
    here, anywhere = (corrected_score(judge, people, these_items=k) for k in (True, False))
    assert width(here) < width(anywhere)
    everything = corrected_score(judge, np.round(judge), these_items=True)
    assert width(everything) == 0


def test_too_few_marks_correct_nothing() -> None:
    rng = np.random.default_rng(8)
    _, judge, people = drawn(rng, 0.6, 0.9, 0.9, MIN_MARKS - 1)
    found = corrected_score(judge, people)
    assert np.isnan([found.estimate, found.ci_lower, found.ci_upper]).all()
    assert found.people == pytest.approx(np.nanmean(people))


@pytest.mark.parametrize(
    ("judge", "people", "words"),
    [
        ([1.0, np.nan], [1.0, np.nan], "mark of an answer is missing"),
        ([1.0, 2.0], [1.0, np.nan], "of the judge lies outside"),
        ([1.0, 0.0], [1.0, -1.0], "of people lies outside"),
        ([1.0], [1.0, 0.0], "the same length"),
    ],
)
def test_what_is_no_mark_is_refused(judge: list, people: list, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        corrected_score(judge, people)


@pytest.mark.slow
@pytest.mark.parametrize("these_items", [False, True])
def test_intervals_hold_the_truth_in_93_to_97_of_100(these_items: bool) -> None:
    """Judges of sensitivity .7 to .95 whose errors differ; narrower than people's marks alone."""
    rng = np.random.default_rng(9)
    held, ratios = [], []
    for _ in range(2000):
        accuracy, sensitivity = rng.uniform(0.15, 0.9), rng.uniform(0.7, 0.95)
        specificity, marked = rng.uniform(0.75, 0.97), int(rng.choice([30, 60, 150]))
        right, judge, people = drawn(rng, accuracy, sensitivity, specificity, marked)
        found = corrected_score(judge, people, these_items=these_items)
        truth = right.mean() if these_items else accuracy
        held.append(found.ci_lower <= truth <= found.ci_upper)
        ratios.append(width(found) / (found.people_upper - found.people_lower))
    assert 0.93 < np.mean(held) < 0.97
    assert np.mean(ratios) < 0.9
