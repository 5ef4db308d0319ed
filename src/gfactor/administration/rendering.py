"""From an item to what an examinee gets: never the target, the size or the scene."""

from __future__ import annotations

from gfactor.administration.condition import Condition
from gfactor.examinees import RenderedItem
from gfactor.items import Item


def render(item: Item, condition: Condition) -> RenderedItem:
    """The item as it is put under a condition.

    Its task is its domain, or its benchmark where it has none.
    """
    task = item.labels.get("domain", item.benchmark)
    return RenderedItem(item.id, item.benchmark, str(task), item.content)
