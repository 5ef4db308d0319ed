"""The steps of measurement invariance: which parameters are held equal, and the fits of each.

References
----------
Meredith, W. (1993). Measurement invariance, factor analysis and factorial invariance.
    Psychometrika 58, 525-543.
Wu, H., Estabrook, R. (2016). Identification of confirmatory factor analysis models of different
    levels of invariance for ordered categorical outcomes. Psychometrika 81, 1014-1045.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.fitting import fit, group_labels
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal.fit import fit_ordinal, ordered_completion
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.preparation import completion_options
from gfactor.psychometrics.sem.syntax import build_table, parse_model


@dataclass(frozen=True)
class Level:
    """A step: its name, the kinds of parameters equal in all groups, and those new in it."""

    name: str
    equal: tuple[str, ...]
    new: tuple[str, ...]


CONTINUOUS = (
    Level("configural", (), ()),
    Level("metric", ("loadings",), ("loadings",)),
    Level("scalar", ("loadings", "intercepts"), ("intercepts",)),
    Level("strict", ("loadings", "intercepts", "residuals"), ("residuals",)),
)

ORDINAL = (
    Level("configural", (), ()),
    Level("thresholds", ("thresholds",), ("thresholds",)),
    Level("metric", ("thresholds", "loadings"), ("loadings",)),
    Level("scalar", ("thresholds", "loadings", "intercepts"), ("intercepts",)),
    Level("strict", ("thresholds", "loadings", "intercepts", "residuals"), ("residuals",)),
)
"""Thresholds come first (Wu and Estabrook 2016): only then do loadings, intercepts and residuals of
an ordinal variable have a common unit."""

BINARY = (
    ORDINAL[0],
    Level("scalar", ORDINAL[3].equal, ("thresholds", "loadings", "intercepts")),
    ORDINAL[4],
)
"""With one threshold, steps in between cannot be tested: the three kinds become equal together."""

TERNARY = (ORDINAL[0], *ORDINAL[2:])
"""Two equal thresholds, with a free intercept and residual variance in their place, are equivalent
to the configural model: equal loadings are the first restriction that can be tested."""


@dataclass(frozen=True)
class Setting:
    """Input of the fits at every step.

    `ordered` and the parameterization are in `options`; theta is used throughout for ordinal
    variables, because strict invariance is about residual variances.
    """

    model: str
    data: pd.DataFrame
    group: str
    options: Options

    @property
    def ordinal(self) -> bool:
        return bool(self.options.ordered)


def levels_of(setting: Setting) -> tuple[Level, ...]:
    """Return the steps that data of this kind have."""
    if not setting.ordinal:
        return CONTINUOUS
    used = [name for name in setting.options.ordered if name in setting.data.columns]
    categories = [len(set(setting.data[name].dropna())) for name in used]
    if min(categories, default=4) < 3:
        return BINARY
    return TERNARY if max(categories, default=4) == 3 else ORDINAL


def fit_level(setting: Setting, level: Level, partial: Sequence[str] = ()) -> Fit:
    """Fit the model with the parameters of a level equal in all groups, apart from the
    exceptions."""
    options = setting.options.replaced(
        group_equal=tuple(
            kind for kind in level.equal if not (setting.ordinal and kind == "intercepts")
        ),
        group_partial=tuple(partial),
    )
    if not setting.ordinal:
        return fit(setting.model, setting.data, options=options, group=setting.group)
    labels = group_labels(setting.data, setting.group)
    options = resolved(options.replaced(parameterization="theta"), n_groups=max(1, len(labels)))
    parsed = parse_model(setting.model)
    completion = ordered_completion(parsed, setting.data, options, completion_options(options))
    table = build_table(parsed, options=completion, groups=labels)
    free = "thresholds" in level.equal and "intercepts" not in level.equal
    table = _ordinal_intercepts(table, options.ordered, free, set(partial))
    return fit_ordinal(table, setting.data, options, completion, group=setting.group, labels=labels)


def _ordinal_intercepts(
    table: ParameterTable, ordered: Sequence[str], free: bool, partial: set[str]
) -> ParameterTable:
    """With equal thresholds, the intercepts of later groups are free until the scalar step, and
    the means of latent variables are not; at the scalar step it is the other way round, except for
    intercepts that were released."""
    latent = set(table.latent)
    rows: list[Parameter] = []
    for row in table.rows:
        changed = row
        if row.op == "~1" and row.group > 1 and not row.user:
            if free and row.lhs in latent:
                changed = replace(row, free=0, value=0.0)
            elif row.lhs in ordered and (free or f"{row.lhs}~1" in partial):
                changed = replace(row, free=-1, value=None)
        rows.append(changed)
    number = 0
    numbered: list[Parameter] = []
    for row in rows:
        number += row.free != 0
        numbered.append(replace(row, free=number) if row.free else row)
    return ParameterTable(tuple(numbered), table.groups)
