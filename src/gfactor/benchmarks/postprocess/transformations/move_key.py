"""The right option at another place, the others behind it in the order that they had."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.postprocess.options import movable, with_contents
from gfactor.benchmarks.postprocess.transformation import register_variant
from gfactor.items import Item, ItemRandom


@register_variant("move-key", "The right option at another place; all move on by as many places.")
def move_key(item: Item, random: ItemRandom) -> Sequence[Item]:
    """Rotate the item's options by one place or more, so that the key changes.

    Applies to single choice in which no option and no word of the question refers to another
    option or to a letter.
    """
    if item.answer_type != "choice" or not movable(item):
        return ()
    count = len(item.choices)
    by = random.integer(1, count - 1)
    return (with_contents(item, [(position - by) % count for position in range(count)]),)
