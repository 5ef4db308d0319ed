"""The definition of sorting by a rule that shifts only where a card's place contradicts it."""

KINDS = ("form", "shade", "count", "marks")


def places(scene, card):
    """For every kind of likeness, the number of the pile that the card is like."""
    found = {}
    for kind in KINDS:
        alike = [k for k, pile in enumerate(scene["piles"], 1) if pile[kind] == card[kind]]
        if len(alike) == 1:
            found[kind] = alike[0]
    return found


def answer(scene, options):
    rule, keys = set(KINDS), []
    for placed in scene["first"]:
        rule &= {k for k, pile in places(scene, placed["card"]).items() if pile == placed["pile"]}
    for number, placed in enumerate(scene["cards"]):
        if number:
            before = scene["cards"][number - 1]
            fits = {k for k, p in places(scene, before["card"]).items() if p == before["pile"]}
            rule = rule & fits if rule & fits else fits
        here = {places(scene, placed["card"])[kind] for kind in rule}
        assert len(here) == 1, "the rule cannot be told"
        keys.append(here.pop())
    return keys
