"""Preparation of options and model texts for a fit: checking, completing, reading. It depends on
the user's text and not on the data, and takes longer than the search, so its results are stored.
Refits of one model to many samples read it once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.constraints import read_constraints
from gfactor.psychometrics.sem.model import compile_table
from gfactor.psychometrics.sem.options import COMPLETING, Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import Compiled
from gfactor.psychometrics.sem.syntax import SyntaxOptions, build_table, table_options

_DEFAULTS = Options()


def chosen_options(options: Options | None, changes: dict[str, Any]) -> Options:
    """Return the options with changes.

    Raises ParameterError for an unknown option or value.
    """
    options = options or _DEFAULTS
    try:
        # The types are part of the key, since True equals 1.
        return _checked(options, tuple((k, type(v), v) for k, v in changes.items()))
    except TypeError:  # a list among the values
        return options.replaced(**changes)


@lru_cache(maxsize=64)
def _checked(options: Options, changes: tuple[tuple[str, type, Any], ...]) -> Options:
    return options.replaced(**{name: value for name, _, value in changes})


@lru_cache(maxsize=64)
def resolved_options(options: Options, n_groups: int, means_in_model: bool) -> Options:
    """Return the options with all defaults filled in, by `choices.resolved`."""
    return resolved(options, n_groups=n_groups, means_in_model=means_in_model)


@lru_cache(maxsize=64)
def completion_options(options: Options) -> SyntaxOptions:
    """Return the options for completing a model text; `options` must be resolved."""
    changes: dict[str, Any] = {
        "std_lv": options.std_lv,
        "orthogonal": options.orthogonal,
        "orthogonal_x": options.orthogonal_x,
        "orthogonal_y": options.orthogonal_y,
        "meanstructure": bool(options.meanstructure),
        "fixed_x": bool(options.fixed_x),
        "conditional_x": bool(options.conditional_x),
        "group_equal": options.group_equal,
        "group_partial": options.group_partial,
        "parameterization": options.parameterization,
    }
    for name in (*COMPLETING, "effect_coding"):
        value = getattr(options, name)
        if value is not None:
            changes[name] = value
    return table_options(options.model_type, **changes)


@lru_cache(maxsize=64)
def prepared(
    text: str, options: Options, labels: tuple[str, ...]
) -> tuple[ParameterTable, Compiled]:
    """Return a model text's table, matrices and constraints; `options` must be resolved."""
    table = build_table(text, options=completion_options(options), groups=labels)
    return table, (compile_table(table), read_constraints(table))
