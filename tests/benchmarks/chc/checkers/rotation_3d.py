"""Two bodies of cubes are one body turned when the distances of their cubes agree and so does the
sense (left- or right-handed) of every three steps: a rotation keeps both, a reflection only the
first. The map is searched cube by cube, without any list of rotations.
"""

from itertools import permutations


def steps(body):
    return [tuple(c - o for c, o in zip(cell, body[0], strict=False)) for cell in body]


def volume(a, b, c):
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def squared(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=False))


def is_turned(first, second):
    """Whether a matching of cubes keeps all distances and the sense of the axes."""
    here = [tuple(cell) for cell in first]
    # Three steps from the first cube that span space fix everything else.
    base = next(
        trio
        for trio in permutations(here[1:], 3)
        if volume(*(tuple(c - o for c, o in zip(t, here[0], strict=False)) for t in trio)) != 0
    )
    own = [here[0], *base]
    for image in permutations([tuple(cell) for cell in second], 4):
        pairs = [(i, j) for i in range(4) for j in range(i)]
        if any(squared(own[i], own[j]) != squared(image[i], image[j]) for i, j in pairs):
            continue
        if volume(*steps(own)[1:]) != volume(*steps(image)[1:]):
            continue
        shape = sorted(tuple(squared(cell, o) for o in own) for cell in here)
        if shape == sorted(tuple(squared(tuple(cell), o) for o in image) for cell in second):
            return True
    return False


def answer(scene, options):
    fits = [k for k, option in enumerate(options) if is_turned(scene["body"], option)]
    assert len(fits) == 1
    return fits[0]
