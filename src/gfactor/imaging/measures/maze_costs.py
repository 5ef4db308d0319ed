"""Measures of the pictures of maze_costs."""

FIELD = 52
"""Side of a cell in pixels."""
