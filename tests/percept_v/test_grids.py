"""Boards, mazes and graphs: each defect of the published domains is gone from the audited ones."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES, Edition
from gfactor.benchmarks.percept_v.domains import (
    cross_and_knots,
    graph_counting,
    grid_path,
    maze_solving,
)
from gfactor.benchmarks.percept_v.layouts_graph import squared_distance
from gfactor.benchmarks.percept_v.layouts_grid import CellBoard
from gfactor.examinees.observer.grids import lattice_of
from gfactor.imaging import BLACK, Canvas, Frame
from gfactor.items import ItemRandom

SEEDS = (7, 8)


def scenes(name: str, size: int, seed: int, edition: Edition = "audited") -> list[Any]:
    cell = {"domain": name, "edition": edition, "size": size, "seed": seed}
    return [DOMAINS[name].make(ItemRandom(cell, k), size, edition) for k in range(INSTANCES)]


# ------------------------------------------------------------------ circle_right_triangle


def neighbors_in_rows(scene: Any, left: str, right: str) -> int:
    kinds = {p.cell: p.kind for p in scene.pieces}
    return sum(
        kind == left and kinds.get((row, column + 1)) == right
        for (row, column), kind in kinds.items()
    )


@pytest.mark.parametrize("size", SIZES)
def test_yes_and_no_are_equally_frequent_at_every_size(size: int) -> None:
    answer = DOMAINS["circle_right_triangle"].answer
    for seed in SEEDS:
        found = Counter(answer(s) for s in scenes("circle_right_triangle", size, seed))
        assert found == {"YES": 5, "NO": 5}


@pytest.mark.parametrize("size", SIZES)
def test_a_yes_differs_from_a_no_by_one_pair_only(size: int) -> None:
    for scene in scenes("circle_right_triangle", size, 7):
        is_yes = DOMAINS["circle_right_triangle"].answer(scene) == "YES"
        against = neighbors_in_rows(scene, "circle", "triangle")
        assert neighbors_in_rows(scene, "triangle", "circle") == is_yes
        assert against + is_yes >= 1, "no circle is beside a triangle: the answer shows at once"
        kinds = Counter(p.kind for p in scene.pieces)
        assert kinds == {"circle": size, "triangle": min(size, 36 - size)}


def test_the_reverse_order_is_about_as_frequent_in_both_answers() -> None:
    found: dict[str, list[int]] = {"YES": [], "NO": []}
    for size, seed in ((s, k) for s in range(4, 21, 4) for k in SEEDS):
        for scene in scenes("circle_right_triangle", size, seed):
            word = str(DOMAINS["circle_right_triangle"].answer(scene))
            found[word].append(neighbors_in_rows(scene, "circle", "triangle"))
    assert abs(np.mean(found["YES"]) - np.mean(found["NO"])) < 1


def test_shapes_cannot_be_told_by_their_color() -> None:
    seen = {(p.kind, p.color) for s in scenes("circle_right_triangle", 15, 7) for p in s.pieces}
    assert len(seen) == 2 * 4


# ------------------------------------------------------------------ cross_and_knots


def domination_number(board: CellBoard) -> int:
    """By integer programming: the fewest crosses that threaten every cell."""
    cells = board.cells()
    near = np.array([[a == b or b in board.neighbors(a) for b in cells] for a in cells], float)
    found = milp(
        np.ones(len(cells)),
        constraints=LinearConstraint(near, 1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(cells)),
    )
    return round(found.fun)


@pytest.mark.thorough
def test_the_table_of_domination_numbers_is_right() -> None:
    for sides, count in zip(cross_and_knots.SIDES, cross_and_knots.DOMINATED_BY, strict=True):
        assert domination_number(CellBoard(*sides, 1, 0, 0)) == count, sides


@pytest.mark.thorough
def test_no_cell_of_the_board_is_a_good_guess() -> None:
    for seed in SEEDS:
        hits = 0
        for size in SIZES:
            found: Counter[object] = Counter()
            for scene in scenes("cross_and_knots", size, seed):
                found.update(cross_and_knots.accepted(scene) or [None])
            hits += max(found.values())
        assert hits / (len(SIZES) * INSTANCES) <= 0.25


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_few_cells_are_safe_and_none_in_one_item_of_ten(size: int) -> None:
    which = cross_and_knots.BOARD_OF_SIZE[size - 1]
    can_be_none = size >= cross_and_knots.DOMINATED_BY[which]
    safe = [len(cross_and_knots.accepted(s)) for s in scenes("cross_and_knots", size, 7)]
    assert safe.count(0) == can_be_none
    assert max(safe) <= 3


def test_a_cell_with_a_cross_is_never_safe() -> None:
    for scene in scenes("cross_and_knots", 20, 7):
        assert not set(scene.crosses) & set(cross_and_knots.accepted(scene))


# ------------------------------------------------------------------ grid_path


@pytest.mark.parametrize("size", [1, 2, 10, 15, 20])
def test_every_walk_has_its_full_length(size: int) -> None:
    for seed in SEEDS:
        for scene in scenes("grid_path", size, seed):
            assert len(set(scene.path)) == len(scene.path) == size
            for a, b in pairwise(scene.path):
                assert b in scene.board.neighbors(a)


def test_s_and_e_hide_no_shape_even_where_they_share_a_cell() -> None:
    for scene in scenes("grid_path", 1, 7):
        (pixels,) = grid_path.draw(scene)
        x, y = scene.board.center(*scene.path[0])
        rows, columns = np.nonzero((pixels < 60).all(axis=2))
        near = np.hypot(rows - y, columns - x)
        assert len(near) > 100, "the marks are not drawn"
        assert near.min() > scene.r


def test_a_single_shape_is_not_to_be_guessed() -> None:
    found = Counter(grid_path.answer(scene) for scene in scenes("grid_path", 1, 7))
    assert sorted(found.values()) == [3, 3, 4]


# ------------------------------------------------------------------ locate_circles_*


@pytest.mark.parametrize("name", ["locate_circles_colour", "locate_circles_shape"])
def test_a_single_target_never_lies_in_the_same_cell_twice(name: str) -> None:
    for seed in SEEDS:
        assert len({DOMAINS[name].answer(s) for s in scenes(name, 1, seed)}) == INSTANCES


@pytest.mark.parametrize("name", ["locate_circles_colour", "locate_circles_shape"])
def test_as_many_targets_lie_on_a_full_board_as_the_size_says(name: str) -> None:
    for size in (1, 7, 20):
        for scene in scenes(name, size, 7):
            assert len(scene.pieces) == 36
            answer = DOMAINS[name].answer(scene)
            assert isinstance(answer, frozenset)
            assert len(answer) == size


# ------------------------------------------------------------------ maze_solving


@pytest.mark.parametrize("size", [1, 2, 8, 14, 20])
def test_the_way_has_as_many_moves_as_the_size_says_and_there_is_no_other(size: int) -> None:
    for scene in scenes("maze_solving", size, 7):
        assert len(maze_solving.answer(scene)) == size + 1
        cells = {(label.row, label.column) for label in scene.labels}
        links = sum(b in cells for a in cells for b in scene.board.neighbors(a)) // 2
        assert (len(cells), links) == (49, 48)


@pytest.mark.parametrize("size", [4, 10, 20])
def test_no_maze_cell_numbering_follows_the_way(size: int) -> None:
    for seed in SEEDS:
        for scene in scenes("maze_solving", size, seed):
            numbers = [a for a in maze_solving.answer(scene) if isinstance(a, int)]
            assert all(abs(a - b) > 1 for a, b in pairwise(numbers))


def test_the_published_mazes_are_numbered_along_the_way() -> None:
    for scene in scenes("maze_solving", 5, 7, "paper"):
        assert maze_solving.answer(scene) == ("S", 2, 3, 4, "E")


def test_mazes_begin_anywhere() -> None:
    starts = {
        (label.row, label.column)
        for size in (3, 6, 9)
        for scene in scenes("maze_solving", size, 7)
        for label in scene.labels
        if label.text == "S"
    }
    assert len(starts) > 15


# ------------------------------------------------------------------ graph_counting


@pytest.mark.thorough
@pytest.mark.parametrize("size", [2, 5, 6, 12, 20])
def test_every_node_and_edge_of_a_graph_can_be_seen(size: int) -> None:
    for seed in SEEDS:
        for scene in scenes("graph_counting", size, seed):
            legibility = DOMAINS["graph_counting"].legibility(scene)
            assert legibility.gap_px >= 14 - 3.5
            for one, other in combinations(scene.edges, 2):
                if set(one) & set(other):
                    assert meeting_angle(scene, one, other) > 14.9
                else:
                    assert crossing_angle(scene, one, other) > 29.9


def meeting_angle(scene: Any, one: tuple[int, int], other: tuple[int, int]) -> float:
    (hub,) = set(one) & set(other)
    ends = [scene.nodes[sum(edge) - hub] for edge in (one, other)]
    ways = [math.atan2(y - scene.nodes[hub][1], x - scene.nodes[hub][0]) for x, y in ends]
    turn = abs(math.degrees(ways[0] - ways[1]))
    return min(turn, 360 - turn)


def crossing_angle(scene: Any, one: tuple[int, int], other: tuple[int, int]) -> float:
    """In degrees; 90 where the edges do not cross."""
    a, b, c, d = (np.array(scene.nodes[k], float) for k in (*one, *other))
    ways = np.column_stack([b - a, c - d])
    if abs(np.linalg.det(ways)) < 1e-6:
        return 90
    part = np.linalg.solve(ways, c - a)
    cosine = abs((b - a) @ (d - c)) / np.linalg.norm(b - a) / np.linalg.norm(d - c)
    return math.degrees(math.acos(cosine)) if ((part > 0) & (part < 1)).all() else 90


def test_published_graphs_hide_some_of_their_edges() -> None:
    gaps = [DOMAINS["graph_counting"].legibility(s).gap_px
            for s in scenes("graph_counting", 20, 7, "paper")]  # fmt: skip
    assert min(gaps) < 0


@pytest.mark.parametrize("size", [3, 4, 5, 12, 20])
def test_the_number_of_edges_is_not_to_be_guessed(size: int) -> None:
    numbers = graph_counting.edge_numbers(size)
    found = Counter(len(s.edges) for s in scenes("graph_counting", size, 7))
    assert set(found) <= set(numbers)
    assert len(found) == min(INSTANCES, len(numbers))
    assert max(found.values()) == math.ceil(INSTANCES / len(numbers))


points = st.tuples(st.integers(0, 640), st.integers(0, 640))


@settings(deadline=None)
@given(points, points, points)
def test_distances_to_edges_are_those_of_geometry(
    point: tuple[int, int], a: tuple[int, int], b: tuple[int, int]
) -> None:
    parts = np.linspace(0, 1, 5001)[:, None]
    places = np.array(a) + parts * (np.array(b) - np.array(a))
    nearest = float(np.hypot(*(places - np.array(point)).T).min())
    assert math.sqrt(squared_distance(point, a, b)) == pytest.approx(nearest, abs=1)


# ------------------------------------------------------------------ seeing boards


@settings(deadline=None)
@given(
    st.integers(2, 9), st.integers(2, 9), st.integers(20, 60), st.integers(5, 40), st.integers(1, 3)
)
def test_an_observer_finds_the_cells_of_any_board(
    rows: int, columns: int, side: int, margin: int, width: int
) -> None:
    board = CellBoard(rows, columns, side, margin, margin)
    canvas = Canvas(Frame(columns * side + 2 * margin, rows * side + 2 * margin))
    board.draw(canvas, BLACK, width)
    lattice = lattice_of(canvas.pixels)
    assert (len(lattice.rows), len(lattice.columns)) == (rows, columns)
    for cell in board.cells():
        x, y = lattice.center(cell)
        assert math.dist((x, y), board.center(*cell)) <= 1.5
