"""Every type of answer can be given in a browser, and is marked as a model's would be."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from support.studies import PASSWORD

from gfactor.items import Choice, Item, ItemBank, Provenance, digest_of, write_bank
from gfactor.studies.questionnaires import Pay, Study, StudyFolder
from gfactor.studies.questionnaires.marking import mark
from gfactor.studies.questionnaires.pay import bonus
from gfactor.studies.questionnaires.simulating import serving, simulate


def blanks_item() -> Item:
    return Item(
        "b", "multi", ("Fill: [MASK] and [MASK]",), "blanks", ("3", "four"), {"type": "FB"},
        Provenance("t", "1", digest_of(["b"])), accepted=(("3", "4"),),
    )  # fmt: skip


def several_item() -> Item:
    return Item(
        "m", "multi", ("Which?",), "choices", frozenset({"A", "C"}), {"type": "MA"},
        Provenance("t", "1", digest_of(["m"])),
        choices=tuple(Choice(f, f"option {f}") for f in "ABCD"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("item", "text", "earned"),
    [
        (blanks_item(), "3\nfour", 2.0), (blanks_item(), "3\n4", 2.0), (blanks_item(), "", 0.0),
        (several_item(), "A, C", 2.0), (several_item(), "A", 1.0), (several_item(), "A, B", 0.0),
    ],
)  # fmt: skip
def test_people_are_marked_by_the_rules_for_models(item: Item, text: str, earned: float) -> None:
    assert mark(item, text, None).earned == earned


def test_every_type_of_answer_can_be_given(tmp_path: Path) -> None:
    items = [blanks_item(), several_item()]
    bank = ItemBank.open(write_bank(items, tmp_path / "b.parquet"))
    study = Study("types", "Types", checks=0, shuffle=False, shuffle_options=True)
    folder = StudyFolder.make(tmp_path / "s", study, bank, PASSWORD)
    with serving(folder) as base:
        asyncio.run(simulate(base, folder.bank, {"person": 30}, seed=11))
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    shares = {str(item): np.mean(own["earned"]) for item, own in answers.groupby("item")}
    assert len(answers) == 60
    assert 0.3 < shares["b"] < 2.0
    assert 0.3 < shares["m"] < 2.0


def test_bonus_counts_points_of_items_and_stops_at_the_cap() -> None:
    answers = [
        {"kind": "item", "earned": 2.0}, {"kind": "item", "earned": 1.0},
        {"kind": "practice", "earned": 1.0}, {"kind": "check", "earned": 1.0},
    ]  # fmt: skip
    assert bonus(Pay("EUR", 1.0, 0.25), answers) == 0.75
    assert bonus(Pay("EUR", 1.0, 0.25, 1.5), answers) == 0.5
