"""The tables of a report: one file per kind, each found by itself."""
