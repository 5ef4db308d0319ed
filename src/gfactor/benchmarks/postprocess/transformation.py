"""Transformation of items, and the registry of transformations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gfactor.benchmarks.loading import content_hash, image_type
from gfactor.items import Image, Item, ItemRandom, LabelValue, pixel_hash
from gfactor.registry import Registry

Vary: TypeAlias = Callable[[Item, ItemRandom], Sequence[Item]]
"""(item, random generator) -> a variant that asks the same, or None."""


@dataclass(frozen=True)
class Transformation:
    """A change of items, with its name and version.

    Parameters
    ----------
    name: name as it is typed.
    about: description in one sentence.
    version: version of the transformation; a new one if it changes items in another way.
    apply: pure function that returns the items that replace an item, without their history; none if
        the transformation does not apply to the item.
    vary: function of an item and a random generator that returns one item or none, for a
        transformation that draws its change at random and keeps the question the same. None for any
        other.
    """

    name: str
    about: str
    version: str
    apply: Callable[[Item], Sequence[Item]]
    vary: Vary | None = None

    def apply_seeded(self, item: Item, seed: int, variant: int = 0) -> Sequence[Item]:
        """Return the items that replace an item; a random change is drawn by seed and variant."""
        if self.vary is None:
            return self.apply(item)
        return self.vary(item, _random(self.name, item, seed, variant))


TRANSFORMATIONS: Registry[Transformation] = Registry(
    "transformation",
    home="gfactor.benchmarks.postprocess.transformations",
    group="gfactor.transformations",
)


def register(name: str, about: str, version: str = "1") -> Callable[..., Transformation]:
    """Register a function as a transformation."""
    return lambda apply: TRANSFORMATIONS.add(name, Transformation(name, about, version, apply))


def register_variant(name: str, about: str, version: str = "1") -> Callable[[Vary], Transformation]:
    """Register a function that draws a variant of an item."""

    def added(vary: Vary) -> Transformation:
        def apply(item: Item) -> Sequence[Item]:
            return vary(item, _random(name, item, 0, 0))

        return TRANSFORMATIONS.add(name, Transformation(name, about, version, apply, vary))

    return added


def _random(name: str, item: Item, seed: int, variant: int) -> ItemRandom:
    key = {"transform": name, "item": item.provenance.content_hash, "seed": seed}
    return ItemRandom(key, variant)


CODES = {"choice": "SA", "choices": "MA", "blanks": "FB", "open": "OP"}
"""Answer types as MULTI's label `type` calls them."""


def revised(item: Item, **changed: Any) -> Item:
    """Return the item with these fields changed, and with new content and pixel hashes.

    The labels `type`, `options`, `images_shown` and `image_type` are updated if they described the
    old item correctly.
    """
    new = replace(item, **changed)
    origin = item.provenance
    hashes = dict(zip(map(_key, item.images), origin.pixel_hashes, strict=False))
    pixels = tuple(hashes.get(_key(i)) or pixel_hash(i.decode()) for i in new.images)
    pixels = pixels if hashes else ()
    return replace(
        new,
        labels=_labels(item, new),
        provenance=replace(
            origin,
            content_hash=content_hash(new.benchmark, new.content, new.choices),
            pixel_hashes=pixels,
            scene="",
        ),
    )


def _key(image: Image) -> tuple[str, str]:
    return image.sha256, image.path


def _labels(before: Item, after: Item) -> dict[str, LabelValue]:
    labels = dict(after.labels)
    for name, old, new in (
        ("type", CODES.get(before.answer_type), CODES.get(after.answer_type)),
        ("options", len(before.choices), len(after.choices)),
        ("images_shown", len(before.images), len(after.images)),
        ("image_type", image_type(len(before.images)), image_type(len(after.images))),
    ):
        if new is not None and labels.get(name) == old:
            labels[name] = new
    return labels
