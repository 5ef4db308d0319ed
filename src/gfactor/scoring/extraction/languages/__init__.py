"""Words with which answers are announced, judged, refused and taken back: one file per language."""
