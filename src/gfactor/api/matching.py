"""Items of two measurements matched, and what of a condition concerns prompt, images, decoding."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from gfactor.administration import Condition
from gfactor.errors import UnknownNameError


def matched_items(first: pd.DataFrame, second: pd.DataFrame, how: str = "auto") -> pd.DataFrame:
    """Items of two measurements that are the same: columns `first`, `second` (ids) and `by`."""
    rules: Any = {
        "hash": lambda items: items["content_hash"].tolist(),
        "id": lambda items: items.index.tolist(),
        "text": lambda items: [_words(row) for row in items.to_dict("records")],
        "number": lambda items: [str(name).rpartition("/")[2] for name in items.index],
    }
    if how not in ("auto", *rules):
        raise UnknownNameError("match", how, ("auto", *rules))
    left, right = list(first.index), list(second.index)
    found: list[tuple[str, str, str]] = []
    for rule in ("hash", "id", "text") if how == "auto" else (how,):
        own, theirs = rules[rule](first.loc[left]), rules[rule](second.loc[right])
        one, other = _unique(own, left), _unique(theirs, right)
        pairs = [(one[key], other[key], rule) for key in one if key in other]
        if rule == "text":
            pairs += _beginnings(one, other, pairs)
        found += pairs
        taken = {p[0] for p in pairs}, {p[1] for p in pairs}
        left = [name for name in left if name not in taken[0]]
        right = [name for name in right if name not in taken[1]]
    return pd.DataFrame(found, columns=["first", "second", "by"])


def _unique(keys: list[Any], names: list[str]) -> dict[Any, str]:
    counts = Counter(keys)
    return {key: name for key, name in zip(keys, names, strict=True) if counts[key] == 1}


def _beginnings(one: Any, other: Any, done: Any) -> list[tuple[str, str, str]]:
    """Pairs with the same options of which one question begins with the other: harnesses append
    options and instructions."""
    taken = {p[0] for p in done}, {p[1] for p in done}
    left = {k: v for k, v in one.items() if v not in taken[0]}
    right = {k: v for k, v in other.items() if v not in taken[1]}
    candidates = [
        (a, b)
        for a in left
        for b in right
        if a[1] == b[1] and a[0] and b[0] and (a[0].startswith(b[0]) or b[0].startswith(a[0]))
    ]
    once = [Counter(pair[k] for pair in candidates) for k in (0, 1)]
    return [(left[a], right[b], "text") for a, b in candidates if once[0][a] == once[1][b] == 1]


def _words(item: Mapping[Any, Any]) -> tuple[str, tuple[str, ...]]:
    return plain_text(item["question"]), tuple(
        sorted(plain_text(text) for _, text in options_in_order(item))
    )


def options_in_order(item: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(label), str(text or "")) for label, text in item["choices"])


def plain_text(text: Any) -> str:
    return re.sub(r"\s+", " ", str(text)).strip().casefold()


def prompt_of(condition: Condition) -> str:
    """What of a condition is said around the items."""
    return replace(condition, images="shown", image_limit="", decoding=()).key


def images_of(condition: Condition) -> str:
    """What of a condition becomes of the images."""
    return Condition(images=condition.images, image_limit=condition.image_limit).key


def decoding_of(condition: Condition) -> str:
    """The parameters of generation of a condition."""
    return Condition(decoding=condition.decoding).key
