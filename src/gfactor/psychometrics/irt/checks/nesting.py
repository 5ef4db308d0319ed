"""Nesting of item response models, derived from what was requested."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.psychometrics.irt.data import per_item
from gfactor.psychometrics.irt.request import UNIT_SLOPE, guesses
from gfactor.psychometrics.irt.result import IRTFit

_TWO_CATEGORIES = {
    "rasch": 0, "pcm": 0, "rsm": 0, "1pl": 0, "2pl": 1, "grm": 1, "gpcm": 1, "nrm": 1, "3pl": 2,
    "4pl": 3,
}  # fmt: skip
"""Models of items with two categories; each is a special case of those with larger numbers."""
_MORE_CATEGORIES: Mapping[str, frozenset[str]] = {
    "rsm": frozenset({"rsm", "pcm", "rasch", "1pl", "gpcm", "nrm"}),
    "pcm": frozenset({"pcm", "rasch", "1pl", "gpcm", "nrm"}),
    "rasch": frozenset({"pcm", "rasch", "1pl", "gpcm", "nrm"}),
    "1pl": frozenset({"pcm", "rasch", "1pl", "gpcm", "nrm"}),
    "gpcm": frozenset({"gpcm", "nrm"}),
    "nrm": frozenset({"nrm"}),
    "grm": frozenset({"grm", "2pl"}),
    "2pl": frozenset({"grm", "2pl"}),
}
"""Models of items with more categories, and what each is a special case of."""
COMMON_SLOPE = UNIT_SLOPE | {"1pl"}


def is_nested(smaller: IRTFit, larger: IRTFit) -> bool:
    """Return True if the first model is known to be a special case of the second.

    Parameters
    ----------
    smaller, larger : IRTFit
        Two fits to the same responses.

    Returns
    -------
    bool
        True if it is nested; False also if the requests do not show this.
    """
    rules = (_items, _guesses, _factors, _groups, _design, _restricted)
    return smaller.n_free < larger.n_free and all(rule(smaller, larger) for rule in rules)


def on_boundary(smaller: IRTFit, larger: IRTFit) -> bool:
    """Return True if the smaller of two nested models lies on the boundary of the larger one's
    parameter space.

    This is the case if the larger model adds asymptotes, or if it splits one factor into several,
    whose correlation is 1 in the smaller model. The reference chi-square is then conservative.
    """
    added = {"3pl", "4pl"} & (set(_models(larger)) - set(_models(smaller)))
    splits = isinstance(larger.request.factors, Mapping) and smaller.likelihood.model.factors == 1
    return bool(added) or splits


def _models(fit: IRTFit) -> list[str]:
    return [str(name) for name in per_item(fit.request.model, fit.table.items, "model")]


def _items(smaller: IRTFit, larger: IRTFit) -> bool:
    first, second = _models(smaller), _models(larger)
    # Items with slopes of 1 or one slope in the larger model need the same in the smaller one.
    common = {a for a, b in zip(first, second, strict=True) if b in COMMON_SLOPE}
    if not common <= COMMON_SLOPE or (common and not set(first) <= COMMON_SLOPE):
        return False
    return all(
        b in _MORE_CATEGORIES[a] if len(scores) > 2 else _TWO_CATEGORIES[a] <= _TWO_CATEGORIES[b]
        for a, b, scores in zip(first, second, smaller.table.scores, strict=True)
    )


def _guesses(smaller: IRTFit, larger: IRTFit) -> bool:
    pairs = zip(_lower_asymptotes(smaller), _lower_asymptotes(larger), strict=True)
    return all(second is None or first == second for first, second in pairs)


def _lower_asymptotes(fit: IRTFit) -> list[float | None]:
    """Return the lower asymptote of every item; None if it is estimated."""
    return [
        0.0 if level is None and model not in {"3pl", "4pl"} else level
        for level, model in zip(guesses(fit.table, fit.request), _models(fit), strict=True)
    ]


def _factors(smaller: IRTFit, larger: IRTFit) -> bool:
    first, second = smaller.request, larger.request
    if (first.factors, first.bifactor, first.correlated) == (
        second.factors, second.bifactor, second.correlated,
    ):  # fmt: skip
        return True
    if set(_models(larger)) & COMMON_SLOPE:
        return False
    if smaller.likelihood.model.factors == 1:
        return second.bifactor is not None or second.correlated or isinstance(second.factors, int)
    if first.bifactor is not None or second.bifactor is not None:
        return _loads(first.bifactor or {}, second.bifactor or {}) and second.bifactor is not None
    if isinstance(second.factors, int):
        return smaller.likelihood.model.factors <= second.factors
    if isinstance(first.factors, int):
        return False
    return _loads(first.factors, second.factors) and (second.correlated or not first.correlated)


def _loads(smaller: Mapping[str, object], larger: Mapping[str, object]) -> bool:
    """Return True if every loading of the first pattern is one of the second."""
    return bool(smaller) and all(
        name in larger and set(_names(members)) <= set(_names(larger[name]))
        for name, members in smaller.items()
    )


def _names(members: object) -> list[str]:
    return [str(member) for member in members] if isinstance(members, list | tuple) else []


def _groups(smaller: IRTFit, larger: IRTFit) -> bool:
    first, second = smaller.request, larger.request
    names = set(first.covariate_names) <= set(second.covariate_names)
    if first.groups is None:
        return names
    if second.groups is None or list(map(str, first.groups)) != list(map(str, second.groups)):
        return False
    free = set(first.free_items) <= set(second.free_items)
    return names and free and set(second.equal) <= set(first.equal)


def _design(smaller: IRTFit, larger: IRTFit) -> bool:
    first, second = smaller.request.design, larger.request.design
    if second is None:
        return True
    if first is None:
        return False
    together = np.hstack([second, first])
    return bool(np.linalg.matrix_rank(together) == np.linalg.matrix_rank(second))


def _restricted(smaller: IRTFit, larger: IRTFit) -> bool:
    first, second = smaller.request, larger.request
    return set(second.constraints) <= set(first.constraints) and set(second.fixed.items()) <= set(
        first.fixed.items()
    )
