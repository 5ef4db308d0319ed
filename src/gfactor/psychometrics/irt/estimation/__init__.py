"""Estimation of item response models: searches for the maximum, and standard errors."""
