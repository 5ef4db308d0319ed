"""Pictures with a legend of colors below: where they end, and which color names it gives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.examinees.observer.seeing import near
from gfactor.imaging import BLACK, CSS, RGB, TWENTY, Pixels


def without_legend(picture: Pixels) -> tuple[Pixels, Mapping[str, RGB]]:
    """Return the picture proper, and the palette whose names its colors bear.

    A legend is ruled off by a dark line from edge to edge; it shows the published palette.
    Pictures without one bear the everyday names.
    """
    rules = np.flatnonzero(near(picture, BLACK, 110).all(axis=1))
    return (picture[: rules[0]], CSS) if rules.size else (picture, TWENTY)
