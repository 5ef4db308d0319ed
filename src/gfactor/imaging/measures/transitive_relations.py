"""Measures of the pictures of transitive_relations."""

SIDE, ACROSS = 100, 4
"""Side of a box in pixels; scales in a row."""
