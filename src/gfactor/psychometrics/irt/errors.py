"""Standard errors of estimates: from the observed information, from persons, from clusters.

References
----------
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. JRSS B
    44, 226-233.
White, H. (1982). Maximum likelihood estimation of misspecified models. Econometrica 50, 1-25.
Liang, K.-Y., Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models.
    Biometrika 73, 13-22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import linalg

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.curves import Floats
from gfactor.psychometrics.irt.estimation import Optimum
from gfactor.psychometrics.irt.information import Marginal

ErrorKind = Literal["observed", "sandwich", "cluster"]


def covariance(
    likelihood: Marginal, optimum: Optimum, kind: ErrorKind,
    clusters: Sequence[object] | None = None,
) -> Floats | None:  # fmt: skip
    """Covariance matrix (X, X) of the free parameters; None where the information is singular.

    Parameters
    ----------
    likelihood : Marginal
        What was maximized.
    optimum : Optimum
        Where its maximum is.
    kind : {"observed", "sandwich", "cluster"}
        Inverse observed information; the sandwich over persons; the sandwich over clusters of
        persons, times G / (G - 1) for G clusters.
    clusters : sequence or None
        Cluster of every person, for "cluster".

    Raises
    ------
    ParameterError
        If clusters lack, or there is one only.
    """
    information = optimum.information
    if information is None:
        return None
    try:
        bread = linalg.inv(information)
        np.linalg.cholesky(information)
    except linalg.LinAlgError:
        return None
    if kind == "observed":
        return bread
    scores = np.zeros((len(likelihood.data.weights), len(optimum.x)))
    for g in range(len(likelihood.model.groups)):
        rows = np.flatnonzero(likelihood.data.group == g)
        scores[rows] = likelihood.mean_scores(g, optimum.at)
    scores *= likelihood.data.weights[:, None]
    factor = 1.0
    if kind == "cluster":
        if clusters is None:
            raise ParameterError("cluster-robust standard errors need the cluster of every person")
        names, codes = np.unique(np.asarray([str(c) for c in clusters]), return_inverse=True)
        if len(codes) != len(scores):
            raise ParameterError(f"clusters: {len(codes)} entries for {len(scores)} persons")
        if len(names) < 2:
            raise ParameterError("cluster-robust standard errors need at least two clusters")
        summed = np.zeros((len(names), scores.shape[1]))
        np.add.at(summed, codes, scores)
        scores, factor = summed, len(names) / (len(names) - 1)
    return factor * bread @ (scores.T @ scores) @ bread
