"""History of an item, kept in its provenance, and the way back."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gfactor.benchmarks.postprocess.transformation import Transformation
from gfactor.errors import ParameterError
from gfactor.items import Image, Item
from gfactor.items.schema import item_of, row_of


def steps_of(history: str) -> list[dict[str, Any]]:
    """Return the steps of a history, oldest first; each with `do`, `version`, `parts` and
    `item`."""
    return json.loads(history) if history else []


def recorded(before: Item, items: Sequence[Item], by: Transformation) -> list[Item]:
    """Return the items that replaced an item, each with the full history to restore it.

    The history stores the original item without the bytes of images that the new items have. Images
    that a transformation redraws are stored; ValueError is raised if any other transformation loses
    an image.
    """
    lost = set(map(_key, before.images)) - {_key(i) for item in items for i in item.images}
    if lost and by.vary is None:
        raise ValueError(f"{by.name} would lose image {sorted(lost)[0][1]!r} of item {before.id!r}")
    earlier = steps_of(before.provenance.history)
    row = row_of(before)
    row["images"] = [
        {"sha256": i.sha256, "path": i.path}
        | ({"bytes": b64encode(i.data).decode()} if _key(i) in lost else {})
        for i in before.images
    ]
    row["provenance"] = {**row["provenance"], "history": ""}
    step = {"do": by.name, "version": by.version, "parts": [i.id for i in items], "item": row}
    text = json.dumps([*earlier, step], ensure_ascii=False, separators=(",", ":"))
    return [replace(i, provenance=replace(i.provenance, history=text)) for i in items]


def undone(items: Sequence[Item], last_only: bool = False) -> list[Item]:
    """Return the original items; parts of an item are joined again at the position of the first
    part.

    Parameters
    ----------
    items: transformed items, with all remaining parts of each original.
    last_only: undo one step of each item instead of all.

    Raises ParameterError if an image was in a part that was removed.
    """
    while any(item.provenance.history for item in items):
        depth = max(len(steps_of(item.provenance.history)) for item in items)
        items = _step_back(items, None if last_only else depth)
        if last_only:
            break
    return list(items)


def _step_back(items: Sequence[Item], depth: int | None) -> list[Item]:
    """Undo the last step of the items whose history is that long, or of all."""
    out: list[Item] = []
    done: set[str] = set()
    for item in items:
        steps = steps_of(item.provenance.history)
        if not steps or (depth is not None and len(steps) < depth):
            out.append(item)
            continue
        last = steps[-1]
        if last["item"]["id"] not in done:
            done.add(last["item"]["id"])
            parts = [other for other in items if other.id in last["parts"]]
            out.append(_restored(last, steps[:-1], parts))
    return out


def _restored(step: dict[str, Any], earlier: list[Any], parts: Sequence[Item]) -> Item:
    image_of = {_key(image): image for part in parts for image in part.images}
    images = []
    for named in step["item"]["images"]:
        image = image_of.get((named["sha256"], named["path"]))
        if "bytes" in named:
            image = Image(b64decode(named["bytes"]), named["path"])
        if image is None:
            gone = sorted(set(step["parts"]) - {part.id for part in parts})
            raise ParameterError(
                f"item {step['item']['id']!r} cannot be restored: image {named['path']!r} was in a "
                f"part that is gone ({', '.join(gone)}); undo in the bank that has all parts"
            )
        images.append({"bytes": image.data, "path": image.path})
    item = item_of(step["item"], images)
    text = json.dumps(earlier, ensure_ascii=False, separators=(",", ":")) if earlier else ""
    return replace(item, provenance=replace(item.provenance, history=text))


def _key(image: Image) -> tuple[str, str]:
    return image.sha256, image.path
