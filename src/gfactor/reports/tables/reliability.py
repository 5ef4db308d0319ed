"""Reliability of the mean over domains as a measure of examinees."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.frames import distinct, pick
from gfactor.psychometrics import Reliability, reliability
from gfactor.reports.answers.group_rates import own_rows
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

FEWEST = 3
"""Examinees below which there is no reliability to speak of."""


@table("reliability", section="reliability", order=50, needs=("domain",))
def reliabilities(results: Results) -> Table | None:
    """Tabulate alpha, split halves and SEM of every group of enough examinees."""
    rows = [_row(name, reliability) for name, reliability in groups(results)]
    if not rows:
        return None
    return Table(
        "Reliability of the mean over domains",
        pd.DataFrame(rows),
        percent=("sem", "sd"),
        headings={
            "alpha": "Cronbach's alpha",
            "split_half": "split-half",
            "sem": "SEM",
            "sd": "SD",
            "n": "examinees",
            "domains": "domains",
        },
        notes=(
            "Indicators are domain accuracies. Alpha: raw covariances, Feldt's (1965) 95 % "
            "interval. Split-half: mean Spearman-Brown corrected correlation over 500 random "
            "halves; its brackets are the middle 95 % of the splits, not a confidence interval. "
            "SEM and SD: standard error of measurement and standard deviation of the mean over "
            "domains, in percentage points.",
            "Reliability belongs to a group: a population made to differ widely has a high one. "
            "The ideal observer and the baselines are bounds, not members of a group.",
        ),
        decimals=3,
    )


@table("reliability_by_domain", section="reliability", order=51, needs=("domain",))
def by_domain(results: Results) -> Table | None:
    """Tabulate the contribution of every domain to the reliability."""
    parts = [
        reliability.indicators.reset_index(names="domain").assign(group=name, n=reliability.n)
        for name, reliability in groups(results)
    ]
    if not parts:
        return None
    frame = pd.concat(parts, ignore_index=True)
    first = ["domain", "group", "n"]
    frame = pick(frame, [*first, *(name for name in frame.columns if name not in first)])
    return Table(
        "What each domain adds to reliability",
        frame,
        percent=("mean", "sd"),
        headings={
            "n": "examinees",
            "sd": "SD",
            "rest_correlation": "correlation with the rest",
            "alpha_without": "alpha without it",
        },
        notes=("Mean and SD over the examinees of the group; no interval is claimed for them.",),
        folded=True,
        decimals=3,
    )


def groups(results: Results) -> list[tuple[str, Reliability]]:
    """Return the compared groups: the population and the models; if there is neither, all examinees
    but the baselines."""
    return results.once(_every_group)


def _every_group(results: Results) -> list[tuple[str, Reliability]]:
    benchmarks = results.benchmarks
    if len(benchmarks) < 2:
        return _groups(results)
    return [
        (f"{name}, {benchmark}", value)
        for benchmark in benchmarks
        for name, value in _groups(results.of(benchmark))
    ]


def _groups(results: Results) -> list[tuple[str, Reliability]]:
    """The same of one benchmark; benchmarks are different measurements."""
    if "domain" not in results.answers:
        return []
    reliabilities_of = [(name, _of(results, role)) for name, role in _NAMED.items()]
    defined = [(name, value) for name, value in reliabilities_of if value is not None]
    if defined:
        return defined
    everybody = _of(results, "population", "model")
    return [("population and models", everybody)] if everybody is not None else []


_NAMED: dict[str, Any] = {"population": "population", "models": "model", "people": "person"}


def _of(results: Results, *roles: Any) -> Reliability | None:
    rows = own_rows(results)
    rows = pick(rows, rows["role"].isin(roles))
    if rows.empty or len(distinct(rows, "label")) < FEWEST:
        return None
    scores = rows.pivot_table("correct", "label", "domain", aggfunc="mean")
    try:
        return reliability(scores, level=results.level, seed=results.seed)
    except ParameterError:
        # Nobody differs, or nobody is complete: there is nothing to distinguish.
        return None


def _row(name: str, reliability: Reliability) -> dict[str, Any]:
    return {
        "group": name,
        "n": reliability.n,
        "domains": reliability.k,
        "alpha": reliability.alpha,
        "alpha_low": reliability.low,
        "alpha_high": reliability.high,
        "split_half": reliability.split_half,
        "split_half_low": reliability.split_low,
        "split_half_high": reliability.split_high,
        "sem": reliability.sem,
        "sd": reliability.sd,
        "warnings": "; ".join(reliability.warnings),
    }
