"""Boards: grids of square cells, the pieces that lie in them, the numbers along their margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.imaging import BLACK, PALETTES, RGB, Canvas
from gfactor.items import Cell, ItemRandom


@dataclass(frozen=True)
class CellBoard:
    """A grid of square cells of `side` pixels, its top left corner at (left, top).

    Cells are (row, column), counted from 0 at the top left.
    """

    rows: int
    columns: int
    side: int
    left: int
    top: int

    def cells(self) -> list[Cell]:
        """Return every cell, in reading order."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def center(self, row: int, column: int) -> tuple[float, float]:
        """Return the middle (x, y) of a cell."""
        return self.left + (column + 0.5) * self.side, self.top + (row + 0.5) * self.side

    def neighbors(self, cell: Cell) -> list[Cell]:
        """Return the cells that share a side with `cell`."""
        row, column = cell
        around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [(r, c) for r, c in around if 0 <= r < self.rows and 0 <= c < self.columns]

    def draw(self, canvas: Canvas, color: RGB = BLACK, width: int = 2) -> None:
        """Draw the lines between the cells and around the board, `width` pixels wide."""
        right, bottom = self.left + self.columns * self.side, self.top + self.rows * self.side
        back, front = width // 2, width - width // 2
        for row in range(self.rows + 1):
            y = self.top + row * self.side
            canvas.rectangle(self.left - back, y - back, right + front, y + front, color)
        for column in range(self.columns + 1):
            x = self.left + column * self.side
            canvas.rectangle(x - back, self.top - back, x + front, bottom + front, color)

    def number(self, canvas: Canvas, first: int) -> None:
        """Number the rows (at the left) and the columns (above) from `first`.

        The numbers are centered in the margin and fill 4/9 of it.
        """
        x, y, height = self.left // 2, self.top // 2, 4 * self.top // 9
        for row in range(self.rows):
            canvas.text(x, self.center(row, 0)[1], str(first + row), height, BLACK)
        for column in range(self.columns):
            canvas.text(self.center(0, column)[0], y, str(first + column), height, BLACK)


@dataclass(frozen=True)
class BoardPiece:
    """A shape of `kind` in the middle of a cell; `color` is a name in the scene's palette."""

    kind: str
    row: int
    column: int
    color: str

    @property
    def cell(self) -> Cell:
        """(row, column), from 0."""
        return self.row, self.column


def balanced_cells(rng: ItemRandom, board: CellBoard, count: int) -> list[Cell]:
    """Return `count` different cells; the first is balanced, so that single cells do not repeat."""
    first = rng.balanced(board.cells())
    return [first, *rng.sample([c for c in board.cells() if c != first], count - 1)]


def draw_pieces(
    canvas: Canvas,
    board: CellBoard,
    pieces: Iterable[BoardPiece],
    r: int,
    palette: str,
    outline: RGB | None = None,
) -> None:
    """Draw pieces as shapes inscribed in circles of radius `r` pixels."""
    colors = PALETTES[palette]
    for piece in pieces:
        x, y = board.center(*piece.cell)
        canvas.shape(piece.kind, x, y, r, colors[piece.color], outline)


def pieces_legibility(board: CellBoard, r: int, colors: Sequence[RGB]) -> Legibility:
    """Return legibility of pieces of circumradius `r`, as near to each other as neighboring cells
    are."""
    return Legibility(2 * r, board.side - 2 * r, tuple(colors))
