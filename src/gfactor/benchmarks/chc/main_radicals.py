"""The design cells of calibrations: levels of one radical of each family, its main one, with the
other radicals fixed at values of the medium preset.

A cell is small on purpose: its items differ in what the generator draws and in no radical, so that
they are clones with similar difficulties. Two families are the only ones of their ability and have
main cells only up to medium difficulty; they have further cells of harder presets (`harder_cells`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gfactor.benchmarks.chc.family import EXTREME, Family, Levels

MAIN: Mapping[str, str] = {
    "balance_puzzles": "unknowns",
    "bills_and_plans": "kinds",
    "block_views": "columns",
    "card_sorting": "shifts",
    "closure": "strokes",
    "cube_comparison": "angle",
    "cube_counting": "layers",
    "cube_nets": "directed",
    "delayed_recognition": "delay",
    "figural_analogies": "rules",
    "figure_counts": "rule",
    "figure_series": "kind",
    "form_board": "pieces",
    "hidden_figures": "points",
    "if_then": "chain",
    "letter_series": "repeats",
    "logical_strokes": "turn",
    "map_planning": "crossings",
    "matrices": "kind",
    "maze_costs": "grid",
    "n_back": "back",
    "number_grids": "operation",
    "number_series": "streams",
    "odd_one_out": "concept",
    "paired_associates": "delay",
    "paper_folding": "punches",
    "relative_positions": "steps",
    "rotation_2d": "angle",
    "rotation_3d": "angle",
    "running_span": "last",
    "same_or_different": "rows",
    "set_membership": "concept",
    "spatial_span": "length",
    "syllogisms": "premises",
    "symbol_search": "rows",
    "symmetry_axes": "grid",
    "tower_planning": "moves",
    "transitive_relations": "objects",
    "updating": "counters",
}
"""The radical of each family that costs limited observers most
(docs/evidence/batteries-evidence.md) among those whose order is the literature's; for a family
without figures, the paradigm's load."""

HARDER: tuple[str, ...] = ("card_sorting", "tower_planning")
"""Families whose main cells leave the upper half of their ability's range without a cell."""


def main_radical(family: Family[Any]) -> str:
    """Return the main radical of a family; the first radical if `MAIN` does not list the family."""
    return MAIN.get(family.name, next(iter(family.radicals)))


def main_cells(family: Family[Any]) -> tuple[Levels, ...]:
    """Return the design cells of a family, one for each level of the main radical, in their order.

    The other radicals have a fixed combination that the medium preset allows. It is one with which
    the most levels of the main radical can be drawn, and of these the nearest to the middle of the
    allowed levels (the harder of two).
    """
    main = main_radical(family)
    preset = {name: levels for name, levels in family.presets["medium"].items() if name != main}
    allowed = {name: preset.get(name, levels) for name, levels in family.radicals.items()}
    groups: dict[tuple[int, ...], list[Levels]] = {}
    for levels in family.cells(preset):
        others = (allowed[name].index(level) for name, level in levels.items() if name != main)
        groups.setdefault(tuple(others), []).append(levels)
    middle = [len(levels) // 2 for name, levels in allowed.items() if name != main]

    def rank(group: tuple[int, ...]) -> tuple[int, int]:
        return -len(groups[group]), sum(abs(k - m) for k, m in zip(group, middle, strict=True))

    return tuple(groups[min(groups, key=rank)])


def harder_cells(family: Family[Any]) -> tuple[tuple[str, Levels], ...]:
    """Return the cells of a family of `HARDER` beyond its main ones, each with its preset's name.

    There is one for each level of the main radical that the hard and the extreme preset allow; the
    other radicals are at the hardest level that the preset allows.
    """
    if family.name not in HARDER:
        return ()
    main, result = main_radical(family), []
    for difficulty in ("hard", EXTREME):
        preset = family.preset(difficulty)
        allowed = {name: preset.get(name, levels) for name, levels in family.radicals.items()}
        for level in allowed[main]:
            levels = {name: levels[-1] for name, levels in allowed.items()} | {main: level}
            result.append((difficulty, levels))
    return tuple(result)


def calibration_cells(family: Family[Any]) -> tuple[tuple[str, Levels], ...]:
    """Return the design cells of calibrations by name: the main ones by the level of the main
    radical ("moves-5"), then the harder ones with their preset ("moves-5-hard")."""
    main = main_radical(family)
    return (
        *((f"{main}-{levels[main]}", levels) for levels in main_cells(family)),
        *((f"{main}-{levels[main]}-{name}", levels) for name, levels in harder_cells(family)),
    )
