"""Standard errors of estimates: from the observed information, from persons, from clusters.

References
----------
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. JRSS B
    44, 226-233.
White, H. (1982). Maximum likelihood estimation of misspecified models. Econometrica 50, 1-25.
Bell, R. M., McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with
    multi-stage samples. Survey Methodology 28, 169-181.
Liang, K.-Y., Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models.
    Biometrika 73, 13-22.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.estimation.maximizing import Optimum
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses

SINGULAR = 1e-12
"""Share of a parameter's information left by the others below which it counts as none."""

FEW_CLUSTERS = 20
"""Below this number of clusters, errors over clusters are often too small (Cameron and Miller 2015
call fewer than 20 to 50 few)."""

ErrorKind = Literal["observed", "sandwich", "cluster", "cluster-plain"]

MOST_LEFT_OUT = 1e10
"""Clusters times parameters cubed, above which clusters are not left out one by one."""


@dataclass(frozen=True)
class Covariance:
    """Covariance matrix (X, X) of the free parameters, as diag(diagonal) + factor core factor'.

    A dense matrix has no diagonal part and the identity as its factor. Items that share an estimate
    (see `collapse`) have a small core.

    Parameters
    ----------
    core : array (K, K)
    factor : sparse matrix (X, K) or None
        The identity if None.
    diagonal : array (X,) or None
        Zero if None.
    """

    core: Floats
    factor: sparse.csr_matrix | None = None
    diagonal: Floats | None = None

    def between(self, rows: Any) -> Floats:
        """Return the covariance matrix rows C rows' of linear functions of the parameters, given as
        a matrix `rows` (R, X)."""
        inner = rows if self.factor is None else rows @ self.factor
        covariance = inner @ (inner @ self.core.T).T
        if self.diagonal is not None:
            spread = sparse.csr_matrix(rows)
            covariance = covariance + (spread.multiply(self.diagonal) @ spread.T).toarray()
        return np.asarray(covariance)

    def blocks(self, design: sparse.csr_matrix, index: NDArray[np.intp]) -> Floats:
        """Return covariances (J, M, M) of the entries `index` (J, M) of design x."""
        count, size = index.shape
        rows: Any = design[index.ravel()]
        inner: Any = rows if self.factor is None else rows @ self.factor
        turned = (inner @ self.core).reshape(count, size, -1)
        covariances = np.zeros((count, size, size))
        for m in range(size):
            # Row j of `inner` at parameter m against all parameters of the same item.
            part = sparse.csr_matrix(sparse.csr_matrix(inner)[np.arange(count) * size + m])
            for n in range(size):
                covariances[:, n, m] = np.asarray(part.multiply(turned[:, n]).sum(axis=1)).ravel()
        if self.diagonal is not None:
            for m in range(size):
                left = rows[np.arange(count) * size + m].multiply(self.diagonal)
                for n in range(size):
                    right = rows[np.arange(count) * size + n]
                    covariances[:, n, m] += np.asarray(left.multiply(right).sum(axis=1)).ravel()
        return covariances

    def variances(self, design: sparse.csr_matrix) -> Floats:
        """Return variances of all entries of design x."""
        assert design.shape is not None
        return self.blocks(design, np.arange(design.shape[0])[:, None])[:, 0, 0]


def inverse(information: Floats) -> Floats | None:
    """Return the inverse of an information matrix; None if it is not positive definite.

    Parameters are scaled to unit information before the test for singularity, so that their units
    do not matter.
    """
    scale = np.sqrt(np.maximum(information.diagonal(), 0))
    if not np.all(scale > 0):
        return None
    try:
        root, lower = linalg.cho_factor(information / np.outer(scale, scale), lower=True)
    except linalg.LinAlgError:
        return None
    if root.diagonal().min() ** 2 < SINGULAR:
        return None
    return linalg.cho_solve((root, lower), np.diag(1 / scale)) / scale[:, None]


def covariance(
    likelihood: Marginal, optimum: Optimum, kind: ErrorKind,
    clusters: Sequence[object] | None = None,
) -> Covariance | None:  # fmt: skip
    """Return the covariance matrix of the free parameters; None if the information is singular.

    Parameters
    ----------
    likelihood : Marginal
        Likelihood that was maximized.
    optimum : Optimum
        Maximum of the likelihood.
    kind : {"observed", "sandwich", "cluster", "cluster-plain"}
        Inverse observed information; the sandwich over persons; the jackknife over clusters of
        persons, each left out by one Newton step (CR3 of Bell and McCaffrey 2002: a plain sandwich
        is too small where clusters are few, since estimates lean towards each of them); the plain
        sandwich over clusters, times G / (G - 1) for G clusters, which replaces the jackknife if
        that takes too long or leaves too little. Errors by "cluster" of fewer than 20 clusters are
        at least those of the information: with few clusters they are often too small (Cameron and
        Miller 2015), and the larger of both is the safe one (Angrist and Pischke 2009, chapter 8).
    clusters : sequence or None
        Cluster of every person, for "cluster".

    Raises
    ------
    ParameterError
        If there are no clusters, or only one.
    """
    information = optimum.information
    if information is None:
        return None
    bread = inverse(information)
    if bread is None:
        return None
    if kind == "observed":
        return Covariance(bread)
    scores = np.zeros((len(likelihood.data.weights), len(optimum.x)))
    for g in range(len(likelihood.model.groups)):
        rows = np.flatnonzero(likelihood.data.group == g)
        scores[rows] = likelihood.mean_scores(g, optimum.at)
    scores *= likelihood.data.weights[:, None]
    factor = 1.0
    if kind in ("cluster", "cluster-plain"):
        if clusters is None:
            raise ParameterError("cluster-robust standard errors need the cluster of every person")
        names, codes = np.unique(np.asarray([str(c) for c in clusters]), return_inverse=True)
        if len(codes) != len(scores):
            raise ParameterError(f"clusters: {len(codes)} entries for {len(scores)} persons")
        if len(names) < 2:
            raise ParameterError("cluster-robust standard errors need at least two clusters")
        summed = np.zeros((len(names), scores.shape[1]))
        np.add.at(summed, codes, scores)
        if kind == "cluster":
            moved = _left_out(likelihood, optimum, information, summed, codes)
            if moved is None:
                moved = summed @ bread
                factor = len(names) / (len(names) - 1)
            else:
                factor = (len(names) - 1) / len(names)
            robust = factor * moved.T @ moved
            return Covariance(robust if len(names) >= FEW_CLUSTERS else _at_least(bread, robust))
        scores, factor = summed, len(names) / (len(names) - 1)
    return Covariance(factor * bread @ (scores.T @ scores) @ bread)


def _at_least(bread: Floats, robust: Floats) -> Floats:
    """Return a covariance matrix whose standard errors are at least those of independent persons.

    Correlations stay, so that the matrix remains one of covariances.
    """
    variances = robust.diagonal()
    tiny = np.finfo(float).tiny
    factors = np.sqrt(np.maximum(bread.diagonal() / np.maximum(variances, tiny), 1.0))
    scaled = np.where(variances > tiny, factors, 0.0)
    whole = robust * np.outer(scaled, scaled)
    np.fill_diagonal(whole, np.maximum(variances, bread.diagonal()))
    return whole


def _left_out(
    likelihood: Marginal, optimum: Optimum, information: Floats, scores: Floats,
    codes: NDArray[np.intp],
) -> Floats | None:  # fmt: skip
    """Return the change of the estimates when each cluster is left out, (G, X), by one Newton step.
    Return None if that takes too long, or if what is left determines too little.
    """
    too_long = len(scores) * len(information) ** 3 > MOST_LEFT_OUT
    if too_long or not likelihood.on_common_nodes:
        return None
    model, data = replace(likelihood.model, priors=()), likelihood.data
    changes = np.zeros_like(scores)
    for g, score in enumerate(scores):
        rows = codes == g
        here = np.unique(data.group[rows])
        part = CodedResponses(
            data.codes[rows], data.weights[rows], np.searchsorted(here, data.group[rows]),
            None if data.covariates is None else data.covariates[rows],
        )  # fmt: skip
        groups = tuple(model.groups[k] for k in here)
        likelihood_of_rest = Marginal(replace(model, groups=groups), part, likelihood.quadrature)
        rest = inverse(
            information - likelihood_of_rest.observed(likelihood_of_rest.evaluate(optimum.x))
        )
        if rest is None:
            return None
        changes[g] = rest @ score
    return changes
