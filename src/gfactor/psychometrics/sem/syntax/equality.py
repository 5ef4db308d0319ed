"""Parameters that are tied: shared labels, kinds held equal between groups, effect coding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gfactor.psychometrics.sem.parameters import Parameter
from gfactor.psychometrics.sem.syntax.errors import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.options import TableOptions


def tie(
    rows: Sequence[Parameter], options: TableOptions
) -> tuple[list[Parameter], list[Parameter]]:
    """The rows, and a "==" row for each that equals an earlier one.

    Rows without a label that are tied get the internal label of the first of them as label. Where
    one of them is fixed, all are fixed to its value and no "==" row is needed.

    Raises
    ------
    ModelSyntaxError: equal parameters fixed to different values.
    """
    made = list(rows)
    keys = _keys(made, options)
    members: dict[str, list[int]] = {}
    order: list[str] = []  # keys by the place of their second member, as lavaan lists them
    for place, key in enumerate(keys):
        members.setdefault(key, []).append(place)
        if len(members[key]) == 2:
            order.append(key)
    ties: list[Parameter] = []
    for key in order:
        places = members[key]
        fixed = [made[place] for place in places if not made[place].free]
        if fixed:
            _check_values(fixed)
            for place in places:
                made[place] = replace(made[place], free=0, value=fixed[0].value)
            continue
        first = made[places[0]].plabel
        ties += [Parameter(first, "==", made[place].plabel, 0, user=2) for place in places[1:]]
        for place in places:
            made[place] = replace(made[place], label=made[place].label or first)
    return made, ties


def effect_codes(rows: Sequence[Parameter], options: TableOptions) -> list[Parameter]:
    """A "==" row for every latent variable of every group whose loadings average one, and whose
    indicators' intercepts average nought (Little, Slegers & Card 2006)."""
    loadings: dict[tuple[int, str], list[Parameter]] = {}
    for row in rows:
        if row.op == "=~":
            loadings.setdefault((row.group, row.lhs), []).append(row)
    level = {(row.group, row.lhs): row.plabel for row in rows if row.op == "~1"}
    made: list[Parameter] = []
    for (group, _), own in loadings.items():
        codes: list[tuple[int, list[str]]] = []
        if "loadings" in options.effect_coding:
            codes.append((len(own), [row.plabel for row in own]))
        intercepts = [level[group, row.rhs] for row in own if (group, row.rhs) in level]
        if "intercepts" in options.effect_coding and intercepts:
            codes.append((0, intercepts))
        for total, (first, *others) in codes:
            rest = "-".join([str(total), *others])
            made.append(Parameter(first, "==", rest, 0, user=2))
    return made


def _keys(rows: Sequence[Parameter], options: TableOptions) -> list[str]:
    """What each row is equal by: its label, or its own name, or that of the first group."""
    latent = {row.lhs for row in rows if row.op == "=~"}
    taken = _exogenous(rows)
    partial = {text.replace(" ", "") for text in options.group_partial}
    keys: list[str] = []
    for row in rows:
        name = f"{row.lhs}{row.op}{row.rhs}"
        mirrored = f"{row.rhs}{row.op}{row.lhs}"
        shared = (
            not row.exo
            and not (row.op in {"~~", "~1"} and row.lhs in taken)
            and not partial & {name, mirrored if row.op == "~~" else name}
            and _kind(row, latent) in options.group_equal
        )
        suffix = "" if row.group == 1 or shared else f".g{row.group}"
        keys.append(row.label or name + suffix)
    return keys


def _exogenous(rows: Sequence[Parameter]) -> set[str]:
    """Covariates: on the right of "~" and in no other row of the text; they have no residuals."""
    text = [row for row in rows if row.user == 1]
    elsewhere = {row.lhs for row in text} | {row.rhs for row in text if row.op != "~"}
    return {row.rhs for row in text if row.op == "~"} - elsewhere


def _kind(row: Parameter, latent: set[str]) -> str:
    """The name that `group_equal` has for rows of this kind."""
    if row.op == "~~":
        own = row.lhs == row.rhs
        if row.lhs in latent:
            return "lv.variances" if own else "lv.covariances"
        return "residuals" if own else "residual.covariances"
    if row.op == "~1":
        return "means" if row.lhs in latent else "intercepts"
    return {"=~": "loadings", "~": "regressions", "|": "thresholds"}.get(row.op, "")


def _check_values(fixed: Sequence[Parameter]) -> None:
    different = next((row for row in fixed if row.value != fixed[0].value), None)
    if different is not None:
        raise ModelSyntaxError(
            f"{different.name} is fixed to {different.value:g} and, as the same parameter, "
            f"{fixed[0].name} to {fixed[0].value:g}; give both one value or different labels",
            different.line,
            different.column,
        )
