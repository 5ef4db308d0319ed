"""Options that are numbers: reading them and choosing the one that is nearest to the answer."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.examinees.observer.sheets import letter
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board

_DARK = 128


def board_of(pixels: Pixels, boards: Sequence[Board]) -> Board:
    """Return the board with the picture's size; raise ValueError if there is none."""
    size = (pixels.shape[1], pixels.shape[0])
    return next(board for board in boards if (board.width, board.height) == size)


def read_options(pixels: Pixels, boards: Sequence[Board]) -> tuple[Board, list[int]]:
    """Return the board of a picture, and the numbers in its option panels."""
    board = board_of(pixels, boards)
    texts = [
        read_glyphs(panel.of(pixels).mean(axis=-1) < _DARK, "0123456789")
        for panel in board.option_panels
    ]
    return board, [int(text) for text in texts]


def chosen_number(answer: int, options: Sequence[int]) -> str:
    """Return the reply: the number itself, or the letter of the option nearest to it."""
    if not options:
        return f"ANSWER:{answer}"
    away = [abs(option - answer) for option in options]
    return letter(away.index(min(away)))
