"""The definition of a letter series: some number of letters apart, letters go on by a fixed step.

A letter continues the series if, for some period, the sequence with it at its end splits into
strands (every period-th letter) of which each advances by one constant step of at most five, each
shown at least three times; strands may hold every letter twice in a row.
"""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def advances(strand):
    if len(strand) < 3:
        return False
    places = [ALPHABET.index(letter) for letter in strand]
    step = places[1] - places[0]
    return abs(step) <= 5 and all(places[k + 1] - places[k] == step for k in range(len(places) - 1))


def regular(letters, often, strands):
    """Whether letters, each `often` in a row, make that many advancing strands."""
    if any(letters[k] != letters[k - k % often] for k in range(len(letters))):
        return False
    once = letters[::often]
    return all(advances(once[k::strands]) for k in range(strands))


def answer(scene, options):
    letters, right = scene["letters"], set()
    for often in (1, 2):
        for strands in (1, 2, 3, 4):
            if regular(letters, often, strands):
                right.update(x for x in ALPHABET if regular(letters + x, often, strands))
    assert len(right) == 1, f"{sorted(right)} continue {letters}"
    found = right.pop()
    return options.index(found) if options else found
