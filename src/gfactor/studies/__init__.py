"""People: questionnaires and the annotation workspace, as web applications on one's own machine."""
