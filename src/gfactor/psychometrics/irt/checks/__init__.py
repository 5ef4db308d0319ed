"""Checks of item response models: fit, local dependence, broken items, fairness, comparison."""
