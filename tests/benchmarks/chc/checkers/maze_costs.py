"""The cheapest way by relaxing all cells until nothing changes, as a system of equations."""


def answer(scene, options):
    costs = scene["costs"]
    size = len(costs)
    value = {(r, c): 10**6 for r in range(size) for c in range(size) if costs[r][c] != 0}
    (start,) = [cell for cell in value if costs[cell[0]][cell[1]] == -1]
    (goal,) = [cell for cell in value if costs[cell[0]][cell[1]] == -2]
    value[start] = 0
    changed = True
    while changed:
        changed = False
        for r, c in list(value):
            if (r, c) == start:
                continue
            beside = [value.get(n, 10**6) for n in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))]
            new = min(beside) + max(0, costs[r][c])
            if new < value[r, c]:
                value[r, c], changed = new, True
    return options.index(value[goal]) if options else value[goal]
