"""Measures of the pictures of form_board."""

UNIT, OPTION_UNIT = 34, 15
"""Side of a square in the outline and in the pieces, in pixels."""
FILL, PIECE = (235, 235, 225), (160, 200, 170)
