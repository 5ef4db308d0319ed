"""Steps in the person's own coordinates: the scene is first seen from the person's side (a quarter
turn of the floor for each side), where left and right are those of the page."""

STEPS = {
    "left": (-1, 0, 0), "right": (1, 0, 0), "farther": (0, 1, 0), "nearer": (0, -1, 0),
    "up": (0, 0, 1), "down": (0, 0, -1),
}  # fmt: skip


def seen_from(side, base, cubes):
    """The cubes with x to the person's right and y away from the person."""
    turns = ["front", "right", "back", "left"].index(side)
    for _ in range(turns):
        # Who walks to the right side has the old right in front and the old back on the right.
        cubes = [(y, base - 1 - x, z, hue) for x, y, z, hue in cubes]
    return {(x, y, z): hue for x, y, z, hue in cubes}


def answer(scene, options):
    cells = seen_from(scene["side"], scene["base"], [tuple(c) for c in scene["cubes"]])
    (here,) = [cell for cell, hue in cells.items() if hue == scene["start"]]
    for move in scene["moves"]:
        here = tuple(a + b for a, b in zip(here, STEPS[move], strict=True))
    return options.index(cells[here])
