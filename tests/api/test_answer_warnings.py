"""Scores warn of replies that hold no answer, and of items that were not asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gfactor as gf
from gfactor.administration import Condition, Journal, Response
from gfactor.administration.registration import register_bank
from gfactor.examinees import Reply
from gfactor.items import ItemBank

WHO = "openai:model"


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["counting_circles"], sizes=[1, 2, 3, 4], path=path)


def scores_of(bank: ItemBank, path: Path, *replies: str) -> Any:
    """Scores of a run that gave these replies to the first items."""
    hashes = bank.frame()["content_hash"].tolist()
    with Journal.open(path) as journal:
        register_bank(journal, bank, WHO, Condition(), 1)
        journal.add(
            Response(WHO, one, "default", 0, Reply(text, "ok", "stop"), "2026-01-01")
            for one, text in zip(hashes, replies, strict=False)
        )
    return gf.score(path)


def test_replies_without_an_answer_are_counted_and_the_first_is_shown(
    bank: ItemBank, tmp_path: Path
) -> None:
    unread = ["I cannot be sure about any."] * len(bank)
    text = scores_of(bank, tmp_path / "a.db", *unread).summary()
    n = len(bank)
    assert text.startswith(
        f"warning: {n} of {n} replies of {WHO} hold no answer in the format COUNT:x; the first: "
        "'I cannot be sure about any.'. See them with gfactor score -o FILE"
    )


def test_readable_replies_raise_no_warning(bank: ItemBank, tmp_path: Path) -> None:
    replies = ["COUNT:1"] * (len(bank) - 1) + ["I cannot be sure about any."]
    assert not scores_of(bank, tmp_path / "b.db", *replies).diagnostics


def test_a_stopped_run_says_how_many_of_its_items_were_asked(
    bank: ItemBank, tmp_path: Path
) -> None:
    (note,) = scores_of(bank, tmp_path / "c.db", *["COUNT:1"] * 3).diagnostics
    assert note.sentence == f"{WHO}: 3 of {len(bank)} items asked."


def test_one_whose_attempts_all_failed_adds_no_claim_of_its_own(tmp_path: Path) -> None:
    domains = ["change_colour", "counting_circles"]
    bank = gf.build("percept-v", domains=domains, sizes=[1], path=tmp_path / "two.parquet")
    path = tmp_path / "d.db"
    scores_of(bank, path, *["COUNT:1"] * len(bank))
    with Journal.open(path) as journal:
        register_bank(journal, bank, "openai:dead", Condition(), 1)
        journal.add(
            Response("openai:dead", one, "default", 0, Reply("", "error"), "2026-01-01")
            for one in bank.frame()["content_hash"]
        )
    text = gf.score(path).summary()
    assert text.count("percept-v: generalizes to ") == 1
    assert "percept-v: generalizes to other items of these 2 domains" in text
