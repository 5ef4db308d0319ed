"""Measures of the pictures of cube_comparison."""

EDGE, OPTION_EDGE = 110, 78
"""Edge of the cube that asks and of an option, in pixels."""
