"""A journal of made-up answers, and judges that say what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gfactor.administration import Condition, Journal, Response
from gfactor.administration.asking.registration import register_bank
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import Item, ItemBank, write_bank

Attempt = tuple[str, str, int, str | Reply]
"""Who, which item, on which occasion, what came back."""


@contextmanager
def answered(
    folder: Path,
    items: list[Item],
    attempts: Iterable[Attempt],
    condition: Condition | None = None,
) -> Iterator[Journal]:
    """A journal in `folder` in which these attempts at these items were made."""
    condition = condition or Condition()
    bank = ItemBank.open(write_bank(items, folder / "bank.parquet"))
    hashes = {item.id: item.provenance.content_hash for item in items}
    with Journal.open(folder / "c.db") as journal:
        known: set[str] = set()
        for who, item, occasion, said in attempts:
            if who not in known:
                known.add(who)
                register_bank(journal, bank, who, condition, 1)
            reply = Reply(said) if isinstance(said, str) else said
            journal.add([Response.now(who, hashes[item], condition.key, occasion, reply)])
        yield journal


class Judge:
    """An examinee that answers by a function of what it is asked, and counts the questions."""

    in_flight = 4

    def __init__(self, say: Callable[[str], str | Reply], name: str = "tests:judge") -> None:
        self.name = name
        self.asked: list[str] = []
        self.closed = False
        self._say = say

    async def __call__(self, item: RenderedItem) -> Reply:
        (text,) = item.content
        assert isinstance(text, str)
        self.asked.append(text)
        said = self._say(text)
        return Reply(said) if isinstance(said, str) else said

    async def close(self) -> None:
        self.closed = True
