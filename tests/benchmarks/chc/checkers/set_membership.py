"""The definition of a concept: what every figure on the left is and none on the right.

Concepts are the values and properties of figures, and two or three at once where no fewer
separate the sides. Every simplest concept must take in the same one option.
"""

from itertools import combinations

FORMS = ("circle", "triangle", "square", "pentagon", "star", "cross", "heart", "arrow")
PROPERTIES = {
    **{f"{n}={v}": (lambda f, n=n, v=v: f[n] == v)
       for n, values in (
           ("form", FORMS),
           ("size", ("small", "medium", "large")),
           ("shade", ("white", "light", "dark", "black")),
           ("count", (1, 2, 3, 4, 5, 6)),
       ) for v in values},
    **{f"turn={t}": (lambda f, t=t: f["form"] == "arrow" and f["turn"] == t) for t in range(8)},
    **{f"stroke={s}": (lambda f, s=s: s in f["marks"])
       for s in ("top", "right", "bottom", "left", "top_left", "bottom_right")},
    "curved": lambda f: f["form"] in ("circle", "heart"),
    "straight": lambda f: f["form"] not in ("circle", "heart"),
    "even": lambda f: f["count"] % 2 == 0,
    "odd": lambda f: f["count"] % 2 == 1,
    "as many": lambda f: len(f["marks"]) == f["count"],
    "not as many": lambda f: len(f["marks"]) != f["count"],
}  # fmt: skip


def answer(scene, options):
    for size in (1, 2, 3):
        taken_in = set()
        for concept in combinations(PROPERTIES.values(), size):
            if all(has(f) for f in scene["left"] for has in concept) and not any(
                all(has(f) for has in concept) for f in scene["right"]
            ):
                taken_in.add(
                    frozenset(k for k, o in enumerate(options) if all(has(o) for has in concept))
                )
        if taken_in:
            assert len(taken_in) == 1, f"concepts disagree: {taken_in}"
            (right,) = taken_in
            assert len(right) == 1, f"{len(right)} options belong to the left"
            return next(iter(right))
    raise AssertionError("no concept separates the sides")
