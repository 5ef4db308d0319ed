"""The domains added to the paper's thirty: one skill each, one answer each, and nothing else tells.

The right answer is proven here from the pixels, by a search of its own over every place, size and
turn that an answer could have.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from gfactor.benchmarks import build
from gfactor.benchmarks.percept_v.build import item_random, plan
from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES
from gfactor.benchmarks.percept_v.domains import hidden_letter, incomplete_shape
from gfactor.benchmarks.percept_v.layouts_outlines import CORNERS, KINDS, outline
from gfactor.benchmarks.percept_v.options import chosen_domains, parse_domains
from gfactor.errors import ParameterError
from gfactor.imaging import Pixels
from gfactor.imaging.mosaics import COLUMNS, LETTERS, ROWS, Cell, letter_cells

ADDED = {
    "hidden_letter": "Visual Figure Ground",
    "hidden_shape": "Visual Figure Ground",
    "incomplete_letter": "Visual Closure",
    "incomplete_shape": "Visual Closure",
}


def scenes(name: str, sizes: Iterable[int], seed: int = 5, instances: int = 2) -> Iterator[Any]:
    domain = DOMAINS[name]
    for size, index in product(sizes, range(instances)):
        yield domain.make(item_random(domain, "audited", seed, size, index), size, "audited")


def drawn(name: str, *args: Any) -> Iterator[tuple[Any, Pixels]]:
    """Scenes with their pictures."""
    for scene in scenes(name, *args):
        yield scene, DOMAINS[name].draw(scene)[0]


def test_they_ask_for_one_skill_each_and_are_built_when_they_are_named() -> None:
    assert {name: DOMAINS[name].skills for name in chosen_domains(["added"], "audited")} == {
        name: (skill,) for name, skill in ADDED.items()
    }
    assert len(plan().parts) == len(plan(domains=parse_domains("paper")).parts) == 30
    assert [part.name for part in plan(domains=parse_domains("all")).parts] == list(DOMAINS)
    both = parse_domains("added, sort_lines")
    assert [part.name for part in plan(domains=both).parts] == [*ADDED, "sort_lines"]


def test_the_paper_edition_has_none_of_them() -> None:
    assert not set(ADDED) & {part.name for part in plan(edition="paper").parts}
    with pytest.raises(
        ParameterError, match="the paper edition has no hidden_letter, hidden_shape"
    ):
        plan(edition="paper", domains=["all"])


@pytest.mark.thorough
@pytest.mark.parametrize("name", ADDED)
def test_answers_are_balanced_within_every_size(name: str) -> None:
    domain = DOMAINS[name]
    for size in SIZES:
        answers = [domain.answer(scene) for scene in scenes(name, [size], 7, INSTANCES)]
        assert set(answers) == set(domain.output_format.vocabulary)
        assert len({answers.count(one) for one in answers}) == 1


def dark(picture: Pixels) -> NDArray[np.bool_]:
    return picture.max(axis=2) < 128


def covered(cells: Iterable[Cell], letter: str) -> int:
    """How many of the cells a letter covers where it covers most, over all places."""
    moves = Counter((r - a, c - b) for r, c in cells for a, b in letter_cells(letter))
    return max(moves.values())


def test_of_every_letter_eight_cells_lie_beside_any_other() -> None:
    for one, other in permutations(LETTERS, 2):
        assert len(letter_cells(one)) - covered(letter_cells(one), other) >= 8, (one, other)


@pytest.mark.thorough
def test_only_the_right_letter_covers_all_cells_that_are_left() -> None:
    for scene, picture in drawn("incomplete_letter", SIZES, 5, 1):
        ink, side = dark(picture), scene.cell_px
        cells = [
            (r, c)
            for r, c in product(range(ROWS), range(COLUMNS))
            if ink[scene.y + r * side : scene.y + (r + 1) * side,
                   scene.x + c * side : scene.x + (c + 1) * side].all()
        ]  # fmt: skip
        assert ink.sum() == len(cells) * side**2
        beside = {letter: len(cells) - covered(cells, letter) for letter in LETTERS}
        assert beside.pop(scene.letter) == 0
        assert min(beside.values()) >= 3


@pytest.mark.thorough
def test_only_the_right_letter_has_dark_dots_alone() -> None:
    cell = hidden_letter.CELL_PX
    for scene, picture in drawn("hidden_letter", SIZES, 5, 1):
        rows, columns = np.nonzero(dark(picture)[cell // 2 :: cell, cell // 2 :: cell])
        dots = list(zip(rows.tolist(), columns.tolist(), strict=True))
        light = {letter: len(letter_cells(letter)) - covered(dots, letter) for letter in LETTERS}
        assert light.pop(scene.letter) == 0
        assert min(light.values()) >= 4


def distances(points: NDArray[np.float64], kind: str, at: NDArray[np.float64]) -> Any:
    """How far points are from the outline of a kind with center, radius and turn `at`."""
    x, y, r, turn = at
    offsets = points - (x, y)
    if kind == "circle":
        return np.abs(np.hypot(*offsets.T) - r)
    k = CORNERS[kind]
    ends = turn + 2 * np.pi * np.arange(k) / k
    first = r * np.stack([np.cos(ends), np.sin(ends)], axis=1)
    along = np.roll(first, -1, axis=0) - first
    share = ((offsets[:, None] - first) * along).sum(axis=2) / (along**2).sum(axis=1)
    foot = first + np.clip(share, 0, 1)[..., None] * along
    return np.hypot(*(offsets[:, None] - foot).transpose(2, 0, 1)).min(axis=1)


def nearest(points: NDArray[np.float64], kind: str, scene: Any) -> float:
    """The largest distance of a point from the best outline of a kind: any place, size, turn."""
    k = CORNERS[kind] or 1
    best = math.inf
    for scale, turn in product((0.85, 1.15), 2 * np.pi / k * np.arange(0, 1, 0.2)):
        start = np.array([scene.x, scene.y, scale * scene.r, turn])
        simplex = start + np.vstack([np.zeros(4), np.diag([15, 15, 15, 0.4])])
        found = minimize(
            lambda at: float((distances(points, kind, at) ** 2).mean()), start,
            method="Nelder-Mead", options={"initial_simplex": simplex, "maxfev": 200},
        )  # fmt: skip
        best = min(best, float(distances(points, kind, found.x).max()))
    return best - scene.width_px / 2


@pytest.mark.thorough
@pytest.mark.parametrize("instances", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_no_other_shape_of_any_place_size_and_turn_fits_the_pieces(instances: int) -> None:
    """From the middle of the line, which is 4 to 6 pixels wide, with its blended edge."""
    for scene, picture in drawn("incomplete_shape", [20], 9, instances):
        rows, columns = np.nonzero(dark(picture))
        points = np.stack([columns, rows], axis=1)[::31].astype(float)
        apart = {kind: nearest(points, kind, scene) for kind in KINDS}
        assert apart.pop(scene.kind) < 2.2
        assert min(apart.values()) > 2.8


@pytest.mark.thorough
def test_pieces_and_gaps_are_as_long_as_they_say() -> None:
    for scene in scenes("incomplete_shape", SIZES):
        lengths = [length for _, length in scene.pieces]
        ends = [*scene.pieces[1:], scene.pieces[0]]
        gaps = [
            (after - first - length) % incomplete_shape.PARTS
            for (first, length), (after, _) in zip(scene.pieces, ends, strict=True)
        ]
        assert min(lengths) >= incomplete_shape.SHORTEST_PIECE
        assert min(gaps) >= incomplete_shape.SHORTEST_GAP
        assert sum(lengths) + sum(gaps) == incomplete_shape.PARTS


def most_inked(ink: Any, kind: str, r: int) -> float:
    """The largest share of an outline of this radius that is inked, over all places."""
    points = np.rint(np.array(outline(kind, 0, 0, r)[::2])).astype(int)
    points -= points.min(axis=0)
    width, height = np.array(ink.shape[::-1]) - points.max(axis=0)
    total = np.zeros((height, width), np.uint8)
    for x, y in points:
        total += ink[y : y + height, x : x + width]
    return float(total.max()) / len(points)


@pytest.mark.thorough
@pytest.mark.parametrize("instances", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_no_other_outline_is_there_among_the_lines(instances: int) -> None:
    """A pixel beside the line still counts as inked."""
    for scene, picture in drawn("hidden_shape", (6, 20), 9, instances):
        ink = cv2.dilate(dark(picture).astype(np.uint8), np.ones((3, 3), np.uint8))
        assert most_inked(ink, scene.kind, scene.r) == 1
        for kind in set(KINDS) - {scene.kind}:
            assert max(most_inked(ink, kind, r) for r in range(60, 136, 4)) < 0.92


@pytest.mark.thorough
@pytest.mark.parametrize("name", ADDED)
def test_the_amount_of_ink_does_not_go_with_the_answer(name: str) -> None:
    domain = DOMAINS[name]
    ink: dict[str, list[float]] = {word: [] for word in domain.output_format.vocabulary}
    for scene, picture in drawn(name, [10], 11, 40):
        ink[str(domain.answer(scene))].append(float(dark(picture).sum()))
    within = float(np.mean([np.std(values) for values in ink.values()]))
    between = float(np.std([np.mean(values) for values in ink.values()]))
    assert between < within


GOLDEN = (
    "eb2407ead825912138f3deb9da3966b0417247c9c84f9acb0f6fbf9fbb7311e8",
    "6c626e124ecb736d75039066b157bafb865bd92b2802dc1d68497682f523ffd1",
)
"""Scene and pixel digests of the added domains, as `GOLDEN` of test_build has them of the others:

    gfactor build percept-v --domains added --seed 7 --sizes 1,7,20 --instances 1 -o g.parquet
"""


@pytest.mark.thorough
def test_the_items_are_the_golden_ones(tmp_path: Any) -> None:
    built = build(
        "percept-v",
        tmp_path / "b.parquet",
        seed=7,
        domains=["added"],
        sizes=(1, 7, 20),
        instances=1,
    )
    assert (built.scene_digest, built.pixel_digest) == GOLDEN
