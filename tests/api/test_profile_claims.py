"""A profile claims an ability only where misfit would have been seen, and was not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special
from support.profiles import measured

from gfactor.api.asking.profile_diagnostics import extremes, guesses
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.checks.claim_lengths import TIMES, claim_length
from gfactor.psychometrics.irt.checks.misfit_power import (
    EXCLUDED,
    detectable_shift,
    family_differences,
)
from gfactor.psychometrics.irt.checks.profile_fit import family_fit, guessing_p

NODES = np.linspace(-10, 10, 101)
NUMBER_AND_LOGIC = (
    "number_grids", "number_series", "balance_puzzles", "bills_and_plans", "if_then", "syllogisms",
    "transitive_relations",
)  # fmt: skip


def two_levels(family: str, expected: float) -> float:
    """An examinee with .97 in number and logic families and .45 in all others."""
    return 0.97 if family in NUMBER_AND_LOGIC else 0.45


def guessing(family: str, expected: float) -> float:
    """An examinee who guesses among options and finds no answer where there are none."""
    choice = FAMILIES[family].answer_types[0] == "choice"
    return 1 / FAMILIES[family].options[0] if choice else 0.0


def in_the_middle(family: str, expected: float) -> float:
    """An examinee in the middle of the calibrated population."""
    return expected


def test_who_guesses_gets_no_claim_and_no_lower_end() -> None:
    """An estimate and an interval such as -2.3 [-3.2, -1.3] had no word of guessing beside them."""
    abilities, _ = measured("Gs", guessing, 16, 3)
    row = abilities.iloc[0]
    assert row["p_guessing"] > 0.05
    assert (row["claim"], row["withheld"]) == (False, "guessing")
    (told,) = guesses(abilities)
    assert told.code == "no_better_than_guesses"
    assert "set no lower bound" in told.sentence
    assert extremes(abilities) == []
    able, _ = measured("Gs", in_the_middle, 16, 3)
    assert able.iloc[0]["p_guessing"] < 0.05
    assert guesses(able) == []


def test_the_probability_of_guessing_so_well_is_exact() -> None:
    # Two and three of three right guesses of a quarter: 9/64 and 1/64.
    assert guessing_p([0.25] * 3, [1, 1, 0]) == pytest.approx(10 / 64)
    # One right guess of a sixteenth tells as much as two of a quarter.
    assert guessing_p([0.25, 0.25, 1 / 16], [0, 0, 1]) == pytest.approx(1 / 16 + 15 / 16 / 16)
    assert guessing_p([0.0, 0.25, 0.25], [1, 0, 0]) == 0.0
    assert guessing_p([0.2, 0.0], [0, 0]) == 1.0


@pytest.mark.thorough
@pytest.mark.parametrize("share", [0.25, 0.125])
def test_guessers_are_taken_for_better_in_five_percent_at_most(share: float) -> None:
    rng, chances = np.random.default_rng(7), np.array([share, 0.25] * 12)
    found = [guessing_p(chances, rng.random(24) < chances) < 0.05 for _ in range(800)]
    assert 0.01 < np.mean(found) < 0.065


@pytest.mark.slow
def test_few_answers_of_an_examinee_of_two_levels_are_no_claim() -> None:
    """Twenty answers reach the standard error, and could hardly have shown the misfit."""
    withheld = []
    for seed in range(4):
        abilities, families = measured("Gf", two_levels, 20, seed)
        row = abilities.iloc[0]
        assert row["se"] < 0.4
        assert abilities["claim"].tolist() == [False]
        assert row["power"] < 0.7
        assert row["p_apart"] > EXCLUDED
        assert np.all(families["detectable"].isna())
        withheld.append(row["withheld"])
    assert "power" in withheld


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_many_answers_of_an_examinee_of_two_levels_contradict_the_calibration(seed: int) -> None:
    row = measured("Gf", two_levels, 90, seed)[0].iloc[0]
    assert (row["claim"], row["withheld"]) == (False, "misfit")
    assert row["power"] > 0.7


@pytest.mark.slow
def test_forty_answers_of_an_ordinary_examinee_are_a_claim() -> None:
    rows = [measured("Gf", in_the_middle, 40, seed)[0].iloc[0] for seed in (1, 2, 3)]
    assert sum(row["claim"] for row in rows) >= 2


@pytest.mark.slow
def test_the_test_of_families_keeps_its_level_and_its_power() -> None:
    """Of 60 examinees whose families differ as calibrated about 5 % are found to misfit, and of
    those with a difference about the share that the power says."""
    rng, before = np.random.default_rng(5), AbilityPosterior(NODES, 0.0, 4.0, testlet_variance=0.5)
    b = np.linspace(-2, 2, 8)
    curves = {name: special.expit(NODES - b[:, None]) for name in "abcdef"}
    found, power, hidden = {0.0: 0, 2.0: 0}, [], 0
    for apart in found:
        for _ in range(60):
            theta, signs = rng.normal(0, 2.0), rng.permutation([1, 1, 1, -1, -1, -1])
            effects = rng.normal(0, 0.5**0.5, 6) + apart * signs
            scores = {
                name: (rng.random(8) < special.expit(theta + effect - b)).astype(float)
                for name, effect in zip("abcdef", effects, strict=True)
            }
            told = family_differences(curves, scores, before, difference=2.0, replicates=99)
            found[apart] += told.p < 0.05
            power.append(told.power)
            hidden += apart > 0 and told.p_apart < EXCLUDED
    assert found[0.0] <= 8
    # Few of those with the difference look as if they had none.
    assert hidden <= 8
    assert found[2.0] / 60 == pytest.approx(np.mean(power[60:]), abs=0.15)


@pytest.mark.slow
def test_after_the_number_of_answers_that_is_named_half_of_those_who_fit_exclude_misfit() -> None:
    rng, before = np.random.default_rng(8), AbilityPosterior(NODES, 0.0, 4.0, testlet_variance=0.5)
    b = np.linspace(-2, 2, 4)
    curves = {name: special.expit(NODES - b[:, None]) for name in "abcdef"}
    middling = {name: np.arange(4) < 2 for name in curves}
    named = claim_length(curves, middling, before, difference=2.0)
    times = named.answers // 24
    assert times > 1
    longer = {name: np.tile(curve, (times, 1)) for name, curve in curves.items()}
    claims = 0
    for _ in range(40):
        theta, effects = rng.normal(0, 0.6), rng.normal(0, 0.5**0.5, 6)
        scores = {
            name: (rng.random(4 * times) < special.expit(theta + effect - np.tile(b, times)))
            for name, effect in zip(longer, effects, strict=True)
        }
        told = family_differences(longer, scores, before, difference=2.0, replicates=99)
        claims += told.p_apart < EXCLUDED
    assert claims / 40 == pytest.approx(named.share, abs=0.2)


def test_where_no_number_of_answers_is_enough_the_longest_and_its_share_are_named() -> None:
    before = AbilityPosterior(NODES, 0.0, 4.0, testlet_variance=1.5)
    curves = dict.fromkeys("ab", special.expit(NODES - np.zeros((5, 1))))
    named = claim_length(curves, {n: np.arange(5) < 3 for n in "ab"}, before, difference=1.0)
    assert named.answers == 10 * max(TIMES)
    assert named.share < 0.5


def test_families_of_one_kind_that_lie_apart_together_are_seen_and_are_no_claim() -> None:
    """Four families of numbers, four of figures, each 1.6 logits from the ability: no family by
    itself is far from what the calibration calls usual, and the two kinds are."""
    before = AbilityPosterior(NODES, 0.0, 9.0, testlet_variance=1.7)
    b = np.linspace(-1, 1, 6)
    curves = {name: special.expit(NODES - b[:, None]) for name in "abcdefgh"}
    kinds = {name: "numbers" if name in "abcd" else "figures" for name in curves}
    scores = {name: np.arange(6) < (5 if name in "abcd" else 1) for name in curves}
    alike = {name: np.arange(6) < (4 if name in "aceg" else 2) for name in curves}
    single = family_differences(curves, scores, before, difference=3.0)
    both = family_differences(curves, scores, before, difference=3.0, kinds=kinds)
    assert single.p > 0.05
    assert single.p_apart < EXCLUDED
    assert both.p < 0.05
    assert both.p_apart > EXCLUDED
    usual = family_differences(curves, alike, before, difference=3.0, kinds=kinds)
    assert usual.p > 0.5
    assert usual.p_apart < EXCLUDED


def test_families_of_kinds_of_their_own_or_of_one_kind_are_tested_once() -> None:
    b = np.linspace(-1, 1, 6)
    curves = {name: special.expit(NODES - b[:, None]) for name in "abc"}
    scores = {name: np.arange(6) < 3 for name in curves}
    before = AbilityPosterior(NODES, 0.0, 4.0, testlet_variance=0.5)
    once = family_differences(curves, scores, before, difference=2.0, replicates=99)
    for kinds in (dict.fromkeys(curves, "numbers"), dict(zip(curves, "xyz", strict=True))):
        told = family_differences(
            curves, scores, before, difference=2.0, replicates=99, kinds=kinds
        )
        assert told == once


def test_one_family_cannot_differ_from_others() -> None:
    told = family_differences(
        {"a": special.expit(NODES)[None]}, {"a": [1.0]}, AbilityPosterior(NODES), difference=1.0
    )
    assert np.isnan(told.p)
    assert told.power == 0


def test_more_answers_detect_smaller_shifts_of_a_family() -> None:
    curve = special.expit(NODES)
    known = AbilityPosterior(NODES, 0.0, 0.1, testlet_variance=0.2)
    shifts = [detectable_shift(np.tile(curve, (n, 1)), known, unit=1.0) for n in (10, 20, 80)]
    assert shifts == sorted(shifts, reverse=True)
    assert shifts[-1] < shifts[0]
    assert np.isnan(detectable_shift(np.tile(curve, (2, 1)), known, unit=1.0))


def test_an_examinee_beyond_what_a_family_tells_apart_is_no_misfit_of_the_other() -> None:
    """All right on easy items tells no upper end of ability: only the population's prior does."""
    nodes = np.linspace(-12, 12, 97)
    curves = {
        name: special.expit(nodes - np.linspace(low, high, 40)[:, None])
        for name, (low, high) in {"easy": (-2, 2), "hard": (4, 8)}.items()
    }
    all_right = {name: np.ones(40) for name in curves}
    before = AbilityPosterior(nodes, 0.0, 4.0, testlet_variance=0.8)
    fit: Any = family_fit(curves, all_right, before)
    assert fit["p"].min() > 0.05
    assert family_differences(curves, all_right, before, difference=2.0).p > 0.05
    # Where the easy items tell that ability is middling, all of the hard ones right is a misfit.
    middling = {**all_right, "easy": np.arange(40) < 20}
    misfit: Any = family_fit(curves, middling, before)
    assert misfit["p"].max() < 0.001
    assert family_differences(curves, middling, before, difference=2.0).p < 0.05
