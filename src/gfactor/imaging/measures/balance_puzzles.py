"""Measures of the pictures of balance_puzzles."""

PAN, SIDE = 4, 56
"""Things on a pan at most, the side of their places, and the room for a pivot below, in pixels."""
