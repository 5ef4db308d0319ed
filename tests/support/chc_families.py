"""Items of the generated families, made once per test run, and their independent checkers."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.items import Item

CHECKERS = Path(__file__).parents[1] / "benchmarks" / "chc" / "checkers"
"""One file a family, which imports nothing of gfactor."""


@cache
def items(family: str, per_cell: int = 12, **options: Any) -> tuple[Item, ...]:
    """Items of every difficulty of one family."""
    (part,) = build.plan(seed=5, families=[family], per_cell=per_cell, **options).parts
    made: Callable[[], Any] = part.make
    return tuple(made())


def record(item: Item) -> dict[str, Any]:
    """What provenance keeps of an item."""
    return json.loads(item.provenance.scene)


def checker(family: str) -> ModuleType:
    """The independent checker of a family."""
    path = CHECKERS / f"{family}.py"
    spec = importlib.util.spec_from_file_location(f"checker_{family}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names() -> list[str]:
    """Every registered family."""
    return list(FAMILIES)
