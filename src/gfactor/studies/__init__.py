"""People: questionnaires and the annotation desk, as web applications on one's own machine."""
