"""`gfactor run --dry-run`: what a run would ask and cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from gfactor.administration import Condition, Journal, Materials
from gfactor.administration.estimate import Estimate, estimate
from gfactor.cli.common import put_json, say
from gfactor.examinees import Examinee
from gfactor.examinees.http import HttpExaminee, Price
from gfactor.items import ItemBank


def forecast(
    bank: ItemBank,
    examinees: Sequence[Examinee],
    journal: str,
    condition: Condition,
    materials: Materials,
    occasions: int,
    describer: Price | None,
    as_json: bool,
) -> None:
    """Print, for every examinee, what is missing in the journal and what asking it would take.

    `describer` is the price of the model that describes images, where there is one.
    """
    found = {}
    for examinee in examinees:
        price = examinee.budget.price if isinstance(examinee, HttpExaminee) else None
        answered = _answered(journal, examinee.name, condition.key)
        prices = price, describer
        found[examinee.name] = estimate(bank, condition, materials, answered, occasions, *prices)
    if as_json:
        rows = [{"examinee": n, **dataclasses.asdict(e)} for n, e in found.items()]
        put_json({"journal": journal, "condition": condition.key, "examinees": rows})
        return
    say(f"condition {condition.key}; nothing was asked")
    for name, one in found.items():
        say(_line(name, one))


def _answered(journal: str, examinee: str, condition: str) -> set[tuple[str, int]]:
    if "://" not in journal and not Path(journal).exists():
        return set()
    with Journal.open(journal, create=False) as kept:
        return kept.answered(examinee, condition)


def _line(name: str, one: Estimate) -> str:
    before = f", after describing {one.descriptions:,} images" if one.descriptions else ""
    line = (
        f"{name}: {one.items:,} items in {one.requests:,} questions{before}; "
        f"{_size(one.input_tokens, one.output_tokens, one.cost)}"
    )
    if not one.descriptions:
        return line
    described = one.description_input_tokens, one.description_output_tokens, one.description_cost
    return f"{line}; for the descriptions {_size(*described)}"


def _size(read: int, written: int, cost: float | None) -> str:
    money = "" if cost is None else f", at most about {cost:.4g} in money"
    return f"about {read:,} tokens to read and up to {written:,} to write{money}"
