"""The figures of a report: one file per kind; each file registers its figures."""
