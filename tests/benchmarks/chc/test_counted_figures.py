"""Figures whose points, crossings, regions and areas are counted: each count by two other ways."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

import cv2
import numpy as np
import pytest
from support import chc_families as specimens

from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.counted_figures import (
    KINDS,
    SIDE,
    CountedFigure,
    count,
    doubled_area,
    draw_figure,
    draw_lines,
    draw_points,
    draw_polygon,
)
from gfactor.benchmarks.chc.crossed_lines import UNITS, crossing
from gfactor.benchmarks.chc.families import figure_counts
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import Box
from gfactor.items import ItemRandom, canonical_json

BOX = Box(0, 0, SIDE)
CHECKER = specimens.checker("figure_counts")


def rng(index: int) -> ItemRandom:
    return ItemRandom({"test": "counted figures"}, index)


def drawing(figure: CountedFigure) -> Pixels:
    canvas = Canvas(Frame(SIDE, SIDE))
    draw_figure(canvas, figure, BOX)
    return canvas.pixels


def patches(mask: Any) -> int:
    """Connected patches of eight pixels and more; smaller ones are shades at acute angles."""
    stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)[2]
    return int((stats[1:, cv2.CC_STAT_AREA] >= 8).sum())


def test_a_wrong_option_that_goes_on_by_the_difference_of_both_colors_is_a_second_answer() -> None:
    """Version 1 had 9 such items in 1,008."""

    def points(black: int, white: int) -> CountedFigure:
        return draw_points(rng(black), black, white)

    # One, two, four and eight more of one color than of the other.
    row = (points(2, 1), points(1, 3), points(5, 1), points(0, 8))
    assert [count(figure, "difference") for figure in row] == [1, 2, 4, 8]
    key, rival, wrong = points(3, 20), points(17, 1), points(4, 1)
    scene = figure_counts.Scene(row, "")
    assert rival in figure_counts.solve(scene, (key, rival, wrong)).answers
    assert wrong not in figure_counts.solve(scene, (key, rival, wrong)).answers


LINES = [(3, 3), (4, 5), (5, 2), (6, 9), (7, 12), (8, 14), (9, 15)]


@pytest.mark.thorough
@pytest.mark.parametrize(("lines", "crossings"), LINES)
def test_crossings_are_those_of_exact_fractions_and_regions_those_that_paint_fills(
    lines: int, crossings: int
) -> None:
    for index in range(3):
        figure = draw_lines(rng(index), lines, crossings)
        plain = json.loads(canonical_json(figure))["lines"]
        assert count(figure, "lines") == len(set(figure.lines)) == lines
        assert count(figure, "crossings") == len(CHECKER.crossings(plain)) == crossings
        assert count(figure, "regions") == CHECKER.regions(plain)
        white = drawing(figure).min(axis=-1) > 160
        outside = 1
        assert count(figure, "regions") == patches(white) - outside


@pytest.mark.parametrize(("lines", "crossings"), LINES)
def test_no_crossing_is_nearer_to_another_line_than_ten_pixels(lines: int, crossings: int) -> None:
    figure = draw_lines(rng(1), lines, crossings)
    sides = [((0, 0), (UNITS, 0)), ((0, 0), (0, UNITS)), ((UNITS, 0), (UNITS, UNITS)),
             ((0, UNITS), (UNITS, UNITS))]  # fmt: skip
    for pair in itertools.combinations(figure.lines, 2):
        point = crossing(*pair)
        if point is not None:
            x, y = point[0] / point[2], point[1] / point[2]
            for line in {*figure.lines, *sides} - set(pair):
                (ax, ay), (bx, by) = line
                off = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                assert off**2 >= 0.249 * ((bx - ax) ** 2 + (by - ay) ** 2)


@pytest.mark.thorough
@pytest.mark.parametrize("area", [4, 7, 12, 20, 31, 42])
def test_areas_are_those_of_counted_squares_and_of_paint(area: int) -> None:
    for index in range(3):
        figure = draw_polygon(rng(index), area)
        plain = json.loads(canonical_json(figure))["corners"]
        assert count(figure, "area") == CHECKER.area(plain) == area
        assert doubled_area(figure.corners) == 2 * area
        assert len(set(figure.corners)) == count(figure, "corners") >= 4
        assert all(0 <= x <= UNITS and 0 <= y <= UNITS for x, y in figure.corners)
        ring = np.array(figure.corners, np.int32) * 20
        whole = np.zeros((200, 200), np.uint8)
        cv2.fillPoly(whole, [ring], 1)
        # Paint covers the pixels of the outline too: half of them lie outside, by Pick's theorem.
        rim = np.zeros_like(whole)
        cv2.polylines(rim, [ring], True, 1)
        assert int(whole.sum()) - int(rim.sum()) / 2 - 1 == pytest.approx(400 * area, abs=1)


def test_points_are_patches_of_ink() -> None:
    figure = draw_points(rng(1), 12, 9)
    gray = drawing(figure).mean(axis=-1)
    assert patches(gray < 200) == count(figure, "all") == 21
    eroded = cv2.erode((gray < 128).astype(np.uint8), np.ones((7, 7), np.uint8))
    assert patches(eroded) == count(figure, "black") == 12
    assert count(figure, "white") == 9


def test_counts_of_figures_that_can_be_counted_by_hand() -> None:
    parallel = CountedFigure(lines=(((0, 2), (8, 2)), ((0, 4), (8, 4))))
    assert [count(parallel, name) for name in KINDS["lines"]] == [0, 3, 2]
    crossed = CountedFigure(lines=(*parallel.lines, ((3, 0), (5, 8))))
    assert [count(crossed, name) for name in KINDS["lines"]] == [2, 6, 3]
    slanted = CountedFigure(corners=((1, 0), (3, 0), (3, 2), (1, 2), (0, 1)))
    assert [count(slanted, name) for name in KINDS["area"]] == [5, 5]
    assert crossing(((0, 2), (8, 2)), ((3, 0), (5, 8))) == (7, 4, 2)


@pytest.mark.parametrize(
    ("counts", "last", "follows"),
    [
        ((3, 3, 3, 3), 3, True),
        ((3, 3, 3, 3), 4, False),
        ((2, 4, 6, 8), 10, True),
        ((9, 9, 10, 12), 15, True),
        ((2, 4, 8, 16), 32, True),
        ((2, 3, 5, 8), 13, True),
        ((5, 2, 5, 2), 5, True),
        ((5, 2, 7, 4), 3, False),
        ((2, 3, 5, 4, 5, 9, 6, 1), 7, True),
        ((5, 3, 2, 9, 5, 4, 6, 1), 5, True),
        ((2, 3, 6, 4, 5, 20, 6, 1), 6, True),
        ((2, 3, 6, 4, 5, 21, 6, 1), 6, False),
        ((1, 2, 9, 2, 3, 4, 3, 5), 13, True),
    ],
)
def test_a_count_goes_on_by_a_rule_that_the_others_verify(
    counts: tuple[int, ...], last: int, follows: bool
) -> None:
    """The last case reads down the columns."""
    assert figure_counts.goes_on(counts, last) is follows


def made() -> list[dict[str, Any]]:
    return [specimens.record(item) for item in specimens.items("figure_counts", per_cell=12)]


@pytest.mark.thorough
def test_all_but_what_is_counted_follows_no_rule_to_another_option() -> None:
    for one in made():
        counted, rule, right = one["design"]
        counts = [CHECKER.counts(figure)[counted] for figure in one["scene"]["figures"]]
        offered = [CHECKER.counts(option) for option in one["options"]]
        key = one["errors"].index("")
        assert offered[key][counted] == right
        assert len({option[counted] for option in offered}) == 4
        assert figure_counts.goes_on(counts, right)
        if rule == "same":
            assert set(counts) == {right}


@pytest.mark.thorough
def test_each_rank_among_the_counts_of_the_options_is_the_right_one() -> None:
    ranks: Counter[int] = Counter()
    for one in made():
        counted, _, right = one["design"]
        offered = sorted(CHECKER.counts(option)[counted] for option in one["options"])
        low, second, third, high = offered
        assert second - low == high - third
        ranks[offered.index(right)] += 1
    assert set(ranks) == {0, 1, 2, 3}


@pytest.mark.thorough
def test_the_question_names_what_is_counted_or_what_it_may_be() -> None:
    family = FAMILIES["figure_counts"]
    for item in specimens.items("figure_counts", per_cell=4):
        scene = scene_from_plain(family.scene_type, specimens.record(item)["scene"])
        named = item.labels["radical.clue"] == "named"
        assert bool(scene.counted) == named
        assert ("Find out what to count" in item.text) != named
        assert ("In each row" in item.text) == (item.labels["radical.rule"] == "sum")
