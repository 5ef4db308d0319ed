"""Where thresholds and scaling factors stand: what a table of ordinal variables adds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.model import Structure, compile_table
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Values:
    """A vector with fixed values, and the places and numbers (from 0) of its free elements."""

    base: Array
    place: NDArray[np.intp]
    index: NDArray[np.intp]

    def at(self, theta: Array) -> Array:
        if not len(self.place):
            return self.base
        made = self.base.copy()
        made[self.place] = theta[self.index]
        return made

    def derivative(self, n_free: int) -> Array:
        out = np.zeros((len(self.base), n_free))
        out[self.place, self.index] = 1.0
        return out


@dataclass(frozen=True)
class OrdinalGroup:
    """One group.

    Parameters
    ----------
    ordered: which variables are ordinal, in the order of the structure.
    owner: whose each threshold (or mean) is, in the order of the sample's statistics.
    thresholds: same order; zeros at continuous variables.
    scales: one scaling factor per variable ("delta"); ones under "theta".
    """

    ordered: NDArray[np.bool_]
    owner: NDArray[np.intp]
    thresholds: Values
    scales: Values


@dataclass(frozen=True)
class OrdinalStructure:
    """A model of means and covariances of responses, and what turns them into statistics.

    `delta`: whether residual variances of ordinal variables follow from the scaling factors
    (delta parameterization), or the scaling factors from the variances (theta).
    """

    latent: Structure
    groups: tuple[OrdinalGroup, ...]
    delta: bool


def compile_ordinal(
    table: ParameterTable, moments: tuple[OrdinalMoments, ...], parameterization: str = "delta"
) -> OrdinalStructure:
    """The matrices of a table with thresholds; `moments` are over `table.observed`, in order.

    Raises ParameterError where a threshold is missing in the table or not in the data.
    """
    structure = compile_table(table)
    groups = tuple(
        _group([row for row in table.rows if row.group == number], own, parameterization == "delta")
        for number, own in enumerate(moments, 1)
    )
    return OrdinalStructure(structure, groups, parameterization == "delta")


def _group(rows: list[Parameter], moments: OrdinalMoments, delta: bool) -> OrdinalGroup:
    places: dict[tuple[str, str], int] = {}
    step = 0
    for k, owner in enumerate(moments.owner):
        step = step + 1 if k and owner == moments.owner[k - 1] else 1
        if moments.ordered[owner]:
            places[moments.names[owner], f"t{step}"] = k
    thresholds = [row for row in rows if row.op == "|"]
    given = {(row.lhs, row.rhs) for row in thresholds}
    for name, step_name in [*given - places.keys(), *places.keys() - given]:
        count = sum(one == name for one, _ in places)
        raise ParameterError(
            f"the threshold {name} | {step_name} is not both in the model and in the data, where "
            f"{name!r} has {count} thresholds; correct the model"
        )
    scales = [row for row in rows if row.op == "~*~"] if delta else []
    by_name = {name: k for k, name in enumerate(moments.names)}
    return OrdinalGroup(
        moments.ordered,
        moments.owner,
        _values(thresholds, [places[row.lhs, row.rhs] for row in thresholds], moments, 0.0),
        _values(scales, [by_name[row.lhs] for row in scales], moments, 1.0),
    )


def _values(
    rows: list[Parameter], places: list[int], moments: OrdinalMoments, default: float
) -> Values:
    size = len(moments.owner) if default == 0.0 else len(moments.names)
    base = np.full(size, default)
    free: list[tuple[int, int]] = []
    for row, place in zip(rows, places, strict=True):
        if row.free:
            free.append((place, row.free - 1))
        elif row.value is not None:
            base[place] = row.value
    numbers = np.array(free, dtype=np.intp).reshape(-1, 2)
    return Values(base, numbers[:, 0], numbers[:, 1])
