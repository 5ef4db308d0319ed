"""Spatial span: tap the blocks in the order in which they were shown, or backwards.

A board of blocks; in each turn (or in each of the numbered frames of one picture) one of them is
black. In the last turn the blocks are numbered, and the sequence is given as their numbers. The
numbers appear only there, so that they cannot be rehearsed in place of positions.

Corsi, P. M. (1972) introduced the block tapping task. The boards and sequences are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import conversation, draw_recall_arrow
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    Turn,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import INK, LETTER, PAPER, Box, Sheet, frame_box
from gfactor.imaging.measures.spatial_span import GRID, ONE, frames_sheet
from gfactor.items import ItemRandom

FRAMES = Sheet(2, 4, side=190)
SMALL_FRAMES = Sheet(2, 4, side=120)
"""The frames of versions 2 and 1, which have room for eight."""


@dataclass(frozen=True)
class Scene:
    """Places of the blocks in the order of their numbers, and those shown, by turn or by frame.

    A place is 10 * row + column, both from 1.
    """

    blocks: tuple[int, ...]
    shown: tuple[int, ...]
    frames: int
    backwards: int


@dataclass(frozen=True)
class LargeScene(Scene):
    """A scene whose frames are as large as the board; in version 1 the blocks in frames were 16 px
    wide."""

    large: int = 1


@dataclass(frozen=True)
class NumberedScene(Scene):
    """A scene whose frames have their numbers above them; in earlier versions a number stood in the
    corner of its frame and ran into a block there."""

    above: int = 1


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, length = int(levels["blocks"]), int(levels["length"])
    board = [10 * row + column for row in range(1, GRID + 1) for column in range(1, GRID + 1)]
    blocks = rng.sample(board, count)
    sequence = rng.sample(blocks, length) if length <= count else _again(rng, blocks, length)
    if sequence in (sorted(sequence), sorted(sequence, reverse=True)):
        raise MisdrawnError
    scene = NumberedScene(
        tuple(blocks),
        tuple(sequence),
        int(levels["presentation"] == "frames"),
        int(levels["order"] == "backward"),
    )
    return Draft(scene, (_key(scene),))


def _again(rng: ItemRandom, blocks: Sequence[int], length: int) -> list[int]:
    """A sequence longer than the number of blocks: no block occurs twice within three turns."""
    turns: list[int] = []
    while len(turns) < length:
        turns.append(rng.choice([block for block in blocks if block not in turns[-3:]]))
    return turns


def _key(scene: Scene) -> int:
    positions = scene.shown[::-1] if scene.backwards else scene.shown
    return int("".join(str(scene.blocks.index(position) + 1) for position in positions))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Solve by writing the number of the block at each place shown, from the first or from the
    last."""
    number = {position: k for k, position in enumerate(scene.blocks, 1)}
    answer = 0
    for k, position in enumerate(scene.shown):
        answer += number[position] * 10 ** (k if scene.backwards else len(scene.shown) - 1 - k)
    return Proof(((answer,),), len(scene.shown))


def block_box(place: int, board: Box) -> Box:
    """Return the position on a board of a place's block."""
    row, column = divmod(place, 10)
    step = board.side * 18 // 100
    side = step * 8 // 10
    margin = (board.side - GRID * step) // 2
    return Box(board.x + margin + (column - 1) * step, board.y + margin + (row - 1) * step, side)


def _draw_board(canvas: Canvas, scene: Scene, board: Box, black: int, numbered: bool) -> None:
    for number, position in enumerate(scene.blocks, 1):
        box = block_box(position, board)
        canvas.rectangle(box.x, box.y, box.x + box.side, box.y + box.side, INK)
        if position != black:
            end = (box.x + box.side - 2, box.y + box.side - 2)
            canvas.rectangle(box.x + 2, box.y + 2, *end, PAPER)
        if numbered:
            canvas.text(box.cx, box.cy, str(number), box.side * 0.5, INK, 2)


def _board(scene: Scene, black: int) -> Pixels:
    canvas = ONE.canvas()
    _draw_board(canvas, scene, ONE.boxes[0][0], black, False)
    return canvas.pixels


def _frames(scene: Scene) -> Pixels:
    if not isinstance(scene, NumberedScene):
        return _frames_with_corners(scene)
    sheet = frames_sheet(len(scene.shown))
    canvas = Canvas(Frame(sheet.width, sheet.height), PAPER)
    for number, (position, box) in enumerate(zip(scene.shown, sheet.option_boxes, strict=True), 1):
        frame_box(canvas, box)
        _draw_board(canvas, scene, box, position, False)
        canvas.text(box.cx, box.y - LETTER / 2, str(number), 14, INK)
    return canvas.pixels


def _frames_with_corners(scene: Scene) -> Pixels:
    """Draw the frames of versions 1 and 2."""
    sheet = FRAMES if isinstance(scene, LargeScene) else SMALL_FRAMES
    canvas = sheet.canvas(len(scene.shown))
    boxes = [box for row in sheet.boxes for box in row]
    for number, (position, box) in enumerate(zip(scene.shown, boxes, strict=False), 1):
        _draw_board(canvas, scene, box, position, False)
        canvas.text(box.x + 8, box.y + 8, str(number), 8, INK, 1)
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    rows = [[_row(position), _column(position)] for position in scene.shown]
    lines = [
        say("shown", place=k, row=row, column=column) for k, (row, column) in enumerate(rows, 1)
    ]
    lines.insert(0, say("in_frames" if scene.frames else "in_turns"))
    count = {"n": len(scene.blocks)}
    if scene.frames:
        says = (say("frames", **count), say("reply_ok"))
        out = [Turn((_frames(scene),), says, tuple(lines))]
    else:
        prompts, texts = (say("turns", **count), say("reply_ok")), tuple(lines[:2])
        out = []
        for position, line in zip(scene.shown, (*lines[2:], None), strict=True):
            out.append(Turn((_board(scene, position),), prompts, texts))
            prompts, texts = (say("reply_ok"),), () if line is None else (line,)
    numbered = tuple(
        say("block", place=k, row=_row(position), column=_column(position))
        for k, position in enumerate(scene.blocks, 1)
    )
    ask = "backward" if scene.backwards else "forward"
    words = (*numbered, say("to_left" if scene.backwards else "to_right"))
    out.append(Turn((_asking(scene),), (say(ask),), words, _key(scene)))
    return tuple(out)


def _asking(scene: Scene) -> Pixels:
    """The board with numbers, and above it an arrow in the direction of recall."""
    canvas = ONE.canvas()
    _draw_board(canvas, scene, ONE.boxes[0][0], 0, True)
    draw_recall_arrow(canvas, 8, bool(scene.backwards))
    return canvas.pixels


def _row(place: int) -> int:
    return place // 10


def _column(place: int) -> int:
    return place % 10


def from_twin(says: Sequence[Say]) -> Scene:
    def places(template: str) -> tuple[int, ...]:
        result = [one for one in says if one.template == template]
        return tuple(10 * int(str(one["row"])) + int(str(one["column"])) for one in result)

    frames, backwards = says[0].template == "in_frames", says[-1].template == "to_left"
    return NumberedScene(places("block"), places("shown"), int(frames), int(backwards))


register(
    Family(
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        scene_type=Scene,
        version="4",  # as the version before, with plainer English
        answer_types=("turns",),
        **conversation(turns),
        **declared(__file__, COMMON),
    )
)
