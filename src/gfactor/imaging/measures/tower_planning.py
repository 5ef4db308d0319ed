"""Measures of the pictures of tower_planning."""

PEGS = 3
STEP, BASE, TOP = 40, 26, 30
"""Height of a piece, of the numbers below a board, and of the sign above it, in pixels."""
PEG, GAP = 64, 70
"""Distance of pegs and of both boards, in pixels."""
ABOVE = 36
"""Height of the number of moves that are asked for above the arrow, in pixels."""
