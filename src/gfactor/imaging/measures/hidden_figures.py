"""Measures of the pictures of hidden_figures."""

STEP = 42
"""Distance of two lattice points in pixels."""
