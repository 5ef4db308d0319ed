"""A stroke font of our own: digits, capitals and a few signs as polylines on a 4 x 6 grid.

OpenCV 5 exchanged the fonts behind `putText`, so its text is not the same in every version; lines
are. The glyphs are ours (digits without serifs, made to stay apart from each other when small).
"""

from __future__ import annotations

_STROKES = {
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26,16 36",
    "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 44 45 36 16 05,23 33",
    "4": "36 30 04 44",
    "5": "40 00 02 32 43 45 36 16 05",
    "6": "41 30 10 01 05 16 36 45 44 33 13 04",
    "7": "00 40 16",
    "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "05 16 36 45 41 30 10 01 02 13 33 42",
    "A": "06 20 46,14 34",
    "B": "00 06 36 45 44 33 03,33 42 41 30 00",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 06 26 44 42 20 00",
    "E": "40 00 06 46,03 33",
    "F": "40 00 06,03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06,40 46,03 43",
    "I": "20 26",
    "J": "40 45 36 16 05",
    "K": "00 06,40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10,24 46",
    "R": "06 00 30 41 42 33 03,23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40,20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 23 36 40",
    "X": "00 46,40 06",
    "Y": "00 23 40,23 26",
    "Z": "00 40 06 46",
    "(": "30 21 25 36",
    ")": "10 21 25 16",
    ",": "25 26 17",
    " ": "",
    "?": "01 10 30 41 42 33 23 24,26 26",
}

GLYPH_WIDTH, GLYPH_HEIGHT, ADVANCE = 4, 6, 6
"""Units of a glyph's box, and from one glyph's left edge to the next one's."""

GLYPHS: dict[str, tuple[tuple[tuple[int, int], ...], ...]] = {
    sign: tuple(
        tuple((int(point[0]), int(point[1])) for point in stroke.split())
        for stroke in strokes.split(",")
        if stroke
    )
    for sign, strokes in _STROKES.items()
}
"""Each sign's strokes, each a sequence of (x, y) in glyph units, y downwards."""
