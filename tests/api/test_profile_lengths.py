"""A default profile asks as many questions as a claim takes, where a claim is possible."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support.profiles import calibrations, measured

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import untested
from gfactor.api.asking.profile_lengths import CLAIM_ITEMS, answers_for_claims
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.psychometrics.irt.adaptive import StopRule
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scores.profiles import Profile

OBSERVER = "observer:limited?acuity=0.5&contrast=0.1&capacity=5&seed=2"
SPANS = ("running_span", "spatial_span")


def profiled(
    known: dict[str, Calibration], journal: Path, *, max_items: int = 20,
    min_items: int | None = None, se: float | None = 0.8, cut: float | None = None,
    se_change: float | None = None,
) -> Profile:  # fmt: skip
    """Return the profile of an observer who reaches the standard error before 20 answers."""
    return gf.profile(
        OBSERVER, calibration=known, journal=journal, max_items=max_items, min_items=min_items,
        se=se, cut=cut, se_change=se_change, jobs=1,
    )  # fmt: skip


@pytest.fixture
def spans() -> dict[str, Calibration]:
    return calibrations(SPANS)


@pytest.mark.thorough
def test_by_default_the_standard_error_waits_for_a_claim_and_zero_is_the_rule_of_before(
    spans: dict[str, Calibration], tmp_path: Path
) -> None:
    early = profiled(spans, tmp_path / "0.db", min_items=0)
    usual = profiled(spans, tmp_path / "usual.db")
    assert early.abilities["stop"].to_list() == ["se"]
    assert early.items < usual.items == 20
    asked = early.answers["item_hash"].to_list()
    assert usual.answers["item_hash"].to_list()[: len(asked)] == asked


@pytest.mark.thorough
def test_a_profile_of_the_version_before_goes_on_with_its_own_settings(
    spans: dict[str, Calibration], tmp_path: Path
) -> None:
    """Its settings say 0, and the command that began it names no number."""
    journal = tmp_path / "p.db"
    before = profiled(spans, journal, min_items=0)
    again = profiled(spans, journal)
    assert again.key == before.key
    assert again.items == before.items
    assert again.settings["stop"]["min_items"] == 0
    assert profiled(spans, journal, min_items=before.items + 2).items >= before.items + 2
    # Another number of items is another profile, for which the default holds.
    other = profiled(spans, journal, max_items=before.items + 3)
    assert other.items == before.items + 3
    assert other.settings["stop"]["min_items"] == {"Gwm": before.items + 3}


@pytest.mark.thorough
def test_as_many_answers_as_a_claim_takes_make_one_for_most_who_fit() -> None:
    def in_the_middle(family: str, expected: float) -> float:
        return expected

    claims = {
        items: [measured("Gl", in_the_middle, items, seed)[0]["claim"].item() for seed in range(3)]
        for items in (8, CLAIM_ITEMS)
    }
    assert sum(claims[8]) <= 1
    assert sum(claims[CLAIM_ITEMS]) >= 2


def test_abilities_share_the_items_and_one_of_a_single_family_needs_none() -> None:
    six = shipped_calibrations()
    assert answers_for_claims(six, StopRule(max_items=400)) == dict.fromkeys(six, 66)
    assert set(answers_for_claims(six, StopRule(max_items=4000)).values()) == {CLAIM_ITEMS}
    assert answers_for_claims(six, StopRule(max_items=5)) == {}
    alone = {"EF": calibrations(["tower_planning"])["EF"], "Gl": six["Gl"]}
    assert answers_for_claims(alone, StopRule(max_items=100)) == {"Gl": 50}


@pytest.mark.thorough
@pytest.mark.parametrize(("cut", "se_change"), [(0.5, None), (None, 0.05)])
def test_a_rule_that_is_made_to_end_early_ends_early(
    spans: dict[str, Calibration], tmp_path: Path, cut: float | None, se_change: float | None
) -> None:
    rule = StopRule(max_items=400, cut=cut, se_change=se_change)
    assert answers_for_claims(spans, rule) == {}
    stopped = profiled(
        spans, tmp_path / "p.db", max_items=40, se=None, cut=cut, se_change=se_change
    )
    assert stopped.abilities["stop"].to_list() == ["se_change" if cut is None else "cut"]
    assert stopped.items < 40


def test_who_gets_no_claim_is_told_what_makes_one_possible(spans: dict[str, Calibration]) -> None:
    """A single family was told to ask more questions, and no number of them would have helped."""
    few = {"withheld": "power", "p_apart": 0.3, "power": 0.4, "claim_share": 0.6}
    abilities = pd.DataFrame([
        {"ability": "Gwm", "name": "working memory (Gwm)", "items": 66, "claim_items": 132, **few},
        {"ability": "EF", "name": "executive function (EF)", "items": 50, "claim_items": 0, **few},
    ])  # fmt: skip
    both = {**spans, **calibrations(["tower_planning"])}
    many, never = untested(abilities, both)
    assert (many.code, many.where) == ("fit_not_tested", ("Gwm",))
    assert "Ask more than 66 questions of each ability (--min-items" in str(many.remedy)
    assert "fit the calibration get a claim after about 132 answers (Gwm)." in many.sentence
    (seldom,) = untested(abilities.assign(claim_share=0.21).head(1), both)
    assert seldom.sentence.endswith("Gwm: even after 132 answers, 21 % of those who fit get one.")
    assert (never.code, never.where) == ("fit_not_testable", ("EF",))
    assert "a single family of executive function (EF)" in never.sentence
    assert "--min-items" not in str(never.remedy)
    assert untested(abilities.assign(withheld=""), both) == []
