"""Maze solving: which numbered cells does the way from S to E pass?

Size n: in the audited edition the number of moves from S to E, in the paper edition the place of E
in the order in which the maze was carved. The maze has 11 x 11 cells (the paper's text calls the
size the maze's; followed is the code, with which the published figures were obtained): 25 rooms
and the 24 passages between them, so there is one way only.
Paper edition: 440 x 440 px, digits 10 px high. Cells are numbered as they were carved, so that the
answer nearly always is S, 2, 3 ... E; at size 1 E replaces S.
Audited: numbers are random, and no two cells next to each other on the way have numbers next to
each other. S may be any open cell, E one n moves from it; both are tinted. Digits are 22 px high.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_grid import CellBoard
from gfactor.benchmarks.percept_v.twins import Plain, Twin, WrittenFields, grid
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, CSS, FOUR, RGB, WHITE, Canvas, Frame, Pixels
from gfactor.items import Atom, Cell, ItemRandom, OutputFormat

SIDE = 11
TINT: RGB = (255, 232, 150)


@dataclass(frozen=True)
class Label:
    """An open cell and its label: a number, S or E."""

    row: int
    column: int
    text: str


@dataclass(frozen=True)
class Scene:
    frame: Frame
    board: CellBoard
    labels: tuple[Label, ...]
    digit: int
    has_tints: bool


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    board = CellBoard(SIDE, SIDE, 40 if paper else 60, 0, 0)
    if paper:
        order = _carve(rng, (1, 1))
        texts = {cell: str(k) for k, cell in enumerate(order, 1)}
        texts |= {order[0]: "S"} | {order[size - 1]: "E"}
    else:
        texts = _labeled(rng, board, size)
    labels = tuple(Label(*cell, texts[cell]) for cell in sorted(texts))
    frame = Frame(SIDE * board.side, SIDE * board.side)
    return Scene(frame, board, labels, 10 if paper else 22, not paper)


def _carve(rng: ItemRandom, first: Cell) -> list[Cell]:
    """The open cells of a maze carved depth first from the room `first`, in carving order."""
    order, stack, rooms = [first], [first], {first}
    while stack:
        row, column = stack[-1]
        ways = [(row + 2 * dr, column + 2 * dc) for dr, dc in ((-1, 0), (0, -1), (0, 1), (1, 0))]
        ways = [w for w in ways if 0 < w[0] < SIDE and 0 < w[1] < SIDE and w not in rooms]
        if not ways:
            stack.pop()
            continue
        room = rng.choice(ways)
        order += [((row + room[0]) // 2, (column + room[1]) // 2), room]
        stack.append(room)
        rooms.add(room)
    return order


def _labeled(rng: ItemRandom, board: CellBoard, moves: int) -> dict[Cell, str]:
    """A maze with S and E `moves` apart, the other cells numbered against the way."""
    cells, path = _maze_with_way(rng, board, moves)
    others = [cell for cell in cells if cell not in (path[0], path[-1])]
    while True:
        numbers = dict(zip(others, rng.shuffled(range(1, len(others) + 1)), strict=True))
        if all(abs(numbers[a] - numbers[b]) > 1 for a, b in pairwise(path[1:-1])):
            break
    return {path[0]: "S", path[-1]: "E"} | {cell: str(k) for cell, k in numbers.items()}


def _maze_with_way(rng: ItemRandom, board: CellBoard, moves: int) -> tuple[list[Cell], list[Cell]]:
    """The open cells of a maze and a way of `moves` in it; both drawn anew until they fit."""
    while True:
        cells = _carve(rng, (rng.integer(0, 4) * 2 + 1, rng.integer(0, 4) * 2 + 1))
        ways = _ways(board, cells, rng.choice(cells))
        far = [way for way in ways.values() if len(way) == moves + 1]
        if far:
            return cells, rng.choice(far)


def _ways(board: CellBoard, cells: Collection[Cell], start: Cell) -> dict[Cell, list[Cell]]:
    """Return the way from `start` to each of the open `cells`."""
    ways, front, is_open = {start: [start]}, [start], set(cells)
    for cell in front:
        for there in board.neighbors(cell):
            if there in is_open and there not in ways:
                ways[there] = [*ways[cell], there]
                front.append(there)
    return ways


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas, side = Canvas(scene.frame, BLACK), scene.board.side
    ink = FOUR["blue"] if scene.has_tints else CSS["blue"]
    for label in scene.labels:
        x, y = label.column * side, label.row * side
        is_end = label.text in ("S", "E")
        fill = TINT if is_end and scene.has_tints else WHITE
        canvas.rectangle(x + 1, y + 1, x + side - 1, y + side - 1, fill)
        middle = scene.board.center(label.row, label.column)
        width = 2 if scene.has_tints else 1
        canvas.text(*middle, label.text, scene.digit, ink, width)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[Atom, ...]:
    texts = {(label.row, label.column): label.text for label in scene.labels}
    cells = {text: cell for cell, text in texts.items()}
    goal = cells["E"]
    way = _ways(scene.board, texts, cells.get("S", goal))[goal]
    return tuple(int(texts[c]) if texts[c].isdigit() else texts[c] for c in way)


def legibility(scene: Scene) -> Legibility:
    # Between two digits lie two of the six units of a glyph's height, less a stroke.
    gap = scene.digit / 3 - (2 if scene.has_tints else 1)
    ink = FOUR["blue"] if scene.has_tints else CSS["blue"]
    return Legibility(scene.digit, gap, (ink, WHITE, BLACK, *([TINT] if scene.has_tints else [])))


_ENDS = {"S": "start", "E": "end"}


def _in_words(scene: Plain) -> Iterator[Say]:
    for label in scene["labels"]:
        text, cell = label["text"], {name: label[name] + 1 for name in ("row", "column")}
        number = {} if text in _ENDS else {"number": int(text)}
        yield say(_ENDS.get(text, "number"), **number, **cell)


def _from_words(says: Sequence[Say], read_facts: Plain) -> Plain:
    letters = {template: letter for letter, template in _ENDS.items()}
    labels = []
    for one in says:
        row, column = (int(str(one[name])) - 1 for name in ("row", "column"))
        text = letters[one.template] if one.template in letters else str(one["number"])
        labels.append({"row": row, "column": column, "text": text})
    return {"labels": labels}


register(
    Domain(
        name="maze_solving",
        skills=("Visual Attention", "Visual Spatial Relationships"),
        prompt=Prompt(
            input=(
                "You see a maze from above: black cells are walls; every other cell can be "
                "entered and holds a number or one of the letters S (start) and E (exit).",
            ),
            rules=(
                "Go from S to E on the shortest way; one move leads up, down, left or right into "
                "the next cell, never into a wall.",
                "Write down what stands in each cell on the way, in this order, from S to E.",
            ),
            output=(
                "Answer in one line with S, the numbers and E, separated by commas: S,x,y,...,E",
            ),
        ),
        output_format=OutputFormat("list", atom="token", vocabulary=("S", "E"), separator=","),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 50.0 ** (1 - size),
        twin=Twin(
            (
                grid(1),
                WrittenFields(("labels",), ("start", "end", "number"), _in_words, _from_words),
            )
        ),
    )
)
