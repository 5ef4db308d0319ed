"""The pages of the annotation desk, a file per kind of work."""
