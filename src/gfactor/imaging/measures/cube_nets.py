"""Measures of the pictures of cube_nets."""

from gfactor.imaging.boards import Board, Panel

FIELD, EDGE = 64, 78
"""Side of a field of the net and edge of a cube, in pixels."""


def board(options: int, views: int) -> Board:
    """Return the plan of the picture with options that show so many views of a cube."""
    return Board(((340, 340),), options, (150, 150) if views == 1 else (150, 145 * views))


def views_of_option(panel: Panel, views: int) -> tuple[Panel, ...]:
    """Return the panels of an option's views, one below the other."""
    height = panel.height // views
    return tuple(Panel(panel.x, panel.y + k * height, panel.width, height) for k in range(views))
