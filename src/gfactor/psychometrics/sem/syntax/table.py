"""From a model text to its parameter table, as lavaan's `lavaanify` makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.syntax.defaults import group_rows
from gfactor.psychometrics.sem.syntax.equality import effect_codes, tie
from gfactor.psychometrics.sem.syntax.errors import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import Formula, Model, Relation
from gfactor.psychometrics.sem.syntax.options import CFA, TableOptions
from gfactor.psychometrics.sem.syntax.parser import parse_model


def build_table(
    text: str | Model, *, options: TableOptions = CFA, groups: Sequence[str] = ()
) -> ParameterTable:
    """All rows of a model, completed by defaults, numbered, and tied where labels are shared.

    Parameters
    ----------
    text : str or Model
        The model in lavaan's language, or already parsed.
    options : TableOptions
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
        What is wrong with the text, where.
    UnknownNameError
        A kind of `group_equal` that does not exist.

    Examples
    --------
    >>> from gfactor.psychometrics.sem import build_table
    >>> len(build_table("f =~ x1 + x2 + x3").rows)
    7
    """
    model = parse_model(text) if isinstance(text, str) else text
    n_groups = max(1, len(groups))
    blocks = _blocks(list(model.formulas), groups)
    options = _with_intercepts(model, options)
    if "loadings" in options.effect_coding:
        options = replace(options, auto_fix_first=False)
    rows: list[Parameter] = []
    for group in range(1, n_groups + 1):
        if blocks is None:
            rows += group_rows(list(model.formulas), options, group, n_groups)
        else:  # a block's modifiers concern its own group, as if it were alone
            made = group_rows(blocks[group - 1], options, 1, 1)
            rows += [replace(row, group=group) for row in made]
    rows = [row.changed(plabel=f".p{place}.") for place, row in enumerate(rows, start=1)]
    rows, ties = tie(rows, options)
    numbers = accumulate(row.free for row in rows)
    numbered = [row.changed(free=row.free * n) for row, n in zip(rows, numbers, strict=True)]
    relations = [_row(relation) for relation in model.relations]
    _check_names(numbered, list(model.relations))
    ties += effect_codes(rows, options)
    return ParameterTable((*numbered, *relations, *ties), tuple(groups))


def _with_intercepts(model: Model, options: TableOptions) -> TableOptions:
    """With a mean structure as soon as any formula, of any group, has an intercept."""
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
    """Definitions use labels and what is defined above them; constraints use anything known."""
    labels = {row.label for row in rows if row.label}
    known = labels | {row.plabel for row in rows}
    everything = known | {one.lhs.names[0] for one in relations if one.op == ":="}
    for one in relations:
        place = (one.line, one.column)
        if one.op == ":=":
            names, allowed, new = one.rhs.names, known, one.lhs.names[0]
            if new in known:
                raise ModelSyntaxError(f"{new!r} is defined twice, or is a label as well", *place)
            known = known | {new}
        else:
            names, allowed, new = (*one.lhs.names, *one.rhs.names), everything, ""
        for name in names:
            if name == new or name in everything - allowed:
                raise ModelSyntaxError(f"{name!r} is used before it is defined", *place)
            if name not in allowed:
                shown = ", ".join(sorted(labels)) or "(none)"
                raise ModelSyntaxError(
                    f"{name!r} is no label of the model; its labels are: {shown}", *place
                )
