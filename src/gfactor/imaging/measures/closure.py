"""Measures of the pictures of closure."""

QUARTERS = 4
"""Fragments of a stroke."""
POINTS = 4
"""Lattice points across a figure."""
UNIT, OPTION_STEP = 18, 38
"""Length of a fragment in the picture that asks, of a stroke in the options, in pixels."""
CORNER = 30
"""Position of the lattice's beginning in the panel, in pixels."""
