"""Runs compared on some items: their differences, and the ranks that these leave open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration.storing.deviations import ShortenedRequests, as_asked
from gfactor.api.inputs.scoring import shares_of
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.psychometrics import (
    Differences,
    RankSets,
    Sampling,
    all_pairs,
    benjamini_hochberg,
    rank_sets,
)
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, Claim, checked_claim
from gfactor.results import number_of, plain
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.sampling import ITEM, answer_variance, other_claim, sampling_of

INDEPENDENT, UNIT = "none", "unit"

_DEFAULT = "default"
"""The key of the condition under which items are asked as they are."""


@dataclass(frozen=True)
class ComparedQuestion:
    """Question that a comparison answers.

    Parameters
    ----------
    claim : str or None
        Population that differences generalize to; None for items that each stand by themselves.
    domains : str or None
        The label that divides the items; None for no division.
    benchmark : str or None
        The only benchmark; None for all.
    over_benchmarks : bool
        True if a mean over benchmarks is compared.
    note : str
        Sentence about an older option that was used; "" for none.
    level : float
        Confidence level of intervals and rank sets.
    """

    claim: Claim | None = DEFAULT_CLAIM
    domains: str | None = DOMAIN
    benchmark: str | None = None
    over_benchmarks: bool = False
    note: str = ""
    level: float = 0.95

    @classmethod
    def of(
        cls,
        claim: str | None = None,
        domains: str = DOMAIN,
        cluster: str | None = None,
        benchmark: str | None = None,
        over_benchmarks: bool = False,
        level: float = 0.95,
    ) -> ComparedQuestion:
        """Check the options; raise ParameterError if an older option contradicts `claim`."""
        if benchmark is not None and over_benchmarks:
            raise ParameterError(
                "a single benchmark has no mean over benchmarks; leave out the "
                "benchmark, or the mean over benchmarks"
            )
        rest = (benchmark, over_benchmarks)
        if cluster is None:
            checked = DEFAULT_CLAIM if claim is None else checked_claim(claim)
            return cls(checked, domains, *rest, level=level)
        if claim is not None:
            raise ParameterError("cluster is the older name of claim; give claim alone")
        if cluster == INDEPENDENT:
            return cls(None, None, *rest, "cluster none takes every item by itself", level)
        if cluster == UNIT:
            return cls("same-domains", None, *rest, "cluster unit is the claim same-domains, "
                       "items not divided into domains", level)  # fmt: skip
        reason = f"cluster {cluster} is the claim other-domains, items divided by {cluster}"
        return cls("other-domains", cluster, *rest, reason, level)

    @property
    def cluster(self) -> str:
        """The older name of the independent units, for documents."""
        if self.claim is None:
            return INDEPENDENT
        return self.domains if self.claim == "other-domains" and self.domains else UNIT


@dataclass(frozen=True)
class Compared:
    """A comparison of runs on some items: differences and rank sets, and for each run its failed
    attempts, its chance level and the readers of its answers. `other` is the same comparison under
    the other claim; `who` is the number of examinees and conditions in words."""

    differences: Differences
    ranks: RankSets
    missing: Mapping[str, int]
    chance: Mapping[str, float]
    read: Mapping[str, Mapping[str, float]]
    words: str = ""
    other: Compared | None = None
    who: str = ""

    def to_dict(self) -> dict[str, Any]:
        ranks = self.ranks.to_dict()
        beside = None if self.other is None else self.other.ranks.table
        rows = [
            row
            | {"missing": self.missing[row["run"]]}
            | {"chance": self.chance.get(row["run"]), "read": self.read.get(row["run"], {})}
            | ({} if beside is None else {"other_claim": {
                name: int(beside.loc[row["run"], name]) for name in ("best", "worst")}})
            for row in ranks["ranks"]
        ]  # fmt: skip
        document = {**self.differences.to_dict(), **ranks, "ranks": rows}
        if self.other is not None:
            differences: Any = self.other.differences.table[["low", "high", "p_holm"]]
            ends = differences.to_dict("records")
            document["differences"] = [
                row | {"other_claim": plain(end)}
                for row, end in zip(document["differences"], ends, strict=True)
            ]
        del document["diagnostics"]
        return document


def with_runs(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """Return the table with the columns `score`, `of` (the largest possible score) and `run` (the
    examinee, and its condition if there are several)."""
    several = len(set(table["condition"])) > 1
    run = table["examinee"] + " | " + table["condition"] if several else table["examinee"]
    runs = sorted(set(run))
    if len(runs) < 2:
        raise ParameterError(
            f"a comparison needs at least two examinees, found {', '.join(runs) or 'none'}; have "
            "another examinee answer the same bank, into the same journal (gfactor run)"
        )
    possible = table["points_possible"] if reading == "points" else 1.0
    return table.assign(run=run, of=possible, score=table[reading].where(~table["missing"]))


def runs_in_words(rows: pd.DataFrame, left_out: Sequence[ShortenedRequests] = ()) -> str:
    """Return the number of examinees in words, with their condition, or with the number of
    conditions if there are several, and with the parameters that answers lack.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({"examinee": ["a", "a"], "condition": ["default", "cot=on"]})
    >>> runs_in_words(runs)
    '1 examinee under 2 conditions'
    >>> runs_in_words(runs.tail(1))
    '1 examinee under cot=on'
    """
    conditions = set(map(str, rows["condition"].unique()))
    who = number_of(rows["examinee"].unique().size, "examinee")
    if len(conditions) > 1:
        several = f"{who} under {len(conditions)} conditions"
        lacking = sum(one.answers for one in left_out if one.condition in conditions)
        return f"{several} ({lacking:,} answers lack parameters of them)" if lacking else several
    key = next(iter(conditions), _DEFAULT)
    return who if key == _DEFAULT else f"{who} under {as_asked(key, key, left_out)}"


def ordered_runs(table: pd.DataFrame) -> list[str]:
    """Return the runs by their mean, so that most differences are positive."""
    means = {run: rows["score"].mean() for run, rows in table.groupby("run")}
    return sorted(map(str, means), key=lambda run: (-np.nan_to_num(means[run]), run))


def by_benchmark(table: pd.DataFrame, question: ComparedQuestion) -> list[tuple[str, pd.DataFrame]]:
    """Return the rows of every benchmark, or, of all benchmarks together, those of the items that
    all runs share."""
    if "benchmark" not in table:
        return [("", table)]
    names = sorted(set(map(str, table["benchmark"])))
    if question.benchmark is not None:
        if question.benchmark not in names:
            raise UnknownNameError("benchmark", question.benchmark, names)
        names = [question.benchmark]
    if not question.over_benchmarks or len(names) < 2:
        return [(name, pick(table, table["benchmark"] == name)) for name in names]
    runs = table["run"].nunique()
    counted: Any = table.loc[table["score"].notna()].groupby(ITEM)["run"].nunique()
    common = set(counted.index[counted == runs])
    in_common = [pair in common for pair in zip(table["item_id"], table["item_hash"], strict=True)]
    rows = pick(table, in_common)
    if len(set(rows["benchmark"])) < 2:
        raise ParameterError(
            f"the {runs} examinees have {len(common):,} items in common, but not of two "
            "benchmarks; choose examinees that answered the same items, or compare each benchmark "
            "on its own"
        )
    return [(f"mean over the common items of {' and '.join(names)}", rows)]


def compare_runs(
    rows: pd.DataFrame, runs: Sequence[str], question: ComparedQuestion, *, within: bool = False
) -> Compared:
    """Compare `runs` on the items of `rows`; the occasions of an item are averaged.

    Scores are divided by the mean possible points of an item, so that the mean over all items is
    the sum of points per possible point, as in `gfactor score`: items with more points count more.
    `within` a value of a label, a claim about other domains needs two domains; with one it is about
    other items.
    """
    scores = rows.pivot_table(values="score", index=ITEM, columns="run", aggfunc="mean")
    items = rows.drop_duplicates(ITEM).set_index(ITEM, drop=False).loc[scores.index]
    worth = items["of"].to_numpy(dtype=float).mean()
    scores = scores.reindex(columns=runs) / worth
    noise = None
    if question.claim == "these-items":
        noise = answer_variance(rows, "score").reindex(index=scores.index, columns=runs) / worth**2
    claim, label = question.claim, question.domains or DOMAIN
    named = items if question.domains else items.drop(columns=DOMAIN, errors="ignore")
    sampling = None if claim is None else sampling_of(named.reset_index(drop=True), claim, label)
    if sampling is not None and claim == "other-domains" and sampling.domains < 2:
        if not within:
            raise ParameterError(
                f"the claim other-domains needs items of two {label}s or more, these have "
                f"{sampling.domains}; choose same-domains"
            )
        sampling = sampling_of(named.reset_index(drop=True), "same-domains", label)
    judged = partial(_judged, rows, scores, noise, question.level)
    beside = None
    if sampling is not None and not within and (
        other := other_claim(sampling.claim, sampling.domains)
    ):  # fmt: skip
        beside = judged(sampling_of(named.reset_index(drop=True), other, label))
    return judged(sampling, beside)


def _judged(
    rows: pd.DataFrame,
    scores: pd.DataFrame,
    noise: pd.DataFrame | None,
    level: float,
    sampling: Sampling | None,
    beside: Compared | None = None,
) -> Compared:
    differences = all_pairs(scores, sampling=sampling, answer_variance=noise, level=level)
    failed = rows.loc[rows["missing"].to_numpy(dtype=bool), "run"]
    missing = {run: int(np.count_nonzero(failed == run)) for run in scores.columns}
    words = "takes every item by itself" if sampling is None else sampling.words
    return Compared(
        differences, rank_sets(differences), missing, _chance(rows), shares_of(rows, "run"),
        words, beside, runs_in_words(rows),
    )  # fmt: skip


def _chance(rows: pd.DataFrame) -> dict[str, float]:
    """Return the score of chance on the items that every run answered, for runs where it is known.
    It is expressed as `compare_runs` expresses scores: relative to the average worth of an item.
    """
    items = rows.loc[~rows["missing"].to_numpy(bool)].drop_duplicates(["run", *ITEM])
    name = "chance" if (items["of"] == 1).all() else "chance_share"
    with_chance = items.loc[items[name].notna()].assign(
        _earned=lambda frame: frame[name] * frame["of"]
    )
    sums: Any = with_chance.groupby("run")[["_earned", "of"]].sum()
    return {str(run): float(value) for run, value in (sums["_earned"] / sums["of"]).items()}


def adjusted_together(parts: Iterable[Compared]) -> list[Compared]:
    """Return the table with `p_fdr` adjusted over the pairs of all parts together."""
    completed = list(parts)
    if not completed:
        return completed
    tables = [part.differences.table for part in completed]
    adjusted = benjamini_hochberg(np.concatenate([t["p"].to_numpy() for t in tables]))
    shares = np.split(adjusted, np.cumsum([len(t) for t in tables])[:-1])
    return [
        replace(part, differences=replace(part.differences, table=t.assign(p_fdr=share)))
        for part, t, share in zip(completed, tables, shares, strict=True)
    ]
