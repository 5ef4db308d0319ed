"""Measures of the pictures of number_series."""

ACROSS = 7
"""Height of the digits in pixels; boxes in a row."""
