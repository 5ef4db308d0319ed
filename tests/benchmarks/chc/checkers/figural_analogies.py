"""The definition of an analogy: the pair below is related as the pair above is.

For every attribute the relation of a pair is that it stays, moves by a distance on its scale, or
becomes a value; strokes are taken away and added. An option is right if in every attribute the
lower pair stands in a relation in which the upper one stands; a pair that changes above must change
below.
"""

SCALES = {
    "size": ["small", "medium", "large"],
    "shade": ["white", "light", "dark", "black"],
    "count": [1, 2, 3, 4, 5, 6],
    "turn": [0, 1, 2, 3, 4, 5, 6, 7],
}


def relations(name, before, after):
    if before == after:
        return {"stays"}
    if name == "marks":
        return {(frozenset(before) - frozenset(after), frozenset(after) - frozenset(before))}
    found = {("becomes", after)}
    if name in SCALES:
        distance = SCALES[name].index(after) - SCALES[name].index(before)
        found.add(("moves", distance % 8 if name == "turn" else distance))
    return found


def answer(scene, options):
    first, second, third = scene["first"], scene["second"], scene["third"]
    right = [
        number
        for number, option in enumerate(options)
        if all(
            relations(name, first[name], second[name]) & relations(name, third[name], option[name])
            for name in ("form", "size", "shade", "count", "turn", "marks")
        )
    ]
    assert len(right) == 1, f"{len(right)} options complete the analogy"
    return right[0]
