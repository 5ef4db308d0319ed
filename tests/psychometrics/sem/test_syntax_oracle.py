"""The parameter table of every recorded lavaan fit is built from its text, row for row."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from support.oracles import recorded

from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.syntax import SyntaxOptions, build_table, table_options

CASES = [
    path
    for folder in ("lavaan", "m3gia")
    for path in recorded(f"{folder}/*.json")
    if isinstance(case := json.loads(path.read_text("utf-8")), dict)
    and {"partable", "syntax", "options"} <= set(case)
]


def options_of(case: dict[str, Any]) -> SyntaxOptions:
    """The options of a recorded call: its function, and what lavaan made of its arguments."""
    call, options = case["call"], case["options"]
    model_type = call.split("(")[0].split("::")[-1].strip()
    # The stored fits hold the expanded call of cfa().
    model_type = "cfa" if 'model.type = "cfa"' in call else model_type
    thresholds: dict[str, int] = {}
    for row in case["partable"]:
        if row["op"] == "|":
            thresholds[row["lhs"]] = max(thresholds.get(row["lhs"], 0), int(row["rhs"][1:]))
    return table_options(
        model_type,
        std_lv=options["std.lv"],
        orthogonal=options["orthogonal"],
        meanstructure=options["meanstructure"],
        fixed_x=options["fixed.x"],
        ordered=thresholds,
        group_equal=tuple(_listed(options.get("group.equal"))),
        group_partial=tuple(_listed(options.get("group.partial"))),
    )


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value or [] if one]


def built(case: dict[str, Any]) -> ParameterTable:
    n = case["nobs"]
    n_groups = len(n) if isinstance(n, list) else 1
    groups = tuple(f"group {g + 1}" for g in range(n_groups)) if n_groups > 1 else ()
    return build_table(case["syntax"], options=options_of(case), groups=groups)


def ours(row: Parameter) -> tuple[Any, ...]:
    value = row.value if row.free == 0 and row.group and not row.exo else None
    return (row.lhs, row.op, row.rhs, row.user, row.group, row.free, value, row.label, row.plabel)


def theirs(row: dict[str, Any]) -> tuple[Any, ...]:
    fixed = row["free"] == 0 and row["group"]
    value = row["ustart"] if fixed else None
    value = None if value is None or math.isnan(value) else float(value)
    return (
        *(row[key] for key in ("lhs", "op", "rhs", "user", "group", "free")),
        value,
        row["label"],
        row["plabel"],
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_table_equals_lavaans(path: Path) -> None:
    case = json.loads(path.read_text("utf-8"))
    assert [ours(row) for row in built(case)] == [theirs(row) for row in case["partable"]]
