"""Journals of M3GIA, MM-IQ and MULTI with made-up replies of models and people, for reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gfactor.administration import Journal, Response
from gfactor.administration.asking.registration import register_bank
from gfactor.administration.presenting.condition_text import read_condition
from gfactor.benchmarks import build
from gfactor.examinees import Reply
from gfactor.items import Item, ItemBank
from gfactor.reports import Results, Table
from support.releases import write_m3gia, write_mm_iq, write_multi

Made = Mapping[str, Mapping[str, Table]]
"""Tables by benchmark (a fixture's name) and their own name."""

MODELS = {"openai:a": 0.7, "openai:b": 0.5, "vllm:c": 0.4, "vllm:d": 0.2}

_WHEN = "2026-01-01T00:00:00"

WRITERS: Mapping[str, Callable[[Path], Path]] = {
    "m3gia": write_m3gia, "mm-iq": write_mm_iq, "multi": write_multi,
}  # fmt: skip


def paper_bank(name: str, folder: Path) -> ItemBank:
    """A bank of a benchmark's small release."""
    path = folder / f"{name}.parquet"
    build(name, path, source=str(WRITERS[name](folder / f"{name}-release")))
    return ItemBank.open(path)


def right(item: Item) -> str:
    """A reply that is right."""
    target: Any = item.target
    if isinstance(target, tuple):
        return ("\n" if item.answer_type == "blanks" else ", ").join(target)
    return str(target)


def wrong(item: Item) -> str:
    """A reply that is wrong: another option, or another text."""
    if not item.choices:
        return "xyz"
    target: Any = item.target
    return next(c.label for c in item.choices if c.label not in target)


def reply_of(name: str, share: float) -> Callable[[Item], str]:
    """Replies of which about this share is right, the same whenever they are asked for."""

    def reply(item: Item) -> str:
        drawn = int(sha256(f"{name}|{item.id}".encode()).hexdigest(), 16) % 1000 / 1000
        return right(item) if drawn < share else wrong(item)

    return reply


def answer(
    path: Path,
    bank: ItemBank,
    examinee: str,
    reply: Callable[[Item], str],
    condition: str = "default",
    occasions: int = 1,
) -> None:
    """Put an examinee's replies to all items of a bank into a journal."""
    answer_all(path, bank, {examinee: reply}, condition, occasions)


def answer_all(
    path: Path,
    bank: ItemBank,
    replies: Mapping[str, Callable[[Item], str]],
    condition: str = "default",
    occasions: int = 1,
) -> None:
    """Put the replies of several examinees to all items of a bank into a journal."""
    given, frame, items = read_condition(condition), bank.frame(), list(bank)
    hashes = dict(zip(bank.ids, frame["content_hash"], strict=True))
    with Journal.open(path) as journal:
        for examinee, reply in replies.items():
            register_bank(journal, bank, examinee, given, occasions, frame=frame)
            journal.add(
                Response(examinee, hashes[item.id], given.key, occasion, Reply(reply(item)), _WHEN)
                for item in items
                for occasion in range(occasions)
            )


def results_of(path: Path) -> Results:
    """The results in a journal."""
    with Journal.open(path, create=False) as journal:
        return Results.from_journal(journal)


def frame(tables: Mapping[str, Table], name: str) -> Any:
    """A table's frame; typed Any because pandas leaves the types of its operations open."""
    return tables[name].frame
