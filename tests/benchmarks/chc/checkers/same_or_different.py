"""The definition: the one row whose strings are equal, or the one whose strings are not."""


def answer(scene, options):
    equal = [row[0] == row[1] for row in scene["rows"]]
    wanted = scene["same"] == 1
    assert equal.count(wanted) == 1
    return equal.index(wanted) + 1
