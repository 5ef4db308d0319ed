"""Measures of the pictures of same_or_different."""

SIDE, HEAD = 48, 40
"""Side of a box, and the height kept for the sign, in pixels."""
