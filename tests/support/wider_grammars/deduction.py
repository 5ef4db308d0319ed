"""Wider readings of premises and ways: rules, syllogisms, orders, maps and mazes."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MOST_WORLDS = 1 << 16
"""Number of truth values that are tried one by one."""


def if_then(scene: Any, options: Sequence[Mapping[str, str]]) -> dict[int, str]:
    """What holds in every coloring, each of them written down."""
    rules, facts = scene["rules"], scene["facts"]
    forms = sorted(
        {sign["form"] for rule in rules for sign in rule.values()} | {f["form"] for f in facts}
    )
    assert 2 ** len(forms) <= MOST_WORLDS
    left = set(range(len(options)))
    for shades in itertools.product(("black", "white"), repeat=len(forms)):
        world = dict(zip(forms, shades, strict=True))
        if any(world[f["form"]] != f["shade"] for f in facts):
            continue
        if any(
            world[r["given"]["form"]] == r["given"]["shade"]
            and world[r["then"]["form"]] != r["then"]["shade"]
            for r in rules
        ):
            continue
        left = {k for k in left if world.get(options[k]["form"]) == options[k]["shade"]}
    return dict.fromkeys(left, "in every coloring")


def syllogisms(scene: Any, options: Sequence[Mapping[str, str]]) -> dict[int, str]:
    """What follows in every world of sorts of beings; groups may be empty, as the question says."""
    premises = [one["statement"] for one in scene["premises"]]
    groups = sorted({g for s in premises for g in (s["subject"], s["predicate"])})
    return {
        number: "in every world"
        for number, option in enumerate(options)
        if not _possible([*premises, _denied(option)], groups)
    }


def _denied(statement: Mapping[str, str]) -> dict[str, str]:
    other = {"all": "some_not", "some_not": "all", "no": "some", "some": "no"}
    return {**statement, "mood": other[statement["mood"]]}


def _possible(statements: Sequence[Mapping[str, str]], groups: Sequence[str]) -> bool:
    """Some sorts of beings, a sort for each set of groups that it belongs to, satisfy all."""
    sorts = [frozenset(g for g, inside in zip(groups, bits, strict=True) if inside)
             for bits in itertools.product((0, 1), repeat=len(groups))]  # fmt: skip
    for s in statements:
        if s["mood"] in ("all", "no"):
            wanted = s["mood"] == "all"
            sorts = [
                one for one in sorts if s["subject"] not in one or (s["predicate"] in one) == wanted
            ]
    needs = [
        (s["subject"], s["predicate"], s["mood"] == "some")
        for s in statements if s["mood"] in ("some", "some_not")
    ]  # fmt: skip
    return all(any(s in one and (p in one) == has for one in sorts) for s, p, has in needs)


def transitive_relations(scene: Any, options: Sequence[str]) -> dict[int, str]:
    """Every order that no scale contradicts, each written down."""
    heavier = [
        (s["left"], s["right"]) if (s["down"] == "left") != bool(s["crossed"])
        else (s["right"], s["left"])
        for s in scene["scales"]
    ]  # fmt: skip
    forms = sorted({form for pair in heavier for form in pair})
    found: dict[int, str] = {}
    for order in _orders(forms, heavier):
        number = options.index(order[scene["place"] - 1])
        found.setdefault(number, " > ".join(order))
    return found


def _orders(
    forms: Sequence[str], heavier: Sequence[tuple[str, str]], start: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    if len(start) == len(forms):
        yield start
    for form in forms:
        if form not in start and all(a in start for a, b in heavier if b == form):
            yield from _orders(forms, heavier, (*start, form))


def map_planning(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Houses that some shortest way passes, ways counted as sets of crossings."""
    size = scene["crossings"]
    closed = {frozenset((tuple(a), tuple(b))) for a, b in scene["closed"]}
    start, goal = tuple(scene["start"]), tuple(scene["goal"])
    ways, ended = [[start]], []
    reached = {start}
    while ways and not ended:
        longer = [
            [*way, (x, y)]
            for way in ways
            for x, y in _beside(way[-1])
            if 0 <= x < size and 0 <= y < size
            and frozenset((way[-1], (x, y))) not in closed and (x, y) not in reached
        ]  # fmt: skip
        reached |= {way[-1] for way in longer}
        ways, ended = longer, [way for way in longer if way[-1] == goal]
    houses = {
        frozenset(map(tuple, street)): number for number, street in enumerate(scene["houses"], 1)
    }
    passed = {
        houses[street]
        for way in ended
        for street in map(frozenset, itertools.pairwise(way))
        if street in houses
    }
    return {k: "on a shortest way" for k, option in enumerate(options) if option in passed}


def _beside(place: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    x, y = place
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def maze_costs(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """The cheapest way, found from the goal."""
    costs = {(r, c): n for r, row in enumerate(scene["costs"]) for c, n in enumerate(row) if n}
    goal = next(cell for cell, n in costs.items() if n == -2)
    queue, done = [(0, goal)], {}
    while queue:
        total, cell = heapq.heappop(queue)
        if cell in done:
            continue
        done[cell] = total
        for other in _beside(cell):
            # From the goal backwards: leaving a cell costs its number.
            if other in costs:
                heapq.heappush(queue, (total + max(0, costs[cell]), other))
    total = next(done[cell] for cell, n in costs.items() if n == -1)
    return {k: "cheapest" for k, option in enumerate(options) if option == total}


FITTING = {
    "if_then": if_then,
    "syllogisms": syllogisms,
    "transitive_relations": transitive_relations,
    "map_planning": map_planning,
    "maze_costs": maze_costs,
}
