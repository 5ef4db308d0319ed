"""Measures of the pictures of delayed_recognition."""

ACROSS = 4
TESTS = 2
"""Figures asked for."""
