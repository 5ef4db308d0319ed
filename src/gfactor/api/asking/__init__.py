"""Asking: campaigns, adaptive tests and profiles put questions to examinees."""
