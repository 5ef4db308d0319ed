"""Judging one reply agrees with scoring a journal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from support.banks import make_item, make_items

from gfactor.administration import Journal, run
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import Choice, ItemBank, write_bank
from gfactor.scoring import scored
from gfactor.scoring.judgment import Attempt, Judgment, judge_reply
from gfactor.scoring.questions import question_about

SAID = {
    0: Reply("I count.\nCOUNT:0"),
    1: Reply("The answer is 1."),
    2: Reply("COUNT:2\nand so", "truncated"),
    3: Reply("", "content_filter"),
}
FIELDS = list(Judgment._fields)


class Speaker:
    """An examinee whose replies go round."""

    name = "tests:speaker"
    in_flight = 1

    async def __call__(self, item: RenderedItem) -> Reply:
        return SAID[int(item.item_id[-1])]

    async def close(self) -> None:
        """Nothing is held."""


def test_one_reply_is_judged_as_a_journal_is_scored(tmp_path: Path) -> None:
    chosen = [
        make_item(
            f"c-01-{n}",
            answer_type="choice",
            target="B",
            output_format=None,
            choices=(Choice("A", "a cat"), Choice("B", "1 dog")),
        )
        for n in range(4)
    ]
    items = [*make_items(instances=4), *chosen]
    bank = ItemBank.open(write_bank(items, tmp_path / "b.parquet"))
    with Journal.open(tmp_path / "c.db") as journal:
        run(bank, Speaker(), journal)
        rows = scored(journal).to_dict("records")
    assert len(rows) == len(bank)
    for row in rows:
        item = bank.item(row["item_id"])
        reply = SAID[int(item.id[-1])]
        asked = Attempt(Speaker.name, row["condition"], row["occasion"])
        question = question_about(item, asked.condition)
        verdict = judge_reply(question, reply.text, reply.outcome, asked)
        for name in FIELDS:
            one, other = getattr(verdict, name), row[name]
            assert one == other or (pd.isna(one) and pd.isna(other)), (item.id, name)
