"""The definition of the tower: iterative deepening over moves, all shortest solutions are kept."""


def solutions(state, goal, room, depth, last):
    """Every sequence of `depth` moves from a state to the goal, no piece moved twice in a row."""
    if depth == 0:
        return [[]] if state == goal else []
    found = []
    for source in range(len(state)):
        for target in range(len(state)):
            if source == target or not state[source] or len(state[target]) >= room[target]:
                continue
            piece = state[source][-1]
            if piece == last:
                continue
            after = [list(peg) for peg in state]
            after[target].append(after[source].pop())
            for rest in solutions(after, goal, room, depth - 1, piece):
                found.append([10 * (source + 1) + (target + 1), *rest])
    return found


def answer(scene, options):
    start, goal = ([list(peg) for peg in scene[name]] for name in ("start", "goal"))
    for depth in range(1, 9):
        found = solutions(start, goal, scene["room"], depth, None)
        if found:
            first = {sequence[0] for sequence in found}
            assert len(first) == 1, f"{len(first)} first moves begin a shortest solution"
            return first.pop()
    raise AssertionError("no solution")
