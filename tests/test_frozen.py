"""Frozen dataclasses that are quickly made are those that `dataclass` makes."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from gfactor.frozen import quickly_made


@quickly_made
@dataclass(frozen=True)
class Quick:
    name: str
    size: int = 1
    tags: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size is 0 or more")


@dataclass(frozen=True)
class Usual:
    name: str
    size: int = 1
    tags: list[str] = field(default_factory=list)


def test_fields_and_defaults_are_those_of_the_usual_class() -> None:
    calls: list[tuple[Any, ...]] = [("a",), ("a", 2), ("a", 2, ["x"])]
    for given in calls:
        assert vars(Quick(*given)) == vars(Usual(*given))
    assert vars(Quick(tags=["y"], name="b")) == vars(Usual(tags=["y"], name="b"))
    assert inspect.signature(Quick) == inspect.signature(Usual)


def test_every_object_gets_a_new_value_of_a_factory() -> None:
    first, second = Quick("a"), Quick("b")
    first.tags.append("x")
    assert second.tags == []


def test_it_stays_frozen_and_checks_its_values() -> None:
    with pytest.raises(FrozenInstanceError):
        Quick("a").size = 2  # type: ignore[misc]
    with pytest.raises(ValueError, match="0 or more"):
        replace(Quick("a"), size=-1)
    with pytest.raises(TypeError, match="name"):
        Quick()  # type: ignore[call-arg]


def test_copies_and_pickles_are_equal() -> None:
    quick = Quick("a", 2, ["x"])
    assert replace(quick) == quick == pickle.loads(pickle.dumps(quick))
