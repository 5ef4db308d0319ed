"""Banks made from other banks: items chosen or changed, with a record in the metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from gfactor.benchmarks.benchmark import BENCHMARKS
from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Built, Item, ItemBank, Part, Watch, build_bank, digest_of
from gfactor.items.schema import LabelTypes
from gfactor.items.shards import bank_files

_ITEMS_PER_PART = 1000

DERIVED = "derived"
"""Key of a bank's metadata: the steps that made it from another bank, oldest first."""

Change = Callable[[Sequence[Item]], Iterator[Item]]
"""Items of a part -> the items that take their places; must pickle."""


def derive(
    bank: ItemBank,
    path: Path | str,
    parts: Sequence[Sequence[str]],
    change: Change,
    step: Mapping[str, Any] | None,
    *,
    labels: LabelTypes | None = None,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
) -> Built:
    """Write a derived bank, made by applying `change` to parts of another bank.

    Parameters
    ----------
    parts: ids of the items of each part, in the order of the new bank; items that must be changed
        together stand in one part.
    step: description of the step, JSON-serializable, added to the metadata's `derived`; None
        takes the last step away again.
    labels: types of the labels; those of the old bank by default.

    Raises ParameterError if the bank would replace the one it is made of, or hold no items.
    """
    path = Path(path)
    if path.resolve() in {file.resolve() for file in (bank.path, *bank_files(bank.path))}:
        raise ParameterError(f"{str(path)!r} is the bank that is read; name another file after -o")
    if not any(parts):
        raise ParameterError(f"no items are left to write to {str(path)!r}; choose other items")
    metadata = bank.metadata
    done = [*metadata.get(DERIVED, ())]
    done = done[:-1] if step is None else [*done, dict(step)]
    source = {"digest": digest_of(_row_digests(bank)), "step": step or {}}
    items = [
        Part(
            f"items-{number:05d}",
            {**source, "ids": digest_of(ids), "number": number},
            partial(_make, bank, tuple(ids), change),
        )
        for number, ids in enumerate(parts)
    ]
    metadata = {**metadata, DERIVED: done}
    if not done:
        del metadata[DERIVED]
    plan = BankPlan(
        parts=items,
        labels=labels or bank.label_types,
        metadata=metadata,
        about=_about(metadata, step),
    )
    return build_bank(plan, path, jobs=jobs, **({} if watch is None else {"watch": watch}))


def in_parts(ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Return ids in parts of a thousand."""
    starts = range(0, len(ids), _ITEMS_PER_PART)
    return [tuple(ids[start : start + _ITEMS_PER_PART]) for start in starts]


def unchanged(items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items unchanged."""
    yield from items


def _make(bank: ItemBank, ids: Sequence[str], change: Change) -> Iterator[Item]:
    return change(list(bank.select(ids)))


def _row_digests(bank: ItemBank) -> Iterator[str]:
    frame = bank.frame()
    for name in ("id", "content_hash", "target", "history"):
        yield from frame[name]


def _about(metadata: Mapping[str, Any], step: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the benchmark's description of its banks, with the note that this one was derived."""
    name = str(metadata["benchmark"])
    # A registry has no `get`, because its look-up raises an error of its own.
    benchmark = BENCHMARKS[name] if name in BENCHMARKS else None  # noqa: SIM401
    derivation = f" Derived with gfactor: {step['what']}." if step else ""
    return {
        "name": name,
        "description": (benchmark.description if benchmark else f"Items of {name}.") + derivation,
        "license": benchmark.license if benchmark else "see the source",
        "citation": benchmark.citation if benchmark else "see the source",
        "version": str(metadata.get("version", "1")),
    }
