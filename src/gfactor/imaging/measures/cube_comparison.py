"""Measures of the pictures of cube_comparison."""

from gfactor.imaging.boards import Board

EDGE, OPTION_EDGE = 110, 78
"""Edge of the cube that asks and of an option, in pixels."""


def board(options: int, views: int) -> Board:
    """Return the plan of the picture with so many views of the cube that asks."""
    return Board(((300, 210),) * views, options)
