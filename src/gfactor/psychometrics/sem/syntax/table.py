"""From a model text to its parameter table, as lavaan's `lavaanify` makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from gfactor.psychometrics.sem.parameters import REGRESSIONS, Parameter, ParameterTable
from gfactor.psychometrics.sem.syntax.defaults import group_rows
from gfactor.psychometrics.sem.syntax.levels import LEVELS, group_levels, level_names
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import Formula, ModelStatements, Relation
from gfactor.psychometrics.sem.syntax.options import CFA, SyntaxOptions
from gfactor.psychometrics.sem.syntax.parser import parse_model


def tie(
    rows: Sequence[Parameter], options: SyntaxOptions, two_level: bool = False
) -> tuple[list[Parameter], list[Parameter]]:
    """Return the rows, with an additional "==" row for each that is set equal to an earlier one.

    Equal rows without a label get the internal label of the first. If one of them is fixed, all are
    fixed to its value, and no "==" row is needed.

    Raises
    ------
    ModelSyntaxError: equal parameters fixed to different values.
    """
    if not any(row.label for row in rows) and len({row.group for row in rows}) <= 1:
        return list(rows), []  # within a group only labels make rows equal
    tied = list(rows)
    keys = _keys(tied, options, len(LEVELS) if two_level else 1)
    members: dict[str, list[int]] = {}
    order: list[str] = []  # keys by the position of their second member, as lavaan lists them
    for k, key in enumerate(keys):
        members.setdefault(key, []).append(k)
        if len(members[key]) == 2:
            order.append(key)
    ties: list[Parameter] = []
    for key in order:
        members_of = members[key]
        fixed = [tied[k] for k in members_of if not tied[k].free]
        if fixed:
            _check_values(fixed)
            for k in members_of:
                tied[k] = replace(tied[k], free=0, value=fixed[0].value)
            continue
        first = tied[members_of[0]].plabel
        ties += [Parameter(first, "==", tied[k].plabel, 0, user=2) for k in members_of[1:]]
        for k in members_of:
            tied[k] = replace(tied[k], label=tied[k].label or first)
    return tied, ties


def effect_codes(rows: Sequence[Parameter], options: SyntaxOptions) -> list[Parameter]:
    """Return the rows of effect coding: for every latent variable of every group, loadings average
    one and its indicators' intercepts average zero (Little, Slegers & Card 2006); exploratory
    factors have variance 1 instead."""
    loadings: dict[tuple[int, str], list[Parameter]] = {}
    for row in rows:
        if row.op == "=~" and not row.efa:
            loadings.setdefault((row.group, row.lhs), []).append(row)
    level = {(row.group, row.lhs): row.plabel for row in rows if row.op == "~1"}
    codings: list[Parameter] = []
    for (group, _), loads in loadings.items():
        codes: list[tuple[int, list[str]]] = []
        if "loadings" in options.effect_coding:
            codes.append((len(loads), [row.plabel for row in loads]))
        intercepts = [level[group, row.rhs] for row in loads if (group, row.rhs) in level]
        if "intercepts" in options.effect_coding and intercepts:
            codes.append((0, intercepts))
        for total, (first, *others) in codes:
            rest = "-".join([str(total), *others])
            codings.append(Parameter(first, "==", rest, 0, user=2))
    return codings


def _keys(rows: Sequence[Parameter], options: SyntaxOptions, levels: int) -> list[str]:
    """Return the key of each row, the same for equal rows: its label or a row's name."""
    latent = {row.lhs for row in rows if row.op in {"=~", "<~"}}
    taken = [_exogenous([row for row in rows if row.group % levels == k]) for k in range(levels)]
    partial = {text.replace(" ", "") for text in options.group_partial}
    keys: list[str] = []
    for row in rows:
        name = f"{row.lhs}{row.op}{row.rhs}"
        mirrored = f"{row.rhs}{row.op}{row.lhs}"
        shared = (
            not row.exo
            and not (row.op in {"~~", "~1"} and row.lhs in taken[row.group % levels])
            and not partial & {name, mirrored if row.op == "~~" else name}
            and _kind(row, latent) in options.group_equal
        )
        group, level = divmod(row.group - 1, levels)
        suffix = f".l{level + 1}" * bool(level)
        suffix += "" if not group or shared else f".g{group + 1}"
        keys.append(row.label or name + suffix)
    return keys


def _exogenous(rows: Sequence[Parameter]) -> set[str]:
    """Covariates: on the right of "~" or "<~" and in no other row of the text; they have no
    residuals."""
    text = [row for row in rows if row.user == 1]
    elsewhere = {row.lhs for row in text} | {r.rhs for r in text if r.op not in REGRESSIONS}
    return {row.rhs for row in text if row.op in REGRESSIONS} - elsewhere


def _kind(row: Parameter, latent: set[str]) -> str:
    """The name that `group_equal` has for rows of this kind."""
    if row.op == "~~":
        is_variance = row.lhs == row.rhs
        if row.lhs in latent:
            return "lv.variances" if is_variance else "lv.covariances"
        return "residuals" if is_variance else "residual.covariances"
    if row.op == "~1":
        return "means" if row.lhs in latent else "intercepts"
    return _NAMES.get(row.op, "")


_NAMES = {
    "=~": "loadings",
    "<~": "composite.loadings",
    "~": "regressions",
    "|": "thresholds",
}


def _check_values(fixed: Sequence[Parameter]) -> None:
    different = next((row for row in fixed if row.value != fixed[0].value), None)
    if different is not None:
        raise ModelSyntaxError(
            f"{different.name} is fixed to {different.value:g} and, as the same parameter, "
            f"{fixed[0].name} to {fixed[0].value:g}; give both one value or different labels",
            different.line,
            different.column,
        )


def build_table(
    text: str | ModelStatements, *, options: SyntaxOptions = CFA, groups: Sequence[str] = ()
) -> ParameterTable:
    """Return all rows of a model, completed by defaults, numbered, and tied by shared labels.

    Parameters
    ----------
    text : str or ModelStatements
        The model in lavaan's language, or already parsed.
    options : SyntaxOptions
        The defaults; `table_options` gives those of cfa, sem, growth and lavaan.
    groups : list of str
        Names of the groups in the order of the data; empty for a single sample. Modifiers
        with c(...) have one value per group, in this order.

    Returns
    -------
    ParameterTable
        Rows group by group; then the constraints and definitions of the text, in its order;
        then one "==" row (user 2) for each parameter that equals an earlier one.

    Raises
    ------
    ModelSyntaxError
        If the text has an error; the message says what is wrong, and where.
    UnknownNameError
        If a kind in `group_equal` does not exist.

    Examples
    --------
    >>> from gfactor.psychometrics.sem import build_table
    >>> len(build_table("f =~ x1 + x2 + x3").rows)
    7
    """
    model = parse_model(text) if isinstance(text, str) else text
    if model.two_level:
        options = replace(options, meanstructure=True)
    n_groups = max(1, len(groups))
    blocks = _blocks(list(model.formulas), groups)
    options = _with_intercepts(model, options)
    if "loadings" in options.effect_coding:
        options = replace(options, auto_fix_first=False)
    rows: list[Parameter] = []
    rows_of = group_levels if model.two_level else group_rows
    for group in range(1, n_groups + 1):
        if blocks is None:
            rows += rows_of(list(model.formulas), options, group, n_groups)
        else:  # a block's modifiers concern its own group, as if it were alone
            of_group = rows_of(blocks[group - 1], options, 1, 1)
            first = len(LEVELS) * (group - 1) if model.two_level else group - 1
            rows += [replace(row, group=first + row.group) for row in of_group]
    if model.two_level:
        groups = level_names(groups)
    labels = (f".p{number}." for number in range(1, len(rows) + 1))
    rows = [
        row.changed(plabel=label, free=number)
        for row, label, number in zip(rows, labels, _numbers(rows), strict=True)
    ]
    rows, ties = tie(rows, options, model.two_level)
    numbered = [  # again, since a tie may have fixed rows
        row if row.free == number else row.changed(free=number)
        for row, number in zip(rows, _numbers(rows), strict=True)
    ]
    relations = [_row(relation) for relation in model.relations]
    _check_names(numbered, list(model.relations))
    ties += effect_codes(rows, options)
    return ParameterTable((*numbered, *relations, *ties), tuple(groups), model.two_level)


def _numbers(rows: Sequence[Parameter]) -> list[int]:
    """Return the number of the free parameter of each row, from 1 in their order; 0 if fixed."""
    free = [row.free > 0 for row in rows]
    return [number * is_free for number, is_free in zip(accumulate(free), free, strict=True)]


def _with_intercepts(model: ModelStatements, options: SyntaxOptions) -> SyntaxOptions:
    """Add a mean structure to the options if any formula, of any group, has an intercept."""
    has = any(term.intercept for formula in model.formulas for term in formula.terms)
    return replace(options, meanstructure=True) if has else options


def _blocks(formulas: list[Formula], groups: Sequence[str]) -> list[list[Formula]] | None:
    """The formulas of each group if the text has `group:` lines, else None."""
    named = tuple(dict.fromkeys(formula.block for formula in formulas))
    if named == ("",):
        return None
    if "" in named:
        raise ModelSyntaxError("expected every formula after a 'group:' line, found some before it")
    n_groups = max(1, len(groups))
    if len(named) != n_groups:
        raise ModelSyntaxError(
            f"the text has {len(named)} blocks 'group:', the data {n_groups} "
            f"group{'s' if n_groups > 1 else ''}"
        )
    if set(named) != set(groups) and set(named) != {str(n + 1) for n in range(n_groups)}:
        raise ModelSyntaxError(
            f"the blocks are named {', '.join(named)}; expected the groups {', '.join(groups)}"
        )
    order = groups if set(named) == set(groups) else [str(n + 1) for n in range(n_groups)]
    return [[one for one in formulas if one.block == name] for name in order]


def _row(relation: Relation) -> Parameter:
    lhs, rhs = relation.text if any(relation.text) else (str(relation.lhs), str(relation.rhs))
    label = ""
    if relation.op == ":=":
        lhs = label = relation.lhs.names[0]
    return Parameter(
        lhs, relation.op, rhs, 0, label=label, line=relation.line, column=relation.column
    )


def _check_names(rows: list[Parameter], relations: list[Relation]) -> None:
    """Check names: definitions may use labels and definitions above them; constraints may use
    all."""
    labels = {row.label for row in rows if row.label}
    defined = labels | {row.plabel for row in rows}
    everything = defined | {one.lhs.names[0] for one in relations if one.op == ":="}
    for one in relations:
        position = (one.line, one.column)
        if one.op == ":=":
            names, allowed, new = one.rhs.names, defined, one.lhs.names[0]
            if new in defined:
                raise ModelSyntaxError(
                    f"{new!r} is defined twice, or is a label as well", *position
                )
            defined = defined | {new}
        else:
            names, allowed, new = (*one.lhs.names, *one.rhs.names), everything, ""
        for name in names:
            if name == new or name in everything - allowed:
                raise ModelSyntaxError(f"{name!r} is used before it is defined", *position)
            if name not in allowed:
                listed = ", ".join(sorted(labels)) or "(none)"
                raise ModelSyntaxError(
                    f"{name!r} is not a label of the model; its labels are: {listed}", *position
                )
