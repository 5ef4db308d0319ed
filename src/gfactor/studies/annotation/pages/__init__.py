"""The pages of the annotation workspace, a file per kind of work."""
