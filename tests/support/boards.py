"""A journal for leaderboards: models, observers, baselines, people; hostile replies among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gfactor.administration import Condition, Journal, Response
from gfactor.examinees import Reply
from gfactor.items import (
    Choice,
    Item,
    ItemBank,
    OutputFormat,
    Provenance,
    digest_of,
    pixel_hash,
    write_bank,
)
from support.studies import picture

COUNT = OutputFormat("value", labels=("COUNT",))
MODELS = {"openai:lab/alpha": 0.95, "openai:lab/beta": 0.6, "openai:lab/gamma": 0.25}
PEOPLE = [f"person:QX{k}Z" for k in range(5)]
COT = Condition(cot=True).key
SCRIPT = "<script>window.taken = 1</script><img src=x onerror='window.taken = 2'>"
UNREADABLE = "I see many of them, and cannot tell."
HOSTILE = f"{'x' * 10_000} {SCRIPT}\u202etxet \x1b[31m\nCOUNT:99"


def board_items(each: int = 12) -> list[Item]:
    """Counts of shapes with pictures, every third with a text twin, and sums with options."""
    items = []
    for k in range(each):
        image = picture(7000 + k)
        labels: dict[str, Any] = {"domain": "shapes", "ability": "Gv", "size": 1 + k % 3}
        proof = Provenance("tests", "1", digest_of([f"shapes {k}"]), (pixel_hash(image.decode()),))
        count: Any = {"answer_type": "value", "target": 1 + k, "output_format": COUNT}
        items.append(Item(
            f"shapes-{k:02d}", "trial", ("Count the shapes. Answer as COUNT:x.", image),
            labels={**labels, "twin": "picture"}, provenance=proof, **count,
        ))  # fmt: skip
        if k % 3 == 0:
            items.append(Item(
                f"shapes-{k:02d}-text", "trial", (f"There are {1 + k} shapes & a dot.",),
                labels={**labels, "twin": "text"},
                provenance=Provenance("tests", "1", digest_of([f"text {k}"])), **count,
            ))  # fmt: skip
        items.append(Item(
            f"sums-{k:02d}", "trial", (f"What is {k} + 1?",), "choice", "ABCD"[k % 4],
            {"domain": "sums", "ability": "Gq", "size": 1 + k % 3, "twin": "none"},
            Provenance("tests", "1", digest_of([f"sums {k}"])),
            choices=tuple(Choice(f, str(k + 1 + (j - k % 4))) for j, f in enumerate("ABCD")),
            language="de" if k % 2 else "en",
        ))  # fmt: skip
    return items


def said(item: Item, right: bool, name: str, place: int) -> Reply:
    """What an examinee says: the weakest model is hostile, declines, rambles, is cut off, fails."""
    odd = {0: Reply(HOSTILE), 1: Reply(UNREADABLE), 2: Reply("I'm sorry, I can't help with that."),
           3: Reply("Let me think about", "truncated"),
           4: Reply("", "timeout", detail="the server was <b>away</b>")}  # fmt: skip
    if name.endswith("gamma") and place in odd:
        return odd[place]
    answer: Any = item.target
    if not right:
        answer = 98 if item.answer_type == "value" else "ABCD"["ABCD".index(str(item.target)) - 1]
    line = f"COUNT:{answer}" if item.answer_type == "value" else f"The answer is ({answer})."
    longer = f"First I look at all of it.\n{line}" if name.endswith("beta") else line
    return Reply(longer, usage={"input": 10, "output": 5}, latency_s=1.5, cost=0.002)


def add_answers(
    journal: Journal, bank: ItemBank, name: str, level: float, *, condition: str = "default"
) -> None:
    """All answers of an examinee that is right with this probability."""
    source = np.random.default_rng([ord(letter) for letter in name + condition])
    journal.register((), bank)
    journal.add(
        Response(
            name, item.provenance.content_hash, condition, 0,
            said(item, source.random() < level, name, place), "2026-01-01T00:00:00+00:00",
        )
        for place, item in enumerate(bank)
    )  # fmt: skip
    journal.register([dict(
        bank="bank.parquet", digest=bank.scene_digest, items=len(bank), examinee=name,
        condition=condition, occasions=1, version="0", started="2026-01-01",
    )])  # fmt: skip


def board_journal(folder: Path, *, each: int = 12) -> tuple[Path, ItemBank]:
    """The journal and the bank, in a folder."""
    bank = ItemBank.open(write_bank(board_items(each), folder / "bank.parquet"))
    levels = {**MODELS, "observer:ideal": 1.0, "baseline:constant": 0.1,
              **dict.fromkeys(PEOPLE, 0.8)}  # fmt: skip
    with Journal.open(folder / "trial.db") as journal:
        for name, level in levels.items():
            add_answers(journal, bank, name, level)
        add_answers(journal, bank, "openai:lab/alpha", 0.9, condition=COT)
        add_answers(journal, bank, "openai:lab/beta", 0.9, condition=COT)
    return folder / "trial.db", bank
