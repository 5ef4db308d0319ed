"""What two-stage estimation knows of its first stage: how the moments of incomplete cases vary.

Savalei, V., Bentler, P. M. (2009). A two-stage approach to missing data: theory and application to
    auxiliary variables. Structural Equation Modeling 16, 477-497.
Yuan, K.-H., Bentler, P. M. (2000). Three likelihood-based methods for mean and covariance structure
    analysis with nonnormal missing data. Sociological Methodology 30, 165-200.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.psychometrics.sem.discrepancy import NormalLikelihood, moment_vector
from gfactor.psychometrics.sem.inference.scores import casewise_scores
from gfactor.psychometrics.sem.model import saturated_structure, vech_places
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.sample import GroupSample, pattern_blocks


def stage_gamma(group: GroupSample, variables: Sequence[str], options: Options) -> np.ndarray:
    """The covariance matrix of sqrt(n) times the unrestricted means and covariances: the inverse of
    their observed (or expected) information, or (robust) the sandwich around casewise scores."""
    if options.se == "none":  # the independence model
        return _shown(group)
    expected = options.information[0] == "expected"
    blocks = pattern_blocks(group, 1.0)
    likelihood = NormalLikelihood(
        saturated_structure(tuple(variables), means=True), (blocks,), use_mean=True
    )
    point = likelihood.at(moment_vector(group.mean, group.cov, means=True))
    inverse = np.linalg.inv(likelihood.expected(point) if expected else likelihood.hessian(point))
    if options.missing != "robust.two.stage":
        return inverse
    assert group.rows is not None
    scores = casewise_scores(likelihood, point, 0, group.rows)
    return inverse @ (scores.T @ scores / len(scores)) @ inverse


def _shown(group: GroupSample) -> np.ndarray:
    """The distribution-free covariance with deviations of cells that are missing set to nought.

    lavaan 0.6 takes it for the test of the independence model after two stages, so that it is taken
    here; of a model's own test it would make too little.
    """
    assert group.rows is not None
    away = group.rows - np.nanmean(group.rows, axis=0)
    row, column = vech_places(away.shape[1])
    both = np.concatenate([away, away[:, row] * away[:, column]], axis=1)
    both -= np.nanmean(both, axis=0)
    both[np.isnan(both)] = 0.0
    return both.T @ both / len(both)
