"""An annotation project in the middle of its work, with an item of every answer type."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from gfactor.benchmarks.chc import build
from gfactor.items import Item, ItemBank, write_bank
from gfactor.studies.annotation import Project, draft_of
from support.studies import every_type_bank, exam_items

PEOPLE = ("ada", "ben")


def generated(families: list[str], **options: Any) -> list[Item]:
    """Items of generated families, an easy one of each."""
    parts = build.plan(
        seed=3, families=families, difficulty=["easy"], per_cell=1, **options
    ).parts  # fmt: skip
    items: list[Any] = [item for part in parts for item in part.make()]
    return items


def mixed_bank(folder: Path) -> ItemBank:
    """Every answer type; options in the text, as pictures, and in the picture; a conversation."""
    plain = [*every_type_bank(folder / "types"), *exam_items(2)]
    made = [*generated(["matrices"], answers="choice"), *generated(["updating"])]
    items = [replace(one, labels={"domain": str(one.labels["domain"])}) for one in (*plain, *made)]
    return ItemBank.open(write_bank(items, folder / "mixed.parquet"))


def busy_project(folder: Path) -> tuple[Project, dict[str, str]]:
    """A project with drafts that are alike, that differ and that are missing, and with labels; its
    people (two annotators, the adjudicator cy) and their passwords."""
    project = Project.make(folder / "workspace", mixed_bank(folder), "Round one", "multi")
    passwords = project.invite_all(PEOPLE) | project.invite_all(["cy"], "adjudicator")
    project.assign(PEOPLE, 2)
    with closing(project.store()) as store:
        for k, item in enumerate(project.bank):
            draft = replace(draft_of(item), difficulty=1 + k % 5, quality=3 + k % 3)
            store.add(item.id, "ada", "draft", draft.to_json(), seconds=40.0 + k)
            if k % 4 == 3:
                continue  # ben's draft of every fourth item is missing
            if k % 4 == 1:
                general = f"{draft.general} Look twice."
                draft = replace(draft, general=general, difficulty=1 + (k + 1) % 5)
            store.add(item.id, "ben", "draft", draft.to_json(), seconds=60.0 + k)
        store.add_responses(
            {"id": 100 + k, "item": item.id, "examinee": "m", "condition": "default",
             "answer": "7", "text": f"I see it clearly.\n\nANSWER: {k}"}
            for k, item in enumerate(project.bank)
        )  # fmt: skip
        names = ("alignment", "text", "image", "reasoning")
        for who in PEOPLE:
            for k in range(8):
                said = names[k % 4] if who == "ada" or k % 3 else names[(k + 1) % 4]
                label = {"category": said, "abilities": [], "note": ""}
                store.add(str(100 + k), who, "label", json.dumps(label), seconds=20.0)
    return project, passwords
