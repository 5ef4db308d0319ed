"""Measures of the pictures of letter_series."""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACROSS, SIDE = 9, 72
"""Height of the letters, boxes in a row, and their side, in pixels."""
