"""Measures of the pictures of paired_associates."""

SIDE = 110
