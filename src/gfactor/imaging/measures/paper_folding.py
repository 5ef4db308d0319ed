"""Measures of the pictures of paper_folding."""

UNIT = 10
PANEL = (150, 150)
MARGIN = 15
