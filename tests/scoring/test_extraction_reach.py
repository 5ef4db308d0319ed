"""How far apart the parts of an answer may stand: to the letter, the word and the line.

Rules look at some thirty letters before a label, at 60 lines, at texts of up to 400 letters. Each
entry of `reach.json` is a reply, a place in it and the number of letters, words or lines there
from which on another answer is read; with one less, the first one is.

    PYTHONPATH=tests python tests/scoring/test_extraction_reach.py     # looks for the turns anew
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import recorded_readings as recorded
from support.tiers import few

from gfactor.scoring.extraction.cases import plain

RECORDED = Path(__file__).with_name("reach.json")
UNITS = ("z", "z", "z", "z", " z", "\nzz zz.", "。", "7")
STEPS = (1, 8, 16, 28, 45, 70, 110, 220, 450, 900, 1800)


def reading(reply: recorded.Reply, at: int, unit: str, count: int) -> str:
    """What is read, and by which rule, with so much in the reply's place; without what is in it."""
    got = reply.read(text=f"{reply.text[:at]} {count * unit} {reply.text[at:]}")
    answer = json.dumps(plain(got.answer), ensure_ascii=False)
    return re.sub(r"\W|z+|7+", "", answer) + " " + got.rule


def turns(reply: recorded.Reply) -> Iterator[dict[str, Any]]:
    """Counts at which another answer is read, at a place near the answer."""
    rng = random.Random(reply.text)
    start, end = reply.read().span or (0, len(reply.text))
    ends = [m.end() for m in re.finditer(r"\s+|(?<=\W)|(?=\W)", reply.text)] or [0]
    near = [at for at in ends if start - 40 < at < end + 40] or ends
    at, unit = rng.choice(near), rng.choice(UNITS)
    one = cache(lambda count: reading(reply, at, unit, count))
    for low, high in itertools.pairwise(STEPS if unit == "z" else STEPS[:7]):
        if one(low) == one(high):
            continue
        less, more = low, high
        while more - less > 1:
            middle = (less + more) // 2
            less, more = (middle, more) if one(middle) == one(less) else (less, middle)
        yield {"at": at, "unit": unit, "count": more, "less": one(less), "more": one(more)}


@pytest.mark.parametrize("stem", few(recorded.stems(), 24))
def test_another_answer_is_read_from_so_many_letters_on(stem: str) -> None:
    given = json.loads(RECORDED.read_text(encoding="utf-8")).get(stem, {})
    known = {reply.name: reply for reply in recorded.replies(stem)}
    for name, turn in given.items():
        place = known[name], turn["at"], turn["unit"]
        said = [reading(*place, turn["count"] - 1), reading(*place, turn["count"])]
        assert said == [turn["less"], turn["more"]], name


def main() -> None:
    """Looks in all replies, and keeps of each kind of turn the first two."""
    kept: dict[str, dict[str, Any]] = {}
    kinds: Counter[tuple[Any, ...]] = Counter()
    for stem in recorded.stems():
        for reply in recorded.replies(stem):
            for turn in turns(reply):
                rules = (turn["less"].split()[-1], turn["more"].split()[-1])
                count = turn["count"] if turn["count"] < 90 else turn["count"] // 50
                kinds[*rules, count, turn["unit"]] += 1
                if kinds[*rules, count, turn["unit"]] <= 2:
                    kept.setdefault(stem, {})[reply.name] = turn
    write(kept)


def write(kept: dict[str, dict[str, Any]]) -> None:
    rows = ",\n".join(
        f"{json.dumps(stem)}: {{\n" + ",\n".join(
            f"{json.dumps(name)}: {json.dumps(turn, ensure_ascii=False)}"
            for name, turn in every.items()
        ) + "}" for stem, every in kept.items()
    )  # fmt: skip
    RECORDED.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
