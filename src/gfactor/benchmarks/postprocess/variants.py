"""Two variants of every item, one of which is drawn at random and becomes public.

Both variants are made in the same way, so that only the random draw determines which is published.
A model that has not seen the public ones answers both equally well on average, whatever its
ability. An exact test needs no other assumption.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from gfactor.benchmarks.derived import DERIVED, derive, in_parts
from gfactor.benchmarks.postprocess.transformation import TRANSFORMATIONS
from gfactor.benchmarks.postprocess.transforming import applied
from gfactor.errors import ParameterError
from gfactor.items import Built, Item, ItemBank, ItemRandom, Watch, canonical_json, text_hash
from gfactor.items.files import check_writable, replacing
from gfactor.results import number_of

PUBLIC, FRESH = "public", "fresh"
_MARK = "~"
"""Separator of the name of an item and the number of its variant."""
_TRIES = 20
"""Largest number of variants drawn of an item until one differs from the first."""
_FIRST = 20
"""Number of items on which other transformations are tried if the named ones make no variants."""


@dataclass(frozen=True)
class Variants:
    """Two banks of variants, and the record of the draw.

    Parameters
    ----------
    public, fresh : Built
        The bank to publish, and the one to keep secret until models are examined.
    record : Path
        A JSON file: transformations, seed, and for each item the variant that was drawn.
    draw : str
        Hash of the random draw, which both banks hold.
    left_out : tuple of str
        Ids of the items for which no two different variants could be made.
    """

    public: Built
    fresh: Built
    record: Path
    draw: str
    left_out: tuple[str, ...]

    def summary(self) -> str:
        """Return the written files, as text."""
        lines = [
            f"{self.public.path}: {self.public.items:,} variants to publish",
            f"{self.fresh.path}: {self.fresh.items:,} variants to keep secret",
            f"{self.record}: the record of the draw, {self.draw[:12]}",
        ]
        if self.left_out:
            lines.append(f"left out, without two variants: {number_of(len(self.left_out), 'item')}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        return {
            "public": self.public.to_dict(), "fresh": self.fresh.to_dict(),
            "record": str(self.record), "draw": self.draw, "left_out": list(self.left_out),
        }  # fmt: skip


def draw_variants(
    bank: ItemBank,
    path: Path | str,
    names: Sequence[str],
    *,
    seed: int = 0,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
) -> Variants:
    """Write the public variants to PATH, and the fresh ones and the record of the draw beside it.

    Raises UnknownNameError for an unknown transformation, and ParameterError if one of them
    changes the question or no item has two variants.
    """
    if not names:
        varied = [name for name, one in TRANSFORMATIONS.items() if one.vary]
        raise ParameterError(f"no transformation is named; name one of {', '.join(varied)}")
    for name in names:
        if TRANSFORMATIONS[name].vary is None:
            raise ParameterError(
                f"{name!r} changes the question, so it cannot make variants of an item"
            )
    public, fresh, record = files_of(Path(path))
    for file in (fresh, record):
        check_writable(file)
    usable, drawn = [], {}
    for item in bank:
        if _pair(item, tuple(names), seed):
            usable.append(item.id)
            drawn[item.id] = _drawn(item.id, seed)
    if not usable:
        able = _able(bank, seed)
        remedy = f"name {' or '.join(able)}" if able else "no transformation makes variants of them"
        raise ParameterError(
            f"no item of {str(bank.path)!r} has two variants by {', '.join(names)}; {remedy}"
        )
    facts = {"transformations": list(names), "seed": seed, "public": drawn}
    draw = text_hash(canonical_json(facts))
    built = {}
    for form, file in ((PUBLIC, public), (FRESH, fresh)):
        step = {
            "what": f"{form} variants by {', '.join(names)}", "variants": form, "draw": draw,
            "transformation": list(names), "seed": seed,
        }  # fmt: skip
        change = partial(_variants, names=tuple(names), seed=seed, form=form)
        built[form] = derive(bank, file, in_parts(usable), change, step, jobs=jobs, watch=watch)
    with replacing(record) as temporary:
        temporary.write_text(json.dumps({"draw": draw, **facts}, indent=1) + "\n", "utf-8")
    left_out = tuple(sorted(set(bank.ids) - set(usable)))
    return Variants(built[PUBLIC], built[FRESH], record, draw, left_out)


def _able(bank: ItemBank, seed: int) -> list[str]:
    """Return the transformations that make two variants of one of the first items."""
    first = list(islice(bank, _FIRST))
    return [
        name for name, one in TRANSFORMATIONS.items()
        if one.vary and any(_pair(item, (name,), seed) for item in first)
    ]  # fmt: skip


def files_of(path: Path) -> tuple[Path, Path, Path]:
    """Return the paths of the public variants, the fresh ones and the record of the draw."""
    return path, path.with_suffix(f".fresh{path.suffix}"), path.with_suffix(".draw.json")


def twins_of(public: ItemBank, fresh: ItemBank) -> dict[str, str]:
    """Return the fresh variant of each public item of two banks from the same draw; empty for other
    banks."""
    draws = [_step(bank) for bank in (public, fresh)]
    forms = [one.get("variants") for one in draws]
    if forms != [PUBLIC, FRESH] or draws[0].get("draw") != draws[1].get("draw"):
        return {}
    by_name = {_name(item): item for item in fresh.ids}
    return {item: by_name[_name(item)] for item in public.ids if _name(item) in by_name}


def _step(bank: ItemBank) -> Mapping[str, Any]:
    done = bank.metadata.get(DERIVED) or ({},)
    return done[-1]


def _name(item_id: str) -> str:
    return item_id.rpartition(_MARK)[0]


def _drawn(item_id: str, seed: int) -> int:
    """The number of the variant that becomes public, 1 or 2."""
    return ItemRandom({"draw": item_id, "seed": seed}, 0).integer(1, 2)


def _variants(
    items: Sequence[Item], names: tuple[str, ...], seed: int, form: str
) -> Iterator[Item]:
    for item in items:
        public = _drawn(item.id, seed)
        number = public if form == PUBLIC else 3 - public
        changed = _pair(item, names, seed)[number - 1]
        yield replace(changed, id=f"{item.id}{_MARK}{number}")


def _pair(item: Item, names: tuple[str, ...], seed: int) -> tuple[Item, ...]:
    """Two different variants, numbers 1 and 2; nothing if there are not two."""
    first = _variant(item, names, seed, 1)
    if first is None:
        return ()
    for number in range(2, _TRIES):
        second = _variant(item, names, seed, number)
        if second is not None and second != first:
            return first, second
    return ()


def _variant(item: Item, names: tuple[str, ...], seed: int, number: int) -> Item | None:
    """A variant; None if no transformation applies to the item."""
    (changed,) = applied(item, names, seed=seed, variant=number)
    return None if changed == item else changed
