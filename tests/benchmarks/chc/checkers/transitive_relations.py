"""Who has as many heavier forms above it as the place asks for, by the closure of the scales."""


def answer(scene, options):
    pairs = set()
    for scale in scene["scales"]:
        pair = (scale["left"], scale["right"])
        if (scale["down"] == "right") != (scale["crossed"] == 1):
            pair = pair[::-1]
        pairs.add(pair)
    forms = {form for pair in pairs for form in pair}
    for middle in forms:
        pairs |= {
            (a, b) for a in forms for b in forms if (a, middle) in pairs and (middle, b) in pairs
        }
    assert len(forms) == scene["forms"]
    # Only a total order settles every place.
    assert len(pairs) == len(forms) * (len(forms) - 1) // 2
    (found,) = [f for f in forms if sum((g, f) in pairs for g in forms) == scene["place"] - 1]
    return options.index(found)
