"""Drawing: the style of figures, and how each kind is drawn."""
