"""Are records that gfactor writes those that Label Studio and Argilla read?

A project with labels is written in both formats and read by the classes of the programs' own
Python packages, which need an environment of their own (gfactor does not depend on them):

    python benchmarks/record_oracles.py write FOLDER
    OTHER/bin/python benchmarks/record_oracles.py check FOLDER     # label-studio-sdk, argilla
"""

# ruff: noqa: PLC0415 - each half runs in an environment that lacks the other's packages
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def write(folder: Path) -> None:
    import gfactor as gf

    bank = gf.build(
        "percept-v", domains=["counting_circles"], sizes=[2, 4], path=folder / "b.parquet"
    )
    gf.run(bank, ["baseline:random"], journal=folder / "c.db")
    gf.annotate.new(bank, folder / "workspace")
    gf.annotate.responses(folder / "workspace", folder / "c.db")
    gf.annotate.invite(folder / "workspace", ["ada", "ben"])
    from gfactor.studies.annotation import Project

    store = Project.open(folder / "workspace").store()
    numbers = [str(number) for number in store.responses()["id"]]
    for k, number in enumerate(numbers):
        for who in ("ada", "ben")[: 1 + k % 2]:
            said = {
                "category": ("image", "text")[k % 2],
                "abilities": [],
                "note": "a note" * (k % 3),
            }
            store.add(number, who, "label", json.dumps(said))
    store.close()
    for kind in ("label-studio", "argilla"):
        gf.annotate.records(folder / "workspace", kind, write=folder / f"{kind}.json")


def check(folder: Path) -> None:
    import argilla  # pyright: ignore[reportMissingImports]
    from label_studio_sdk.label_interface import (  # pyright: ignore[reportMissingImports]
        LabelInterface,
    )

    interface = LabelInterface((folder / "label-studio.xml").read_text("utf-8"))
    interface.validate()
    tasks: list[dict[str, Any]] = json.loads((folder / "label-studio.json").read_text("utf-8"))
    # validate_task itself cannot take a task with annotations (2.1.2): they are validated apart.
    right = sum(interface.validate_task({"data": task["data"]}) for task in tasks)
    annotations = [one for task in tasks for one in task["annotations"]]
    valid = sum(map(interface.validate_annotation, annotations))
    wrong = {"from_name": "category", "to_name": "text", "type": "choices",
             "value": {"choices": ["no such category"]}}  # fmt: skip
    refused = not interface.validate_annotation({"result": [wrong]})
    print(f"Label Studio: interface valid; {right} of {len(tasks)} tasks, {valid} of "
          f"{len(annotations)} annotations; an unknown category is refused: {refused}")  # fmt: skip
    records = json.loads((folder / "argilla.json").read_text("utf-8"))
    back = [argilla.Record.from_dict(record).to_dict() for record in records]
    same = sum(all(theirs[name] == ours[name] for name in ours)
               for ours, theirs in zip(records, back, strict=True))  # fmt: skip
    more = sorted(set(back[0]) - set(records[0]))
    print(f"Argilla: {same} of {len(records)} records come back as they were, with {more} beside")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]))
