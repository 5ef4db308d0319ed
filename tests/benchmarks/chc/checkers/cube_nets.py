"""A net rolled: a die that rolls over the fields of the net takes up their marks on its faces.

Each face is four corner numbers of the die, so that a mark is known by which corner is at which of
its own corners; a view fits when the three marks are printed round the same corners of the die.
"""

TURNING = {"arrow", "triangle", "tee", "cup", "half", "pin", "ell", "flag"}


def fold(net):
    """Mark -> corners of the die under it: upper left, upper right, lower right, lower left."""
    fields = {(r, c): (mark, q) for r, c, mark, q in net}
    start = min(fields)
    # Seen through the paper from the printed side: the face with corners 0 1 2 3 lies on top,
    # under them 4 5 6 7.
    todo, faces = [(start, (0, 1, 2, 3), (4, 5, 6, 7))], {}
    while todo:
        (r, c), (a, b, g, d), (e, f, h, i) = todo.pop()
        if (r, c) in faces or (r, c) not in fields:
            continue
        faces[r, c] = (a, b, g, d)
        # The neighbour across an edge has the edge and, beyond it, what lies below the edge.
        todo.append(((r, c + 1), (b, f, h, g), (a, e, i, d)))
        todo.append(((r, c - 1), (e, a, d, i), (f, b, g, h)))
        todo.append(((r - 1, c), (e, f, b, a), (i, h, g, d)))
        todo.append(((r + 1, c), (d, g, h, i), (a, b, f, e)))
    out = {}
    for cell, (mark, q) in fields.items():
        ring = faces[cell]
        # After a clockwise quarter turn the mark's upper left is the field's upper right.
        out[mark] = tuple(ring[(k + q) % 4] for k in range(4))
    return out


def views(option):
    """An option's views of its cube: three marks each."""
    return [option[k : k + 3] for k in range(0, len(option), 3)]


def shown(view):
    """The corners P..V of the drawn cube round each of the three marks."""
    faces = [("p", "q", "s", "r"), ("r", "s", "u", "t"), ("s", "q", "v", "u")]
    out = {}
    for (mark, q), ring in zip(view, faces, strict=True):
        out[mark] = tuple(ring[(k + q) % 4] for k in range(4))
    return out


def rings(corners, mark):
    """What can be known of a mark's place: all four turns where it has no direction."""
    turns = range(1) if mark in TURNING else range(4)
    return [tuple(corners[(k + t) % 4] for k in range(4)) for t in turns]


def matches(folded, seen):
    marks = list(seen)
    if any(mark not in folded for mark in marks):
        return False

    def extend(k, known):
        if k == len(marks):
            return len(set(known.values())) == len(known)
        mark = marks[k]
        for ring in rings(folded[mark], mark):
            pairs = dict(zip(seen[mark], ring, strict=True))
            if all(known.get(p, v) == v for p, v in pairs.items()) and extend(
                k + 1, {**known, **pairs}
            ):
                return True
        return False

    return extend(0, {})


def answer(scene, options):
    folded = fold(scene["net"])
    fits = [
        k
        for k, option in enumerate(options)
        if all(matches(folded, shown(view)) for view in views(option))
    ]
    assert len(fits) == 1, fits
    return fits[0]
