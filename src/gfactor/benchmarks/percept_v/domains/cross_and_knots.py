"""Cross and knots: name a cell of the board that is safe from the crosses.

Size n (both editions): the number of crosses. A cell is safe if neither it nor a cell that
shares a side with it holds a cross; any safe cell is right, and None if there is none.
Paper edition: 640 x 480 px, 6 x 6 cells, crosses at random, each free cell labeled with its
coordinates. The paper's text says 7 x 7; followed is the code's default, with which the published
figures were obtained.
Audited: one cell guessed always was right 40 % of the time, as many cells were safe. Now the board
grows with n, up to the paper's 7 x 7, and the crosses leave 1 to 3 cells safe, at a place that is
balanced; where n crosses can threaten the whole board, one item of ten is answered by None. The
rules say that a cell with a cross is not safe (which was left open), and the coordinates are to be
read along the margins instead of in tiny print.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_grid import CellBoard
from gfactor.benchmarks.percept_v.parts import CrowdedError
from gfactor.benchmarks.percept_v.twins import Objects, Twin, by_cell, grid
from gfactor.imaging import BLACK, CSS, WHITE, Canvas, Frame, Pixels
from gfactor.items import Cell, ItemRandom, OutputFormat

MARGIN = 56
WIDTHS = (400, 480)
"""Range of the longer side of the board in pixels; it varies as small boards admit few scenes."""

GRAY = (176, 176, 176)

SIDES = (
    (2, 2),
    (2, 3),
    (2, 4),
    (3, 4),
    (3, 5),
    (4, 4),
    (4, 5),
    (5, 5),
    (5, 6),
    (6, 6),
    (6, 7),
    (7, 7),
)
DOMINATED_BY = (2, 2, 3, 4, 4, 4, 6, 7, 8, 10, 11, 12)
"""Numbers of crosses that threaten every cell of each of `SIDES` (domination numbers of grid
graphs).
"""

BOARD_OF_SIZE = (0, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10) + (11,) * 8
"""Index in `SIDES` of the board on which n crosses, n = 1.., can threaten all but 1 to 3 cells."""

SPARE = (0,) * 7 + (1, 1, 2)
"""Most cells that may be safe besides the balanced one; more only if the crosses are too few."""


@dataclass(frozen=True)
class Scene:
    frame: Frame
    board: CellBoard
    crosses: tuple[Cell, ...]
    is_plot: bool


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        board = CellBoard(6, 6, 62, 134, 54)
        crosses = rng.sample(board.cells(), size)
        return Scene(Frame(640, 480), board, tuple(sorted(crosses)), True)
    which = BOARD_OF_SIZE[size - 1]
    if size == 1:
        which = rng.balanced((0, 0, 1))
    none = rng.balanced(range(10)) == 0 and size >= DOMINATED_BY[which]
    rows, columns = rng.balanced((SIDES[which], SIDES[which][::-1]))
    side = rng.integer(*WIDTHS) // max(rows, columns)
    board = CellBoard(rows, columns, side, MARGIN, MARGIN)
    prize = rng.balanced(board.cells())
    spare = rng.balanced(SPARE)
    crosses = _crosses(rng, board, size, None if none else prize, spare)
    frame = Frame(MARGIN + columns * side + 20, MARGIN + rows * side + 20)
    return Scene(frame, board, tuple(sorted(crosses)), False)


def _crosses(
    rng: ItemRandom, board: CellBoard, count: int, prize: Cell | None, spare: int
) -> list[Cell]:
    """`count` crosses that leave only `prize` safe and at most `spare` (if need be 2) others."""
    cells = board.cells()
    bits = {cell: 1 << k for k, cell in enumerate(cells)}
    reach = {c: bits[c] | sum(bits[n] for n in board.neighbors(c)) for c in cells}
    reserved = bits[prize] if prize else 0
    allowed = [c for c in cells if not reach[c] & reserved]
    for start in range(200):
        crosses = rng.sample(allowed, count)
        safe = _safe(crosses, reach, reserved)
        spared = max(spare, min(2, start // 10)) if prize else 0
        for _ in range(150):
            if safe.bit_count() <= spared:
                return crosses
            # Move a cross so that it threatens a safe cell; keep the move unless more cells become
            # safe.
            target = rng.choice([c for c in cells if bits[c] & safe])
            there = rng.choice([target, *board.neighbors(target)])
            moved = list(crosses)
            moved[rng.integer(0, count - 1)] = there
            now = _safe(moved, reach, reserved)
            if there in allowed and there not in crosses and now.bit_count() <= safe.bit_count():
                crosses, safe = moved, now
    raise CrowdedError(f"{count} crosses cannot threaten {board.rows} x {board.columns} cells")


def _safe(crosses: list[Cell], reach: dict[Cell, int], reserved: int) -> int:
    """The cells safe from `crosses` except those `reserved`, as bits."""
    threatened = reserved
    for cross in crosses:
        threatened |= reach[cross]
    return ((1 << len(reach)) - 1) & ~threatened


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas, board = Canvas(scene.frame), scene.board
    board.draw(canvas, GRAY if scene.is_plot else BLACK, 1 if scene.is_plot else 2)
    if not scene.is_plot:
        board.number(canvas, first=0)
    arm = _arm(scene)
    for cell in board.cells():
        x, y = board.center(*cell)
        if cell in scene.crosses:
            width = max(3, arm // 3)
            canvas.line(x - arm, y - arm, x + arm, y + arm, BLACK, width)
            canvas.line(x - arm, y + arm, x + arm, y - arm, BLACK, width)
        elif scene.is_plot:
            canvas.text(x, y, f"({cell[0]},{cell[1]})", 8, CSS["blue"], 1)
    return (canvas.pixels,)


def _arm(scene: Scene) -> int:
    """Half the height of a cross, in pixels."""
    return scene.board.side // 5


def accepted(scene: Scene) -> tuple[Cell, ...]:
    unsafe = set(scene.crosses)
    for cross in scene.crosses:
        unsafe.update(scene.board.neighbors(cross))
    return tuple(cell for cell in scene.board.cells() if cell not in unsafe)


def answer(scene: Scene) -> Cell | None:
    return next(iter(accepted(scene)), None)


def legibility(scene: Scene) -> Legibility:
    cross = 2 * _arm(scene)
    return Legibility(cross, scene.board.side - cross, (BLACK, WHITE))


register(
    Domain(
        name="cross_and_knots",
        skills=("Visual Spatial Relationships",),
        prompt=Prompt(
            input=("You see a grid; some of its cells hold a black cross.",),
            rules=(
                "A cell is written (row,column); both are counted from 0, rows from the top and "
                "columns from the left.",
                "Two cells are neighbors if they share a side; touching corners do not count.",
                "A cell is safe if it holds no cross and none of its neighbors holds one; a cell "
                "with a cross is never safe.",
                "Name one safe cell, whichever you like, or None if there is no safe cell.",
            ),
            output=("Answer in one line, either a cell in the form (row,column) or None.",),
        ),
        output_format=OutputFormat("tuple", atom="cell", none="None"),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / math.prod(SIDES[BOARD_OF_SIZE[size - 1]]),
        accepted=accepted,
        twin=Twin((grid(0), Objects("crosses", "cross", ("row", "column"), order=by_cell))),
    )
)
