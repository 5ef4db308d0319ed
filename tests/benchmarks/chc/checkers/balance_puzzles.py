"""The weight in every assignment of weights from 1 to 12 that keeps all scales in balance."""

import itertools


def answer(scene, options):
    forms = sorted({x["form"] for s in scene["scales"] for p in s.values() for x in p["loads"]})
    asked = scene["asked"]
    # Scales are checked as soon as all their forms have a weight, fewest forms first.
    scales = sorted(scene["scales"], key=lambda s: len(_forms(s)))
    found = [{}]
    while scales:
        known = set(found[0])
        scale = min(scales, key=lambda s: len(_forms(s) - known))
        scales.remove(scale)
        new = sorted(_forms(scale) - known)
        found = [
            one
            for old in found
            for weights in itertools.product(range(1, 13), repeat=len(new))
            if _balanced(scale, one := {**old, **dict(zip(new, weights, strict=True))})
        ]
    assert set(found[0]) == set(forms)
    (weight,) = {one[asked] for one in found}
    return options.index(weight) if options else weight


def _forms(scale):
    return {x["form"] for pan in scale.values() for x in pan["loads"]}


def _balanced(scale, weights):
    left, right = (
        pan["block"] + sum(x["count"] * weights[x["form"]] for x in pan["loads"])
        for pan in (scale["left"], scale["right"])
    )
    return left == right
