"""Measures of the pictures of symmetry_axes."""

SIDE = 304
"""Side of the square in pixels."""
