"""Answers: what a report reads, and the rates that its tables show."""
