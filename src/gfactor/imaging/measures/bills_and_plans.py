"""Measures of the pictures of bills_and_plans."""

SIDE = 84
