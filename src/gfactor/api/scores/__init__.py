"""Scores: the answers of a journal as scores, a matrix, a report or files for other programs."""
