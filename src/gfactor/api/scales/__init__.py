"""Scales: calibrations of items, abilities on them, norms."""
