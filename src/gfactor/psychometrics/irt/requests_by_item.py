"""Models and lower asymptotes as a user gives them: for all items, in their order, or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.irt.data import ResponseTable
from gfactor.psychometrics.irt.request import Request


def models_by_item(given: Any, columns: Sequence[str]) -> Any:
    """Return the model of all items, or models by the names of items.

    Parameters
    ----------
    given : str, sequence of str or mapping of item to str
        Models as a user gave them; a sequence is in the order of the columns.
    columns : sequence of str
        Names of all items, also of those that do not vary.

    Raises
    ------
    ParameterError
        If a sequence has another length than the columns.
    """
    if not isinstance(given, list | tuple):
        return given
    if len(given) != len(columns):
        raise ParameterError(
            f"model: {len(given)} entries for {len(columns)} items; give one model for all, one "
            "for each item in the order of the columns, or name the items"
        )
    return dict(zip(columns, given, strict=True))


def of_varying_items(request: Request, table: ResponseTable) -> Request:
    """Return the request without the items that do not vary, which the table left out.

    Raises ParameterError if a factor has no other item.
    """
    away = {*table.left_out}
    if not away:
        return request

    def loading(members: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        varying = {
            name: [one for one in of if str(one) not in away] for name, of in members.items()
        }
        for name, items in varying.items():
            if not items:
                raise ParameterError(
                    f"factor {name!r} has no item that varies ({first_few(members[name])}); leave "
                    "it out, or add items"
                )
        return varying

    model, factors = request.model, request.factors
    if isinstance(model, Mapping):
        model = {name: one for name, one in model.items() if str(name) not in away}
    if isinstance(factors, Mapping):
        factors = loading(factors)
    bifactor = None if request.bifactor is None else loading(request.bifactor)
    free = tuple(name for name in request.free_items if name not in away)
    return replace(request, model=model, factors=factors, bifactor=bifactor, free_items=free)


def guesses_by_item(given: Any, columns: Sequence[str]) -> Any:
    """Return lower asymptotes by the names of items, or one number for all, or None.

    Parameters
    ----------
    given : float, sequence of float, mapping of item to float, or None
        Lower asymptotes as a user gave them; a sequence is in the order of the columns.
    columns : sequence of str
        Names of all items, also of those that do not vary.

    Raises
    ------
    ParameterError
        If a sequence has another length than the columns, or an entry is not a number.
    """
    if given is None or isinstance(given, int | float):
        return given
    if isinstance(given, Mapping):
        return {
            str(name): _number(level, f"guess of item {name!r}") for name, level in given.items()
        }
    if isinstance(given, str) or not np.iterable(given):
        return _number(given, "guess")
    levels = list(given)
    if len(levels) != len(columns):
        raise ParameterError(
            f"guess: {len(levels)} entries for {len(columns)} items; give one number for all, "
            "one for each item in the order of the columns, or name the items"
        )
    return guesses_by_item(dict(zip(columns, levels, strict=True)), columns)


def _number(given: Any, what: str) -> float:
    try:
        return float(given)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{what} must be a number in [0, 1), not {given!r}") from error
