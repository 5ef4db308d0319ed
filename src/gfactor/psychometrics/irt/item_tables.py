"""Tables of what was estimated for every item: parameters, discrimination, difficulty, thresholds.

The delta method gives the standard errors of functions of several parameters from their joint
covariance; derivatives by complex steps have practically no rounding error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.estimation.errors import Covariance
from gfactor.psychometrics.irt.likelihood.curves import Floats, parameter_names
from gfactor.psychometrics.irt.likelihood.specification import Block, IrtModel

ALL = "all"
"""The group of a row that holds for all groups."""
_STEP = 1e-30
_ASYMPTOTES = ("logit_g", "logit_u")


def parameter_table(
    model: IrtModel, values: Floats, vcov: Covariance | None, items: tuple[str, ...]
) -> pd.DataFrame:
    """Return all parameters in slope-intercept form, asymptotes as probabilities.

    Returns
    -------
    DataFrame
        `group`, `item`, `parameter`, `estimate`, `se` (NaN if fixed), `free`; items in the order
        of the data.
    """
    free = model.design.getnnz(axis=1) > 0
    variances = np.full(len(values), np.nan) if vcov is None else vcov.variances(model.design)
    se = np.where(free, np.sqrt(np.maximum(variances, 0)), np.nan)
    # Columns are joined as arrays and made a table once: a table of each parameter takes longer
    # than a small fit.
    parts: dict[str, list[Any]] = {name: [] for name in (
        "group", "parameter", "estimate", "se", "free", "column", "g", "m")}  # fmt: skip
    for g, group in enumerate(model.groups):
        for block in group.blocks:
            names = parameter_names(block.kind, block.categories, len(block.factors))
            for m, name in enumerate(names):
                at = block.index[:, m]
                estimate, error, label = values[at], se[at], name
                if name in _ASYMPTOTES:
                    label, estimate = name[-1], special.expit(estimate)
                    error = error * estimate * (1 - estimate)
                elif name.startswith("a") and name[1:].isdigit():
                    label = f"a{block.factors[int(name[1:]) - 1] + 1}"
                count = len(at)
                parts["group"] += [group.name] * count
                parts["parameter"] += [label] * count
                parts["estimate"].append(estimate)
                parts["se"].append(error)
                parts["free"].append(free[at])
                parts["column"].extend(block.columns)
                parts["g"] += [g] * count
                parts["m"] += [m] * count
    column = np.array(parts["column"], int)
    order = np.lexsort((parts["m"], column, parts["g"]))
    return pd.DataFrame({
        "group": [parts["group"][k] for k in order],
        "item": np.asarray(items, dtype=object)[column[order]],
        "parameter": [parts["parameter"][k] for k in order],
        **{name: np.concatenate(parts[name])[order] for name in ("estimate", "se", "free")},
    })  # fmt: skip


def free_slopes(
    model: IrtModel, values: Floats, items: tuple[str, ...]
) -> tuple[NDArray[np.object_], Floats]:
    """Return the items with a free slope on the only factor, once for each group, and the slopes,
    in the order of the groups, then of the data.
    """
    free = model.design.getnnz(axis=1) > 0
    columns, slopes = [np.zeros(0, int)], [np.zeros(0)]
    for group in model.groups:
        here = []
        for block in group.blocks:
            names = parameter_names(block.kind, block.categories, len(block.factors))
            if "a1" in names:
                at = block.index[:, names.index("a1")]
                here += [(column, at[k]) for k, column in enumerate(block.columns) if free[at[k]]]
        here.sort()
        columns.append(np.array([column for column, _ in here], int))
        slopes.append(values[[entry for _, entry in here]] if here else np.zeros(0))
    return np.asarray(items, dtype=object)[np.concatenate(columns)], np.concatenate(slopes)


def item_table(
    model: IrtModel,
    values: Floats,
    vcov: Covariance | None,
    items: tuple[str, ...],
    answered: NDArray[np.int_],
) -> pd.DataFrame:
    """Return discrimination, difficulty and asymptotes of every item.

    Parameters
    ----------
    answered : array (G, J)
        Responses per group and item.

    Returns
    -------
    DataFrame
        `group`, `item`, `a`, `se_a`, `b`, `se_b`, `c`, `se_c`, `d`, `se_d`, `n`; standard errors
        are NaN if a parameter is fixed or does not exist. An item whose parameters all groups
        share has one row, of the group "all".
    """
    parts = []
    for g, group in enumerate(model.groups):
        for block in group.blocks:
            v, jointly = values[block.index], _joint(model, vcov, block)
            columns: dict[str, object] = {"group": group.name, "column": block.columns, "g": g}
            for name, function in _SUMMARIES.items():
                estimate, error = _delta(function, block, v, jointly)
                columns |= {name: estimate, f"se_{name}": error}
            parts.append(pd.DataFrame(columns))
    frame = pd.concat(parts).sort_values(["g", "column"], kind="stable")
    frame["n"] = answered[frame["g"], frame["column"]].astype(int)
    totals = answered.sum(axis=0).astype(int)
    frame = _once_where_shared(frame, model, values)
    frame["n"] = frame["n"].where(frame["group"] != ALL, totals[frame["column"]])
    return _with_names(frame, items)


def threshold_table(
    model: IrtModel, values: Floats, vcov: Covariance | None, items: tuple[str, ...]
) -> pd.DataFrame:
    """Return the thresholds of items with more than two categories.

    The k-th threshold of a graded item is the ability at which P(X >= k) = 1/2; of a partial-credit
    or rating-scale item, the ability at which categories k - 1 and k are equally likely. Nominal
    items have none.

    Returns
    -------
    DataFrame
        `group`, `item`, `k` from 1, `b`, `se`; group "all" if all groups share the item.
    """
    parts = []
    for g, group in enumerate(model.groups):
        for block in group.blocks:
            if block.kind not in ("graded", "gpcm", "rating"):
                continue
            v, jointly = values[block.index], _joint(model, vcov, block)
            for k in range(block.categories - 1):
                estimate, error = _delta(
                    lambda b, p, k=k: _thresholds(b, p)[:, k], block, v, jointly
                )
                parts.append(pd.DataFrame({
                    "group": group.name, "column": block.columns, "g": g, "k": k + 1,
                    "b": estimate, "se": error,
                }))  # fmt: skip
    if not parts:
        return pd.DataFrame(columns=["group", "item", "k", "b", "se"])
    frame = pd.concat(parts).sort_values(["g", "column", "k"], kind="stable")
    return _with_names(_once_where_shared(frame, model, values), items)


def by_threshold(thresholds: pd.DataFrame) -> pd.DataFrame:
    """Return thresholds with a row per item, as `b1`, `se_b1`, `b2` ...

    Parameters
    ----------
    thresholds : DataFrame
        From `threshold_table`, with or without groups.
    """
    keys = [name for name in ("group", "item") if name in thresholds]
    rows: Any = thresholds.groupby(keys, sort=False)
    steps: Any = thresholds["k"]
    wide: Any = thresholds[keys].drop_duplicates().reset_index(drop=True)
    for k in range(1, int(steps.max()) + 1):
        for name, column in ((f"b{k}", "b"), (f"se_b{k}", "se")):
            wide[name] = [next(iter(part.loc[part["k"] == k, column]), np.nan) for _, part in rows]
    return wide


def without_bare_asymptotes(items: pd.DataFrame) -> pd.DataFrame:
    """Return a table of items without columns of asymptotes that are 0 (lower) or 1 (upper) for all
    items."""
    for name, bare in (("c", 0.0), ("d", 1.0)):
        if np.all(np.nan_to_num(items[name].to_numpy(float), nan=bare) == bare):
            items = items.drop(columns=[name, f"se_{name}"])
    return items


def _once_where_shared(frame: pd.DataFrame, model: IrtModel, values: Floats) -> pd.DataFrame:
    """Return rows by group, but one row for what all groups share."""
    if len(model.groups) == 1:
        return frame
    by_column: dict[int, set[tuple[str, bytes]]] = {}
    for group in model.groups:
        for block in group.blocks:
            for column, index in zip(block.columns, block.index, strict=True):
                parameters = by_column.setdefault(int(column), set())
                parameters.add((block.kind, values[index].tobytes()))
    shared = frame["column"].isin([c for c, sets in by_column.items() if len(sets) == 1])
    group = frame["group"].where(~shared, ALL)
    return frame.assign(group=group).loc[~shared | (frame["g"] == 0)]


def _with_names(frame: pd.DataFrame, items: tuple[str, ...]) -> pd.DataFrame:
    """Return rows with the names of their items instead of the positions."""
    frame.insert(1, "item", np.asarray(items, dtype=object)[frame["column"]])
    return frame.drop(columns=["column", "g"]).reset_index(drop=True)


def _joint(model: IrtModel, vcov: Covariance | None, block: Block) -> Floats | None:
    return None if vcov is None else vcov.blocks(model.design, block.index)


def _delta(
    function: Callable[[Block, NDArray[np.complex128]], NDArray[np.complex128]], block: Block,
    values: Floats, covariances: Floats | None,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Values (J,) of a function of every item's parameters, and standard errors."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        estimate = function(block, values.astype(complex)).real
        slopes = np.zeros_like(values)
        for m in range(values.shape[1]):
            moved = values.astype(complex)
            moved[:, m] += 1j * _STEP
            slopes[:, m] = function(block, moved).imag / _STEP
        if covariances is None:
            return estimate, np.full(len(values), np.nan)
        slopes = np.nan_to_num(slopes, posinf=0.0, neginf=0.0)
        variance = einsum("jm,jmn,jn->j", slopes, covariances, slopes)
        error = np.sqrt(np.where(variance > 0, variance, np.nan))
    return estimate, np.where(np.isfinite(estimate), error, np.nan)


def _slope(block: Block, v: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """The slope; with several factors the length of their vector (Reckase 1985)."""
    count = len(block.factors)
    return v[:, 0] if count == 1 else np.sqrt((v[:, :count] ** 2).sum(axis=1))


def _difficulty(block: Block, v: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return difficulties: halfway points of curves of two categories, else means of thresholds."""
    count, a = len(block.factors), _slope(block, v)
    if block.kind in ("2pl", "4pl"):
        return -v[:, count] / a
    if block.kind == "nominal":
        # If the first and the last category are equally likely.
        return -v[:, -1] / (a * (block.categories - 1))
    return _thresholds(block, v).mean(axis=1)


def _thresholds(block: Block, v: NDArray[np.complex128]) -> NDArray[np.complex128]:
    count, a = len(block.factors), _slope(block, v)[:, None]
    steps = v[:, count : count + block.categories - 1]
    if block.kind == "graded":
        return -steps / a
    if block.kind == "rating":
        return (steps - v[:, -1:]) / a
    return -np.diff(steps, axis=1, prepend=0) / a


def _asymptote(name: str, otherwise: float):
    def function(block: Block, v: NDArray[np.complex128]) -> NDArray[np.complex128]:
        if block.kind not in ("2pl", "4pl"):
            return np.full(len(v), np.nan, complex)
        if block.kind == "2pl":
            return np.full(len(v), otherwise, complex)
        at = len(block.factors) + 1 + _ASYMPTOTES.index(name)
        # exp of minus infinity is zero, but not in complex numbers.
        fixed = np.isinf(v[:, at].real)
        logit = np.where(fixed, 0, v[:, at])
        return np.where(fixed, (v[:, at].real > 0).astype(complex), 1 / (1 + np.exp(-logit)))

    return function


_SUMMARIES: dict[str, Callable[[Block, NDArray[np.complex128]], NDArray[np.complex128]]] = {
    "a": _slope, "b": _difficulty, "c": _asymptote("logit_g", 0.0),
    "d": _asymptote("logit_u", 1.0),
}  # fmt: skip


def ability_unit(model: IrtModel) -> str:
    """Return the unit of ability: standard deviations if the model fixes its variance at 1."""
    group = model.groups[0]
    is_free = model.design.getnnz(axis=1)[group.covariance[0, 0]] > 0
    return "logits" if is_free else "standard deviations"
