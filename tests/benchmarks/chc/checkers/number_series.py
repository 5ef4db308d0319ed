"""The definition of a number series: each of its streams obeys one recurrence.

A stream of numbers obeys a recurrence if its differences are constant, grow by a constant or are
multiplied by one; if its terms are multiplied by a constant, with or without a constant added; if
each is the sum of the two before, with or without a constant; or if two operations alternate. The
continuation is found by trying every number that may be written in a box, all at once: `terms` is
an array with a row for each term and a column for each number tried.
"""

import numpy as np

NUMBERS = np.arange(10000)
FACTORS = (2, 3, 4, 5)


def same(rows):
    return (rows == rows[0]).all(axis=0)


def multiplied(rows):
    up = [(rows[1:] == m * rows[:-1]).all(axis=0) for m in FACTORS]
    down = [(rows[:-1] == m * rows[1:]).all(axis=0) for m in FACTORS]
    return np.any([*up, *down], axis=0)


def affine(rows):
    return np.any([same(rows[1:] - m * rows[:-1]) for m in FACTORS], axis=0)


def one_operation(before, after):
    factors = [(after == m * before).all(axis=0) for m in FACTORS]
    return np.any([same(after - before), *factors], axis=0)


def alternating(rows):
    before, after = rows[:-1], rows[1:]
    return one_operation(before[0::2], after[0::2]) & one_operation(before[1::2], after[1::2])


# A recurrence, and the terms that show it: one more than determine its constants.
KINDS = (
    (3, lambda rows: same(np.diff(rows, axis=0))),
    (3, multiplied),
    (4, lambda rows: same(np.diff(rows, n=2, axis=0))),
    (4, lambda rows: multiplied(np.diff(rows, axis=0))),
    (4, affine),
    (5, lambda rows: same(rows[2:] - rows[1:-1] - rows[:-2])),
    (5, alternating),
)


def answer(scene, options):
    terms, found = scene["terms"], set()
    for streams in (1, 2, 3):
        parts = [np.array(terms[k::streams])[:, None] for k in range(streams)]
        at = len(terms) % streams
        tried = np.vstack([np.repeat(parts[at], len(NUMBERS), axis=1), NUMBERS])
        for least, obeys in KINDS:
            if all(len(part) >= least and obeys(part).all() for part in parts):
                found.update(NUMBERS[obeys(tried)].tolist())
    assert len(found) == 1, f"{sorted(found)} continue {terms}"
    right = found.pop()
    return options.index(right) if options else right
