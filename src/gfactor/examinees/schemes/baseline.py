"""Guessing without looking: `baseline:random?seed=0`, `baseline:constant`, `baseline:size-aware`.

They learn the answers of the bank they are about to answer, so their scores are upper bounds of
what such guessing reaches on new items of the same kind.

random: one of the distinct answers of the item's domain, each equally likely; knows what kind of
    answer there is, not the size.
constant: the one reply that is right most often in the item's domain.
size-aware: the one reply that is right most often among the items of its domain and size.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping

import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.base import EXAMINEES, RenderedItem, Reply, Spec
from gfactor.items import ItemBank, OutputFormat, answer_from_json

Guess = Callable[[RenderedItem], str | None]
"""An item -> the line it is answered with; None where the bank held no such item."""


class Baseline:
    """An examinee that guesses; see the module's docstring."""

    deterministic = True
    in_flight = 8

    def __init__(self, name: str, guess: Guess) -> None:
        self.name = name
        self._guess = guess

    async def __call__(self, item: RenderedItem) -> Reply:
        """The guess for one item; a failed attempt for an item that is not in the bank."""
        line = self._guess(item)
        if line is None:
            return Reply("", "protocol_error", detail=f"{item.item_id!r} is not in the bank")
        return Reply(line)

    async def close(self) -> None:
        """Nothing is held."""


@EXAMINEES.register("baseline")
def baseline(spec: Spec, bank: ItemBank | None = None, jobs: int = 1) -> Baseline:
    """A baseline that has learned from `bank`.

    Raises UnknownNameError for another baseline or parameter, ParameterError for a bad seed, for
    no bank and for a bank whose items have no domain or no output format.
    """
    if spec.argument not in _LEARNERS:
        raise UnknownNameError("baseline", spec.argument, _LEARNERS)
    allowed = ("seed",) if spec.argument == "random" else ()
    for name in spec.parameters:
        if name not in allowed:
            known = "its only one is 'seed'" if allowed else "it has none"
            raise ParameterError(f"baseline:{spec.argument} has no parameter {name!r}; {known}")
    if bank is None:
        raise ParameterError(f"baseline:{spec.argument} learns from a bank, and none was given")
    learned = bank.frame()
    if "domain" not in learned or not all(isinstance(f, str) for f in learned["output_format"]):
        raise ParameterError(
            f"baseline:{spec.argument} needs items with a domain and an output format"
        )
    parameters = {"seed": _seed(spec.parameters.get("seed", "0"))} if allowed else {}
    name = str(Spec("baseline", spec.argument, {k: str(v) for k, v in parameters.items()}))
    return Baseline(name, _LEARNERS[spec.argument](learned, **parameters))


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise ParameterError(f"baseline:random: seed must be a whole number from 0, got {text!r}")
    return int(text)


def _random(items: pd.DataFrame, seed: int) -> Guess:
    lines = {
        task: sorted({_line(row, row["target"]) for row in rows.to_dict("records")})
        for task, rows in items.groupby("domain")
    }

    def guess(item: RenderedItem) -> str | None:
        known = lines.get(item.task)
        if known is None:
            return None
        drawn = hashlib.sha256(f"{seed}|{item.item_id}".encode()).digest()
        return known[int.from_bytes(drawn, "big") % len(known)]

    return guess


def _constant(items: pd.DataFrame) -> Guess:
    lines = {str(task): _best_line(rows) for task, rows in items.groupby("domain")}
    return lambda item: lines.get(item.task)


def _size_aware(items: pd.DataFrame) -> Guess:
    # A bank without sizes has one cell per domain.
    cells = ["domain", "size"] if "size" in items else ["domain"]
    lines: dict[str, str] = {}
    for _, rows in items.groupby(cells):
        lines |= dict.fromkeys(rows["id"], _best_line(rows))
    return lambda item: lines.get(item.item_id)


_LEARNERS: Mapping[str, Callable[..., Guess]] = {
    "random": _random,
    "constant": _constant,
    "size-aware": _size_aware,
}


def _best_line(rows: pd.DataFrame) -> str:
    """The reply that is right for most of the rows; the first in alphabetical order of several."""
    right: Counter[str] = Counter()
    for row in rows.to_dict("records"):
        right.update({_line(row, answer) for answer in (row["target"], *row["accepted"])})
    most = max(right.values())
    return min(line for line, count in right.items() if count == most)


def _line(row: Mapping[str, object], answer: str) -> str:
    fmt = OutputFormat.from_json(str(row["output_format"]))
    return fmt.render(answer_from_json(answer, str(row["answer_type"])))
