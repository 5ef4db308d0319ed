"""The intervals of gfactor score: items nested in domains, several examinees pooled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_allclose
from support.banks import make_items
from support.cli import Ran, run_cli

from gfactor.administration import Condition, Journal, Response
from gfactor.administration.asking.registration import register_bank
from gfactor.examinees import Reply
from gfactor.items import ItemBank, write_bank
from gfactor.psychometrics import group_means, wilson


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two examinees on three domains: the first is right in a, half in b; the second on 1 in 3."""
    folder = tmp_path_factory.mktemp("intervals")
    bank = ItemBank.open(write_bank(make_items("abc", 2, 4), folder / "b.parquet"))
    with Journal.open(folder / "c.db") as kept:
        for number, who in enumerate(("t:one", "t:two")):
            register_bank(kept, bank, who, Condition(), 1)
            answers = []
            for k, item in enumerate(bank):
                right = (k % 3 == 0) if number else k < 12
                said = f"COUNT:{item.target if right else 99}"
                key = (who, item.provenance.content_hash, "default", 0)
                answers.append(Response.now(*key, Reply(said)))
            kept.add(answers)
    return folder / "c.db"


@pytest.fixture
def score(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def called(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, "score", *map(str, words))

    return called


def of_one(score: Any, journal: Path, *words: str) -> dict[str, Any]:
    found = json.loads(score(journal, "--json", *words).out)["results"]
    return next(one for one in found if one["examinee"] == "t:one")


@pytest.mark.thorough
def test_fixed_domains_leave_the_variance_within_them(score: Any, journal: Path) -> None:
    found = of_one(score, journal)
    assert found["generalizes_to"] == "generalizes to other items of these 3 domains"
    # Domains are right in 8 of 8, 4 of 8 and 0 of 8: only the second varies within itself.
    means = group_means([0] * 24, [1.0] * 12 + [0.0] * 12, [1.0] * 24,
                        domains=[k // 8 for k in range(24)])  # fmt: skip
    assert means.se[0] == pytest.approx((0.25 * 8 / 7 / 8 / 9) ** 0.5)
    low, high = (float(end[0]) for end in means.interval())
    assert_allclose(found["interval"], [low, high])
    wide_low, wide_high = wilson(12, 24)
    assert wide_low < low < 0.5 < high < wide_high


@pytest.mark.thorough
def test_other_domains_stand_beside_them(score: Any, journal: Path) -> None:
    found = of_one(score, journal)["other_claim"]
    assert found["claim"] == "other-domains"
    assert found["generalizes_to"] == "generalizes to other domains of this kind (3 domains here)"
    chosen = of_one(score, journal, "--claim", "other-domains")
    assert chosen["interval"] == found["interval"]
    assert chosen["other_claim"]["interval"] == of_one(score, journal)["interval"]
    # The mean of three domains at 1, .5 and 0: nothing much is excluded.
    assert found["interval"][0] < 0.1
    assert found["interval"][1] > 0.9


def test_these_items_have_no_interval_where_each_was_answered_once(
    score: Any, journal: Path
) -> None:
    found = of_one(score, journal, "--claim", "these-items")
    assert found["interval"] is None
    assert found["accuracy"] == 0.5


@pytest.mark.thorough
def test_nothing_is_pooled(score: Any, journal: Path) -> None:
    found = json.loads(score(journal, "--json").out)
    assert list(found) == ["claim", "results"]
    rows = [(one["examinee"], one["benchmark"], one["n"]) for one in found["results"]]
    assert rows == [("t:one", "toy", 24), ("t:two", "toy", 24)]
    told = score(journal).out
    assert [line.split()[:3] for line in told.splitlines() if " b  " in line][:2] == [
        ["t:one", "b", "8"], ["t:two", "b", "8"]]  # fmt: skip


@pytest.mark.thorough
def test_where_all_agree_the_interval_still_has_a_width(score: Any, journal: Path) -> None:
    one = of_one(score, journal, "--examinee", "t:one")
    assert_allclose(one["by"]["domain"]["a"]["interval"], [float(e) for e in wilson(8, 8)])


@pytest.mark.thorough
def test_the_table_shows_both_claims(score: Any, journal: Path) -> None:
    printed = score(journal).out
    assert "interval, other domains" in printed.splitlines()[2]
    assert "generalizes to other items of these 3 domains" in printed


@pytest.mark.slow
def test_each_condition_has_its_row_and_its_whole_result(
    score: Any, journal: Path, tmp_path: Path
) -> None:
    journal = Path(shutil.copytree(journal.parent, tmp_path / "own")) / "c.db"
    alone = json.loads(score(journal, "--json").out)
    with Journal.open(journal) as kept:
        rows = kept.responses()
        bank = ItemBank.open(journal.parent / "b.parquet")
        register_bank(kept, bank, "t:one", Condition(cot=True), 1)
        kept.add(
            Response.now("t:one", item.provenance.content_hash, "cot=on", 0, Reply("COUNT:99"))
            for item in bank
        )
    assert len(rows) == 48
    both = json.loads(score(journal, "--json").out)
    # What one condition gives alone is what it gives beside another, and by --condition.
    assert both["results"][1:] == alone["results"]
    assert json.loads(score(journal, "--json", "--condition", "default").out) == alone
    first = both["results"][0]
    assert (first["condition"], first["accuracy"] < 0.2) == ("cot=on", True)
    told = score(journal)
    assert told.code == 0
    lines = [line.split()[:3] for line in told.out.splitlines() if "t:" in line][:3]
    assert lines == [["cot=on", "t:one", "24"], ["default", "t:one", "24"],
                     ["default", "t:two", "24"]]  # fmt: skip
    assert score(journal, "--examinee", "t:two").out.splitlines()[0].endswith(" of 1 examinee")
