"""Request for a model ("2pl, these groups, these priors"), and its consequences for every item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.data import ResponseTable, per_item
from gfactor.psychometrics.irt.likelihood.curves import Floats, Kind

MODELS: Mapping[str, str] = {
    "rasch": "slopes 1, variance of ability free (one parameter an item)",
    "1pl": "one slope for all items",
    "2pl": "a slope and an intercept for each item",
    "3pl": "2pl with a lower asymptote",
    "4pl": "3pl with an upper asymptote",
    "grm": "graded responses (Samejima)",
    "pcm": "partial credit, slopes 1 (Masters)",
    "gpcm": "partial credit with slopes (Muraki)",
    "rsm": "rating scale, common steps (Andrich)",
    "nrm": "nominal categories (Bock)",
}
"""Models by name; an item with two categories is rasch, 1pl or 2pl under pcm, rsm, grm and gpcm."""

_OTHER_NAMES = {"graded": "grm", "nominal": "nrm", "partialcredit": "pcm", "ratingscale": "rsm"}
"""Names under which other programs have the same models."""

UNIT_SLOPE = {"rasch", "pcm", "rsm"}
_POLYTOMOUS: Mapping[str, Kind] = {
    "grm": "graded", "pcm": "gpcm", "gpcm": "gpcm", "rsm": "rating", "nrm": "nominal",
    "rasch": "gpcm", "1pl": "gpcm", "2pl": "graded",
}  # fmt: skip
"""The family of items with more than two categories, by model."""

DEFAULT_GUESS_PRIOR = ("normal", -1.5, 0.5)
"""Prior of the logit of an estimated lower asymptote: .18, .08 to .37."""
DEFAULT_UPPER_PRIOR = ("normal", 3.0, 0.5)
"""Prior of the logit of an estimated upper asymptote: .95, .88 to .98."""


@dataclass(frozen=True)
class Request:
    """Request for an item response model.

    Parameters
    ----------
    model : str or mapping of item to str
        One of `MODELS`, for all items or each.
    factors : int or mapping of factor name to items
        Number of factors of an exploratory model (default 1), or for a confirmatory model the
        items that load on each factor.
    bifactor : mapping of specific factor name to items, or None
        Items of each specific factor; items without one load on the general factor alone.
    correlated : bool
        True if factors of a confirmatory model correlate.
    guess : float, mapping of item to float, or None
        Fixed lower asymptotes; those of items without one are 0 (or estimated, by model).
    groups : sequence of str or None
        Group of every person.
    reference : str or None
        The group with mean 0 (and variance 1); the first one in the data if None.
    equal : tuple of str
        Kinds of parameters that are equal in all groups: "slopes", "intercepts".
    free_items : tuple of str
        Items whose parameters may differ between groups in spite of `equal`.
    covariates : array (P, C) or None, with `covariate_names`
        Predictors of ability.
    design : array (J, K) or None, with `design_names`
        Design matrix of difficulties, which are sums of effects: b = design @ effects (Fischer
        1973).
    priors : mapping of parameter to (density, first, second) or None
        Parameters "slope", "intercept", "guess", "upper", or of one item, "ITEM.PARAMETER";
        densities "normal", "lognormal", "beta"; None for no prior, not even the default one.
    constraints : tuple of tuples of str
        Free parameters ("ITEM.PARAMETER") that are equal.
    fixed : mapping of str to float
        Parameters ("ITEM.PARAMETER") that are not estimated.
    """

    model: str | Mapping[str, str] = "2pl"
    factors: int | Mapping[str, Sequence[str]] = 1
    bifactor: Mapping[str, Sequence[str]] | None = None
    correlated: bool = True
    guess: float | Mapping[str, float] | None = None
    groups: Sequence[str] | None = None
    reference: str | None = None
    equal: tuple[str, ...] = ("slopes", "intercepts")
    free_items: tuple[str, ...] = ()
    covariates: Floats | None = None
    covariate_names: tuple[str, ...] = ()
    design: Floats | None = None
    design_names: tuple[str, ...] = ()
    priors: Mapping[str, tuple[str, float, float] | None] = field(default_factory=dict)
    constraints: tuple[tuple[str, ...], ...] = ()
    fixed: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", named_model(self.model))

    def priors_in_words(self) -> dict[str, str]:
        """Return the prior of each kind of parameters, such as "normal(-1.5, 0.5) of the logit"."""
        return {
            name: f"{prior[0]}({prior[1]:g}, {prior[2]:g})"
            + (" of the logit" if name in {"guess", "upper"} and prior[0] != "beta" else "")
            for name, prior in self.priors.items()
            if prior is not None
        }


MOST_FACTORS = 6
"""Largest number of factors for which a grid of nodes is small enough."""


def named_model(given: Any) -> Any:
    """Return the name of a model, or names by item, in the spelling of `MODELS`: "2-PL" and "2PL"
    become "2pl".

    Parameters
    ----------
    given : str or mapping of item to str
        Names in upper or lower case, with or without hyphens, dots and spaces; "graded" and
        "nominal" are "grm" and "nrm".

    Returns
    -------
    str or dict
        An unknown name is returned as it was given.

    Examples
    --------
    >>> named_model("2-PL"), named_model("Rasch"), named_model("five")
    ('2pl', 'rasch', 'five')
    >>> named_model({"i1": "3 PL", "i2": "graded"})
    {'i1': '3pl', 'i2': 'grm'}
    """
    if isinstance(given, Mapping):
        return {item: named_model(name) for item, name in given.items()}
    if not isinstance(given, str):
        return given
    plain = re.sub(r"[\s_.-]+", "", given).lower()
    plain = _OTHER_NAMES.get(plain, plain)
    return plain if plain in MODELS else given


def groups_in_order(groups: Iterable[object], reference: str | None) -> tuple[str, ...]:
    """Return the names of groups in the order of the data, but a reference group first.

    Raises UnknownNameError if the reference is no group.
    """
    names = tuple(dict.fromkeys(str(group) for group in groups))
    if reference is None:
        return names
    if str(reference) not in names:
        raise UnknownNameError("group", str(reference), names)
    return (str(reference), *(name for name in names if name != str(reference)))


def group_codes(request: Request, persons: int) -> tuple[tuple[str, ...], np.ndarray]:
    """Return names of the groups, the reference first, and the group of every person."""
    if request.groups is None:
        return ("all",), np.zeros(persons, int)
    given = [str(g) for g in request.groups]
    if len(given) != persons:
        raise ParameterError(
            f"group has {len(given)} entries for {persons} persons; give one group per person"
        )
    names = groups_in_order(given, request.reference)
    return names, np.array([names.index(g) for g in given])


def kinds(table: ResponseTable, request: Request) -> list[tuple[Kind, str]]:
    models = per_item(request.model, table.items, "model")
    chosen = []
    for j, model in enumerate(models):
        if model not in MODELS:
            raise UnknownNameError("item response model", str(model), MODELS)
        categories = len(table.scores[j])
        if categories > 2:
            if model in {"3pl", "4pl"}:
                raise ParameterError(
                    f"item {table.items[j]!r} has {categories} categories; {model} is for items "
                    "with two: use grm, gpcm or nrm, or score the item 0 and 1"
                )
            chosen.append((_POLYTOMOUS[model], model))
        elif model in {"3pl", "4pl"} or (request.guess is not None):
            chosen.append(("4pl", model))
        else:
            chosen.append(("2pl", model))
    return chosen


def pattern(
    table: ResponseTable, request: Request
) -> tuple[list[list[int]], tuple[str, ...], bool]:
    """Return the factors of every item, the names of the factors, and True for a bifactor model."""
    if request.bifactor is not None:
        names = ("general", *map(str, request.bifactor))
        loads = [[0] for _ in table.items]
        for s, members in enumerate(request.bifactor.values(), start=1):
            for item in members:
                j = _column(table, item)
                if len(loads[j]) > 1:
                    raise ParameterError(f"item {item!r} is in two specific factors; choose one")
                loads[j].append(s)
        return loads, names, True
    if isinstance(request.factors, Mapping):
        names = tuple(map(str, request.factors))
        _refuse_too_few(len(names))
        loads = [[] for _ in table.items]
        for f, members in enumerate(request.factors.values()):
            for item in members:
                loads[_column(table, item)].append(f)
        bare = [item for item, loaded in zip(table.items, loads, strict=True) if not loaded]
        if bare:
            raise ParameterError(f"item {bare[0]!r} loads on no factor; leave it out, or add it")
        return loads, names, False
    _refuse_too_few(request.factors)
    names = tuple(f"F{f}" for f in range(1, request.factors + 1))
    return [list(range(request.factors)) for _ in table.items], names, False


def _refuse_too_few(factors: int) -> None:
    if factors < 1:
        raise ParameterError(f"factors must be 1 or more, got {factors}")


def _column(table: ResponseTable, item: str) -> int:
    if item not in table.items:
        raise UnknownNameError("item", item, table.items)
    return table.items.index(item)


def guesses(table: ResponseTable, request: Request) -> list[float | None]:
    """Return the fixed lower asymptote of every item; None if the model says what it is."""
    if not isinstance(request.guess, Mapping):
        given: list[float | None] = [request.guess] * len(table.items)
    else:
        levels = {name: g for name, g in request.guess.items() if name not in table.left_out}
        named = {**dict.fromkeys(table.items), **levels}
        given = per_item(named, table.items, "guess")
    for item, guess in zip(table.items, given, strict=True):
        if guess is not None and not 0 <= guess < 1:
            raise ParameterError(f"guess of item {item!r} must lie in [0, 1), not {guess}")
    return given
