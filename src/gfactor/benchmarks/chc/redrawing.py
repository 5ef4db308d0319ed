"""The pictures of generated items drawn again from their stored scenes, as pixels and as SVG."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gfactor.benchmarks.chc.family import FAMILIES, Family
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.imaging import Pixels
from gfactor.imaging.vector import recorded
from gfactor.items import Item


def vector_pictures(item: Item) -> list[str]:
    """Return an SVG document for each picture of an item.

    Raises ValueError if the stored scene is not one of this version's.
    """
    family = FAMILIES[str(item.labels["family"])]
    record = json.loads(item.provenance.scene)
    scene = scene_from_plain(family.scene_type, record["scene"])
    options = tuple(content_of(family, plain) for plain in record["options"])
    displayed = options if item.answer_type == "choice" else ()
    return recorded(lambda: pictures_of(family, scene, displayed))


def content_of(family: Family[Any], plain: Any) -> Any:
    """Return the content of an option from its JSON."""
    if family.content_type is not None:
        return scene_from_plain(family.content_type, plain)
    return _tuples(plain)


def _tuples(plain: Any) -> Any:
    """Lists as tuples, at every depth: contents are values."""
    return tuple(map(_tuples, plain)) if isinstance(plain, list) else plain


def pictures_of(family: Family[Any], scene: Any, displayed: Sequence[Any]) -> list[Pixels]:
    """Draw the pictures of a scene, with the options that are displayed in them."""
    if family.turns is not None:
        return [picture for turn in family.turns(scene) for picture in turn.pictures]
    return list(family.picture(scene, displayed))
