"""Sentences on an exploratory factor analysis."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gfactor.numbers_in_text import p_value, share
from gfactor.psychometrics.factor.exploratory import Efa
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    Z,
    listed,
    range_of,
    share_between,
    software,
)
from gfactor.results import number_of

METHODS = {"ml": "maximum likelihood", "minres": "minimum residuals", "pa": "principal axes"}


def sentences_on_efa(solution: Efa) -> Iterable[str]:
    alone = solution.factors == 1
    chosen = "" if solution.parallel is None else " (the number by parallel analysis)"
    rotation = "without rotation"
    if solution.rotation != "none" and not alone:
        changed = [f"{name} {value:g}" for name, value in
                   solution.settings.changed(solution.rotation).items()]  # fmt: skip
        rotation = (
            f"rotated by {' '.join([solution.rotation, *changed])} "
            f"({'oblique' if solution.oblique else 'orthogonal'}, best of {solution.starts} "
            f"starts, reached by {solution.agreeing:.0%})"
        )
    yield (
        f"{number_of(solution.factors, 'factor').capitalize()}{chosen} of "
        f"{number_of(solution.k, 'indicator')} {'was' if alone else 'were'} extracted by "
        f"{METHODS[solution.method]} from the correlations of {solution.n} persons with "
        f"{software()}, {rotation}."
    )
    for one in solution.diagnostics:
        if one.code == "incomplete_rows" and one.severity == "note":
            yield one.sentence
    fit = solution.fit
    if fit.df > 0:
        yield (
            f"Fit: chi-square({fit.df}) = {fit.chi_square:.2f}, p {p_value(fit.p, '= ')}, RMSEA = "
            f"{share(fit.rmsea)}, {share_between(fit.rmsea_low, fit.rmsea_high, 0.9, 3)}, TLI = "
            f"{share(fit.tli)}, RMSR = {share(fit.rmsr)}."
        )
    else:
        yield f"There are no degrees of freedom for a test of fit; RMSR = {share(fit.rmsr)}."
    explained = solution.variance
    yield (
        f"{'The factor explains' if alone else 'The factors explain'} "
        f"{explained['cumulative'].iloc[-1]:.0%} of the variance; "
        f"communalities were {range_of(solution.indicators['communality'])}."
    )
    yield from _efa_loadings(solution)
    if solution.oblique and not alone:
        upper = np.triu_indices(solution.factors, 1)
        pairs = [
            f"{solution.phi.index[i]} with {solution.phi.index[j]} "
            f"{share(solution.phi.iloc[i, j], 2)}{_efa_error(solution, int(i), int(j))}"
            for i, j in zip(*upper, strict=True)
        ]
        if len(pairs) <= MOST_LISTED:
            yield f"Factor correlations: {listed(pairs)}."
        else:
            yield f"Factor correlations were {range_of(solution.phi.to_numpy()[upper])}."


def _efa_error(solution: Efa, i: int, j: int) -> str:
    if solution.errors is None:
        return ""
    middle, se = float(solution.phi.iloc[i, j]), float(solution.errors.phi.iloc[i, j])  # type: ignore[arg-type]
    return f", {share_between(middle - Z * se, middle + Z * se)}"


def _efa_loadings(solution: Efa) -> Iterable[str]:
    """For every factor the indicators that load on it more than on the others."""
    sizes = solution.loadings.abs()
    best = sizes.idxmax(axis=1)
    if solution.factors == 1:
        yield f"Loadings were {range_of(solution.loadings.to_numpy().ravel())}."
    for name in solution.loadings if solution.factors > 1 else ():
        highest = [one for one in sizes.index if best[one] == name]
        if highest:
            values = solution.loadings.loc[highest, name]
            yield f"{name} has its highest loadings ({range_of(values)}) on {listed(highest)}."
    if solution.errors is not None:
        yield (
            "Standard errors of loadings (normal theory) were "
            f"{range_of(solution.errors.loadings.to_numpy().ravel())}."
        )
