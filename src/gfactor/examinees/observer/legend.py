"""Pictures with a legend of colors below: where they end, and which color names it gives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.examinees.observer.seeing import near
from gfactor.imaging import BLACK, CSS, RGB, TWENTY, Pixels


def without_legend(picture: Pixels) -> tuple[Pixels, Mapping[str, RGB]]:
    """Return the picture without its legend, and the palette that names its colors.

    A dark line from edge to edge separates a legend, which shows the published palette. Pictures
    without a legend use everyday color names.
    """
    rules = np.flatnonzero(near(picture, BLACK, 110).all(axis=1))
    return (picture[: rules[0]], CSS) if rules.size else (picture, TWENTY)
