"""Measures of the pictures of spatial_span."""

from gfactor.imaging.figures import Sheet

GRID = 5
"""Places along a side of the board."""

ONE = Sheet(1, 1, side=180)
"""The picture of one board."""

ACROSS = 4
"""Frames in a row."""


def frames_sheet(count: int) -> Sheet:
    """Return the layout of so many frames, each with room for its number above it."""
    return Sheet(0, 0, count, across=ACROSS, side=190)
