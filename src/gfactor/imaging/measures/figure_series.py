"""Measures of the pictures of figure_series."""

SIDE_APART = 140
"""Side of a box whose figures stand apart, in pixels."""
