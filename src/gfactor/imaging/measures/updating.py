"""Measures of the pictures of updating."""

SIDE = 84
