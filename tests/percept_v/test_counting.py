"""The domains that count: what the audited edition repairs, and what the paper edition keeps."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES, Edition
from gfactor.benchmarks.percept_v.domains import circle_location, numbered_shapes
from gfactor.benchmarks.percept_v.layouts_circles import place_as_published
from gfactor.benchmarks.percept_v.layouts_shapes import EQUAL_AREA
from gfactor.examinees.observer.circles import discs
from gfactor.examinees.observer.seeing import differs, near
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, corners
from gfactor.items import ItemRandom

COUNTING = (
    "circle_boxes",
    "circle_location",
    "count_coloured_circles",
    "counting_circles",
    "counting_locations",
    "counting_shapes",
    "numbered_shapes",
    "vanishing_objects",
)
SEEDS = (7, 8)
SOME_SIZES = (1, 2, 5, 12, 20)


def scenes(name: str, size: int, edition: Edition = "audited", seed: int = 7) -> Iterator[Any]:
    """The scenes of one design cell."""
    cell = {"domain": name, "edition": edition, "seed": seed, "size": size}
    for index in range(INSTANCES):
        yield DOMAINS[name].make(ItemRandom(cell, index), size, edition)


def answers(name: str, size: int, edition: Edition = "audited", seed: int = 7) -> list[Any]:
    """The right answers of one design cell."""
    return [DOMAINS[name].answer(scene) for scene in scenes(name, size, edition, seed)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("seed", SEEDS)
def test_knowing_the_size_answers_at_most_a_quarter(name: str, seed: int) -> None:
    commonest = [Counter(answers(name, n, seed=seed)).most_common(1)[0][1] for n in SIZES]
    assert sum(commonest) / (len(SIZES) * INSTANCES) <= 0.25


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("circle_boxes", lambda n: 0, lambda n: n),
        ("count_coloured_circles", lambda n: 1, lambda n: 2 * n),
        ("counting_circles", lambda n: max(1, n - 3), lambda n: n + 3),
        ("vanishing_objects", lambda n: 0, lambda n: n),
    ],
)
def test_counts_are_spread_evenly_over_their_whole_range(
    name: str, least: Any, most: Any, seed: int
) -> None:
    for size in SOME_SIZES:
        counts = Counter(answers(name, size, seed=seed))
        possible = range(least(size), most(size) + 1)
        assert set(counts) <= set(possible)
        assert len(counts) == min(len(possible), INSTANCES)
        assert max(counts.values()) <= -(-INSTANCES // len(possible))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "more", "things"),
    [
        ("circle_boxes", 2, lambda s: s.circles),
        ("counting_locations", 1, lambda s: s.circles),
        ("vanishing_objects", 0, lambda s: s.before),
    ],
)
def test_the_load_stays_two_objects_per_size_and_one_for_each_side(
    name: str, more: int, things: Any
) -> None:
    for size in SOME_SIZES:
        assert all(len(things(s)) == 2 * size for s in scenes(name, size, "paper"))
        assert all(len(things(s)) == 2 * size + more for s in scenes(name, size))


@pytest.mark.parametrize(
    "name",
    ["count_coloured_circles", "counting_circles", "vanishing_objects"],
)
def test_the_paper_edition_keeps_the_published_leak(name: str) -> None:
    for size in SOME_SIZES:
        assert set(answers(name, size, "paper")) == {size}


def test_published_planks_have_as_many_circles_above_as_below_and_audited_ones_do_not() -> None:
    for size in SOME_SIZES:
        assert set(answers("counting_locations", size, "paper")) == {(size, size)}
        audited = answers("counting_locations", size)
        assert sum(above == below for above, below in audited) <= 4


def test_either_side_of_the_line_may_be_the_fuller_one() -> None:
    fuller = Counter(
        2 * sum(c.x < s.line for c in s.circles) > len(s.circles)
        for size in SIZES
        for s in scenes("circle_boxes", size)
        if DOMAINS["circle_boxes"].answer(s)
    )
    assert 0.35 < fuller[True] / fuller.total() < 0.65


@pytest.mark.parametrize("seed", SEEDS)
def test_one_quadrant_holds_more_circles_than_any_other(seed: int) -> None:
    for size in SIZES:
        for scene in scenes("circle_location", size, seed=seed):
            least, _, second, first = sorted(circle_location.held_by(scene))
            assert second < first
            assert least > 0


@pytest.mark.parametrize("size", range(5, 12))
def test_every_feasible_maximum_of_a_quadrant_is_known(size: int) -> None:
    held = [h for h in product(range(size + 1), repeat=4) if sum(h) == size]
    unique = {max(h) for h in held if h.count(max(h)) == 1 and min(h) > 0}
    assert circle_location.feasible_maxima(size) == sorted(unique)


def test_published_quadrants_tie_about_as_often_as_the_specification_says() -> None:
    held = [
        circle_location.held_by(s)
        for seed in range(3)
        for size in SIZES
        for s in scenes("circle_location", size, "paper", seed)
    ]
    ties = sum(h.count(max(h)) > 1 for h in held) / len(held)
    # 26.5 % by simulation of the published rule; 0.06 is over three standard errors of 600 items.
    assert ties == pytest.approx(0.265, abs=0.06)


def test_every_kind_of_shape_is_counted_and_may_be_missing() -> None:
    counts = answers("counting_shapes", 3)
    assert len(set(counts)) == INSTANCES
    for kind in range(3):
        assert {0, 1} <= {c[kind] for c in counts}


def test_kinds_of_shapes_have_equal_areas() -> None:
    for kind, percent in EQUAL_AREA.items():
        if kind == "circle":
            continue
        points = np.array(corners(kind, 0, 0, percent))
        after = np.roll(points, -1, axis=0)
        area = abs((points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]).sum()) / 2
        assert area == pytest.approx(np.pi * 100**2, rel=0.01)


@pytest.mark.thorough
def test_what_does_not_vanish_stays_as_it_is_in_the_paper_edition() -> None:
    for size in (1, 8):
        for scene in scenes("vanishing_objects", size, "paper"):
            before, after = DOMAINS["vanishing_objects"].draw(scene)
            assert set(scene.after) <= set(scene.before)
            assert (before[differs(after, WHITE)] == after[differs(after, WHITE)]).all()


def test_what_does_not_vanish_keeps_its_kind_and_place_and_has_room_for_another_size() -> None:
    for size in (1, 8):
        for scene in scenes("vanishing_objects", size):
            spots = {(s.x, s.y): s for s in scene.before}
            assert {(s.kind, s.x, s.y) for s in scene.after} <= {
                (s.kind, s.x, s.y) for s in scene.before
            }
            largest = [
                max(s.r, *(t.r for t in scene.after if (t.x, t.y) == at), 0)
                for at, s in spots.items()
            ]
            for (one, r), (other, q) in combinations(zip(spots, largest, strict=True), 2):
                assert math.dist(one, other) >= r + q + 4


@pytest.mark.parametrize("name", ["counting_circles", "vanishing_objects"])
def test_total_area_does_not_go_with_number(name: str) -> None:
    # At each size the mean area of the pictures with few objects is that of those with many.
    for size in (4, 12, 20):
        made = [s for seed in SEEDS for s in scenes(name, size, seed=seed)]
        shown = [s.after if name == "vanishing_objects" else s.circles for s in made]
        shares = {"circle": 1.0, "square": 1.25**2, "triangle": 1.56**2}
        area = [sum(s.r**2 / shares[s.kind] for s in shapes) for shapes in shown]
        number = [len(shapes) for shapes in shown]
        # 30 pictures: |r| > 0.58 happens for 0.1 % of seeds where nothing goes with anything.
        assert abs(np.corrcoef(number, area)[0, 1]) < 0.58


@pytest.mark.parametrize("seed", SEEDS)
def test_circles_are_not_always_half_of_the_numbered_shapes(seed: int) -> None:
    for size in SOME_SIZES:
        made = list(scenes("numbered_shapes", size, seed=seed))
        assert all(sum(shape.kind == "circle" for shape in s.shapes) == size for s in made)
        assert all(sorted(s.numbers) == list(range(1, len(s.shapes) + 1)) for s in made)
        assert len({len(s.shapes) for s in made}) >= 2
        assert max(len(s.shapes) for s in made) <= numbered_shapes.MOST_SHAPES


def test_neither_color_nor_number_tells_the_kind_of_a_numbered_shape() -> None:
    made = [s for size in (10, 15, 20) for s in scenes("numbered_shapes", size)]
    share = Counter((shape.kind == "circle", shape.color) for s in made for shape in s.shapes)
    for is_circle in (True, False):
        total = sum(share[is_circle, color] for color in numbered_shapes.COLORS)
        for color in numbered_shapes.COLORS:
            assert share[is_circle, color] / total == pytest.approx(1 / 3, abs=0.08)
    places = [
        number / len(s.shapes)
        for s in made
        for shape, number in zip(s.shapes, s.numbers, strict=True)
        if shape.kind == "circle"
    ]
    assert float(np.mean(places)) == pytest.approx(0.5, abs=0.06)


@pytest.mark.thorough
def test_every_number_lies_inside_its_shape() -> None:
    for scene in scenes("numbered_shapes", 20):
        (picture,) = DOMAINS["numbered_shapes"].draw(scene)
        bare, digits = Canvas(scene.frame), Canvas(scene.frame, BLACK)
        for shape, number in zip(scene.shapes, scene.numbers, strict=True):
            bare.shape(shape.kind, shape.x, shape.y, shape.r - 3, BLACK)
            y = numbered_shapes.text_center(shape)
            digits.text(shape.x, y, str(number), scene.digit_height, WHITE)
        inside = near(bare.pixels, BLACK)
        assert inside[near(digits.pixels, WHITE)].all()
        assert near(picture, WHITE)[near(digits.pixels, WHITE, 8)].all()


@pytest.mark.parametrize("most", [20, 30])
def test_published_circles_keep_the_largest_radius_off_each_other_and_the_borders(
    most: int,
) -> None:
    rng = ItemRandom({"most": most}, 0)
    radii = [rng.integer(10, most) for _ in range(20)]
    placed = place_as_published(rng, radii, Frame(500, 300))
    largest = max(radii)
    for i, (x, y) in enumerate(placed):
        assert largest <= x <= 500 - largest
        assert largest <= y <= 300 - largest
        for (a, b), r in zip(placed[:i], radii[:i], strict=True):
            assert (x - a) ** 2 + (y - b) ** 2 >= (r + largest) ** 2


@pytest.mark.parametrize(("first", "second"), [(5, 5), (12, 12), (10, 30), (20, 14)])
def test_the_observer_tells_touching_discs_apart(first: int, second: int) -> None:
    canvas = Canvas(Frame(200, 120))
    canvas.disc(60, 60, first, (255, 0, 0))
    canvas.disc(60 + first + second, 60, second, (0, 0, 255))
    seen = discs(differs(canvas.pixels, WHITE), canvas.pixels)
    assert [d.color for d in sorted(seen, key=lambda d: d.cx)] == [(255, 0, 0), (0, 0, 255)]
