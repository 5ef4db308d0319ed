"""The definition of the tower: every walk from the start, move by move, until one ends in the goal.

Of the walks that reach a state after so many moves their first moves are kept, as many as are asked
for; the walks that end in the goal first are the shortest solutions.
"""


def after_moves(state, room):
    """Every move that is possible and the state that it leads to."""
    for source in range(len(state)):
        for target in range(len(state)):
            if source != target and state[source] and len(state[target]) < room[target]:
                pegs = [list(peg) for peg in state]
                pegs[target].append(pegs[source].pop())
                yield 10 * (source + 1) + (target + 1), tuple(map(tuple, pegs))


def answer(scene, options):
    start, goal = (tuple(map(tuple, scene[name])) for name in ("start", "goal"))
    digits, walks = 2 * scene.get("asked", 1), {start: {""}}
    for _ in range(20):
        longer = {}
        for state, first in walks.items():
            for move, after in after_moves(state, scene["room"]):
                longer.setdefault(after, set()).update(f"{f}{move}"[:digits] for f in first)
        walks = longer
        if goal in walks:
            assert len(walks[goal]) == 1, f"{walks[goal]} begin a shortest solution"
            return int(walks[goal].pop())
    raise AssertionError("no solution")
