"""Measures of the pictures of syllogisms."""

SIDE = 70
