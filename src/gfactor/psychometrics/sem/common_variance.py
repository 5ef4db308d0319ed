"""Division of the variance of sums of indicators among latent variables: omega and its relatives.

Every latent variable's own part (its disturbance) is a separate source of variance; variance that
it passes on from a factor above it counts for that factor. So a second-order model is used in its
Schmid-Leiman form, a bifactor model as it is.

References
----------
McDonald, R. P. (1999). Test theory: a unified treatment. Erlbaum. (omega)
Zinbarg, R. E., Revelle, W., Yovel, I., Li, W. (2005). Psychometrika 70, 123-133. (omega_h)
Reise, S. P. (2012). Multivariate Behavioral Research 47, 667-696. (omega_hs, ECV)
Rodriguez, A., Reise, S. P., Haviland, M. G. (2016). Psychological Methods 21, 137-150. (H, PUC)
Hancock, G. R., Mueller, R. O. (2001). In Structural equation modeling: present and future. (H)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.psychometrics.sem.model.derivative_index import LOADING

Array = NDArray[np.float64]
Index = tuple[str, str]
"""The name of an index and the latent variable it belongs to."""


def loadings(point: GroupPoint, measured: NDArray[np.bool_] | None = None) -> Array:
    """Return loadings of the indicators on the latent variables, shape (p, true latents); zeros at
    variables that are no indicators in the model.

    An indicator that another variable also predicts is a latent variable in the matrices, and its
    loading is one of the regressions.

    Parameters
    ----------
    measured: indicators of each latent variable; None if loadings stand among the loadings only.
    """
    s = point.structure
    count = s.n_true_latent
    lam = point.loading[:, :count]
    if measured is None or s.q == count:
        return lam
    lam = lam.copy()
    for eta in range(count, s.q):
        for k in np.flatnonzero(s.base[LOADING][:, eta])[:1]:  # none for given covariates
            lam[k] += np.where(measured[k], point.regression[eta, :count], 0.0)
    return lam


def sources(point: GroupPoint, lam: Array) -> Array:
    """Return loadings on every source of common variance, shape (p, k), each of variance one. A
    negative disturbance gives NaN."""
    with np.errstate(invalid="ignore"):
        sd = np.sqrt(point.psi.diagonal())
    return (lam @ point.total[: lam.shape[1]]) * sd


def _acts(point: GroupPoint, lam: Array) -> NDArray[np.bool_]:
    """Return True for a latent variable and an indicator on which it acts, also indirectly."""
    count = lam.shape[1]
    effects = np.abs(lam @ point.total[:count, :count])
    # An effect of zero comes out of an inverse as 1e-17.
    return effects > 1e-12 * effects.max(axis=0)


def general_factor(point: GroupPoint, lam: Array) -> int | None:
    """Return the general factor, a latent variable that affects all indicators while others affect
    some of them; None if there is none. It affects all directly (bifactor) or all through others
    (second order). A variable with only some indicators of its own is a predictor and not general.
    """
    count = point.structure.n_true_latent
    acts = _acts(point, lam)
    wide = acts.sum(axis=0)
    if count < 2 or not wide.size:
        return None
    widest = int(np.argmax(wide))
    others = [k for k in range(count) if k != widest and 0 < wide[k] < wide[widest]]
    whole = wide[widest] == int(acts.any(axis=1).sum())
    reach = int((np.abs(lam[:, widest]) > 0).sum())
    return widest if whole and len(others) == count - 1 and reach in {0, wide[widest]} else None


Scored = Callable[[Array, bool], Array]
"""Function from covariances of responses to those of scores: of their common parts or, with True,
of the whole responses, so that the diagonal holds the scores' variances."""


def as_they_are(covariances: Array, whole: bool) -> Array:
    """Return continuous indicators unchanged, which need no scoring."""
    del whole
    return covariances


def indices(
    point: GroupPoint,
    total: Array | None = None,
    scored: Scored = as_they_are,
    scorable: NDArray[np.bool_] | None = None,
    measured: NDArray[np.bool_] | None = None,
) -> dict[Index, float]:
    """Return every index that the model defines: see `gfactor.psychometrics.sem.model_reliability`.

    Parameters
    ----------
    total: covariance matrix of the indicators from which the variances of sums are computed: the
    model's (as McDonald has it), or the sample's.
    scored: parts of the sums: the indicators, or categories of the responses behind them.
    scorable: indicators whose sums are defined; indices of sums with others are left out.
    measured: see `loadings`.
    """
    every = np.ones(len(point.sigma), dtype=bool) if scorable is None else scorable
    lam = loadings(point, measured)
    return dict(_indices(point, lam, point.sigma if total is None else total, scored, every))


def _indices(
    point: GroupPoint, lam: Array, responses: Array, scored: Scored, scorable: NDArray[np.bool_]
) -> Iterator[tuple[Index, float]]:
    count = point.structure.n_true_latent
    names = point.structure.latent[:count]
    lam_of = sources(point, lam)
    # From variances, not from their roots, so that a negative one leaves the sums of others alone.
    of_latent = lam @ point.latent_cov[:count, :count] @ lam.T
    total, common = scored(responses, True), scored(of_latent, False)
    general = general_factor(point, lam)
    variances = np.diag(point.sigma)
    sd = np.sqrt(np.where(variances > 0, variances, np.nan))
    standardized = lam_of / sd[:, None]
    if general is None:  # a factor's variance is all its own, whatever predicts it
        spread = np.diag(point.latent_cov)[:count]
        standardized = lam * np.sqrt(np.where(spread >= 0, spread, np.nan)) / sd[:, None]
    direct = np.abs(lam) > 0
    for k, name in enumerate(names):
        items = direct[:, k]
        if k == general or not items.any():
            continue
        if scorable[items].all():
            within = total[np.ix_(items, items)].sum()
            yield ("omega", name), common[np.ix_(items, items)].sum() / within
            if general is not None:
                part = scored(np.outer(lam_of[:, k], lam_of[:, k]), False)
                yield ("omega_hs", name), part[np.ix_(items, items)].sum() / within
        yield ("H", name), _replicability(standardized[items, k])
        if items.sum() > 1 and (direct[items].sum(axis=1) == 1).all() and general is None:
            yield ("AVE", name), float(np.mean(standardized[items, k] ** 2))
    if general is None:
        return
    name = names[general]
    every = _acts(point, lam)[:, general]
    if scorable[every].all():
        whole = total[np.ix_(every, every)].sum()
        yield ("omega_total", name), common[np.ix_(every, every)].sum() / whole
        part = scored(np.outer(lam_of[:, general], lam_of[:, general]), False)
        yield ("omega_h", name), part[np.ix_(every, every)].sum() / whole
    squares = standardized[every][:, :count] ** 2
    yield ("ECV", name), squares[:, general].sum() / squares.sum()
    yield ("H", name), _replicability(standardized[every, general])
    groups = [direct[:, k] for k in range(count) if k != general]
    yield ("PUC", name), _uncontaminated(groups, int(every.sum()))


def _replicability(loadings: Array) -> float:
    squares = loadings**2
    if np.isnan(squares).any() or (squares >= 1).any():
        return float("nan")
    total = float((squares / (1 - squares)).sum())
    return total / (1 + total)


def _uncontaminated(groups: list[NDArray[np.bool_]], count: int) -> float:
    """Share of the indicators' correlations that only the general factor explains."""
    if count < 2:
        return float("nan")
    shared = np.zeros((len(groups[0]),) * 2, dtype=bool)
    for items in groups:
        shared |= np.outer(items, items)
    np.fill_diagonal(shared, val=False)
    return 1 - int(shared.sum()) / (count * (count - 1))
