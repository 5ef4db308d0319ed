"""The options in another order: the labels stay, the contents and the key move."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.postprocess.options import movable, with_contents
from gfactor.benchmarks.postprocess.transformation import register_variant
from gfactor.items import Item, ItemRandom


@register_variant("shuffle-options", "The options in another order, drawn at random.")
def shuffle_options(item: Item, random: ItemRandom) -> Sequence[Item]:
    """Shuffle the item's options into another order.

    Applies if no option and no word of the question refers to another option or to a letter.
    """
    if not movable(item):
        return ()
    positions = list(range(len(item.choices)))
    order = random.shuffled(positions)
    while order == positions:
        order = random.shuffled(positions)
    return (with_contents(item, order),)
