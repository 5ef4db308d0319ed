"""The intervals of gfactor score: items nested in domains, several examinees pooled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_allclose
from support.banks import make_items
from support.cli import Ran, run_cli

from gfactor.administration import Condition, Journal, Response
from gfactor.administration.registration import register_bank
from gfactor.examinees import Reply
from gfactor.items import ItemBank, write_bank
from gfactor.psychometrics import cluster_t, wilson
from gfactor.scoring import scored
from gfactor.scoring.frames import pick


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two examinees on three domains: the first is right in a, half in b; the second on 1 in 3."""
    bank = ItemBank.open(write_bank(make_items("abc", 2, 4), tmp_path / "b.parquet"))
    with Journal.open(tmp_path / "c.db") as kept:
        for number, who in enumerate(("t:one", "t:two")):
            register_bank(kept, bank, who, Condition(), 1)
            for k, item in enumerate(bank):
                right = (k % 3 == 0) if number else k < 12
                said = f"COUNT:{item.target if right else 99}"
                key = (who, item.provenance.content_hash, "default", 0)
                kept.add([Response.now(*key, Reply(said))])
    return tmp_path / "c.db"


@pytest.fixture
def score(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def called(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, "score", *map(str, words))

    return called


def test_every_examinee_has_its_interval_over_domains(score: Any, journal: Path) -> None:
    found = json.loads(score(journal, "--json").out)["examinees"]["t:one"]
    with Journal.open(journal) as kept:
        table = scored(kept)
    own = pick(table, table["examinee"] == "t:one")
    t = cluster_t(own["correct"].to_numpy(), own["domain"].to_numpy())
    over = found["over_domains"]
    assert over["clusters"] == 3
    assert_allclose(over["interval_strict"], [max(0, t.low), min(1, t.high)])
    low, high = wilson(12, 24)
    assert_allclose(found["interval_strict"], [low, high])
    assert over["interval_strict"][0] < found["interval_strict"][0]


def test_answers_of_several_examinees_to_an_item_are_not_independent(
    score: Any, journal: Path
) -> None:
    found = json.loads(score(journal, "--json").out)
    with Journal.open(journal) as kept:
        table = scored(kept)
    own = pick(table, table["domain"] == "b")
    t = cluster_t(own["correct"].to_numpy(), own["item_hash"].to_numpy())
    assert t.n == found["by"]["domain"]["b"]["n"] == 16
    low, high = wilson(8 * t.mean, 8)  # eight items, whoever answers them
    ends = [min(float(low), t.low), max(float(high), t.high)]
    assert_allclose(found["by"]["domain"]["b"]["interval_strict"], ends)
    assert "over_domains" not in found


def test_where_all_agree_the_interval_still_has_a_width(score: Any, journal: Path) -> None:
    one = json.loads(score(journal, "--examinee", "t:one", "--json").out)
    assert one["by"]["domain"]["a"]["interval_strict"][0] < 0.7
    assert one["over_domains"]["clusters"] == 3


def test_the_table_shows_it(score: Any, journal: Path) -> None:
    printed = score(journal).out
    assert "over domains" in printed.splitlines()[2]
    assert printed.count("over domains") == 1


@pytest.mark.slow
def test_each_condition_has_its_row_and_its_whole_result(score: Any, journal: Path) -> None:
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
    assert list(both) == ["conditions"]
    assert list(both["conditions"]) == ["cot=on", "default"]
    # What one condition gives alone is what it gives beside another, and by --condition.
    assert both["conditions"]["default"] == alone
    assert json.loads(score(journal, "--json", "--condition", "default").out) == alone
    assert both["conditions"]["cot=on"]["accuracy"] < 0.2
    told = score(journal)
    assert told.code == 0
    lines = [line.split()[:3] for line in told.out.splitlines() if "t:" in line]
    assert lines == [["cot=on", "t:one", "24"], ["default", "t:one", "24"],
                     ["default", "t:two", "24"]]  # fmt: skip
    assert score(journal, "--examinee", "t:two").out.splitlines()[0].endswith("1 examinee(s)")
