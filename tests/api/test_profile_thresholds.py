"""Sentences of a profile about where a family's accuracy falls: only those that answers support."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.profiles import calibrations

from gfactor.api.asking.profile_thresholds import LevelAnswers, findings, thresholds_of
from gfactor.psychometrics.irt.checks.profile_fit import falling_p

LEVELS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)


def staircase(accuracy: list[float], n: int, rng: np.random.Generator, guess: float = 0.0):
    """Answers to levels that are one harder after a right answer and one easier after a wrong one,
    as an adaptive test would have them."""
    right, asked, at = np.zeros(len(LEVELS)), np.zeros(len(LEVELS)), 2
    for _ in range(n):
        score = rng.random() < accuracy[at]
        right[at] += score
        asked[at] += 1
        at = min(max(at + (1 if score else -1), 0), len(LEVELS) - 1)
    seen = asked > 0
    return LevelAnswers(
        "spatial_span", "length", tuple(np.array(LEVELS)[seen]), tuple(right[seen]),
        tuple(asked[seen]), guess,
    )  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(("families", "n"), [(1, 12), (1, 40), (6, 16)])
def test_under_flat_accuracy_few_examinees_get_a_finding(families: int, n: int) -> None:
    # The true rate is at most 5 %: 120 examinees with 12 or more of them have a chance below 1 %.
    rng, told = np.random.default_rng((34, families, n)), 0
    for person in range(120):
        p = (0.35, 0.5, 0.7, 0.9)[person % 4]
        given = [staircase([p] * len(LEVELS), n, rng) for _ in range(families)]
        told += any(supported for _, supported, _ in findings(given))
    assert told < 12


def test_a_steep_fall_is_found_and_its_interval_is_said() -> None:
    rng, found = np.random.default_rng(35), []
    for _ in range(20):
        one = staircase([0.99, 0.97, 0.9, 0.1, 0.03, 0.01], 30, rng)
        ((p, supported, says),) = findings([one])
        assert supported == (p < 0.05 and np.isfinite([one.located.low, one.located.high]).all())
        if supported:
            assert one.located.low <= 3.5 <= one.located.high or one.located.high - 3.5 < 0.5
        found.append(says)
    assert sum("accuracy falls to halfway" in says for says in found) >= 18


def test_a_finding_is_a_sentence_with_unit_interval_and_number() -> None:
    shifts = LevelAnswers("card_sorting", "shifts", (0, 1, 2), (10, 2, 0), (10, 10, 10), 0.0)
    length = LevelAnswers("spatial_span", "length", (3, 4, 5), (10, 2, 0), (10, 10, 10), 0.0)
    (_, first, shown), (_, second, other) = findings([shifts, length])
    assert first
    assert second
    assert shown == (
        "Card sorting: accuracy falls to halfway between ceiling and chance at 0.8 shifts "
        "(95 % interval 0.4 to 1.0; 30 answers)"
    )
    assert "at length 3.8 (95 % interval 3.4 to 4.0; 30 answers)" in other


def test_levels_that_were_not_asked_give_no_threshold() -> None:
    """38 answers at one level of three say nothing of where accuracy falls."""
    known = calibrations(["tower_planning"])["EF"]
    entries = {f"EF: {entry.name}": entry for entry in known.entries}
    cell = list(entries)[1]
    score = np.r_[np.ones(19), np.zeros(19)]
    scored = pd.DataFrame({"family": "tower_planning", "cell": cell, "score": score})
    table, curves = thresholds_of(scored, entries)
    row = SimpleNamespace(**table.iloc[0])
    assert not row.supported
    assert np.isnan([row.threshold, row.ci_lower, row.ci_upper]).all()
    assert (row.p_falls, row.says, row.n) == (1.0, "", 38)
    assert curves["n"].tolist() == [38]


@pytest.mark.parametrize(
    ("right", "says"),
    [
        ((8, 8, 8), "accuracy is above halfway between ceiling and chance at the hardest level "
                    "asked, length 5 (8 of 8 answers right)"),
        ((0, 0, 0), "accuracy is below halfway between ceiling and chance at the easiest level "
                    "asked, length 3 (0 of 8 answers right)"),
        ((5, 5, 5), ""),
    ],
)  # fmt: skip
def test_ceiling_and_floor_are_said_where_an_exact_test_supports_them(
    right: tuple[float, ...], says: str
) -> None:
    one = LevelAnswers("spatial_span", "length", (3, 4, 5), right, (8, 8, 8), 0.0)
    ((_, supported, sentence),) = findings([one])
    assert not supported
    assert sentence == (f"Spatial span: {says}" if says else "")
    # Of forty such families some would look like that by chance.
    crowd = [one, *[LevelAnswers("n_back", "back", (1, 2), (4, 4), (8, 8), 0.0)] * 39]
    assert findings(crowd)[0][2] in ("", sentence)


def test_the_trend_test_is_that_of_all_permutations() -> None:
    n = (3, 2, 4)
    ranks = np.repeat(np.arange(3), n)
    for right in ((3, 1, 0), (2, 1, 2), (0, 1, 3)):
        total, observed = sum(right), sum(k * rank for rank, k in enumerate(right))
        sums = [sum(ranks[list(which)]) for which in itertools.combinations(range(9), total)]
        expected = np.mean([value <= observed for value in sums])
        assert falling_p(right, n) == pytest.approx(expected)
