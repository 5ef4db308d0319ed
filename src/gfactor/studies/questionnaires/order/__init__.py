"""Allocation of items to participants, and the order of their questions."""
