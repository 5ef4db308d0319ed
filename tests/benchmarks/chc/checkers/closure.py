"""The fragments are a figure's when they can be laid on it: every middle of a fragment, and its
direction, is one of the figure's, at some shift."""


def answer(scene, options):
    marks = [
        ((ax + bx) / 2, (ay + by) / 2, (bx - ax) * (by - ay), bx != ax)
        for (ax, ay), (bx, by) in scene["fragments"]
    ]
    fits = []
    for number, option in enumerate(options):
        ink = set()
        for (ax, ay), (bx, by) in option:
            for k in (0.5, 1.5, 2.5, 3.5):
                slope, across = (bx - ax) * (by - ay), bx != ax
                ink.add((4 * ax + k * (bx - ax), 4 * ay + k * (by - ay), slope, across))
        shifts = [(dx, dy) for dx in range(-16, 17) for dy in range(-16, 17)]
        if any(all((x + dx, y + dy, s, a) in ink for x, y, s, a in marks) for dx, dy in shifts):
            fits.append(number)
    assert len(fits) == 1
    return fits[0]
