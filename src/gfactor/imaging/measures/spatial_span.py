"""Measures of the pictures of spatial_span."""

GRID = 5
"""Places along a side of the board."""
