"""The rows of one group: those of the text, then those that lavaan's defaults add, in its order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement as pairs

from gfactor.psychometrics.sem.parameters import REGRESSIONS, Parameter
from gfactor.psychometrics.sem.syntax.exploratory_blocks import factor_blocks
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import Formula, Modifier, Term
from gfactor.psychometrics.sem.syntax.options import SyntaxOptions


@dataclass(frozen=True)
class Roles:
    """Variables by role, each tuple in the order in which lavaan lists them.

    Parameters
    ----------
    latent: all latent variables, and composites.
    composites: weighted sums of other variables (on the left of "<~").
    latent_exogenous: latent variables that nothing predicts or measures.
    outcomes: latent, then observed variables that are predicted, predict nothing and are not
    indicators.
    observed: indicators, then predicted, then exogenous variables, then those that are only in
        covariances, intercepts or thresholds.
    exogenous: observed variables on the right of "~" or "<~" only, and in no other row of the
        text.
    indicators: everything on the right of "=~", latent variables included.
    blocks: the factors of each exploratory block.
    """

    latent: tuple[str, ...]
    composites: frozenset[str]
    latent_exogenous: tuple[str, ...]
    outcomes: tuple[str, ...]
    observed: tuple[str, ...]
    exogenous: tuple[str, ...]
    indicators: tuple[str, ...]
    blocks: Mapping[str, tuple[str, ...]]

    @cached_property
    def block_of(self) -> dict[str, str]:
        """The exploratory block of each exploratory factor."""
        return {factor: name for name, factors in self.blocks.items() for factor in factors}

    @property
    def order(self) -> dict[str, int]:
        """Rank of each variable: latent ones first; a covariance names the lower rank first."""
        return {name: rank for rank, name in enumerate((*self.latent, *self.observed))}


def roles(formulas: Sequence[Formula]) -> Roles:
    """Return the roles of all variables in these formulas.

    Raises
    ------
    ModelSyntaxError: a latent variable that measures itself.
    """
    triples = [
        (lhs, formula.op, "" if term.intercept else term.name)
        for formula in formulas
        for lhs in formula.lhs
        for term in formula.terms
    ]
    _check_loadings(formulas)
    loadings = [(lhs, rhs) for lhs, op, rhs in triples if op == "=~"]
    regressions = [(lhs, rhs) for lhs, op, rhs in triples if op in REGRESSIONS and rhs]
    composites = frozenset(lhs for lhs, op, _ in triples if op == "<~")
    latent = _unique(lhs for lhs, op, _ in triples if op in {"=~", "<~"})
    indicators = _unique(rhs for _, rhs in loadings)
    predicted = _unique(lhs for lhs, _ in regressions)
    predictors = _unique(rhs for _, rhs in regressions)
    main = _unique(
        name for name in (*indicators, *predicted, *predictors) if name not in set(latent)
    )
    covariances = _in_order([t for t in triples if t[1] == "~~"], (*latent, *main))
    mentioned = [
        *(lhs for lhs, _ in covariances),
        *(rhs for _, rhs in covariances),
        *(lhs for lhs, op, rhs in triples if op == "~" and not rhs),
    ]
    others = [lhs for lhs, op, _ in triples if op in {"|", "~*~"}]
    observed = _unique(n for n in (*main, *mentioned, *others) if n not in set(latent))
    inner = {*indicators, *predicted}
    ends = {*predicted} - {*predictors, *indicators} - composites
    return Roles(
        latent=latent,
        composites=composites,
        latent_exogenous=tuple(name for name in latent if name not in inner),
        outcomes=tuple(name for name in (*latent, *observed) if name in ends),
        observed=observed,
        exogenous=tuple(n for n in main if n not in {*inner, *mentioned}),
        indicators=indicators,
        blocks=factor_blocks(formulas),
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _in_order(triples: list[tuple[str, str, str]], names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs of covariance rows, the variable that is listed first on the left."""
    unlisted = (*(lhs for lhs, _, _ in triples), *(rhs for _, _, rhs in triples))
    rank = {name: k for k, name in enumerate(_unique((*names, *unlisted)))}
    return [(min(a, b, key=rank.get), max(a, b, key=rank.get)) for a, _, b in triples]  # type: ignore[arg-type]


def _check_loadings(formulas: Iterable[Formula]) -> None:
    for formula in formulas:
        for term in formula.terms:
            if formula.op in {"=~", "<~"} and term.name in formula.lhs:
                role = "indicator" if formula.op == "=~" else "part"
                raise ModelSyntaxError(
                    f"the latent variable {term.name!r} cannot be its own {role}",
                    term.line,
                    term.column,
                )


_FREE = 1
"""Marks a free row here; numbers are given when all groups are there."""


@dataclass(frozen=True)
class _GroupBlock:
    """Group that a row is made for: its number from 1, and the number of groups."""

    group: int
    groups: int


def group_rows(
    formulas: Sequence[Formula], options: SyntaxOptions, group: int, groups: int
) -> list[Parameter]:
    """Return the rows of a group, `free` 1 or 0, without internal labels.

    Raises
    ------
    ModelSyntaxError: a parameter that the text has twice; a modifier with the wrong number of
        values for the number of groups.
    """
    part = roles(formulas)
    block = _GroupBlock(group, groups)
    meanstructure = options.meanstructure or any(
        term.intercept for formula in formulas for term in formula.terms
    )
    rows = _of_the_text(formulas, part, options, block)
    there = {(row.lhs, row.op, row.rhs) for row in rows}
    for row in _added(part, options, block, rows, meanstructure):
        if (row.lhs, row.op, row.rhs) not in there:
            there.add((row.lhs, row.op, row.rhs))
            rows.append(row)
    return rows


def _of_the_text(
    formulas: Sequence[Formula], part: Roles, options: SyntaxOptions, block: _GroupBlock
) -> list[Parameter]:
    rows: dict[tuple[str, str, str], Parameter] = {}
    rank = part.order
    started: set[str] = set()
    plain = Parameter("", "", "", block.group, free=_FREE)
    for formula in formulas:
        for lhs in formula.lhs:
            for term in formula.terms:
                triple = _triple(formula.op, lhs, term, rank)
                if triple in rows:
                    raise ModelSyntaxError(
                        f"the parameter {' '.join(triple).strip()} is in the model twice",
                        term.line,
                        term.column,
                    )
                row = plain.changed(
                    lhs=triple[0], op=triple[1], rhs=triple[2], line=term.line, column=term.column
                )
                rotated = part.block_of.get(lhs, "") if triple[1] == "=~" else ""
                if rotated:
                    row = replace(row, efa=rotated)
                elif triple[1] == "=~" and lhs not in started and options.auto_fix_first:
                    row = row if options.std_lv else replace(row, free=0, value=1.0)
                if _scales(triple, part, options):
                    row = replace(row, free=0, value=1.0)
                if formula.op in REGRESSIONS and options.conditional_x:
                    row = replace(row, exo=triple[2] in part.exogenous)
                started.add(lhs if triple[1] == "=~" else "")
                for modifier in term.modifiers:
                    row = _modified(row, modifier, block)
                rows[triple] = row
    return list(rows.values())


def _scales(triple: tuple[str, str, str], part: Roles, options: SyntaxOptions) -> bool:
    """Return True if the row is the variance that scales a latent variable under std_lv."""
    lhs, op, rhs = triple
    return options.std_lv and op == "~~" and lhs == rhs and lhs in part.latent


def _released(options: SyntaxOptions, block: _GroupBlock) -> bool:
    """Return True if equal loadings pass the first group's scale on to this later group."""
    return block.group > 1 and "loadings" in options.group_equal


def _triple(op: str, lhs: str, term: Term, rank: dict[str, int]) -> tuple[str, str, str]:
    if term.intercept:
        return lhs, "~1", ""
    if op == "~*~" and lhs != term.name:
        raise ModelSyntaxError(
            f"expected {lhs!r} on both sides of '~*~', found {term.name!r}", term.line, term.column
        )
    if op == "~~" and rank[term.name] < rank[lhs]:
        return term.name, op, lhs
    return lhs, op, term.name


def _modified(row: Parameter, modifier: Modifier, block: _GroupBlock) -> Parameter:
    if len(modifier.values) not in {1, block.groups}:
        raise ModelSyntaxError(
            f"the modifier {modifier} of {row.lhs} {row.op} {row.rhs} has {len(modifier.values)} "
            f"values for {block.groups} group{'s' if block.groups > 1 else ''}; give one value, or "
            "one per group",
            row.line,
            row.column,
        )
    value = modifier.values[0 if len(modifier.values) == 1 else block.group - 1]
    if isinstance(value, str):
        return replace(row, label=value) if value else row
    if value is None:
        return row
    if modifier.kind == "fixed":
        if math.isnan(value):
            return replace(row, free=_FREE, value=None if row.free == 0 else row.value)
        return replace(row, free=0, value=value)
    if modifier.kind == "start":
        # For a fixed parameter a start value changes the fixed value, as in lavaan: start(2)*x1 of
        # a first indicator.
        return replace(row, value=value)
    return replace(row, **{modifier.kind: value})


def _added(
    part: Roles,
    options: SyntaxOptions,
    block: _GroupBlock,
    text: Sequence[Parameter],
    meanstructure: bool,
) -> Iterator[Parameter]:
    """Every row that the defaults would add, in lavaan's order, whether the text has it or not."""
    plain = Parameter("", "", "", block.group, user=0)

    def row(
        lhs: str, op: str, rhs: str, value: float | None = None, exo: bool = False
    ) -> Parameter:
        free = 0 if exo or value is not None else _FREE
        return plain.changed(lhs=lhs, op=op, rhs=rhs, free=free, value=value, exo=exo)

    ordered = [name for name in part.observed if name in options.ordered]
    ordered += [r.lhs for r in text if r.op == "|" and r.lhs not in options.ordered]
    ordered = sorted(dict.fromkeys(ordered), key=part.order.__getitem__)
    if options.auto_th:
        for name in ordered:
            for step in range(1, options.ordered.get(name, 0) + 1):
                yield row(name, "|", f"t{step}")
    alone = _alone(text)
    for factors in part.blocks.values():
        for one, two in _distinct(factors):
            yield row(one, "~~", two)
    for name in (*part.observed, *part.latent):
        if name not in part.exogenous:
            yield row(name, "~~", name, _variance(name, part, options, block, alone, ordered))
    if options.auto_cov_lv_x:
        for one, two in _distinct(part.latent_exogenous):
            apart = options.orthogonal or options.orthogonal_x
            yield row(one, "~~", two, 0.0 if apart else None)
    if options.auto_cov_y:
        apart = options.orthogonal or options.orthogonal_y
        for one, two in _distinct(part.outcomes):
            latent = two in part.latent and one in part.latent
            yield row(one, "~~", two, 0.0 if apart and latent else None)
    for one, two in pairs(part.exogenous, 2):
        yield row(one, "~~", two, exo=options.fixed_x)
    if options.auto_delta:
        released = block.group > 1 and "thresholds" in options.group_equal
        free = released and options.parameterization == "delta"
        for name in ordered:
            yield row(name, "~*~", name, None if free else 1.0)
    if meanstructure:
        yield from _intercepts(part, options, block, ordered, row)


def _distinct(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((one, two) for one, two in pairs(names, 2) if one != two)


def _alone(text: Sequence[Parameter]) -> set[str]:
    """Indicators of one latent variable alone, which has no other indicator."""
    loadings = [(row.lhs, row.rhs) for row in text if row.op == "=~"]
    indicators = Counter(latent for latent, _ in loadings)
    owners = Counter(indicator for _, indicator in loadings)
    return {one for latent, one in loadings if owners[one] == 1 == indicators[latent]}


def _variance(
    name: str,
    part: Roles,
    options: SyntaxOptions,
    block: _GroupBlock,
    alone: set[str],
    ordered: Sequence[str],
) -> float | None:
    """Return the value to which a variance is fixed by default, or None for a free one."""
    later = block.group > 1
    if name in ordered:
        freed = (
            options.parameterization == "theta"
            and later
            and "thresholds" in options.group_equal
            and "residuals" not in options.group_equal
        )
        return None if freed else 1.0
    if name in part.composites:
        # lavaan 0.6-14 fixes it at 1 under std.lv, so that the variable is no longer a sum of
        # others.
        return 0.0
    if name in part.block_of:
        # The loadings of a block of several factors are never equal across groups.
        return None if _released(options, block) else 1.0
    if options.std_lv and name in part.latent and _released(options, block):
        return None
    if options.auto_fix_single and name in alone:
        return 0.0
    if name in part.latent and options.std_lv:
        return 1.0
    return None if options.auto_var else 0.0


def _intercepts(
    part: Roles,
    options: SyntaxOptions,
    block: _GroupBlock,
    ordered: Sequence[str],
    row: Callable[..., Parameter],
) -> Iterator[Parameter]:
    for name in part.observed:
        if name in part.exogenous and options.fixed_x:
            yield row(name, "~1", "", exo=True)
        else:
            fixed = name in ordered or not options.int_ov_free
            yield row(name, "~1", "", 0.0 if fixed else None)
    equal = {"intercepts", "thresholds"} & set(options.group_equal)
    released = block.group > 1 and equal and "means" not in options.group_equal
    free = options.int_lv_free or released
    for name in part.latent:
        coded = "intercepts" in options.effect_coding and name not in part.block_of
        yield row(name, "~1", "", None if free or coded else 0.0)
