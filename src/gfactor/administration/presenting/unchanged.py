"""Items that a condition does not change, whose answers would be paid for twice."""

from __future__ import annotations

from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.presenting.rendering import render
from gfactor.errors import ParameterError
from gfactor.items import Item, ItemBank

_SPREAD = 100
"""Approximate number of items of the bank that are checked; at most twice as many."""


def check_changes(bank: ItemBank, condition: Condition, materials: Materials) -> str:
    """Return a note if a condition changes only some of the items, "" if it changes all.

    Parameters
    ----------
    bank : ItemBank
        Items that will be asked.
    condition : Condition
        Condition with the fingerprints of its materials.
    materials : Materials
        Materials of the condition.

    Returns
    -------
    str
        A sentence about the items that are presented as without the condition.

    Raises
    ------
    ParameterError
        If the condition changes no item.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.administration import Condition, Materials
    >>> from gfactor.administration.presenting.unchanged import check_changes
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> check_changes(bank, Condition(cot=True), Materials())
    ''
    >>> check_changes(bank, Condition(prompt_language="zh"), Materials())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gfactor.errors.ParameterError: the condition prompt_language=zh changes nothing: ...
    """
    without = unconditional(condition)
    if condition.key == without.key:
        return ""
    ids = bank.ids
    first = ids[:: max(1, len(ids) // _SPREAD)]
    changed = [changes_item(item, condition, materials) for item in bank.select(first)]
    if all(changed):
        return ""
    seen = set(first)
    others = (one for one in bank if one.id not in seen)
    if not any(changed) and not any(changes_item(one, condition, materials) for one in others):
        formats = bank.frame()["output_format"].notna().to_numpy(bool)
        raise changes_nothing(condition, f"all {len(ids):,} items", bool(formats.all()))
    return (
        f"note: {condition.key} changes only a part of the items: of {len(first):,} looked at, "
        f"{changed.count(False):,} have the same prompt as under {without.key}, so that their "
        "answers differ by chance alone"
    )


def unconditional(condition: Condition) -> Condition:
    """Return the condition without settings that change items. Generation parameters stay, and so
    do settings that a model needs (a limit of image size, exactly one image).
    """
    needed = condition.images if condition.images in ("first", "blank-if-needed") else "shown"
    return Condition(images=needed, image_limit=condition.image_limit, decoding=condition.decoding)


def changes_item(item: Item, condition: Condition, materials: Materials) -> bool:
    """Return True if a condition changes the presentation of an item."""
    put = render(item, condition, materials)
    try:
        return put != render(item, unconditional(condition))
    except ParameterError:
        return True  # Without the condition the item has no prompt pack and cannot be presented.


def changes_nothing(condition: Condition, which: str, formatted: bool) -> ParameterError:
    """Return the error of a condition that changes no item.

    Parameters
    ----------
    condition : Condition
        The condition.
    which : str
        Words for the items: "all 45 items".
    formatted : bool
        True if all items have an output format of their own.
    """
    prompts = formatted and bool(condition.prompt_language)
    why = " (items with an output format of their own contain their prompt)" if prompts else ""
    return ParameterError(
        f"the condition {condition.key} changes nothing: {which} would be put as under "
        f"{unconditional(condition).key}{why}; leave it out, or the same is paid for twice"
    )
