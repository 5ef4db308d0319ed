"""Reordering of an item's options: whether it is possible, and the resulting item."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gfactor.benchmarks.postprocess.transformation import revised
from gfactor.items import Choice, Image, Item

_POINTS = re.compile(
    r"(?i)\b(?:all|none|both|any|neither|either|two|each) of (?:the )?"
    r"(?:above|these|them|others?)\b"
    r"|\b(?:above|below|former|latter|preceding|following) (?:options?|answers?|choices?)\b"
    r"|\bof the above\b|以上|上述|前者|后者|下列选项|都对|都不|위의 모든|모두"
)
_LETTERS = re.compile(r"(?i:\b(?:options?|answers?|choices?)\s*\(?)[A-H]\b|选项\s*[A-H]|\([A-H]\)")
"""A word of the question that names an option by its letter."""
_BARE = re.compile(r"^\W*(?:[A-H](?:\W+(?:and|or|和|与)?\W*[A-H])*|[ivx]+)\W*$")
"""An option of letters or small numerals only, which may refer to other options or to a picture."""


def movable(item: Item) -> bool:
    """Return True if the options can be reordered without changing the question."""
    if item.answer_type not in ("choice", "choices") or len(item.choices) < 2:
        return False
    if item.target is None or item.accepted or item.turns:
        return False
    texts = [c.content for c in item.choices if not isinstance(c.content, Image)]
    if any(not text.strip() or _BARE.match(text) or _POINTS.search(text) for text in texts):
        return False
    contents = [c.content if isinstance(c.content, str) else c.content.sha256 for c in item.choices]
    listed = any(text.strip() and text.strip() in item.text for text in texts) and any(
        f"{c.label}." in item.text or f"{c.label})" in item.text for c in item.choices
    )
    named = _POINTS.search(item.text) or _LETTERS.search(item.text)
    return len(set(contents)) == len(contents) and not named and not listed


def with_contents(item: Item, order: Sequence[int]) -> Item:
    """Return the item with the content of option `order[k]` at position k, and with its new key."""
    labels = [choice.label for choice in item.choices]
    choices = tuple(
        Choice(label, item.choices[k].content) for label, k in zip(labels, order, strict=True)
    )
    now = {labels[k]: label for label, k in zip(labels, order, strict=True)}
    if isinstance(item.target, str):
        return revised(item, choices=choices, target=now[item.target])
    named = {now[str(label)] for label in item.target or ()}  # type: ignore[union-attr]
    target = (
        frozenset(named) if isinstance(item.target, frozenset)
        else tuple(label for label in labels if label in named)
    )  # fmt: skip
    return revised(item, choices=choices, target=target)
