"""The definition of a spatial span: the numbers of the blocks shown, in order or in reverse."""


def answer(scene, options):
    order = list(scene["shown"])
    if scene["backwards"]:
        order.reverse()
    digits = [scene["blocks"].index(place) + 1 for place in order]
    value = 0
    for digit in digits:
        value = 10 * value + digit
    return [value]
