"""Hidden letter: find which dots are dark, and the letter all of whose dots are at some place."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.mosaics import COLUMNS, LETTERS, ROWS, letter_cells

CELL_PX = 28
"""Distance of neighboring dots."""
DARK = 120


@solver("hidden_letter")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    blurred = cv2.blur(picture[..., 1], (9, 9))
    dark = (blurred[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX] < DARK).astype(np.float32)
    letter = min(LETTERS, key=lambda letter: _light_dots(dark, letter))
    return f"LETTER:{perception.hold([letter], guesses=tuple(LETTERS))[0]}"


def _light_dots(dark: NDArray[np.float32], letter: str) -> float:
    """Return the number of light dots of a letter at the position with the fewest."""
    mask = np.zeros((ROWS, COLUMNS), np.float32)
    rows, columns = zip(*letter_cells(letter), strict=True)
    mask[rows, columns] = 1
    return float(mask.sum() - cv2.matchTemplate(dark, mask, cv2.TM_CCORR).max())
