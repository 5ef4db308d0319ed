"""Measures of the pictures of n_back."""

MOST = 4
