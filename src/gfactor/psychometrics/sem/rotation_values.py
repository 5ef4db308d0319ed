"""Options of the rotation of exploratory blocks: the rotations of `efa`, by lavaan's names, too.

References
----------
Bernaards, C. A., Jennrich, R. I. (2005). Gradient projection algorithms and software for arbitrary
    rotation criteria in factor analysis. Educational and Psychological Measurement 65, 676-696.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    ROTATIONS,
    RotationSettings,
    rotation_name,
)

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.options import Options

ENTRIES = ("gamma", "kappa", "zeros", "kaiser", "target")
"""Entries of `rotation_args`."""

UNNAMED = {"cf": "cf", "bentler": "bentler", "infomax": "infomax", "pst": "target",
           "target": "target", "geomin": "geomin", "bifactor": "bifactor",
           "bigeomin": None, "target.strict": None}  # fmt: skip
"""lavaan's names of rotations that mean different ones with `orthogonal`: gfactor's name without T
or Q; None if gfactor does not have the rotation."""

_ROTATION: Mapping[str, str] = {
    "geomin.epsilon": "geomin_epsilon",
    "std.ov": "rotation_std_ov",
}
"""Entries of lavaan's rotation.args that are options of our own."""

_ENTRY: Mapping[str, str] = {
    "oblimin.gamma": "gamma", "cf.gamma": "kappa", "simplimax.k": "zeros", "target": "target",
}  # fmt: skip

_WEIGHTS = {"none": False, "kaiser": True}

Args = tuple[tuple[str, Any], ...]


def rotation_of(given: object) -> str:
    """Return gfactor's name of a rotation of exploratory blocks.

    Raises ParameterError for another one, and for promax, which has no criterion.
    """
    text = "geomin" if given in (None, "", "default", "none") else str(given)
    try:
        name = rotation_name(text)
    except UnknownNameError as error:
        raise ParameterError(f"the option rotation: {error}") from None
    if name == "promax":
        raise ParameterError(
            "promax rotates a varimax solution to its own target and minimizes no criterion, so "
            "that no model can be fitted with it; use oblimin, or rotate with "
            "gf.efa."
        )
    return name


def rotation_args_of(given: object) -> Args:
    """Return the parameters of a rotation in a form that can be compared: a target as (indicator,
    factor, value), cells without a value left out.

    Raises ParameterError for an unknown entry, or a target that is no table with names.
    """
    entries = dict(given) if isinstance(given, (Mapping, Sequence)) and given else {}
    for name in entries:
        if name not in ENTRIES:
            raise ParameterError(
                f"rotation_args has no entry {name!r}; its entries are {', '.join(ENTRIES)}."
            )
    goal = entries.get("target")
    if isinstance(goal, pd.DataFrame):
        table = goal.to_numpy(float)
        entries["target"] = tuple(
            (str(goal.index[i]), str(goal.columns[j]), float(table[i, j]))
            for i, j in zip(*np.nonzero(~np.isnan(table)), strict=True)
        )
    elif goal is not None and not isinstance(goal, tuple):
        raise ParameterError(
            "the target of a rotation is a table (DataFrame) of indicators x factors with names, "
            "with empty cells for unspecified loadings."
        )
    return tuple(sorted(entries.items()))


def rotation_settings(
    options: Options, indicators: Sequence[str], factors: Sequence[str]
) -> RotationSettings:
    """Return the parameters of the rotation of one block.

    Raises ParameterError if they do not fit it.
    """
    entries = dict(options.rotation_args)
    goal = entries.pop("target", None)
    if goal is not None:
        table = np.full((len(indicators), len(factors)), np.nan)
        for indicator, factor, value in goal:
            if indicator in indicators and factor in factors:
                table[indicators.index(indicator), factors.index(factor)] = value
        entries["target"] = table
    settings = RotationSettings(delta=options.geomin_epsilon, **entries)
    settings.for_loadings(options.rotation, len(indicators), len(factors))
    return settings


def rotates_rows(rotation: str, settings: RotationSettings) -> bool:
    """Return True if rows are scaled to length one before the rotation."""
    return ROTATIONS[rotation].kaiser if settings.kaiser is None else settings.kaiser


def from_lavaans(rotation: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return gfactor's options from lavaan's `rotation` and `rotation.args`.

    Raises ParameterError for a rotation, or an entry, that gfactor does not have.
    """
    out = {field: given[name] for name, field in _ROTATION.items() if name in given}
    entries = {ours: given[name] for name, ours in _ENTRY.items() if _is_given(given.get(name))}
    weights = given.get("row.weights", "default")
    if weights not in {"default", *_WEIGHTS}:
        raise ParameterError(
            f"lavaan's rotation.args row.weights = {weights!r} is not supported; use 'none' or "
            "'kaiser'."
        )
    if weights != "default":
        entries["kaiser"] = _WEIGHTS[weights]
    name = "geomin" if rotation in (None, "default", "none") else str(rotation)
    orthogonal = given.get("orthogonal", False) in (True, 1)
    if name.lower() in UNNAMED:
        stem = UNNAMED[name.lower()]
        if stem is None:
            raise ParameterError(f"lavaan's rotation {rotation!r} is not supported.")
        name = stem + ("T" if orthogonal else "Q")
    elif orthogonal and ROTATIONS[rotation_of(name)].oblique:
        raise ParameterError(
            f"the rotation {name!r} with orthogonal = TRUE is not supported; use quartimax, which "
            "is oblimin's orthogonal form."
        )
    name = rotation_of(name)
    takes = {*ROTATIONS[name].takes, "kaiser"}
    out["rotation_args"] = {key: value for key, value in entries.items() if key in takes}
    return {**out, "rotation": name}


def _is_given(value: object) -> bool:
    """Return True for a value that is not empty: lavaan lists empty ones, too."""
    return value is not None and not (isinstance(value, (list, dict, tuple)) and not value)
