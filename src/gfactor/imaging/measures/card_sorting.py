"""Measures of the pictures of card_sorting."""

from gfactor.imaging.figures import Sheet

PILES = 4
RULES = ("form", "shade", "count", "marks")
"""Properties that a card may share with its pile; the first three or all four are used."""

SHEET = Sheet(2, PILES, side=100)
"""Layout: above, the piles; below, the last card, the number of its pile, an empty box, the new
card."""
