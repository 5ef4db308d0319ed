"""A view is three marks printed round corners of a cube. Two views can be one cube when the eight
corners of one can be named like those of the other (keeping the sense of a solid body) so that the
marks agree: a search over all labelings of corners, not over rotations. Two views of the first cube
are put together in the same way, and an option has to agree with both.
"""

from itertools import permutations

TURNING = {"arrow", "triangle", "tee", "cup", "half", "pin", "ell", "flag"}
# Corners of the drawn cube, (right, back, up), of each face: upper left, upper right, lower right,
# lower left, as they are seen.
FACES = [
    [(0, 1, 1), (1, 1, 1), (1, 0, 1), (0, 0, 1)],
    [(0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0)],
    [(1, 0, 1), (1, 1, 1), (1, 1, 0), (1, 0, 0)],
]
CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]


def bodies():
    """Every way to put the cube's corners on its corners that keeps distances and sense."""
    found = []

    for images in permutations(CORNERS, 4):
        o, *ends = images
        steps = [tuple(e - c for e, c in zip(end, o, strict=True)) for end in ends]
        if any(sum(map(abs, s)) != 1 for s in steps):
            continue
        (a, b, c), (d, e, f), (g, h, i) = steps
        if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) != 1:
            continue
        found.append(
            {
                (x, y, z): tuple(
                    o[k] + x * steps[0][k] + y * steps[1][k] + z * steps[2][k] for k in range(3)
                )
                for x, y, z in CORNERS
            }
        )
    assert len(found) == 24
    return found


def printed(view):
    """Mark -> the corners round it, from the mark's own upper left on."""
    return {
        mark: [ring[(k + q) % 4] for k in range(4)]
        for (mark, q), ring in zip(view, FACES, strict=True)
    }


def same(mark, ring, other):
    if mark in TURNING:
        return ring == other
    return set(ring) == set(other)


def agreeing(one, two):
    """The first marks as they lie in every labeling of corners in which both can be one cube."""
    for body in bodies():
        moved = {mark: [body[corner] for corner in ring] for mark, ring in one.items()}
        agree = True
        for mark, ring in moved.items():
            if mark in two:
                agree = agree and same(mark, ring, two[mark])
            else:
                agree = agree and all(set(ring) != set(other) for other in two.values())
        if agree:
            yield moved


def answer(scene, options):
    known = [printed(scene["seen"])]
    if "second" in scene:
        known = [{**known[0], **more} for more in agreeing(printed(scene["second"]), known[0])]
        assert len(known) == 1
    fits = [
        k
        for k, option in enumerate(options)
        if any(any(agreeing(one, printed(option))) for one in known)
    ]
    assert len(fits) == 1, fits
    return fits[0]
