"""Measures of the pictures of if_then."""

SIDE, ACROSS = 60, 2
"""Side of a place in pixels; rules side by side."""
