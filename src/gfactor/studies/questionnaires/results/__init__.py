"""Results of a study: exports, marks, progress."""
