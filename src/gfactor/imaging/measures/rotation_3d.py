"""Measures of the pictures of rotation_3d."""

UNIT, OPTION_UNIT = 34, 23
"""Edge of a cube in the picture that asks and in the options, in pixels."""
