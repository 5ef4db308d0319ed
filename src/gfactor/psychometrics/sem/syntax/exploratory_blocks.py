"""Blocks of factors that are rotated: efa("name")*f1 + efa("name")*f2 =~ x1 + x2 + ...

References
----------
Asparouhov, T., Muthen, B. (2009). Exploratory structural equation modeling. Structural Equation
    Modeling 16, 397-438.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gfactor.psychometrics.sem.parameters import REGRESSIONS
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import Formula, Term


def factor_blocks(formulas: Iterable[Formula]) -> dict[str, tuple[str, ...]]:
    """Return the factors of each block, in the order of the text.

    Raises
    ------
    ModelSyntaxError: if a rotation would change the rest of the model: factors of a block with
    other
        indicators, fewer indicators than identify them, loadings with modifiers, a factor in two
        blocks or in one that measures it, or a formula that treats the factors of a block
        differently.
    """
    formulas = list(formulas)
    blocks: dict[str, dict[str, None]] = {}
    of: dict[str, str] = {}
    for formula in formulas:
        for name, factor in zip(formula.efa, formula.lhs, strict=bool(formula.efa)):
            if of.setdefault(factor, name) != name:
                raise _error(f"the factor {factor!r} is in two blocks", formula)
            if name:
                blocks.setdefault(name, {})[factor] = None
    if not blocks:
        return {}
    indicators: dict[str, set[str]] = {}
    for formula in formulas:
        for factor in formula.lhs if formula.op == "=~" else ():
            if not of.get(factor):
                continue
            if not formula.efa:
                raise _error(
                    f'write efa("{of[factor]}")* in front of {factor!r} here, too', formula
                )
            for term in formula.terms:
                if term.modifiers:
                    raise _error(
                        f"the loading of {term.name!r} has a modifier, but a rotation sets all "
                        f"loadings of the block {of[factor]!r}; take it away, or write the factors "
                        "without efa()",
                        formula,
                        term,
                    )
                indicators.setdefault(factor, set()).add(term.name)
    latent = {name for formula in formulas if formula.op == "=~" for name in formula.lhs}
    first = next(formula for formula in formulas if formula.efa)
    for name, factors in blocks.items():
        shared = indicators[next(iter(factors))]
        for factor in factors:
            if indicators[factor] != shared:
                raise _error(
                    f"the factors of the block {name!r} have different indicators; all of them "
                    "load on all factors",
                    first,
                )
        p, m = len(shared), len(factors)
        if (p - m) ** 2 < p + m:
            raise _error(
                f"the block {name!r} has {m} factors and {p} indicators, which do not identify "
                "them; take fewer factors",
                first,
            )
        for one in sorted(shared & latent):
            raise _error(f"{one!r} is an indicator of the block {name!r} and latent", first)
        _check_use(formulas, name, tuple(factors), shared)
    return {name: tuple(factors) for name, factors in blocks.items()}


def _check_use(
    formulas: Sequence[Formula], name: str, factors: tuple[str, ...], shared: set[str]
) -> None:
    """Check that other formulas treat a block's factors alike, and leave its indicators alone."""
    inside = set(factors)
    partners: dict[tuple[str, str], set[str]] = {}
    for formula in formulas:
        if formula.efa and inside & set(formula.lhs):
            continue
        for lhs in formula.lhs:
            for term in formula.terms:
                pair = {lhs, term.name}
                if formula.op in REGRESSIONS and pair & shared and not term.intercept:
                    raise _error(
                        f"{sorted(pair & shared)[0]!r} is an indicator of the block {name!r}, "
                        "which takes part in no regression",
                        formula,
                        term,
                    )
                if not pair & inside or term.intercept:
                    continue
                if formula.op == "=~":
                    raise _error(
                        f"{term.name!r} is a factor of the block {name!r}; no factor of factors "
                        "is left as it is by a rotation",
                        formula,
                        term,
                    )
                if any(one.kind not in {"label", "start"} for one in term.modifiers):
                    raise _error(
                        f"{lhs} {formula.op} {term.name} is fixed or bounded, and {name!r} is "
                        "rotated; take the modifier away",
                        formula,
                        term,
                    )
                if formula.op == "~~" and lhs == term.name:
                    raise _error(
                        f"the variance of {lhs!r} is 1, which is the scale of the block {name!r}; "
                        "take this formula away",
                        formula,
                        term,
                    )
                if pair <= inside:
                    if formula.op == "~":
                        raise _error(
                            f"the factors {lhs!r} and {term.name!r} of the block {name!r} cannot "
                            "predict each other; they covary",
                            formula,
                            term,
                        )
                    continue
                left = lhs in inside
                side = "" if formula.op == "~~" else "<" if left else ">"
                key = (f"{formula.op}{side}", term.name if left else lhs)
                partners.setdefault(key, set()).add(lhs if left else term.name)
    for (_, other), some in partners.items():
        if some != inside:
            missing = ", ".join(name for name in factors if name not in some)
            raise ModelSyntaxError(
                f"{other!r} goes with {', '.join(sorted(some))} and not with {missing}; a rotation "
                f"mixes the factors of the block {name!r}, so name all of them"
            )


def _error(message: str, formula: Formula, term: Term | None = None) -> ModelSyntaxError:
    at = term or formula.terms[0]
    return ModelSyntaxError(message, at.line, at.column)
