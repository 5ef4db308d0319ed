"""Measures of the pictures of map_planning."""

STEP, EDGE = 76, 44
"""Distance of two crossings and of a crossing from the panel's edge, in pixels."""
BLOCK, HOUSE = (205, 30, 30), (255, 236, 160)
