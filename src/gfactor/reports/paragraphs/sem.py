"""Sentences on a structural equation model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.sem import Fit, reliability
from gfactor.psychometrics.sem.results.apa import is_determined
from gfactor.psychometrics.sem.results.text import exact_fit_text, indices_text
from gfactor.psychometrics.sem.sample.missing import missing_values
from gfactor.psychometrics.sem.twolevel import TwoLevelFit
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    between,
    gaps,
    listed,
    range_of,
    share_between,
    software,
)
from gfactor.results import number_of

ESTIMATORS = {
    "ML": "maximum likelihood", "MLR": "maximum likelihood with robust standard errors",
    "MLM": "maximum likelihood with the Satorra-Bentler correction",
    "MLMV": "maximum likelihood with mean and variance adjusted test",
    "MLF": "maximum likelihood with first-order standard errors",
    "GLS": "generalized least squares", "ULS": "unweighted least squares",
    "WLS": "weighted least squares", "DWLS": "diagonally weighted least squares",
    "WLSMV": "diagonally weighted least squares with mean and variance adjusted test",
    "WLSM": "diagonally weighted least squares with mean adjusted test",
    "ULSMV": "unweighted least squares with mean and variance adjusted test",
    "ULSM": "unweighted least squares with mean adjusted test",
}  # fmt: skip


def sentences_on_sem(fit: Fit) -> Iterable[str]:
    options, table = fit.options, fit.table
    kind = "structural equation model" if any(row.op == "~" for row in table) else (
        "confirmatory factor model"
    )  # fmt: skip
    if table.two_level:
        kind = f"two-level {kind}"
    groups = fit.problem.n_groups
    persons = f"{fit.n} persons"
    if table.two_level:
        clusters = sum(one.n for one in fit.sample.groups[1::2])
        persons += f" in {number_of(clusters, 'cluster')}"
    if groups > 1:
        step = 2 if table.two_level else 1
        sizes = [
            f"{one.label.removesuffix(': within')}: {one.n}" for one in fit.sample.groups[::step]
        ]
        persons += f"{' and' if table.two_level else ' in'} {groups} groups ({', '.join(sizes)})"
    estimator = ESTIMATORS.get(options.estimator, options.estimator)
    yield (
        f"A {kind} of {number_of(len(table.observed), 'observed variable')} and "
        f"{number_of(len(table.latent), 'latent variable')} was fitted to {persons} by {estimator} "
        f"({options.estimator}; standard errors: {options.se}, test: {options.test}) with "
        f"{software()}."
    )
    yield sem_gaps(fit)
    df = f"{fit.problem.df:d} degrees of freedom" if fit.problem.df >= 0 else "too few moments"
    yield (
        f"The model has {number_of(fit.problem.n_parameters, 'free parameter')} and {df}; "
        f"{fit.convergence.sentence}."
    )
    indices = f"; {indices_text(fit.measures)}" if fit.problem.df > 0 else ""
    yield f"Fit: {exact_fit_text(fit.measures)}{indices}."
    if not is_determined(fit):
        yield "The data do not determine the estimates, so that none are reported."
        return
    yield from _sem_estimates(fit)


def sem_gaps(fit: Fit) -> str:
    """Return a sentence on the number of missing values and their treatment."""
    left = [one for one in fit.sample.notes if one.code == "cases_left_out"]
    missing, cells = _values(fit)
    if not cells:
        return " ".join(one.sentence for one in left) if left else ""
    used = {
        "ml": "full information maximum likelihood used all observed ones",
        "ml.x": "full information maximum likelihood used all observed ones",
        "pairwise": "each moment was taken over the cases that have both values",
    }.get(fit.options.missing, f"they were treated by {fit.options.missing!r}")
    text = gaps(missing, cells, used)
    if left:
        text = " ".join([*(one.sentence for one in left), text if missing else ""]).strip()
    return text


def _values(fit: Fit) -> tuple[int, int]:
    """Return how many values of the variables are missing, and how many there could be; 0 of 0 if
    only moments were given. A variable between clusters has one value in each cluster."""
    if isinstance(fit, TwoLevelFit):
        groups = fit.levels.clusters
        cells = [
            one.n * len(one.within) + one.count * (len(one.variables) - len(one.within))
            for one in groups
        ]
        return sum(cells) - sum(one.n_values for one in groups), sum(cells)
    rows = [group.rows for group in fit.sample.groups if group.rows is not None]
    count = missing_values(rows)
    return count.values, count.cells


def _sem_estimates(fit: Fit) -> Iterable[str]:
    rows: list[dict[Any, Any]] = fit.estimates.to_dict("records")
    labels = fit.sample.labels if len(fit.sample.groups) > 1 else ()
    loadings = [row for row in rows if row["op"] == "=~"]
    if loadings:
        yield f"Standardized loadings were {range_of(row['std.all'] for row in loadings)}."
    level = fit.options.ci_level
    latent = set(fit.table.latent)
    for title, chosen in (
        ("Regressions", [row for row in rows if row["op"] == "~"]),
        ("Correlations of latent variables", [
            row for row in rows
            if row["op"] == "~~" and row["lhs"] != row["rhs"] and {row["lhs"], row["rhs"]} <= latent
        ]),
        ("Defined parameters", [row for row in rows if row["op"] == ":="]),
    ):  # fmt: skip
        if len(chosen) > MOST_LISTED:
            yield (
                f"{title}: {len(chosen)}, standardized "
                f"{range_of(row['std.all'] for row in chosen)} (see the table of estimates)."
            )
        elif chosen:
            yield f"{title}: {listed([_sem_row(row, level, labels) for row in chosen])}."
    if latent and loadings:
        shares = reliability(fit)
        omega = [row for row in shares.indices.to_dict("records") if row["index"] == "omega"]
        if 0 < len(omega) <= MOST_LISTED:
            yield f"Reliability (omega): {listed([_omega(row, shares.level) for row in omega])}."


def _omega(row: Mapping[str, Any], level: float) -> str:
    where = f" ({row['group']})" if row["group"] else ""
    return (
        f"{row['latent']}{where} {share(row['est'], 2)}, "
        f"{share_between(row['low'], row['high'], level)}"
    )


def _sem_row(row: Mapping[str, Any], level: float, labels: Sequence[str]) -> str:
    joined = {"~": "{lhs} on {rhs}", "~~": "{lhs} with {rhs}", ":=": "{lhs}"}[row["op"]]
    where = f" ({labels[row['group'] - 1]})" if labels and row["group"] else ""
    symbol = {"~": "B", "~~": "covariance", ":=": "estimate"}[row["op"]]
    text = f"{joined.format(**row)}{where}: {symbol} = {fixed(row['est'])}"
    if row["se"] and math.isfinite(row["se"]):
        text += (
            f", SE = {fixed(row['se'])}, {between(row['ci.lower'], row['ci.upper'], level)}, "
            f"p {p_value(row['pvalue'], '= ')}"
        )
    word = {"~": "beta", "~~": "r"}.get(row["op"], "standardized")
    standardized = share(row["std.all"], 2)
    return text if standardized == "-" else f"{text}, {word} = {standardized}"
