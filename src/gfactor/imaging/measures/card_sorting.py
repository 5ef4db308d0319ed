"""Measures of the pictures of card_sorting."""

PILES = 4
RULES = ("form", "shade", "count", "marks")
"""Properties that a card may share with its pile; the first three or all four are used."""
