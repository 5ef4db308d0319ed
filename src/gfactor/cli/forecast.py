"""`gfactor run --dry-run`: what a run would ask and cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from gfactor.administration import Condition, Journal, Materials
from gfactor.administration.estimate import Estimate, estimate
from gfactor.cli.common import put_json, say
from gfactor.examinees import Examinee
from gfactor.examinees.http import HttpExaminee
from gfactor.items import ItemBank


def forecast(
    bank: ItemBank,
    examinees: Sequence[Examinee],
    journal: str,
    condition: Condition,
    materials: Materials,
    occasions: int,
    as_json: bool,
) -> None:
    """Print, for every examinee, what is missing in the journal and what asking it would take."""
    found = {}
    for examinee in examinees:
        price = examinee.budget.price if isinstance(examinee, HttpExaminee) else None
        answered = _answered(journal, examinee.name, condition.key)
        found[examinee.name] = estimate(bank, condition, materials, answered, occasions, price)
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
    cost = "" if one.cost is None else f", at most about {one.cost:.4g} in money"
    return (
        f"{name}: {one.items:,} items in {one.requests:,} questions{before}; about "
        f"{one.input_tokens:,} tokens to read and up to {one.output_tokens:,} to write{cost}"
    )
