"""`bootstrap`: a fitted model's sampling distribution from its own cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, Severity, by_severity
from gfactor.psychometrics.inference.resampling import Bootstrap
from gfactor.psychometrics.sem.batches import (
    FAILED,
    IMPROPER,
    INFINITE,
    ManyFits,
    batchable,
    fit_each,
    fit_many,
)
from gfactor.psychometrics.sem.bootstrapping.resamples import (
    KINDS,
    Kind,
    Resamples,
    left_out,
    left_out_samples,
)
from gfactor.psychometrics.sem.bootstrapping.result import FitBootstrap
from gfactor.psychometrics.sem.fitted import Fit

_MANY = 0.05
"""Share of improper resamples from which on they are more than an accident of a few draws."""
_LISTED = 4


def bootstrap(
    fit: Fit,
    n_bootstrap: int = 1000,
    *,
    kind: Kind = "plain",
    seed: int = 0,
    level: float = 0.95,
    indices: np.ndarray | Sequence[np.ndarray] | None = None,
    watch: Callable[[int], object] | None = None,
) -> FitBootstrap:
    """Fit the model again to many samples drawn from the fit's cases (within groups).

    Maximum likelihood fits of complete cases are made in batches, about half a millisecond each;
    other fits one after the other.

    Parameters
    ----------
    fit : Fit
        Fit to cases.
    n_bootstrap : int
        Number of resamples, 1000 or more for intervals; ignored if `indices` are given.
    kind : Kind
        "plain" (cases with replacement), "bollen-stine" (the same after the cases are moved
        so that the model holds; for the p-value of the chi-square), "parametric" (normal
        samples from the model, for the same purpose or for small n).
    seed : int
        Seed of a PCG64 generator; equal seeds give equal bytes.
    level : float
        Confidence level of the intervals.
    indices : ndarray or list of ndarray, optional
        Cases of every resample, shape (n_bootstrap, n), from 0; one array per group of several.
    watch : callable, optional
        Called with the number of resamples done.

    Returns
    -------
    Bootstrap
        Estimates of every bootstrap sample, their intervals, and the samples that failed.

    Raises
    ------
    ParameterError
        For a fit to moments without cases, Bollen-Stine for incomplete cases or ordinal
        variables, wrong indices, or fewer than two resamples.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + x2 + x3 + x4", data)
    >>> from gfactor.psychometrics.sem.bootstrapping import bootstrap
    >>> len(bootstrap(fit, 20, seed=1).to_dict()) > 0
    True
    """
    groups = fit.sample.groups
    if kind not in KINDS:
        raise ParameterError(f"there is no bootstrap {kind!r}; choose one of {', '.join(KINDS)}.")
    fit.table.refuse_levels(
        "resamples", "fit by MLR, whose standard errors are those of independent clusters"
    )
    if any(group.rows is None for group in groups):
        raise ParameterError("the model was fitted to moments; a bootstrap needs the cases.")
    if any(group.designed for group in groups):
        raise ParameterError(
            "there is no bootstrap for sampling weights and clusters; use the robust (sandwich) "
            "standard errors of the fit."
        )
    if any(row.op == "|" for row in fit.table) and kind != "plain":
        raise ParameterError("ordinal variables have the plain bootstrap only.")
    if not 0 < level < 1:
        raise ParameterError(f"level is {level}, but must lie between 0 and 1.")
    missing = any(np.isnan(np.asarray(group.rows)).any() for group in groups)
    if missing and kind == "bollen-stine":
        raise ParameterError(
            "the Bollen-Stine bootstrap needs complete cases; take the plain or the parametric one."
        )
    given = None
    if indices is not None:
        if kind == "parametric":
            raise ParameterError(
                "indices are numbers of cases, but the parametric bootstrap draws no cases; leave "
                "them out."
            )
        given = [np.asarray(indices)] if len(groups) == 1 else [np.asarray(one) for one in indices]
        if len(given) != len(groups):
            raise ParameterError(f"indices need one array for each of the {len(groups)} groups.")
        given = [one.reshape(-1, one.shape[-1]) for one in given]
        n_bootstrap = len(given[0])
    if n_bootstrap < 2:
        raise ParameterError(f"a bootstrap needs two or more resamples, not {n_bootstrap}.")
    resamples = Resamples(fit, kind, n_bootstrap, seed, given)
    if batchable(fit):
        fits = fit_many(fit, resamples.moments(), watch=watch)
    else:
        fits = fit_each(fit, resamples.samples(), watch=watch)
    rows = np.flatnonzero([row.op not in {"==", "<", ">"} for row in fit.table])

    @cache
    def without_each() -> tuple[list[np.ndarray], list[np.ndarray]]:
        parts = _without_each(fit)
        return [one.values[:, rows] for one in parts], [one.standardized[:, rows] for one in parts]

    common: dict[str, Any] = {
        "labels": pd.DataFrame(
            [(row.lhs, row.op, row.rhs, row.group) for row in (fit.table.rows[k] for k in rows)],
            columns=["lhs", "op", "rhs", "group"],
        ),
        "n_bootstrap": len(fits),
        "n": fit.n,
        "level": level,
        "seed": seed if indices is None else None,
        "failures": fits.reasons(FAILED),
    }
    return FitBootstrap(
        **common,
        estimate=fit.row_values()[rows],
        draws=fits.values[fits.kept][:, rows],
        jackknife=lambda: without_each()[0],
        diagnostics=by_severity(_findings(fit, fits)),
        fit=fit,
        kind=kind,
        fits=fits,
        standardized=Bootstrap(
            **common,
            estimate=fit.row_standardized()[rows],
            draws=fits.standardized[fits.kept][:, rows],
            jackknife=lambda: without_each()[1],
        ),
    )


def _without_each(fit: Fit) -> list[ManyFits]:
    """The fits without each case, group by group."""
    if batchable(fit):
        return [fit_many(fit, moments) for _, moments in left_out(fit)]
    numbers = range(len(fit.sample.groups))
    return [fit_each(fit, left_out_samples(fit, number)) for number in numbers]


def _reasons(fits: ManyFits, kind: str) -> str:
    reasons = list(fits.reasons(kind).items())
    listed = "; ".join(f"{reason}: {count}" for reason, count in reasons[:_LISTED])
    rest = sum(count for _, count in reasons[_LISTED:])
    return listed + (f"; others: {rest}" if rest else "")


def _findings(fit: Fit, fits: ManyFits) -> Iterator[Diagnostic]:
    """Failed, infinite and improper resamples, with their shares and reasons; and that the fit
    itself did not converge."""
    drawn = len(fits)
    if not fit.converged:
        yield Diagnostic(
            "bootstrap_of_no_minimum",
            "error",
            f"The model's own fit did not end in a minimum ({fit.convergence.sentence}).",
            "Repair the model first; its bootstrap describes other solutions than its estimates.",
        )
    failed = fits.count(FAILED)
    if failed > 0.02 * drawn:
        yield Diagnostic(
            "resamples_lost",
            "error" if failed > 0.2 * drawn else "warning",
            f"{failed} of {drawn} resamples gave no fit ({_reasons(fits, FAILED)}).",
            "The intervals stand for the others only and are too narrow; simplify the model.",
            values={"asked": drawn, "lost": failed},
        )
    infinite = fits.count(INFINITE)
    if infinite:
        yield Diagnostic(
            "resamples_at_infinity",
            _grave(infinite / drawn),
            f"In {infinite} of {drawn} resamples the solution lies at infinity "
            f"({_reasons(fits, INFINITE)}).",
            "Intervals of the slopes concerned may end at infinity, and they have no standard "
            "error; read the standardized solution, or identify by markers instead of std_lv.",
            values={"asked": drawn, "at_infinity": infinite},
        )
    improper = fits.count(IMPROPER)
    if improper:
        yield Diagnostic(
            "resamples_improper",
            _grave(improper / drawn),
            f"{improper} of {drawn} resamples gave an improper solution "
            f"({_reasons(fits, IMPROPER)}).",
            "They are kept, since intervals without them would be too narrow; many of them say "
            "that the sample is small for the model, or the model wrong.",
            values={"asked": drawn, "improper": improper},
        )


def _grave(share: float) -> Severity:
    return "warning" if share > _MANY else "note"
