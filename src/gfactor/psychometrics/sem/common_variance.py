"""How the variance of sums of indicators divides among latent variables: omega and its relatives.

Every latent variable's own part (its disturbance) is a source of variance of its own; what comes
through it from a factor above it counts for that factor. So a second-order model is read through
its Schmid-Leiman form, a bifactor model as it stands.

References
----------
McDonald, R. P. (1999). Test theory: a unified treatment. Erlbaum. (omega)
Zinbarg, R. E., Revelle, W., Yovel, I., Li, W. (2005). Psychometrika 70, 123-133. (omega_h)
Reise, S. P. (2012). Multivariate Behavioral Research 47, 667-696. (omega_hs, ECV)
Rodriguez, A., Reise, S. P., Haviland, M. G. (2016). Psychological Methods 21, 137-150. (H, PUC)
Hancock, G. R., Mueller, R. O. (2001). In Structural equation modeling: present and future. (H)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.sem.model import GroupPoint

Array = NDArray[np.float64]
Index = tuple[str, str]
"""The name of an index and the latent variable it belongs to."""


def sources(point: GroupPoint) -> tuple[Array, Array]:
    """Loadings on every source of common variance, shape (p, k), each of variance one, and the
    covariance of the sources. A negative disturbance gives NaN."""
    psi = point.psi
    with np.errstate(invalid="ignore"):
        sd = np.sqrt(np.diag(psi))
        scale = np.where(np.outer(sd, sd) > 0, np.outer(sd, sd), 1.0)
        correlation = psi / scale
    return (point.loading @ point.total) * sd, correlation


def _acts(point: GroupPoint) -> NDArray[np.bool_]:
    """Which latent variable acts on which indicator, directly or through others."""
    effects = np.abs((point.loading @ point.total)[:, : point.structure.n_true_latent])
    # An effect of nought comes out of an inverse as 1e-17.
    return effects > 1e-12 * effects.max(axis=0, initial=0.0)


def general_factor(point: GroupPoint) -> int | None:
    """Which latent variable acts on every indicator that any acts on, beside others that act on
    some; None where there is no such one. It acts on all directly (bifactor) or on all through
    others (second order); one with some indicators of its own predicts, and is not general."""
    count = point.structure.n_true_latent
    acts = _acts(point)
    wide = acts.sum(axis=0)
    if count < 2 or not wide.size:
        return None
    widest = int(np.argmax(wide))
    others = [k for k in range(count) if k != widest and 0 < wide[k] < wide[widest]]
    whole = wide[widest] == int(acts.any(axis=1).sum())
    own = int((np.abs(point.loading[:, widest]) > 0).sum())
    return widest if whole and len(others) == count - 1 and own in {0, wide[widest]} else None


def indices(point: GroupPoint, total: Array | None = None) -> dict[Index, float]:
    """Every index that the model defines: see `gfactor.psychometrics.sem.reliability`.

    `total` is the covariance matrix of the indicators that their sums' variances are taken from:
    the model's (as McDonald has it), or the sample's.
    """
    return dict(_indices(point, point.sigma if total is None else total))


def _indices(point: GroupPoint, total: Array) -> Iterator[tuple[Index, float]]:
    count = point.structure.n_true_latent
    names = point.structure.latent[:count]
    own, correlation = sources(point)
    common = own @ correlation @ own.T
    general = general_factor(point)
    variances = np.diag(point.sigma)
    sd = np.sqrt(np.where(variances > 0, variances, np.nan))
    standardized = own / sd[:, None]
    direct = np.abs(point.loading[:, :count]) > 0
    for k, name in enumerate(names):
        items = direct[:, k]
        if k == general or not items.any():
            continue
        within = total[np.ix_(items, items)].sum()
        yield ("omega", name), common[np.ix_(items, items)].sum() / within
        if general is not None:
            yield ("omega_hs", name), own[items, k].sum() ** 2 / within
        yield ("H", name), _replicability(standardized[items, k])
        if items.sum() > 1 and (direct[items].sum(axis=1) == 1).all() and general is None:
            yield ("AVE", name), float(np.mean(standardized[items, k] ** 2))
    if general is None:
        return
    name = names[general]
    every = _acts(point)[:, general]
    whole = total[np.ix_(every, every)].sum()
    yield ("omega_total", name), common[np.ix_(every, every)].sum() / whole
    yield ("omega_h", name), own[every, general].sum() ** 2 / whole
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
