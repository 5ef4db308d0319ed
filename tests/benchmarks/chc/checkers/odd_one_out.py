"""The definition of an odd one: leave a figure out, and the others have something in common.

What figures can have in common is a value of an attribute, an outline (with or without curves), an
even or odd number, strokes in the same place, as many strokes as figures, or never so. The figure
that is left out must lack it.
"""


def tests(figures):
    for name in ("form", "size", "shade", "count"):
        for value in {figure[name] for figure in figures}:
            yield lambda f, name=name, value=value: f[name] == value
    for turn in range(8):
        yield lambda f, turn=turn: f["form"] == "arrow" and f["turn"] == turn
    for spot in {spot for figure in figures for spot in figure["marks"]}:
        yield lambda f, spot=spot: spot in f["marks"]
    for curved in (True, False):
        yield lambda f, curved=curved: (f["form"] in ("circle", "heart")) == curved
    for rest in (0, 1):
        yield lambda f, rest=rest: f["count"] % 2 == rest
    for equal in (True, False):
        yield lambda f, equal=equal: (f["count"] == len(f["marks"])) == equal


def answer(scene, options):
    assert sorted(map(str, options)) == sorted(map(str, scene["cells"]))
    odd = {
        number
        for number, figure in enumerate(options)
        for has in tests(options)
        if not has(figure) and all(has(other) for other in options if other is not figure)
    }
    assert len(odd) == 1, f"{len(odd)} figures are odd"
    return odd.pop()
