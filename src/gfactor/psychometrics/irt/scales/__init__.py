"""Scales: calibrations, their files, links between them, and forms chosen from them."""
