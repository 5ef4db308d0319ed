"""Drawings that were repaired; items of earlier versions stay as they were."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support import chc_families as specimens

from gfactor.benchmarks.chc.common import ATTRIBUTES
from gfactor.benchmarks.chc.families import (
    balance_puzzles,
    bills_and_plans,
    figure_series,
    set_membership,
    spatial_span,
)
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.chc.redrawing import content_of
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.imaging import Pixels
from gfactor.imaging.figures import FORMS, PAPER, CellFigures, Sheet
from gfactor.imaging.measures.balance_puzzles import PAN
from gfactor.imaging.measures.figure_series import SIDE_APART
from gfactor.imaging.measures.spatial_span import frames_sheet
from gfactor.items import pixel_hash

OLDER = [
    json.loads(line)
    for line in (Path(__file__).parent / "older_drawings.jsonl").read_text().splitlines()
]
"""Items as earlier versions of their families drew them."""


def scene_in(name: str, record: Any) -> Any:
    return scene_from_plain(FAMILIES[name].scene_type, record)


def pictures_of(name: str, scene: Any, options: Any) -> list[Pixels]:
    family = FAMILIES[name]
    if family.turns is not None:
        return [picture for turn in family.turns(scene) for picture in turn.pictures]
    return list(family.picture(scene, options))


@pytest.mark.parametrize("old", OLDER, ids=lambda old: f"{old['family']}-{old['version']}")
def test_items_of_earlier_versions_are_drawn_as_they_were(old: Any) -> None:
    name = old["family"]
    assert int(FAMILIES[name].version) > int(old["version"])
    options = tuple(content_of(FAMILIES[name], plain) for plain in old["options"])
    drawn = pictures_of(name, scene_in(name, old["scene"]), options)
    assert [pixel_hash(pixels) for pixels in drawn] == old["pixels"]


def first_scene(name: str, key: str = "") -> Any:
    for item in specimens.items(name, per_cell=2):
        record = json.loads(item.provenance.scene)["scene"]
        if not key or record[key]:
            return scene_in(name, record)
    raise AssertionError(f"no scene of {name} has {key}")


@pytest.mark.thorough
def test_every_figure_of_set_membership_has_a_frame_of_its_own() -> None:
    scene = first_scene("set_membership")
    (picture,) = set_membership.picture(scene, ())
    across = set_membership.across_of(len(scene.left))
    for row in set_membership.sheet_for(len(scene.left), 0).boxes:
        for box in (*row[:across], *row[across + 1 :]):
            rim = box.of(picture)
            assert (rim[0] < 200).all()
            assert (rim[:, -1] < 200).all()


def test_pivots_of_balance_puzzles_stand_above_the_next_row() -> None:
    scene = first_scene("balance_puzzles")
    (picture,) = balance_puzzles.picture(scene, ())
    rows = balance_puzzles.sheet_for(scene, 0).boxes
    for row, below in pairwise(rows):
        middle = row[PAN]
        bottom = middle.y + middle.side
        strip = picture[bottom + 28 : below[0].y, middle.x : middle.x + middle.side]
        assert len(strip) >= 5
        assert (strip == PAPER).all()


def test_blocks_in_frames_are_as_large_as_on_the_board() -> None:
    scene = first_scene("spatial_span", "frames")
    assert spatial_span.block_box(11, frames_sheet(3).option_boxes[0]).side >= 25
    shown = spatial_span.turns(scene)[0].pictures[0]
    assert shown.shape[1] == frames_sheet(len(scene.shown)).width


def test_the_number_of_a_frame_does_not_touch_a_block() -> None:
    """In version 2 it stood in the corner of the frame, and ran into a block that was there."""
    board = (11, 23, 35, 44), (23, 11, 44), 1, 0
    (now,), (before,) = (
        spatial_span.turns(kind(*board))[0].pictures
        for kind in (spatial_span.NumberedScene, spatial_span.LargeScene)
    )
    blocks = len(board[1]) * len(board[0])
    assert separate_things(now) == blocks + len(board[1])
    assert separate_things(before) == blocks


def separate_things(pixels: Pixels) -> int:
    """Number of black things that do not touch each other."""
    black = (pixels.min(axis=-1) < 128).astype(np.uint8)
    return cv2.connectedComponents(black, connectivity=8)[0] - 1


@pytest.mark.parametrize("form", ATTRIBUTES["form"])
def test_pieces_on_a_bill_do_not_touch_each_other(form: str) -> None:
    """Six crosses, circles or pentagons were one thing in version 3."""
    parts = (bills_and_plans.PiecesPrice(form, 2, 10),), (bills_and_plans.Bought(form, 6),), 0
    (picture,) = bills_and_plans.picture(bills_and_plans.SpacedBill(*parts), ())
    prices, *_, bought = bills_and_plans.sheet_for(1, 0).boxes[0]
    for box, pieces in ((prices, 2), (bought, 6)):
        assert separate_things(box.of(picture)[3:-3, 3:-3]) == pieces
    if form in ("circle", "cross"):
        (before,) = bills_and_plans.picture(bills_and_plans.Scene(*parts), ())
        assert separate_things(bought.of(before)[3:-3, 3:-3]) < 6


def narrowest_blank(form: str, turn: int, kind: type[figure_series.Scene]) -> int:
    """Smallest number of blank pixels between six large figures in a box of a series."""
    cell = CellFigures(form, "large", "black", 6, turn)
    (picture,) = figure_series.picture(kind((cell,) * 4), ())
    side = 132 if kind is figure_series.Scene else SIDE_APART
    box = Sheet(1, 5, side=side).boxes[0][0]
    ink = (box.of(picture)[3:-3, 3:-3].min(axis=-1) < 250).astype(np.uint8)
    blank = 0
    while cv2.connectedComponents(ink, connectivity=8)[0] - 1 == 6:
        blank += 1
        ink = cv2.dilate(ink, np.ones((2, 2), np.uint8))
    return blank


@pytest.mark.parametrize("form", FORMS)
def test_figures_of_a_series_stand_apart(form: str) -> None:
    """In version 2, large pentagons, stars, crosses and arrows touched each other."""
    turns = range(8) if form == "arrow" else (0,)
    for turn in turns:
        assert narrowest_blank(form, turn, figure_series.SpacedSeries) >= 5
    if form in ("pentagon", "star", "cross", "arrow"):
        assert narrowest_blank(form, 0, figure_series.Scene) == 0
