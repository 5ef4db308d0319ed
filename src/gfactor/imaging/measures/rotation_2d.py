"""Measures of the pictures of rotation_2d."""

UNIT, OPTION_UNIT = 34, 22
"""Side of a square in the picture that asks and in the options, in pixels."""
FILL = (150, 190, 225)
