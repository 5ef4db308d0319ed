"""The sample: its size, its correlations, its missing values.

References
----------
Bentler, P. M., Chou, C.-P. (1987). Practical issues in structural modeling. Sociological Methods &
    Research 16, 78-117. (Five cases per free parameter.)
Cameron, A. C., Gelbach, J. B., Miller, D. L. (2008). Bootstrap-based improvements for inference
    with clustered errors. Review of Economics and Statistics 90, 414-427.
Kish, L. (1965). Survey sampling. Wiley. (effective sample size of weights)
Rhemtulla, M., Brosseau-Liard, P. E., Savalei, V. (2012). When can categorical variables be treated
    as continuous? Psychological Methods 17, 354-373. (Five categories or more.)
Belsley, D. A., Kuh, E., Welsch, R. E. (1980). Regression diagnostics. Wiley. (Variance inflation.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.item_columns import missing_code_findings
from gfactor.psychometrics.sem.diagnostics.case import FitCase, check
from gfactor.psychometrics.sem.sample import pairs_apart, pairs_text

_PER_PARAMETER = 5

_CLUSTERS = 30
"""Clusters below which their sandwich is known to be too small (Cameron, Gelbach & Miller 2008)."""
_EFFECTIVE = 0.7
"""Effective share of the cases under their weights, below which it is reported."""

_CATEGORIES = 5
"""Number of values from which on a variable may be treated as continuous (Rhemtulla et al.
2012)."""

_ALIKE = 0.9
"""Correlation of two variables from which on they carry nearly the same information."""

_UNEXPLAINED = 0.1
"""Least difference between such a correlation and the model's for a report."""


@check("sample_size")
def sample_size(case: FitCase) -> Iterator[Diagnostic]:
    problem = case.estimated.problem
    n, free = problem.sample.n, problem.n_parameters
    if n >= _PER_PARAMETER * free:
        return
    fewer = n < free
    yield Diagnostic(
        "n_against_parameters",
        "error" if fewer else "warning",
        f"{n} cases for {free} free parameters"
        + (", fewer cases than parameters." if fewer else f" ({n / free:.1f} per parameter)."),
        f"At least {_PER_PARAMETER} cases per parameter are usually asked for (Bentler & Chou "
        "1987); collect more or take a smaller model.",
        (),
        {"n": n, "free_parameters": free},
    )


@check("missing_codes")
def codes_of_missing(case: FitCase) -> Iterator[Diagnostic]:
    """Yield diagnostics of numbers such as -99, which may be codes of missing values."""
    sample = case.estimated.problem.sample
    rows = [group.rows for group in sample.groups if group.rows is not None]
    yield from missing_code_findings(np.vstack(rows), sample.variables) if rows else ()


@check("least_squares_of_raw_scales")
def least_squares_of_raw_scales(case: FitCase) -> Iterator[Diagnostic]:
    """Yield a diagnostic if unweighted least squares is tested as if its weights were those of the
    normal distribution (Browne 1984): the chi-square changes with the units of the variables."""
    options = case.estimated.problem.options
    has_thresholds = any(row.op == "|" for row in case.table.rows)
    if options.minimised != "ULS" or options.test != "standard" or has_thresholds:
        return
    yield Diagnostic(
        "uls_without_reference", "warning",
        "The chi-square of ULS, its p-value and RMSEA have no reference distribution for "
        "continuous variables: they change with the units of the variables.",
        "Read SRMR, or take the estimator ML, GLS or WLS, or a robust test.",
    )  # fmt: skip


@check("few_categories")
def few_categories(case: FitCase) -> Iterator[Diagnostic]:
    """Yield diagnostics of indicators and outcomes with few categories that the estimator treats as
    continuous."""
    outcomes = {row.rhs for row in case.table.rows if row.op == "=~"}
    outcomes |= {row.lhs for row in case.table.rows if row.op == "~"}
    outcomes -= {row.lhs for row in case.table.rows if row.op == "|"}
    counts: dict[str, int] = {}
    for number, group in enumerate(case.estimated.problem.sample.groups):
        if group.rows is None:
            continue
        names = case.groups[number].structure.observed
        for name, values in zip(names, group.rows.T, strict=False):
            if name in outcomes:
                count = len(np.unique(values[~np.isnan(values)]))
                counts[name] = max(count, counts.get(name, 0))
    few = tuple(name for name, count in counts.items() if count < _CATEGORIES)
    if few:
        listed = first_few(few)
        yield Diagnostic(
            "few_categories",
            "warning",
            f"{listed}: at most {max(counts[name] for name in few)} different values, but the "
            "estimator takes them for continuous; loadings, standard errors and fit are biased.",
            "Declare them as ordered (ordered = 'all', --ordered all), so that they get thresholds "
            "and WLSMV.",
            few,
            {name: counts[name] for name in few},
        )


@check("clusters")
def clusters(case: FitCase) -> Iterator[Diagnostic]:
    """Yield a warning if there are few clusters, because sandwich standard errors depend on their
    number."""
    problem = case.estimated.problem
    for number, group in enumerate(problem.sample.groups):
        if group.clusters is None:
            continue
        count = len(np.unique(group.clusters))
        if count < _CLUSTERS or count <= problem.n_parameters:
            yield Diagnostic(
                "few_clusters",
                "warning",
                f"{count} clusters{case.where(number)} for {problem.n_parameters} parameters: "
                "cluster-robust standard errors are too small with few clusters, and their "
                "covariance matrix is singular with no more clusters than parameters.",
                "Collect more clusters, or fit a smaller model.",
                (),
                {"clusters": count, "parameters": problem.n_parameters},
            )


@check("weights")
def weights(case: FitCase) -> Iterator[Diagnostic]:
    """Check the loss of precision by unequal weights (Kish 1965)."""
    for number, group in enumerate(case.estimated.problem.sample.groups):
        if group.weights is None:
            continue
        effective = float(group.weights.sum() ** 2 / (group.weights**2).sum())
        if effective < _EFFECTIVE * group.n:
            yield Diagnostic(
                "unequal_weights",
                "note",
                f"Sampling weights{case.where(number)} are so unequal that {group.n} cases are "
                f"worth about {effective:.0f} (Kish 1965).",
                "Read standard errors and power as those of the smaller number.",
                (),
                {"n": group.n, "effective": effective},
            )


@check("collinearity")
def collinearity(case: FitCase) -> Iterator[Diagnostic]:
    """Yield diagnostics of pairs of variables that correlate far more than the model implies."""
    for number, group in enumerate(case.groups):
        sample = _correlations(case.estimated.problem.sample.groups[number].cov)
        implied = _correlations(group.sigma)
        names = group.structure.observed
        missed = np.abs(sample) - np.abs(implied)
        bad = [
            (names[j], names[i], float(sample[i, j]), float(implied[i, j]))
            for i in range(len(names))
            for j in range(i)
            if abs(sample[i, j]) >= _ALIKE and missed[i, j] >= _UNEXPLAINED
        ]
        if bad:
            listed = ", ".join(f"{a} with {b} {r:.2f} (model {m:.2f})" for a, b, r, m in bad)
            yield Diagnostic(
                "unmodelled_collinearity",
                "warning",
                f"Nearly the same variables that the model holds apart{case.where(number)}: "
                f"{listed}.",
                "Let their residuals correlate, drop one, or ask whether they share items.",
                tuple(f"{a}~~{b}" for a, b, _, _ in bad),
                {f"{a}~~{b}": r for a, b, r, _ in bad},
            )


def _correlations(cov: np.ndarray) -> np.ndarray:
    sd = np.sqrt(np.maximum(np.diag(cov), 1e-300))
    return cov / np.outer(sd, sd)


@check("coverage")
def coverage(case: FitCase) -> Iterator[Diagnostic]:
    """Yield a diagnostic of pairs of variables that few cases have together, under full
    information."""
    for number, group in enumerate(case.estimated.problem.sample.groups):
        if group.rows is None or not np.isnan(group.rows).any():
            continue
        rare = pairs_apart(group.rows, case.estimated.problem.sample.variables)
        never = [pair for pair in rare if not pair.share]
        rare = [pair for pair in rare if pair.share]
        if never:
            yield Diagnostic(
                "never_seen_together",
                "error",
                f"No case{case.where(number)} shows both of {pairs_text(never)}: the data say "
                "nothing of their covariance, which chi-square, degrees of freedom and fit "
                "indices count all the same.",
                "Do not use the fit; the estimates hold only if the model is right. Collect cases "
                "that show both, or leave one of each pair out.",
                tuple(f"{pair.first}~~{pair.second}" for pair in never),
                {"pairs": len(never)},
            )
        if rare:
            yield Diagnostic(
                "rarely_seen_together",
                "warning",
                f"Fewer than a tenth of the cases{case.where(number)} show both of "
                f"{pairs_text(rare, shares=True)}.",
                "What the model says of these pairs rests on few cases; collect more that show "
                "both, or leave one of each pair out.",
                tuple(f"{pair.first}~~{pair.second}" for pair in rare),
                {f"{pair.first}~~{pair.second}": pair.share for pair in rare},
            )


@check("left_out")
def left_out(case: FitCase) -> Iterator[Diagnostic]:
    yield from case.estimated.problem.sample.notes
