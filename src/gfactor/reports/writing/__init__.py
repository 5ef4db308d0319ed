"""Writing: a report's words, numbers and files."""
