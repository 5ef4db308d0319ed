"""Presentation of items: an item under a condition, never its target."""
