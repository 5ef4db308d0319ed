"""Scores of persons: abilities with their standard errors, on calibrated scales, as profiles."""
