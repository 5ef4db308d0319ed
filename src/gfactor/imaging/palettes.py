"""Named colors: the published benchmark's, and those chosen to be distinguishable .

`css`: the twenty CSS colors of the published Percept-V, in its order.
`twenty`: twenty everyday names whose smallest CIEDE2000 difference, to each other and to white
paper, is as large as a search over what the names may mean could make it.
`four`: red, green, blue and yellow that stay apart in normal, protan, deutan and tritan vision.
"""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.imaging.canvas import RGB

WHITE: RGB = (255, 255, 255)
BLACK: RGB = (0, 0, 0)

CSS: Mapping[str, RGB] = {
    "black": (0, 0, 0),
    "gray": (128, 128, 128),
    "brown": (165, 42, 42),
    "maroon": (128, 0, 0),
    "red": (255, 0, 0),
    "coral": (255, 127, 80),
    "tan": (210, 180, 140),
    "orange": (255, 165, 0),
    "ivory": (255, 255, 240),
    "goldenrod": (218, 165, 32),
    "yellow": (255, 255, 0),
    "green": (0, 128, 0),
    "olive": (128, 128, 0),
    "turquoise": (64, 224, 208),
    "skyblue": (135, 206, 235),
    "blue": (0, 0, 255),
    "lavender": (230, 230, 250),
    "purple": (128, 0, 128),
    "pink": (255, 192, 203),
    "fuchsia": (255, 0, 255),
}

TWENTY: Mapping[str, RGB] = {
    "black": (0, 0, 0),
    "gray": (139, 132, 132),
    "brown": (92, 54, 5),
    "maroon": (92, 0, 26),
    "red": (197, 12, 3),
    "orange": (244, 115, 7),
    "salmon": (255, 93, 109),
    "beige": (215, 187, 134),
    "yellow": (255, 255, 10),
    "olive": (134, 123, 5),
    "lime": (45, 248, 45),
    "green": (0, 151, 74),
    "teal": (29, 106, 103),
    "cyan": (100, 224, 213),
    "blue": (39, 78, 239),
    "navy": (18, 0, 71),
    "purple": (145, 1, 134),
    "lavender": (161, 157, 249),
    "pink": (255, 189, 225),
    "magenta": (247, 9, 236),
}

FOUR: Mapping[str, RGB] = {
    "red": (184, 15, 15),
    "green": (15, 170, 117),
    "blue": (9, 65, 196),
    "yellow": (251, 209, 51),
}

PALETTES: Mapping[str, Mapping[str, RGB]] = {"css": CSS, "twenty": TWENTY, "four": FOUR}
"""Every palette by its name, as scenes refer to it."""
