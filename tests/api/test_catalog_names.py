"""What is listed names what can be asked for."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

import gfactor as gf
from gfactor.api.catalog import KINDS
from gfactor.examinees import EXAMINEES
from gfactor.examinees.schemes.baseline import _LEARNERS
from gfactor.registry import Registry


def test_every_baseline_is_named_where_examinees_are_listed() -> None:
    listed = gf.available("examinees").set_index("name")["description"]["baseline"]
    assert [name for name in _LEARNERS if f":{name}" not in listed] == []


def registries() -> dict[str, Registry[Any]]:
    """Every registry that a module of gfactor makes, by its kind."""
    package = Path(gf.__file__).parent
    found: dict[str, Registry[Any]] = {}
    for path in package.rglob("*.py"):
        names = re.findall(
            r"^([A-Z_]+): Registry\[.*\] = Registry\(", path.read_text("utf-8"), re.M
        )
        dotted = ".".join(("gfactor", *path.relative_to(package).with_suffix("").parts))
        for name in names:
            registry = getattr(importlib.import_module(dotted), name)
            found[registry.kind] = registry
    return found


@pytest.mark.thorough
def test_every_kind_of_plug_in_is_listed() -> None:
    kinds = registries()
    # A reader sees for a solver, which is listed under the same name.
    assert set(kinds.pop("observer's reader")) <= set(kinds["observer's domain"])
    listed = {frozenset(entries()) for entries in KINDS.values()}
    assert len(kinds) > 10
    assert not [kind for kind, registry in kinds.items() if frozenset(registry) not in listed]


def test_everything_that_is_listed_is_described() -> None:
    # Other tests register examinees of their own in this process.
    foreign = {
        name for name, make in EXAMINEES.items() if not make.__module__.startswith("gfactor.")
    }
    blank = {name for make in KINDS.values() for name, text in make().items() if not text}
    assert blank <= foreign


def test_languages_of_replies_are_those_of_the_files() -> None:
    listed: Any = gf.available("languages").set_index("name")["description"]
    assert listed["chinese"] == "Chinese, simplified and traditional."
