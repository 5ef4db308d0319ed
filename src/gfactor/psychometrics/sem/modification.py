"""Effects of freeing a parameter: modification indices, and score tests of equalities.

References
----------
Sorbom, D. (1989). Model modification. Psychometrika 54, 371-384.
Saris, W. E., Satorra, A., Sorbom, D. (1987). The detection and correction of specification errors
    in structural equation models. Sociological Methodology 17, 105-129. (expected change)
Bentler, P. M., Dijkstra, T. (1985). Efficient estimation via linearization in structural models.
    In Multivariate analysis VI. (multivariate score tests)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtrc

from gfactor.psychometrics.rounding import descending
from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.parameters import REGRESSIONS, Parameter, ParameterTable
from gfactor.psychometrics.sem.syntax import parse_expression

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit


def extended(estimated: Estimated, table: ParameterTable, more: Sequence[Parameter]) -> Estimated:
    """Return the point with the rows `more` free as well, numbered after the others in order; a
    fixed row of the table is freed in its position."""
    problem = estimated.problem
    n_free = problem.structure.n_free
    number = {
        (row.lhs, row.op, row.rhs, row.group): n_free + k for k, row in enumerate(more, start=1)
    }
    rows: list[Parameter] = []
    start = np.zeros(len(more))
    for row in table.rows:
        free = number.pop((row.lhs, row.op, row.rhs, row.group), 0)
        if free:
            start[free - n_free - 1] = row.value or 0.0
        rows.append(dataclasses.replace(row, free=free) if free else row)
    rows += [
        dataclasses.replace(row, free=number[row.lhs, row.op, row.rhs, row.group])
        for row in more
        if (row.lhs, row.op, row.rhs, row.group) in number
    ]
    wider = problem.with_table(table.with_rows(rows))
    point = wider.discrepancy.at(np.concatenate([estimated.theta, start]))
    return Estimated(wider, point, estimated.value)


Array = NDArray[np.float64]


def modification_indices(fit: Fit, minimum: float = 0.0) -> pd.DataFrame:
    """Return the modification index of each parameter that could be freed, largest first.

    Parameters
    ----------
    fit : Fit
        The fitted model.
    minimum : float
        Leave out smaller indices.

    Returns
    -------
    DataFrame
        Columns lhs, op, rhs, group; mi: the (approximate) drop of the chi-square, on 1 df, if this
        parameter alone were freed; pvalue: its p-value, valid if the parameter was chosen
        beforehand;
        epc: expected value of the parameter if it were free; sepc_lv, sepc_all: the same with
        latent, or all, variables standardized (for a covariance of residuals: their correlation).
        As in lavaan, the expected information is used. Choosing by these numbers and testing on the
        same data makes every later p-value too small: confirm what was freed in new data. A
        parameter at a bound is held there (lavaan lets it move and includes its slope).

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + x2 + x3 + x4", data)
    >>> sem.modification_indices(fit).columns[:5].tolist()
    ['lhs', 'op', 'rhs', 'group', 'mi']
    """
    at_bound = fit.convergence.at_bound
    frame = indices_of(fit.estimated, fit.table, fit.over_cases(fit.theta), at_bound)
    return frame.loc[frame["mi"] >= minimum].reset_index(drop=True)


def score_tests(fit: Fit) -> pd.DataFrame:
    """Return score tests of releasing equality constraints: all ("total"), and each alone.

    Parameters
    ----------
    fit : Fit
        Fit with equality constraints.

    Returns
    -------
    DataFrame
        Columns lhs, op, rhs (a "==" row of the table), chisq, df, pvalue. The df of the
        total is the number of constraints that can be released with the model still
        identified (lavaan 0.6 prints the number of all, with the same chi-square).

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> equal = sem.fit("g =~ a*x1 + a*x2 + x3 + x4", data, std_lv=True)
    >>> sem.score_tests(equal)["df"].tolist()
    [1, 1]
    """
    return releases_of(fit.estimated, fit.table)


def indices_of(
    estimated: Estimated,
    table: ParameterTable,
    over_cases: Point | None = None,
    at_bound: Sequence[int] = (),
) -> pd.DataFrame:
    """Return one row per parameter that could be freed: see `modification_indices`. `over_cases`
    has the variances that standardize changes, if they are not those of the model's point.
    Parameters `at_bound` stay fixed, because their slopes are not zero."""
    more = list(candidates(table))
    if not more:
        return pd.DataFrame(columns=["lhs", "op", "rhs", "group", "mi", "pvalue", "epc"])
    wider = extended(estimated, table, more)
    n_free = estimated.problem.structure.n_free
    slope = -wider.problem.discrepancy.gradient(wider.point)
    # The expected information is used, as in lavaan: the observed one may not be positive definite
    # with added parameters if the model does not fit.
    information = wider.expected if estimated.problem.likelihood_based else wider.of_moments
    inside = estimated.inverse_inside_bounds(information[:n_free, :n_free], at_bound)
    cross = information[n_free:, :n_free]
    left = np.diag(information)[n_free:] - ((cross @ inside) * cross).sum(axis=1)
    # Freeing a parameter that the others determine (a marker's loading) changes nothing.
    defined = left > 1e-9 * np.maximum(np.diag(information)[n_free:], 1e-12)
    # The remaining slope of the free parameters is zero at a minimum, up to rounding.
    pull = slope[n_free:] - cross @ inside @ slope[:n_free]
    epc = np.where(defined, pull / np.where(defined, left, 1.0), np.nan)
    mi = estimated.problem.cases * epc * pull
    frame = pd.DataFrame(
        {
            "lhs": [row.lhs for row in more],
            "op": [row.op for row in more],
            "rhs": [row.rhs for row in more],
            "group": [row.group for row in more],
            "mi": mi,
            "pvalue": chdtrc(1, np.maximum(mi, 0.0)),
            "epc": epc,
        }
    )
    lv, every = _standardizing(over_cases or estimated.point, more)
    frame["sepc_lv"] = epc * lv
    frame["sepc_all"] = epc * every
    order = descending(np.where(defined, mi, 0.0))
    return frame.iloc[order[defined[order]]].reset_index(drop=True)


def candidates(table: ParameterTable) -> Iterator[Parameter]:
    """Yield rows that could be freed, group by group: loadings of other factors, covariances of
    residuals and of latent variables, effects among the variables of the regressions, and fixed
    rows of the table (without covariates that are taken as given)."""
    for group in range(1, table.n_groups + 1):
        names = table.of_group(group)
        latent = set(names.latent)
        indicators = tuple(
            dict.fromkeys(r.rhs for r in names if r.op == "=~" and r.rhs not in latent)
        )
        rows = [row for row in table if row.group == group]
        there = {(row.lhs, row.op, row.rhs) for row in rows}
        wanted = [(row.lhs, row.op, row.rhs) for row in rows if _could_be_free(row)]
        wanted += [(f, "=~", name) for f in names.latent for name in indicators]
        wanted += [(a, "~~", b) for a, b in combinations(indicators, 2)]
        effects = {(row.lhs, row.rhs) for row in rows if row.op in REGRESSIONS}
        effects |= {(row.rhs, row.lhs) for row in rows if row.op == "=~" and row.rhs in latent}
        wanted += [
            (a, "~~", b)
            for a, b in combinations(names.latent, 2)
            if (a, b) not in effects and (b, a) not in effects
        ]
        acting = dict.fromkeys(name for pair in effects for name in pair)
        given = {row.lhs for row in rows if row.exo and row.op == "~~"}
        wanted += [
            (a, "~", b)
            for a in sorted(acting)
            for b in sorted(acting)
            if a != b
            and a not in given
            and (a, b) not in effects
            and ((b, a) not in effects or not {a, b} & latent)
        ]
        there = {_same(*triple) for triple in there}
        fixed = {_same(r.lhs, r.op, r.rhs) for r in rows if not r.free}
        used: set[tuple[str, str, str]] = set()
        for triple in wanted:
            key = _same(*triple)
            if key not in used and (key in fixed or key not in there):
                used.add(key)
                yield Parameter(*triple, group, user=0)


def _same(lhs: str, op: str, rhs: str) -> tuple[str, str, str]:
    """One name for a parameter that can be written in two ways: a loading is the effect of a latent
    variable on its indicator, and covariances have no direction."""
    if op == "=~":
        return rhs, "~", lhs
    return (min(lhs, rhs), op, max(lhs, rhs)) if op == "~~" else (lhs, op, rhs)


def _could_be_free(row: Parameter) -> bool:
    return not row.free and not row.exo and row.op in {"=~", "~", "~~", "~1"}


def _diagonal(names: Sequence[str], matrix: Array) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, matrix.diagonal(), strict=True)}


def _standardizing(at: Point, rows: Sequence[Parameter]) -> tuple[Array, Array]:
    """Factors from a change to its standardized size: latent variables only, and all."""
    lv, every = np.ones(len(rows)), np.ones(len(rows))
    for k, row in enumerate(rows):
        point = at.groups[row.group - 1]
        s = point.structure
        true = set(s.latent[: s.n_true_latent])
        variance = _diagonal(s.observed, point.sigma) | _diagonal(s.latent, point.latent_cov)
        variances = _diagonal(s.observed, point.theta) | _diagonal(s.latent, point.psi)
        of_variable = variances if row.op == "~~" else variance
        sides = {
            "=~": ((row.lhs, 1), (row.rhs, -1)),
            "~": ((row.rhs, 1), (row.lhs, -1)),
            "~~": ((row.lhs, -1), (row.rhs, -1)),
            "~1": ((row.lhs, -1),),
        }[row.op]
        for name, power in sides:
            sd = np.sqrt(of_variable[name]) if of_variable[name] > 0 else np.nan
            every[k] *= sd**power
            lv[k] *= sd**power if name in true else 1.0
    return lv, every


def releases_of(estimated: Estimated, table: ParameterTable) -> pd.DataFrame:
    """Return one row per equality constraint, and the total first: see `score_tests`."""
    rows = [row for row in table if row.op == "=="]
    columns = ["lhs", "op", "rhs", "chisq", "df", "pvalue"]
    if not rows:
        return pd.DataFrame(columns=columns)
    quantities = Quantities(table)
    theta = estimated.theta
    slopes = np.array(
        [
            quantities.gradient(parse_expression(row.lhs), theta)
            - quantities.gradient(parse_expression(row.rhs), theta)
            for row in rows
        ]
    )
    pull = estimated.problem.discrepancy.gradient(estimated.point)
    information = estimated.expected if estimated.problem.likelihood_based else estimated.of_moments
    n = estimated.problem.cases
    bound, _ = _score(pull, information, slopes)
    tests = [("total", "", "", *_score(pull, information, slopes[:0]))]
    for k, row in enumerate(rows):
        others = np.delete(slopes, k, axis=0)
        tests.append((row.lhs, row.op, row.rhs, *_score(pull, information, others)))
    rows_of_table = []
    shared = len(pull) - int(np.linalg.matrix_rank(slopes, tol=1e-10))
    for lhs, op, rhs, value, rank in tests:
        df = rank - shared
        chisq = n * (value - bound) if df > 0 else np.nan
        rows_of_table.append((lhs, op, rhs, chisq, df, chdtrc(df, chisq) if df > 0 else np.nan))
    return pd.DataFrame(rows_of_table, columns=columns)


def _score(pull: Array, information: Array, constraints: Array) -> tuple[float, int]:
    """Return the score statistic per case if only these constraints remain, and the rank of the
    information then: directions that a release leaves unidentified do not count."""
    basis = np.eye(len(pull))
    if len(constraints):
        _, size, right = np.linalg.svd(constraints)
        basis = right[int((size > 1e-10 * size[0]).sum()) :].T
    inner = basis.T @ information @ basis
    scale = np.sqrt(np.maximum(np.diag(inner), 1e-300))
    inverse = np.linalg.pinv(inner / np.outer(scale, scale), rcond=1e-9, hermitian=True)
    rank = int(np.linalg.matrix_rank(inner / np.outer(scale, scale), tol=1e-9, hermitian=True))
    level = basis.T @ pull / scale
    return float(level @ inverse @ level), rank
