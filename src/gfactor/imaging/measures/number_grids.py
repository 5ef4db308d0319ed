"""Measures of the pictures of number_grids."""

SIDE = 64
