"""The definition of n-back: the figure of a turn equals the figure n turns before, or does not."""


def answer(scene, options):
    cells, back = scene["cells"], scene["back"]
    return [1 if cells[k] == cells[k - back] else 0 for k in range(back, len(cells))]
