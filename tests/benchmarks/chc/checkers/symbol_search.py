"""The definition of symbol search: rows in which a target is among the figures."""


def answer(scene, options):
    count = 0
    for row in scene["rows"]:
        targets = {tuple(sorted(figure)) for figure in row["targets"]}
        figures = {tuple(sorted(figure)) for figure in row["figures"]}
        count += not targets.isdisjoint(figures)
    return count
