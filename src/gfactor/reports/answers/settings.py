"""Comparable conditions of a journal: those that differ in one thing alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from gfactor.administration import Condition
from gfactor.administration.presenting.condition_text import read_key
from gfactor.errors import GfactorError


@dataclass(frozen=True)
class Aspect:
    """Aspect in which two compared conditions may differ.

    Parameters
    ----------
    fields: fields of a condition.
    sources: files that belong to them; their fingerprints differ with them.
    """

    fields: tuple[str, ...]
    sources: tuple[str, ...] = ()

    def rest(self, condition: Condition) -> str:
        """Return the key of a condition without this aspect; it is the same for all conditions that
        may be compared."""
        remaining = tuple((k, v) for k, v in condition.sources if k not in self.sources)
        defaults = {f.name: f.default for f in fields(Condition) if f.name in self.fields}
        return replace(condition, sources=remaining, **defaults).key  # pyright: ignore[reportArgumentType]


IMAGES = Aspect(("images", "presentation", "image_limit"), ("captions",))
"""Treatment of the images. The number of images in a turn, and their size, belong to it: without
images there is neither.
"""
KNOWLEDGE = Aspect(("knowledge",), ("knowledge_from",))
THINKING = Aspect(("cot",))
PROMPT = Aspect(("background", "prompt_language", "cot"))


def alike(keys: Iterable[str], aspect: Aspect) -> dict[str, dict[str, Condition]]:
    """Return groups of conditions that differ only in one aspect: rest -> key -> condition.

    Keys of imported journals that are no conditions of gfactor are left out.
    """
    groups: dict[str, dict[str, Condition]] = {}
    for key in sorted(set(keys)):
        condition = _read(key)
        if condition is not None:
            groups.setdefault(aspect.rest(condition), {})[key] = condition
    return groups


def _read(key: str) -> Condition | None:
    try:
        return read_key(key)
    except GfactorError:
        return None


def with_images(condition: Condition) -> bool:
    """Return True if all images themselves are shown."""
    return condition.images in ("shown", "blank-if-needed")
