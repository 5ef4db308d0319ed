"""Pictures: how they are drawn, encoded and colored, for those who draw and those who look."""

from gfactor.imaging.canvas import KINDS, RGB, Canvas, Frame, Pixels, corners, text_width
from gfactor.imaging.color import VISIONS, Vision, delta_e, smallest_delta_e
from gfactor.imaging.glyphs import ADVANCE, GLYPH_HEIGHT, GLYPH_WIDTH, GLYPHS
from gfactor.imaging.palettes import BLACK, CSS, FOUR, PALETTES, TWENTY, WHITE
from gfactor.imaging.png import encode_png

__all__ = [
    "ADVANCE",
    "BLACK",
    "CSS",
    "FOUR",
    "GLYPHS",
    "GLYPH_HEIGHT",
    "GLYPH_WIDTH",
    "KINDS",
    "PALETTES",
    "RGB",
    "TWENTY",
    "VISIONS",
    "WHITE",
    "Canvas",
    "Frame",
    "Pixels",
    "Vision",
    "corners",
    "delta_e",
    "encode_png",
    "smallest_delta_e",
    "text_width",
]
