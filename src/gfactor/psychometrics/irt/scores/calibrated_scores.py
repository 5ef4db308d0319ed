"""Abilities on a calibrated scale, with standard errors that include the calibration's error.

The estimate is the posterior mean (EAP) under the calibrated population's distribution of ability.
Its error has two parts: the posterior's standard deviation given the parameters, and the effect of
the parameters' own errors on the posterior mean, by the delta method. The derivative of a posterior
mean in a parameter is the posterior covariance of ability with the derivative of the log-likelihood
in it, so that both parts are exact to first order and need no draws. Answers to one testlet share
an effect of the person, which is integrated out (`adaptive.posterior`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.adaptive.posterior import effect_weights, integrated
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scales.calibration import (
    MEAN,
    TESTLETS,
    VARIANCE,
    Calibration,
    Curves,
    rows_of,
)
from gfactor.psychometrics.irt.scales.constant_cells import unusable_items
from gfactor.results import Result, number_of


@dataclass(frozen=True, repr=False)
class CalibratedScores(Result):
    """Abilities of respondents on the scale of a calibration.

    Parameters
    ----------
    table : DataFrame (P, ...)
        A row per respondent: `theta`, `se` with its parts `se_measurement` and `se_calibration`,
        `low` and `high` (the interval), `n` (responses that count) and `left_out` (responses to
        items that are not in the calibration).
    covariance : array (P, P)
        Covariance of the abilities' errors: all respondents share the error of the calibration, so
        that their differences are more certain than their positions.
    unknown : tuple of str
        Items for which the calibration has no difficulty.
    calibration : Calibration
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
    """

    table: pd.DataFrame
    covariance: Floats
    unknown: tuple[str, ...]
    calibration: Calibration
    level: float = 0.95
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        respondents = number_of(len(self.table), "respondent")
        return f"abilities of {respondents}, {self.calibration.title}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"respondents": len(self.table), "unknown_items": len(self.unknown),
                "level": self.level}  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"abilities": self.table}


def score_responses(
    calibration: Calibration, scores: pd.DataFrame, entries: Mapping[str, str], *,
    constant: Collection[str] = (), level: float = 0.95,
) -> CalibratedScores:  # fmt: skip
    """Return abilities with standard errors.

    Parameters
    ----------
    calibration : Calibration
        Calibration of the items or of the cells.
    scores : DataFrame (P, J)
        Scores of respondents, missing where an item was not asked.
    entries : mapping of item to entry
        The entry of every column that is in the calibration; several items may belong to one cell.
    constant : collection of str
        Columns that the calibration lists without a difficulty (`Calibration.left_out`).
    level : float
        Confidence level of the intervals.

    Returns
    -------
    CalibratedScores
        Abilities with standard errors, and the items that were left out.

    Raises
    ------
    ParameterError
        If no item is in the calibration.

    Examples
    --------
    >>> from gfactor.psychometrics.irt import fit_irt
    >>> from gfactor.psychometrics.irt.scales.calibration import calibrate_items
    >>> rng = np.random.default_rng(1)
    >>> z = rng.normal(size=(300, 1)) - np.linspace(-1, 1, 8)
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < 1 / (1 + np.exp(-z))).astype(int))
    >>> data.columns = [f"i{k}" for k in range(8)]
    >>> known = calibrate_items(fit_irt("rasch", data), {}, {})
    >>> scores = score_responses(known, data.head(3), {i: i for i in data})
    >>> bool((scores.table["se"] > scores.table["se_measurement"]).all())
    True
    """
    calibrated = {str(c): entries[str(c)] for c in scores.columns if str(c) in entries}
    unknown = tuple(str(c) for c in scores.columns if str(c) not in calibrated)
    if not calibrated:
        raise ParameterError(
            f"the calibration contains none of the {scores.shape[1]} items (the first is "
            f"{unknown[0]!r}); give the calibration of their bank"
        )
    diagnostics: list[Diagnostic] = []
    nodes = _nodes(calibration, len(calibrated))
    log_prior = -0.5 * (nodes - calibration.mean) ** 2 / calibration.variance
    codes = {
        item: _codes(calibration, item, name, scores, diagnostics)
        for item, name in calibrated.items()
    }
    joint = np.tile(log_prior, (len(scores), 1))
    effects = effect_weights(nodes, calibration.testlet_variance)
    curves = {name: calibration.curves(name, nodes) for name in dict.fromkeys(calibrated.values())}
    groups = _testlets(calibration, calibrated)
    given = [_log_likelihood(group, codes, curves, joint.shape) for group in groups]
    for log in given:
        joint += integrated(log, effects) if calibration.testlet_variance else log
    weights = np.exp(joint - joint.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    theta = weights @ nodes
    away = nodes - theta[:, None]
    within = (weights * away**2).sum(axis=1)
    gradient = np.zeros((len(scores), len(calibration.labels)))
    for group, log in zip(groups, given, strict=True):
        # Weight of a node of ability + effect in the posterior mean of ability.
        pull = weights * away
        if calibration.testlet_variance:
            pull, of_variance = _pulls(pull, log, nodes, effects, calibration.testlet_variance)
            if TESTLETS in calibration.uncertain:
                gradient[:, calibration.uncertain[TESTLETS]] += of_variance
        for item, name in group.items():
            which, rows = rows_of(calibration, calibration.entries[calibration.position[name]])
            for category in range(len(curves[name].value) if len(rows) else 0):
                here = codes[item] == category
                moved = pull[here] @ curves[name].first[category][:, which]
                gradient[np.ix_(here, rows)] += moved
    if MEAN in calibration.uncertain:
        gradient[:, calibration.uncertain[MEAN]] = within / calibration.variance
    if VARIANCE in calibration.uncertain:
        moved = (nodes - calibration.mean) ** 2 / (2 * calibration.variance**2)
        gradient[:, calibration.uncertain[VARIANCE]] = (weights * away) @ moved
    shared = gradient @ calibration.covariance @ gradient.T
    carried = np.maximum(shared.diagonal(), 0)
    n = np.sum([codes[item] >= 0 for item in calibrated], axis=0)
    answered = scores.notna().to_numpy().sum(axis=1)
    se = np.sqrt(within + carried)
    half = float(special.ndtri(0.5 + level / 2))
    table = pd.DataFrame({
        "theta": theta, "se": se, "se_measurement": np.sqrt(within),
        "se_calibration": np.sqrt(carried), "low": theta - half * se, "high": theta + half * se,
        "n": n, "left_out": answered - n,
    }, index=pd.Index(scores.index, name="examinee"))  # fmt: skip
    diagnostics += unusable_items(calibration.by, scores, unknown, constant)
    diagnostics += _about(calibration, scores, calibrated, codes, n)
    return CalibratedScores(
        table, shared + np.diag(within), unknown, calibration, level, by_severity(diagnostics)
    )


def _nodes(calibration: Calibration, items: int) -> Floats:
    """Six standard deviations of ability and testlet effect to each side, closer where many items
    make posteriors narrow."""
    reach = 6 * max(1.0, math.sqrt(calibration.variance + calibration.testlet_variance))
    points = 2 * max(60, math.ceil(reach * math.sqrt(items) / 1.5)) + 1
    return calibration.mean + np.linspace(-reach, reach, points)


def _testlets(calibration: Calibration, calibrated: Mapping[str, str]) -> list[dict[str, str]]:
    """Items and their entries by testlet; all in one if there is no testlet variance."""
    if not calibration.testlet_variance:
        return [dict(calibrated)]
    groups: dict[str, dict[str, str]] = {}
    for item, name in calibrated.items():
        entry = calibration.entries[calibration.position[name]]
        groups.setdefault(calibration.testlet_of(entry), {})[item] = name
    return list(groups.values())


def _log_likelihood(
    items: Mapping[str, str], codes: Mapping[str, Any], curves: Mapping[str, Curves],
    shape: tuple[int, ...],
) -> Floats:  # fmt: skip
    """Return the log-likelihood of the answers to items at the nodes, (P, Q)."""
    log = np.zeros(shape)
    for item, name in items.items():
        seen = codes[item] >= 0
        log[seen] += curves[name].value[codes[item][seen]]
    return log


def _pulls(
    pull: Floats, log: Floats, nodes: Floats, effects: Floats, variance: float
) -> tuple[Floats, Floats]:
    """Weights of ability + effect for the derivative of the posterior mean, (P, Q), and its
    derivative in the testlet variance, (P,).

    The density of an effect u changes with its variance v by (u^2 / v - 1) / 2v.
    """
    top = np.exp(log - log.max(axis=1, keepdims=True))
    share = pull / np.maximum(top @ effects.T, 1e-300)
    away = (nodes[None] - nodes[:, None]) ** 2
    bend = effects * (away / variance - 1) / (2 * variance)
    return (share @ effects) * top, (share * (top @ bend.T)).sum(axis=1)


def _codes(
    calibration: Calibration,
    item: str,
    name: str,
    scores: pd.DataFrame,
    diagnostics: list[Diagnostic],
) -> Any:
    """Categories of an item's scores, -1 if missing or no category of the calibration."""
    categories = np.asarray(calibration.entries[calibration.position[name]].scores)
    given = scores[item].to_numpy(float)
    seen = ~np.isnan(given)
    nearest = np.clip(np.searchsorted(categories, given), 0, len(categories) - 1)
    fits = seen & np.isclose(categories[nearest], given)
    if (seen & ~fits).any():
        odd = given[seen & ~fits][0]
        diagnostics.append(Diagnostic(
            "unknown_score", "warning",
            f"{int((seen & ~fits).sum())} scores of item {item!r} (such as {odd:g}) are no "
            "category of the calibration; they were left out.",
            "Score the journal as the calibration was scored (whole items, or points).", (item,),
        ))  # fmt: skip
    return np.where(fits, nearest, -1)


def _about(
    calibration: Calibration, scores: pd.DataFrame, calibrated: Mapping[str, str],
    codes: Mapping[str, Any], n: Any,
) -> list[Diagnostic]:  # fmt: skip
    diagnostics = [entry for entry in calibration.diagnostics if entry.severity == "error"]
    top = {i: len(calibration.entries[calibration.position[name]].scores) - 1
           for i, name in calibrated.items()}  # fmt: skip
    best = np.all([(codes[i] < 0) | (codes[i] == top[i]) for i in calibrated], axis=0)
    worst = np.all([(codes[i] < 0) | (codes[i] == 0) for i in calibrated], axis=0)
    names = tuple(str(name) for name in scores.index[(best | worst) & (n > 0)])
    if names:
        diagnostics.append(Diagnostic(
            "all_or_nothing", "warning",
            f"{len(names)} respondents solved all items or none; how far beyond them they are is "
            "the population's word, not their responses'.",
            "Ask them harder (easier) items.", names,
        ))  # fmt: skip
    empty = tuple(str(name) for name in scores.index[n == 0])
    if empty:
        diagnostics.append(Diagnostic(
            "nothing_answered", "warning",
            f"{len(empty)} respondents answered no item that the calibration knows; their ability "
            "is the population's.", "Leave them out.", empty,
        ))  # fmt: skip
    return diagnostics
