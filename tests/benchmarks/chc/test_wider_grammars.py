"""No wrong option of a generated item is right under a grammar wider than the generator's."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from support import chc_families as families
from support import wider_grammars
from support.tiers import few

from gfactor.benchmarks.chc import FAMILIES

WITH_OPTIONS = [name for name in families.names() if FAMILIES[name].options]


def test_every_family_with_options_has_a_wider_grammar() -> None:
    assert sorted(wider_grammars.FITTING) == sorted(WITH_OPTIONS)


@pytest.mark.parametrize("path", sorted(Path(wider_grammars.__file__).parent.glob("*.py")))
def test_a_wider_grammar_imports_nothing_of_the_generator(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("gfactor")
        if isinstance(node, ast.Import):
            assert not any(a.name.startswith("gfactor") for a in node.names)


def check(name: str, per_cell: int) -> None:
    for item in families.items(name, per_cell=per_cell):
        one = families.record(item)
        lines = wider_grammars.rivals(name, one["scene"], one["options"], one["errors"].index(""))
        assert lines == [], (item.id, one)


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(WITH_OPTIONS, 10))
def test_no_wrong_option_equals_another_or_follows_a_wider_rule(name: str) -> None:
    check(name, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_no_wrong_option_of_many_items_follows_a_wider_rule(name: str) -> None:
    check(name, 12)


def figure(**changed: Any) -> dict[str, Any]:
    plain = {"form": "arrow", "size": "small", "shade": "black", "count": 1, "turn": 0, "marks": []}
    return {**plain, **changed}


def rivals(name: str, scene: Any, options: Any, key: int) -> list[str]:
    return wider_grammars.rivals(name, json.loads(json.dumps(scene)), options, key)


def test_one_slanted_arrow_is_odd_beside_one_of_another_shade() -> None:
    """As versions 1 and 2 of odd_one_out could draw it."""
    cells = [figure(turn=t) for t in (1, 3, 5, 0)] + [figure(turn=7, shade="dark")]
    assert rivals("odd_one_out", {"cells": cells}, cells, 4) == ["option 3: slanted"]


def test_an_exchange_is_a_reading_of_a_change() -> None:
    """As version 1 of figural_analogies could draw it: light becomes dark, dark becomes black or
    light."""
    scene = {
        "first": figure(shade="light"), "second": figure(shade="dark"),
        "third": figure(shade="dark", count=2),
    }  # fmt: skip
    options = [figure(shade=shade, count=2) for shade in ("black", "light", "white")]
    assert rivals("figural_analogies", scene, options, 0) == ["option 1: rows"]


def test_a_count_can_be_the_distance_of_two_others() -> None:
    """As version 1 of matrices could draw it: columns lose one, rows are distances by chance."""
    counts = [5, 2, 3, 4, 3, 1, 3, 4]
    columns = [[figure(count=n) for n in counts[k::3]] for k in range(3)]
    assert [c["count"] for c in columns[0]] == [5, 4, 3]
    scene = {"side": 3, "cells": [figure(count=n) for n in counts]}
    lines = rivals("matrices", scene, [figure(count=6), figure(count=1)], 0)
    assert "distance" in lines[0]


@pytest.mark.parametrize(
    ("name", "scene", "options", "expected"),
    [
        ("number_series", {"terms": [2, 4, 8, 16]}, [32, 31, 30, 34], []),
        ("number_series", {"terms": [1, 2, 4, 7, 11]}, [16, 17, 15, 18], []),
        ("number_series", {"terms": [1, 2, 4, 8, 15, 26]}, [42, 44, 31, 57], []),
        ("number_series", {"terms": [3, 5, 9, 15]}, [23, 24, 16, 30], []),
        ("letter_series", {"letters": "ABDG"}, ["K", "L", "J", "I"], []),
        ("number_grids", {"rows": [[2, 3, 7], [4, 9, 17], [5, 2, -1]]}, [12, 10, 9, 11], []),
        ("number_grids", {"rows": [[2, 3, 7], [4, 1, 9], [5, 2, -1]]}, [12, 10, 9, 11],
         ["option 1: 1 times the first and 0 times the second"]),
        ("number_grids", {"rows": [[2, 3, 6], [4, 1, 4], [5, 2, -1]]}, [10, 7, 9, 12], []),
    ],
)  # fmt: skip
def test_rules_that_what_is_shown_verifies_put_these_options_there(
    name: str, scene: Any, options: Any, expected: list[str]
) -> None:
    assert rivals(name, scene, options, 0) == expected


def test_what_looks_the_same_is_named() -> None:
    pieces = [[[0, 0], [0, 1]], [[0, 0], [1, 0], [1, 1]]]
    turned = [[[0, 0], [0, 1], [1, 0]], [[2, 2], [3, 2]]]
    scene = {"outline": [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]}
    assert wider_grammars.SEEN["form_board"](pieces) == wider_grammars.SEEN["form_board"](turned)
    assert "option 1 looks like option 0" in rivals("form_board", scene, [pieces, turned], 0)


def test_weights_that_only_whole_numbers_settle_are_not_settled() -> None:
    load = {"count": 3, "form": "star"}
    scale = {
        "left": {"block": 0, "loads": [load]},
        "right": {"block": 2, "loads": [{"count": 2, "form": "heart"}]},
    }
    scene = {"asked": "star", "scales": [scale]}
    assert len(rivals("balance_puzzles", scene, [2, 4, 1, 3], 0)) == 3
    settled = {**scene, "scales": [scale, {"left": {"block": 2, "loads": []},
                                           "right": {"block": 0, "loads": [
                                               {"count": 1, "form": "heart"}]}}]}  # fmt: skip
    assert rivals("balance_puzzles", settled, [2, 4, 1, 3], 0) == []


def test_a_cube_that_nobody_can_see_may_be_there() -> None:
    """A low column right behind a high one is hidden; before it, it is not."""
    hidden = [[3, 3, 3], [3, 3, 3], [0, 3, 3]]
    open_ = [[0, 1, 1], [1, 1, 1], [1, 1, 1]]
    assert rivals("cube_counting", {"heights": open_}, [8, 9, 7, 10], 0) == []
    assert rivals("cube_counting", {"heights": hidden}, [24, 25, 26, 23], 0) != []
