"""The legend strip of the published color domains: twenty named swatches below the picture.

The published pictures are stretched horizontally, and only horizontally, to the strip's width, so
that circles become ellipses; the paper edition keeps that. The strip's own layout (four columns
in the order of the prompt, names in capitals) is ours: the published one has names turned by a
quarter, which our stroke font does not draw.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from gfactor.imaging import ADVANCE, BLACK, CSS, GLYPH_HEIGHT, Canvas, Frame, Pixels, text_width
from gfactor.imaging.vector import note_stack

WIDTH, HEIGHT = 485, 277
"""Pixels of the strip: with a picture of 389 x 389 the published 485 x 666."""

_COLUMNS = 4
_SWATCH = 24
_NAME_PX = 9


@lru_cache(maxsize=1)
def _strip() -> Pixels:
    return _drawn_strip()


def _drawn_strip() -> Pixels:
    canvas = Canvas(Frame(WIDTH, HEIGHT))
    canvas.rectangle(0, 0, WIDTH, 3, BLACK)
    rows = -(-len(CSS) // _COLUMNS)
    wide, high = WIDTH // _COLUMNS, HEIGHT // rows
    for row, (name, color) in enumerate(CSS.items()):
        x, y = 6 + row % _COLUMNS * wide, row // _COLUMNS * high + high // 2
        canvas.rectangle(x, y - _SWATCH // 2, x + _SWATCH, y + _SWATCH // 2, BLACK)
        canvas.rectangle(x + 1, y + 1 - _SWATCH // 2, x + _SWATCH - 1, y - 1 + _SWATCH // 2, color)
        left = x + _SWATCH + ADVANCE * _NAME_PX / GLYPH_HEIGHT
        half = text_width(name, _NAME_PX) / 2
        canvas.text(left + half, y, name.upper(), _NAME_PX, BLACK, 1)
    return canvas.pixels


def with_legend(picture: Pixels) -> Pixels:
    """Return the picture, stretched to the strip's width, on top of the strip (ruled off by a
    line)."""
    size = (WIDTH, picture.shape[0])
    stretched = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR_EXACT)
    result = np.vstack([np.asarray(stretched, np.uint8), _strip()])
    note_stack(result, picture, _drawn_strip)
    return result
