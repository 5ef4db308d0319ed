"""Symbol search: in how many rows does one of the targets come up again?

Each row has one or two target figures on the left and a string of figures on the right. Figures
consist of strokes on a lattice. The other figures differ clearly from the targets, or some of them
differ from a target in a single stroke.

Symbol search is due to the visual search of Neisser (1964); as a test of processing speed it is in
the Wechsler scales since 1991. The figures and rows are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import (
    NUMBER,
    STROKE_TEXTS,
    different_figures,
    near_figure,
    strokes_line,
    strokes_of,
)
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import Sheet, frame_box
from gfactor.imaging.measures.symbol_search import SIDE
from gfactor.imaging.strokes import Strokes, draw_strokes
from gfactor.items import ItemRandom

SHIFT = 5 / 16
"""Shift of figures from column to column, as a part of a pixel."""


@dataclass(frozen=True)
class SearchRow:
    """The targets, and the figures among which they are to be found."""

    targets: tuple[Strokes, ...]
    figures: tuple[Strokes, ...]


@dataclass(frozen=True)
class Scene:
    """The rows, from top to bottom."""

    rows: tuple[SearchRow, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, strokes = int(levels["rows"]), int(levels["strokes"])
    having = rng.integer(0, count)
    present = rng.shuffled([True] * having + [False] * (count - having))
    rows = tuple(_row(rng, levels, strokes, here) for here in present)
    return Draft(Scene(rows), having, design=tuple(map(int, present)))


def _row(rng: ItemRandom, levels: Levels, strokes: int, present: bool) -> SearchRow:
    length, targets = int(levels["length"]), int(levels["targets"])
    wanted = different_figures(rng, targets, strokes)
    others = different_figures(rng, targets + length, strokes, wanted)[targets:]
    if levels["foil"] == "near":
        near = [near_figure(rng, rng.choice(wanted)) for _ in range(length // 2)]
        if set(near) & set(wanted) or len(set(near)) < len(near):
            raise MisdrawnError
        others[: len(near)] = near
    if present:
        # The target replaces a dissimilar figure, so that both kinds of rows have as many similar
        # ones.
        others[-1] = rng.choice(wanted)
    return SearchRow(tuple(wanted), tuple(rng.shuffled(others)))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Compare every figure with every target of its row, stroke by stroke."""
    result = tried = 0
    for row in scene.rows:
        tried += len(row.targets) * len(row.figures)
        result += any(not set(t) ^ set(f) for t in row.targets for f in row.figures)
    return Proof((result,), tried)


def sheet_for(rows: int, targets: int, length: int) -> Sheet:
    """Return the boxes of a picture: targets, an empty column, figures."""
    return Sheet(rows, targets + 1 + length, side=SIDE)


def picture(scene: Scene, options: Sequence[Any]) -> tuple[Pixels, ...]:
    first = scene.rows[0]
    sheet = sheet_for(len(scene.rows), len(first.targets), len(first.figures))
    canvas = Canvas(Frame(sheet.width, sheet.height))
    for row, boxes in zip(scene.rows, sheet.boxes, strict=True):
        figures = (*row.targets, None, *row.figures)
        for column, (figure, box) in enumerate(zip(figures, boxes, strict=True)):
            if figure is not None:
                frame_box(canvas, box)
                draw_strokes(canvas, figure, box, SHIFT * column % 1)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    rows = (
        say(
            "row",
            place=k,
            cells=tuple(map(strokes_line, row.targets)),
            cells2=tuple(map(strokes_line, row.figures)),
        )
        for k, row in enumerate(scene.rows, 1)
    )
    return (say("points"), *rows)


def from_twin(says: Sequence[Say]) -> Scene:
    rows = []
    for one in says[1:]:
        targets: Any = one["cells"]
        figures: Any = one["cells2"]
        rows.append(SearchRow(tuple(map(strokes_of, targets)), tuple(map(strokes_of, figures))))
    return Scene(tuple(rows))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        scene_type=Scene,
        version="2",  # as the version before, with plainer English
        answer_types=("open",),
        output_format=NUMBER,
        **declared(__file__, COMMON, STROKE_TEXTS),
    )
)
