"""Made-up replies to any item: right or wrong as a key says, in the form the item demands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gfactor.administration import Journal, Response
from gfactor.administration.asking.registration import register_bank
from gfactor.administration.presenting.condition_text import read_condition
from gfactor.examinees import Reply
from gfactor.items import Item, ItemBank

WHEN = "2026-01-01T00:00:00.000+00:00"
FAILED = Reply("", "timeout", detail="the server was away")


def lot(*parts: object) -> float:
    """A number from 0 to 1, the same for the same parts."""
    return int(sha256("|".join(map(str, parts)).encode()).hexdigest()[:8], 16) / 16**8


def reply(item: Item, *, right: bool, other: Item) -> str:
    """A reply that says the target of the item, or that of another one."""
    target: Any = item.target
    if item.answer_type in ("choice", "choices"):
        if right:
            return ", ".join(target) if isinstance(target, tuple) else str(target)
        return next(choice.label for choice in item.choices if choice.label not in target)
    if item.output_format is None:
        texts = (target,) if isinstance(target, str) else tuple(target)
        return "\n".join(texts) if right else "\n".join("xyz" for _ in texts)
    return item.output_format.render(target if right else other.target)


def answer(
    journal: Journal, bank: ItemBank, levels: Mapping[str, float], *, condition: str = "default",
    occasions: int = 1, failing: Iterable[str] = (), skipping: Iterable[str] = (),
) -> None:  # fmt: skip
    """Have examinees answer a bank: `levels` are their shares of right answers.

    `failing` are examinees whose every fifth attempt fails; `skipping` those who were asked, and
    left every fifth item.
    """
    given, items = read_condition(condition), list(bank)
    hashes = dict(zip(bank.ids, bank.frame()["content_hash"], strict=True))
    for who, level in levels.items():
        register_bank(journal, bank, who, given, occasions)
        said = []
        for place, item in enumerate(items):
            for occasion in range(occasions):
                if place % 5 == 4 and who in set(skipping):
                    continue
                right = lot(who, item.id, occasion, condition) < level
                wrong = _another(items, item)
                made = Reply(reply(item, right=right, other=wrong))
                if place % 5 == 3 and who in set(failing):
                    made = FAILED
                said.append(Response(who, hashes[item.id], given.key, occasion, made, WHEN))
        journal.add(said)


def _another(items: list[Item], item: Item) -> Item:
    """An item of the same form whose answer is another."""
    return next(
        (
            one
            for one in items
            if one.output_format == item.output_format and one.target != item.target
        ),
        item,
    )


def filled(path: Path, *parts: tuple[ItemBank, Mapping[str, float], Mapping[str, Any]]) -> Path:
    """A journal of several banks, each with the shares of its examinees and how they were asked."""
    with Journal.open(path) as journal:
        for bank, levels, how in parts:
            answer(journal, bank, levels, **how)
    return path
