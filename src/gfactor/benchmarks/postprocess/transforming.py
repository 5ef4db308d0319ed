"""Transforming the items of a bank, and undoing it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from gfactor.benchmarks.derived import derive, in_parts
from gfactor.benchmarks.postprocess.history import recorded, steps_of, undone
from gfactor.benchmarks.postprocess.transformation import TRANSFORMATIONS
from gfactor.errors import ParameterError
from gfactor.items import Built, Item, ItemBank, ItemRandom, Watch

_PART = re.compile(r"(.+)\.\d+")


@dataclass(frozen=True)
class Transformed:
    """The bank that was written, and the number of items that each transformation changed.

    Parameters
    ----------
    built : Built
        The bank's file.
    items : mapping of str to int
        Number of items that were changed or restored, by transformation.
    of_items : int
        Number of items of the old bank.
    undone : bool
        True if the original items were restored.
    """

    built: Built
    items: Mapping[str, int]
    of_items: int
    undone: bool = False

    def summary(self) -> str:
        """Return the numbers of items, as text."""
        done = "changed back" if self.undone else "changed"
        lines = [f"{self.built.path}: {self.built.items:,} items, of {self.of_items:,}"]
        lines += [f"  {name}: {n:,} items {done}" for name, n in self.items.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        return {"bank": self.built.to_dict(), "items": dict(self.items)}


def applied(
    item: Item,
    names: Sequence[str],
    share: Fraction = Fraction(1),
    seed: int = 0,
    variant: int = 0,
) -> list[Item]:
    """Return the items that replace an item. The transformations are applied in turn, each if it
    fits the item.

    Parameters
    ----------
    names: names of transformations.
    share: share of the items that each transformation changes; they are drawn by seed,
        transformation and item.
    variant: the number of the variant, for transformations that draw what they change.
    """
    current = [item]
    for name in names:
        transformation, after = TRANSFORMATIONS[name], list[Item]()
        for one in current:
            drawn = _drawn(one, name, share, seed)
            items = transformation.apply_seeded(one, seed, variant) if drawn else ()
            after += recorded(one, items, transformation) if items else [one]
        current = after
    return current


def transform(
    bank: ItemBank,
    path: Path | str,
    names: Sequence[str],
    *,
    share: Fraction = Fraction(1),
    seed: int = 0,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
) -> Transformed:
    """Write a bank with transformed items; each item's provenance stores the original, so that the
    change can be undone.

    Raises UnknownNameError for an unknown transformation, and ParameterError if the parts of a
    split item would have ids that the bank already has.
    """
    for name in names:
        TRANSFORMATIONS[name]
    if not names:
        raise ParameterError(
            f"no transformation is named; name one of {', '.join(TRANSFORMATIONS)}"
        )
    if not 0 < share <= 1:
        raise ParameterError(f"share: must be over 0 and at most 1, not {float(share):g}")
    for item_id in bank.ids:
        whole = _PART.fullmatch(item_id)
        if "split" in names and whole and whole[1] in bank:
            raise ParameterError(
                f"item {item_id!r} has the name of a part of {whole[1]!r}; rename one of them"
            )
    step = {
        "what": f"transformed by {', '.join(names)}",
        "transformation": list(names),
        "share": str(share),
        "seed": seed,
    }
    change = partial(_apply_all, names=tuple(names), share=share, seed=seed)
    before = _counts(bank)
    built = derive(bank, path, in_parts(bank.ids), change, step, jobs=jobs, watch=watch)
    after = _counts(ItemBank.open(path))
    return Transformed(built, {name: after[name] - before[name] for name in names}, len(bank))


def undo(
    bank: ItemBank,
    path: Path | str,
    *,
    last_only: bool = False,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
) -> Transformed:
    """Write the bank in its state before its items were transformed (or before the last
    transformation).

    Raises ParameterError if no item was transformed, or if a removed part of an item had an image
    that is needed.
    """
    before = _counts(bank)
    if not before:
        raise ParameterError(
            f"no item of {str(bank.path)!r} was transformed, so there is nothing to undo; name a "
            "bank that `gfactor transform` wrote"
        )
    groups: dict[str, list[str]] = {}
    frame = bank.frame()
    for item_id, history in zip(frame["id"], frame["history"], strict=True):
        steps = steps_of(history)
        groups.setdefault(steps[0]["item"]["id"] if steps else item_id, []).append(item_id)
    parts: list[list[str]] = [[]]
    for ids in groups.values():
        if len(parts[-1]) + len(ids) > 1000:
            parts.append([])
        parts[-1] += ids
    change = partial(_undo_all, last_only=last_only)
    built = derive(bank, path, parts, change, None, jobs=jobs, watch=watch)
    after = _counts(ItemBank.open(path))
    left = {name: n - after[name] for name, n in sorted(before.items())}
    return Transformed(built, left, len(bank), undone=True)


def _apply_all(
    items: Sequence[Item], names: tuple[str, ...], share: Fraction, seed: int
) -> Iterator[Item]:
    for item in items:
        yield from applied(item, names, share, seed)


def _undo_all(items: Sequence[Item], last_only: bool) -> Iterator[Item]:
    yield from undone(items, last_only)


def _drawn(item: Item, name: str, share: Fraction, seed: int) -> bool:
    if share == 1:
        return True
    key = {"transform": name, "seed": seed, "item": item.id}
    return ItemRandom(key, 0).chance(share.numerator, share.denominator)


def _counts(bank: ItemBank) -> Counter[str]:
    """Return the number of items that each transformation changed; the parts of one count once."""
    done = {
        (step["do"], number, step["item"]["id"])
        for history in bank.frame()["history"]
        for number, step in enumerate(steps_of(history))
    }
    return Counter(name for name, _, _ in done)
