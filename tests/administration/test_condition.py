"""Conditions and rendering."""

from __future__ import annotations

import dataclasses

from support.banks import make_item

from gfactor.administration import Condition, render
from gfactor.items import Provenance


def test_the_default_condition_has_a_key_that_new_fields_cannot_change() -> None:
    assert Condition().key == "default"


def test_the_key_names_what_departs_from_the_default() -> None:
    changed = dataclasses.replace(Condition(), images="removed")  # type: ignore[arg-type]
    assert changed.key == "images=removed"


def test_a_rendered_item_shows_the_content_under_its_domains_name() -> None:
    item = make_item()
    rendered = render(item, Condition())
    assert (rendered.task, rendered.content) == ("a", item.content)
    assert render(make_item(labels={"level": 1}), Condition()).task == "toy"


def test_nothing_that_tells_the_answer_is_rendered() -> None:
    item = make_item(target=73, labels={"domain": "a", "size": 91}, points=57.0)
    origin = Provenance("tests", "1", "hash", scene='{"n":64}')
    other = dataclasses.replace(
        item, target=1, labels={"domain": "a", "size": 2}, points=1.0, accepted=(5,),
        provenance=origin,
    )  # fmt: skip
    assert render(item, Condition()) == render(other, Condition())
