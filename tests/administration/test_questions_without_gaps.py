"""An item with one free answer and no gap is put as a question, to models and to people."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gfactor.administration import Condition, render
from gfactor.administration.asking.registration import _packs_checked, packs_used
from gfactor.administration.packs import Packs
from gfactor.administration.presenting.materials import Materials
from gfactor.errors import JournalError
from gfactor.items import Item, ItemBank, Provenance, write_bank
from gfactor.items.gaps import asks_one_answer

QUESTION = Item(
    "q1", "sky", ("How many planes are there?",), "blanks", ("4",), {"domain": "sky"},
    Provenance("sky", "1", content_hash="q1"),
)  # fmt: skip
GAP = replace(QUESTION, content=("There are [MASK] planes.",))


def prompt(item: Item, **condition: object) -> str:
    content = render(item, Condition(**condition)).content  # type: ignore[arg-type]
    return "".join(part for part in content if isinstance(part, str))


def test_a_question_without_a_gap_is_not_called_a_text_with_blanks() -> None:
    text = prompt(QUESTION)
    assert text == (
        "How many planes are there?\nReply with the answer only, as briefly as you can."
    )
    assert "blank" not in prompt(QUESTION, cot=True)
    assert "they are marked [MASK]" in prompt(GAP)


@pytest.mark.parametrize(
    "content", [("3 + 4 = ____",), ("3 + 4 = （  ）",), ("3 + 4 = [MASK]",), ("",)]
)
def test_gaps_in_the_text_and_items_without_a_text_stay_blanks(content: tuple[str]) -> None:
    assert not asks_one_answer(replace(QUESTION, content=content))
    assert not asks_one_answer(replace(QUESTION, target=("3", "4")))


def test_the_sentences_of_a_benchmarks_own_pack_and_the_hashes_of_packs_stay() -> None:
    assert "each marked [MASK]" in prompt(replace(QUESTION, benchmark="multi"))
    assert Packs().find("sky", "en").hash == "d9ffb2e2cab7"


def test_a_journal_asked_with_the_older_wording_is_not_continued(tmp_path: Path) -> None:
    bank = ItemBank.open(write_bank([QUESTION], tmp_path / "b.parquet", {"benchmark": "sky"}))
    gaps = ItemBank.open(write_bank([GAP], tmp_path / "g.parquet", {"benchmark": "sky"}))
    frames = {name: packs_used(one.frame(), Condition(), Materials())
              for name, one in (("question", bank), ("gap", gaps))}  # fmt: skip
    assert frames["question"].pop("questions") == "1"
    assert frames["question"] == frames["gap"]
    older = {"condition": "default", "packs": json.dumps(frames["gap"]), "version": "0.1"}
    with pytest.raises(JournalError, match="are put as questions now"):
        _packs_checked("c.db", [older], bank.frame(), Condition(), Materials())
    _packs_checked("c.db", [older], gaps.frame(), Condition(), Materials())
