"""A fitted model with more parameters, not searched again: what score tests start from."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable


def extended(estimated: Estimated, table: ParameterTable, more: Sequence[Parameter]) -> Estimated:
    """The same point with the rows `more` free as well, numbered after the others in their order;
    a row that the table has fixed is freed where it stands."""
    problem = estimated.problem
    n_free = problem.structure.n_free
    number = {
        (row.lhs, row.op, row.rhs, row.group): n_free + place
        for place, row in enumerate(more, start=1)
    }
    rows: list[Parameter] = []
    start = np.zeros(len(more))
    for row in table.rows:
        free = number.pop((row.lhs, row.op, row.rhs, row.group), 0)
        if free:
            start[free - n_free - 1] = row.value or 0.0
        rows.append(dataclasses.replace(row, free=free) if free else row)
    rows += [
        dataclasses.replace(row, free=number[row.lhs, row.op, row.rhs, row.group])
        for row in more
        if (row.lhs, row.op, row.rhs, row.group) in number
    ]
    wider = problem.with_table(ParameterTable(tuple(rows), table.groups))
    point = wider.discrepancy.at(np.concatenate([estimated.theta, start]))
    return Estimated(wider, point, estimated.value)
