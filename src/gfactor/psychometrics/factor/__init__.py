"""Exploratory factor analysis, and whether correlations suit it."""
