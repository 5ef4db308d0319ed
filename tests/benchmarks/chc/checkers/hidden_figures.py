"""A figure is contained when it can be laid over the drawing so that no ink of it is seen.

Both are drawn as points at a fortieth of a step along every line; the figure's points must all be
the drawing's, at one of the places where its first point can lie.
"""


def ink(lines):
    found = set()
    for (ax, ay), (bx, by) in lines:
        for k in range(41):
            found.add((ax * 40 + (bx - ax) * k, ay * 40 + (by - ay) * k))
    return found


def answer(scene, options):
    drawing, fits = ink(scene["pattern"]), []
    for number, option in enumerate(options):
        figure = ink(option)
        places = [(dx * 40, dy * 40) for dx in range(-8, 9) for dy in range(-8, 9)]
        if any(all((x + dx, y + dy) in drawing for x, y in figure) for dx, dy in places):
            fits.append(number)
    assert len(fits) == 1
    return fits[0]
