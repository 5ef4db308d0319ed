"""`bootstrap`: a fitted model's sampling distribution from its own cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import gravest_first
from gfactor.psychometrics.sem.batches import batchable, fit_each, fit_many
from gfactor.psychometrics.sem.bootstrapping.findings import findings
from gfactor.psychometrics.sem.bootstrapping.resamples import KINDS, Kind, Resamples
from gfactor.psychometrics.sem.bootstrapping.result import Bootstrap
from gfactor.psychometrics.sem.fitted import Fit


def bootstrap(
    fit: Fit,
    draws: int = 1000,
    *,
    kind: Kind = "plain",
    seed: int = 0,
    level: float = 0.95,
    indices: np.ndarray | Sequence[np.ndarray] | None = None,
    watch: Callable[[int], object] | None = None,
) -> Bootstrap:
    """Fits the model again to many samples drawn from the fit's cases (within groups).

    Maximum likelihood fits of complete cases are made in batches, about half a millisecond each;
    other fits one after the other.

    Parameters
    ----------
    fit : Fit
        Of cases.
    draws : int
        1000 and more for intervals; ignored where `indices` are given.
    kind : Kind
        "plain" (cases with replacement), "bollen-stine" (the same after the cases are moved
        so that the model holds; for the p-value of the chi-square), "parametric" (normal
        samples from the model, for the same purpose or for small n).
    seed : int
        Of a PCG64 generator; equal seeds give equal bytes.
    level : float
        Of intervals.
    indices : ndarray or list of ndarray, optional
        Cases of every resample, shape (draws, n), from 0; one array per group of several.
    watch : callable, optional
        Called with the number of resamples done.

    Returns
    -------
    Bootstrap
        Estimates of every resample, with intervals and what failed.

    Raises
    ------
    ParameterError
        A fit to moments without cases, Bollen-Stine for incomplete cases or ordinal
        variables, wrong indices, or fewer than two draws.

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
        raise ParameterError(f"there is no bootstrap {kind!r}; there are {', '.join(KINDS)}.")
    if any(group.rows is None for group in groups):
        raise ParameterError("the model was fitted to moments; a bootstrap needs the cases.")
    if any(group.designed for group in groups):
        raise ParameterError(
            "sampling weights and clusters have no bootstrap here; their standard errors are those "
            "of the sandwich."
        )
    if any(row.op == "|" for row in fit.table) and kind != "plain":
        raise ParameterError("ordinal variables have the plain bootstrap only.")
    if not 0 < level < 1:
        raise ParameterError(f"level is {level}, but it lies between 0 and 1.")
    missing = any(np.isnan(np.asarray(group.rows)).any() for group in groups)
    if missing and kind == "bollen-stine":
        raise ParameterError(
            "the Bollen-Stine bootstrap needs complete cases; take the plain or the parametric one."
        )
    given = None
    if indices is not None:
        if kind == "parametric":
            raise ParameterError("indices name cases, and the parametric bootstrap draws none.")
        given = [np.asarray(indices)] if len(groups) == 1 else [np.asarray(one) for one in indices]
        if len(given) != len(groups):
            raise ParameterError(f"indices need one array for each of the {len(groups)} groups.")
        given = [one.reshape(-1, one.shape[-1]) for one in given]
        draws = len(given[0])
    if draws < 2:
        raise ParameterError(f"a bootstrap needs two or more resamples, not {draws}.")
    resamples = Resamples(fit, kind, draws, seed, given)
    if batchable(fit):
        fits = fit_many(fit, resamples.moments(), watch=watch)
    else:
        fits = fit_each(fit, resamples.samples(), watch=watch)
    return Bootstrap(
        fit,
        kind,
        None if indices is not None else seed,
        fits,
        level,
        fit.row_values(),
        fit.row_standardized(),
        gravest_first(findings(fit, fits)),
    )
