"""Measures of the pictures of cube_nets."""

FIELD, EDGE = 64, 78
"""Side of a field of the net and edge of a cube, in pixels."""
