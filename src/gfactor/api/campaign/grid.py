"""The cells of a campaign: banks x models x the grid of conditions, without those excluded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from gfactor.administration import Condition, read_condition
from gfactor.administration.presenting.condition import written
from gfactor.administration.presenting.condition_text import NAMES
from gfactor.api.campaign.strict import StrictTable
from gfactor.errors import GfactorError


def conditions_of(grid: StrictTable) -> dict[str, Condition]:
    """Return every combination of the values of the grid, by the keys of the conditions."""
    axes: dict[str, list[Any]] = {}
    for name in list(grid.values):
        if name not in NAMES:
            raise grid.unknown(name, NAMES)
        value = grid.take(name)
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(v, str | int | float) for v in values):
            raise grid.error(name, "give a value, or a list of values")
        for one in values:
            if isinstance(one, str) and {",", "="} & set(one):
                raise grid.error(name, f"{one!r} is not one value; give a list of values")
        axes[name] = values
    conditions: dict[str, Condition] = {}
    for combination in product(*axes.values()):
        pairs = {n: written(v) for n, v in zip(axes, combination, strict=True)}
        text = ",".join(f"{n}={v}" for n, v in pairs.items())
        try:
            condition = read_condition(text)
        except GfactorError as error:
            raise grid.error("", f"{text}: {error}") from error
        if condition.key in conditions:
            raise grid.error("", f"the condition {condition.key} comes twice")
        conditions[condition.key] = condition
    return conditions


def cells_of(
    top: StrictTable,
    banks: Sequence[str],
    models: Sequence[str],
    conditions: Mapping[str, Condition],
    excluded: Sequence[StrictTable],
) -> tuple[tuple[str, str, str], ...]:
    """Return the cells (bank, model, condition) by names and keys, without those that are
    excluded."""
    names = [(bank, model, key) for bank in banks for model in models for key in conditions]
    left = dict.fromkeys(names)
    for table in excluded:
        matches = _matcher(table, banks, models)
        hit = [cell for cell in names if matches(cell[0], cell[1], conditions[cell[2]])]
        if not hit:
            raise table.error("", "no cell is excluded by this; check its values")
        for cell in hit:
            left.pop(cell, None)
    if not left:
        raise top.error("exclude", "every cell is excluded")
    return tuple(left)


def _matcher(
    table: StrictTable, banks: Sequence[str], models: Sequence[str]
) -> Callable[[str, str, Condition], bool]:
    """Return a function that is True for cells that match all conditions of an exclusion."""
    wanted = {name: table.take(name) for name in list(table.values)}
    names_by_key = {"bank": banks, "model": models}
    for name, value in wanted.items():
        if name not in (*names_by_key, *NAMES):
            raise table.unknown(name, (*names_by_key, *NAMES))
        for one in value if isinstance(value, list) else [value]:
            if name in names_by_key and one not in names_by_key[name]:
                raise table.error(name, f"there is no {name} {one!r}")

    def matches(bank: str, model: str, condition: Condition) -> bool:
        for name, value in wanted.items():
            values = {written(v) for v in (value if isinstance(value, list) else [value])}
            decoding = dict(condition.decoding)
            has = {"bank": bank, "model": model}.get(name) or (
                decoding.get(name, "") if name not in vars(condition) else getattr(condition, name)
            )
            if written(has) not in values:
                return False
        return True

    return matches
