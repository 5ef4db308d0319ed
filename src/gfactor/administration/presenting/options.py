"""The order of choices: a permutation by seed and item, and its inverse for scoring. Labels keep
their positions (A, B, C ...) and contents move, so that the position of the right answer is not an
attribute of the item. Nothing is stored: the permutation follows from the item's hash and the seed
in the condition's key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from gfactor.items import Answer, Choice, Item, ItemRandom

NONE: frozenset[int] = frozenset()
"""The set without any pinned choice."""


@lru_cache(maxsize=20_000)
def option_order(
    content_hash: str, count: int, seed: int | None, pinned: frozenset[int] = NONE
) -> tuple[int, ...]:
    """Return for each position the number (from 0) of the choice that is shown there.

    Parameters
    ----------
    content_hash: the item's identity.
    count: number of choices of the item.
    seed: seed of the condition; None leaves the order as it is.
    pinned: numbers of choices that keep their place ("all of the above").
    """
    if seed is None:
        return tuple(range(count))
    order = ItemRandom({"options": content_hash, "seed": seed}, 0).shuffled(range(count))
    if not pinned:
        return tuple(order)
    others = iter([k for k in order if k not in pinned])
    return tuple(position if position in pinned else next(others) for position in range(count))


def shown_choices(
    item: Item, seed: int | None, pinned: frozenset[int] = NONE
) -> tuple[Choice, ...]:
    """Return the item's choices as they are shown: its labels in order, its contents permuted."""
    order = option_order(item.provenance.content_hash, len(item.choices), seed, pinned)
    return tuple(
        Choice(choice.label, item.choices[k].content)
        for choice, k in zip(item.choices, order, strict=True)
    )


def permuted(item: Item, seed: int | None) -> Item:
    """Return the item as it is shown, with its choices in the shown order and its right answer in
    the shown labels."""
    if seed is None or not item.choices:
        return item
    target = item.target
    if target is not None and item.answer_type in ("choice", "choices"):
        labels = [choice.label for choice in item.choices]
        target = as_shown(target, item.provenance.content_hash, labels, seed)
    return replace(item, choices=shown_choices(item, seed), target=target)


def as_shown(
    answer: Answer,
    content_hash: str,
    labels: Sequence[str],
    seed: int | None,
    pinned: frozenset[int] = NONE,
) -> Answer:
    """Translate an answer from the item's own labels into the labels that the examinee sees."""
    order = option_order(content_hash, len(labels), seed, pinned)
    return _renamed(answer, {labels[k]: label for label, k in zip(labels, order, strict=True)})


def as_stored(
    answer: Answer,
    content_hash: str,
    labels: Sequence[str],
    seed: int | None,
    pinned: frozenset[int] = NONE,
) -> Answer:
    """Translate an answer from the labels that the examinee saw into the item's own, for scoring.

    Parameters
    ----------
    answer : Answer
        Answer in the labels that the examinee saw.
    content_hash : str
        The item's identity.
    labels : list of str
        The labels of its options, in order.
    seed : int, optional
        The condition's `options_seed`; None if the order was left as it is.
    pinned : frozenset[int]
        Numbers of choices that were not permuted.

    Returns
    -------
    Answer
        The same answer in the item's own labels.

    Examples
    --------
    >>> from gfactor.administration import as_stored
    >>> as_stored("B", "abc", ["A", "B", "C"], None)
    'B'
    """
    order = option_order(content_hash, len(labels), seed, pinned)
    return _renamed(answer, {label: labels[k] for label, k in zip(labels, order, strict=True)})


def _renamed(answer: Answer, names: dict[str, str]) -> Answer:
    if isinstance(answer, frozenset):
        return frozenset(names.get(str(a), a) for a in answer)
    if isinstance(answer, tuple):
        return tuple(sorted(names.get(str(a), str(a)) for a in answer))
    return names.get(str(answer), answer)
