"""Which part each variable plays in a model: latent, indicator, predicted, exogenous."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gfactor.psychometrics.sem.syntax.errors import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import Formula


@dataclass(frozen=True)
class Roles:
    """Variables by role, each tuple in the order in which lavaan lists them.

    Parameters
    ----------
    latent: all latent variables.
    latent_exogenous: latent variables that nothing predicts or measures.
    outcomes: latent, then observed variables that are predicted, predict nothing and are no
        indicators.
    observed: indicators, then predicted, then exogenous variables, then those that are only in
        covariances, intercepts or thresholds.
    exogenous: observed variables on the right of "~" only, and in no other row of the text.
    indicators: everything on the right of "=~", latent variables included.
    """

    latent: tuple[str, ...]
    latent_exogenous: tuple[str, ...]
    outcomes: tuple[str, ...]
    observed: tuple[str, ...]
    exogenous: tuple[str, ...]
    indicators: tuple[str, ...]

    @property
    def order(self) -> dict[str, int]:
        """Rank of each variable: latent ones first; a covariance names the lower rank first."""
        return {name: rank for rank, name in enumerate((*self.latent, *self.observed))}


def roles(formulas: Iterable[Formula]) -> Roles:
    """The roles of all variables in these formulas.

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
    regressions = [(lhs, rhs) for lhs, op, rhs in triples if op == "~" and rhs]
    latent = _unique(lhs for lhs, _ in loadings)
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
    ends = [n for n in (*latent, *observed) if n in set(predicted) - {*predictors, *indicators}]
    return Roles(
        latent=latent,
        latent_exogenous=tuple(name for name in latent if name not in inner),
        outcomes=tuple(ends),
        observed=observed,
        exogenous=tuple(n for n in main if n not in {*inner, *mentioned}),
        indicators=indicators,
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _in_order(triples: list[tuple[str, str, str]], known: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs of covariance rows, the variable that is listed first on the left."""
    unlisted = (*(lhs for lhs, _, _ in triples), *(rhs for _, _, rhs in triples))
    rank = {name: place for place, name in enumerate(_unique((*known, *unlisted)))}
    return [(min(a, b, key=rank.get), max(a, b, key=rank.get)) for a, _, b in triples]  # type: ignore[arg-type]


def _check_loadings(formulas: Iterable[Formula]) -> None:
    for formula in formulas:
        for term in formula.terms:
            if formula.op == "=~" and term.name in formula.lhs:
                raise ModelSyntaxError(
                    f"the latent variable {term.name!r} cannot be its own indicator",
                    term.line,
                    term.column,
                )
