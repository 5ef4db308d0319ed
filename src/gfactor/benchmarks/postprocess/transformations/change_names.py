"""Other names of people in the texts of an item without pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gfactor.benchmarks.postprocess.transformation import register_variant, revised
from gfactor.items import Choice, Image, Item, ItemRandom

WOMEN = (
    "Alice", "Anna", "Clara", "Emma", "Hannah", "Helen", "Julia", "Karen", "Laura", "Maria",
    "Nina", "Olivia", "Rachel", "Sarah", "Sophie", "Susan",
)  # fmt: skip
MEN = (
    "Adam", "Ben", "Carlos", "Daniel", "David", "Eric", "George", "Henry", "James", "John",
    "Kevin", "Lucas", "Michael", "Peter", "Thomas", "Tom",
)  # fmt: skip
"""First names that are not also English words, so that every occurrence is a name."""

_NAME = re.compile(r"\b(" + "|".join(sorted({*WOMEN, *MEN}, key=len, reverse=True)) + r")\b")
_FAMOUS = re.compile(
    _NAME.pattern
    + r" +(?!And|Or|But|Has|Is|Was|Had|Then)[A-Z][a-z]+|\b[A-Z][a-z]+ +"
    + _NAME.pattern
)
"""A name next to another capitalized word on a line: a real person, a place, a brand."""
_INITIALS = re.compile(r"\b[A-Z]\.|\bletters?\b|\bspell|\balphabet|\bname\b", re.IGNORECASE)
"""Words that occur in questions in which the letters of a name may matter."""


@register_variant("change-names", "Other first names of people, in English texts without pictures.")
def change_names(item: Item, random: ItemRandom) -> Sequence[Item]:
    """Return the item with each first name replaced by another one that does not occur in its
    texts.

    Women's names are replaced by women's names, so that pronouns fit. It applies to English items
    without pictures that have first names alone (no family name, no question about letters).
    """
    texts = [*(s for s in item.content if isinstance(s, str)), *_choices(item)]
    if item.language != "en" or item.images or item.turns:
        return ()
    whole = "\n".join(texts)
    names = sorted(set(_NAME.findall(whole)))
    if not names or _INITIALS.search(whole) or _FAMOUS.search(_without_starts(whole)):
        return ()
    new: dict[str, str] = {}
    for group in (WOMEN, MEN):
        old = [name for name in names if name in group]
        free = [name for name in group if name not in names]
        if len(free) < len(old):
            return ()
        new.update(zip(old, random.sample(free, len(old)), strict=True))

    def renamed(text: str) -> str:
        return _NAME.sub(lambda match: new[match[1]], text)

    content = tuple(s if isinstance(s, Image) else renamed(s) for s in item.content)
    choices = tuple(
        c if isinstance(c.content, Image) else Choice(c.label, renamed(c.content))
        for c in item.choices
    )
    target = item.target
    if item.answer_type not in ("choice", "choices"):
        if isinstance(target, str):
            target = renamed(target)
        elif isinstance(target, tuple) and all(isinstance(part, str) for part in target):
            target = tuple(renamed(str(part)) for part in target)
        elif _NAME.search(str(target)):
            return ()
        if any(_NAME.search(str(other)) for other in item.accepted):
            return ()
    return (revised(item, content=content, choices=choices, target=target),)


def _choices(item: Item) -> list[str]:
    return [c.content for c in item.choices if isinstance(c.content, str)]


def _without_starts(text: str) -> str:
    """The text with the first word of each sentence in lower case, unless it is a name."""
    return re.sub(
        r"(^|[.!?:\n]\s*)([A-Z][a-z]*)",
        lambda m: m[1] + (m[2] if _NAME.fullmatch(m[2]) else m[2].lower()), text,
    )  # fmt: skip
