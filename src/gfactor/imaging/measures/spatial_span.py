"""Measures of the pictures of spatial_span."""

from gfactor.imaging.figures import Sheet

GRID = 5
"""Places along a side of the board."""

ONE = Sheet(1, 1, side=180)
"""The picture of one board."""
