"""Measures of the pictures of block_views."""

SQUARE = 24
"""Side of a cube in an option, in pixels."""
ARROW = (200, 30, 30)
