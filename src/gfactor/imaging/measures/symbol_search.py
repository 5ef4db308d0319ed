"""Measures of the pictures of symbol_search."""

SIDE = 56
