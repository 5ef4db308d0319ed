"""Standings: rank sets, rates and references of every benchmark and condition.

A board is a benchmark under a condition; nothing is compared over two benchmarks. If an examinee
was asked under several conditions, a further board has all of them (`EVERY`). Ranked are models
(if there are none, limited observers), all together, in the order of their scores: rank sets
follow from all paired differences, as in `gfactor compare`, under the claim that intervals have.
The ideal observer, baselines and people stand beside them, without a rank.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.psychometrics.inference.linking import linked
from gfactor.psychometrics.inference.pairwise import Pairwise, compare_pairs
from gfactor.reports.leaderboard.answers import Answers, label_text
from gfactor.scoring.chance import ANSWERS_ALONE
from gfactor.scoring.sampling import other_claim

LEVEL = 0.95
PEOPLE = -1
"""The run of all people taken together."""
MAJORITY = -2
"""The row of the answer that is right most often in each domain."""

EVERY = ""
"""The condition of a board that compares runs under several conditions."""

_ORDER = {"ideal": 1, "population": 2, "person": 3, "baseline": 4, "computed": 5}


@dataclass(frozen=True)
class BenchmarkStandings:
    """A benchmark under a condition.

    Parameters
    ----------
    number : int
        Number from 1, in the order of benchmark and condition.
    benchmark, condition : str
        Benchmark and condition of the board.
    items : array of int
        Numbers of its items that somebody answered.
    table : DataFrame
        A row per run, the ranked ones first and from the best; then references. `run`, `name`,
        `role`, `best`, `worst` (of its rank set; NaN if it is not ranked), `accuracy`, `low`,
        `high`, `n`, `chance`, `lenient`, `format_errors`, `persons`, `items`.
    slices : mapping of str to DataFrame
        Tables by label: the same columns and `value`, a row per run and value.
    pairs : Pairwise or None
        All differences of the ranked runs, whose names are their numbers; None for fewer than two.
    sampling : Sampling
        Population that scores generalize to, and what is independent under that claim.
    unlinked, unlinked_items : tuple of int, int
        Runs that no common item links to those that are ranked, and the number of their items.
    beside : str
        The claim whose rank sets and intervals stand beside (`other_best`, `other_worst`,
        `other_low`, `other_high`); "" for none.
    """

    number: int
    benchmark: str
    condition: str
    items: NDArray[np.intp]
    table: pd.DataFrame
    slices: Mapping[str, pd.DataFrame]
    pairs: Pairwise | None
    sampling: Sampling
    unlinked: tuple[int, ...] = ()
    unlinked_items: int = 0
    beside: str = ""

    @property
    def ranked(self) -> list[int]:
        """Return the ranked runs, from the best."""
        return [int(run) for run in pick(self.table, self.table["best"].notna())["run"]]


def boards(
    answers: Answers,
    watch: Callable[[str], None] = lambda _: None,
    claim: str = DEFAULT_CLAIM,
) -> tuple[BenchmarkStandings, ...]:
    """Return a board for every benchmark and condition, in alphabetical order. Then follows a board
    of all runs for every benchmark that an examinee answered under several conditions.

    Parameters
    ----------
    answers : Answers
        Answers that were read.
    watch : callable
        Function that is called with the name of every board.
    claim : str
        Population that scores generalize to (`gfactor.psychometrics.CLAIMS`).
    """
    whole = pick(answers.table, answers.table["label"] == "")
    keys = sorted(set(zip(whole["benchmark"], whole["condition"], strict=True)))
    standing = []
    for number, (benchmark, condition) in enumerate(keys, 1):
        watch(f"{benchmark} {condition}")
        standing.append(_board(answers, number, str(benchmark), str(condition), claim))
    for benchmark in sorted(set(whole["benchmark"])):
        runs = [int(run) for run in pick(whole, whole["benchmark"] == benchmark)["run"] if run >= 0]
        models = [answers.runs[run].examinee for run in runs if answers.runs[run].role == "model"]
        if len(set(models)) < len(models):
            watch(f"{benchmark}, all conditions")
            standing.append(_board(answers, len(standing) + 1, str(benchmark), EVERY, claim))
    return tuple(standing)


def _board(
    answers: Answers, number: int, benchmark: str, condition: str, claim: str
) -> BenchmarkStandings:
    table = answers.table
    here = table["benchmark"] == benchmark
    if condition == EVERY:
        here &= (table["label"] == "") & (table["run"] >= 0)
    else:
        here &= table["condition"] == condition
    rows = _described(answers, pick(table, here), named=condition == EVERY)
    whole = pick(rows, rows["label"] == "")
    of_it = (answers.items["benchmark"] == benchmark).to_numpy(bool)
    runs = [int(run) for run in whole["run"] if run >= 0]
    administered = of_it & ~np.isnan(answers.scores[:, runs]).all(axis=1)
    if PEOPLE in set(whole["run"]):
        positions = [n for n, key in answers.persons if key == condition]
        administered[positions] |= of_it[positions]
    items = np.flatnonzero(administered)
    ranked = _ranked(whole)
    sampling = sampling_here(answers, items, claim)
    if claim == "other-domains" and sampling.domains < 2:
        raise ParameterError(
            f"the claim other-domains needs items of two domains or more; those of {benchmark} "
            f"have {sampling.domains}. Choose same-domains"
        )
    pairs = _pairs(answers, items, ranked, claim)
    slices = {}
    for label in answers.labels[benchmark] if condition != EVERY else ():
        part = pick(rows, rows["label"] == label)
        if part.empty:
            continue
        with_sets = [
            _placed(
                _pairs(answers, _having(answers, items, label, str(value)), ranked, claim), of_value
            )
            for value, of_value in part.groupby("value", sort=False)
        ]
        slices[label] = pd.concat(sorted(with_sets, key=_by_value), ignore_index=True)
    positions = answers.items.iloc[items]
    alone = "edition" in positions and bool((positions["edition"] == ANSWERS_ALONE).all())
    majority = [] if alone else [_majority(positions)]
    placed = _placed(pairs, whole)
    beside = other_claim(sampling.claim, sampling.domains) or ""
    if beside:
        other = _placed(_pairs(answers, items, ranked, beside), whole)
        placed = placed.assign(other_best=other["best"], other_worst=other["worst"])
    listed = pd.concat([placed, pd.DataFrame(majority)], ignore_index=True)
    with_rank = [] if pairs is None else list(pairs.names)
    unlinked = tuple(run for run in ranked if len(ranked) > 1 and run not in with_rank)
    apart = int(scores_of(answers, items, unlinked).notna().any(axis=1).sum())
    return BenchmarkStandings(
        number, benchmark, condition, items, _in_order(listed), slices, pairs, sampling,
        unlinked, apart, beside,
    )  # fmt: skip


def _by_value(rows: pd.DataFrame) -> tuple[float, str]:
    """Whole numbers by size, before words in alphabetical order."""
    value = str(rows["value"].iloc[0])
    return (float(value) if value.lstrip("-").isdigit() else math.inf), value


def _described(answers: Answers, rows: pd.DataFrame, *, named: bool = False) -> pd.DataFrame:
    """With the name and role of every run; `named`: with its condition, too."""
    names, runs, settings = answers.names(), answers.runs, answers.settings()
    who = [None if run < 0 else runs[run] for run in rows["run"]]
    rows = rows.assign(
        name=[
            "people"
            if one is None
            else f"{names[one.examinee]} [{settings[one.condition]}]"
            if named
            else names[one.examinee]
            for one in who
        ],
        role=["person" if one is None else one.role for one in who],
    )
    return rows if "persons" in rows else rows.assign(persons=np.nan, items=np.nan)


def _ranked(whole: pd.DataFrame) -> list[int]:
    for role in ("model", "population"):
        runs = [int(run) for run in pick(whole, whole["role"] == role)["run"]]
        if runs:
            return runs
    return []


def sampling_here(answers: Answers, items: NDArray[np.intp], claim: str) -> Sampling:
    """Return the sampling of these items under the claim, as in `gfactor compare`."""
    here = answers.items.iloc[items]
    domains = here["domain"].astype(str).to_numpy() if "domain" in here else None
    return Sampling.of(claim, len(items), units=here["unit"].to_numpy(), domains=domains)


def scores_of(answers: Answers, items: NDArray[np.intp], ranked: Sequence[int]) -> pd.DataFrame:
    """Return scores, items x runs."""
    runs = np.array(ranked, int)
    table = answers.scores[np.ix_(items, runs)].astype(float)
    return pd.DataFrame(table, columns=pd.Index(runs.tolist()))


def _pairs(
    answers: Answers, items: NDArray[np.intp], ranked: Sequence[int], claim: str
) -> Pairwise | None:
    """Return all differences of the runs that these items link. Items of a single domain are no
    sample of domains, so their differences generalize to other items of that domain."""
    scores = scores_of(answers, items, ranked)
    scores = scores.iloc[:, linked(scores)]
    if scores.empty:
        return None
    sampling = sampling_here(answers, items, claim)
    if claim == "other-domains" and sampling.domains < 2:
        sampling = sampling_here(answers, items, DEFAULT_CLAIM)
    return compare_pairs(scores, sampling=sampling)


def _placed(pairs: Pairwise | None, rows: pd.DataFrame) -> pd.DataFrame:
    """With the rank set of every run that has one."""
    if pairs is None:
        return rows.assign(best=np.nan, worst=np.nan)
    sets = pairs.rank_sets(LEVEL).reindex(rows["run"])
    return rows.assign(best=sets["best"].to_numpy(), worst=sets["worst"].to_numpy())


def _having(answers: Answers, items: NDArray[np.intp], label: str, value: str) -> NDArray[np.intp]:
    """Those of the items whose label is this value, or holds it if it is a list."""
    matching = [
        value in map(label_text, one) if isinstance(one, tuple | list) else label_text(one) == value
        for one in answers.items[label].iloc[items]
    ]
    return items[np.array(matching, bool)]


def _majority(items: pd.DataFrame) -> dict[str, Any]:
    """Return the score of always giving the answer that is right most often in each domain."""
    domains = items["domain"].astype(str) if "domain" in items else items["benchmark"]
    keys: Any = items["target"].groupby(domains.to_numpy())
    right = sum(Counter(part).most_common(1)[0][1] for _, part in keys)
    return {
        "run": MAJORITY, "name": "most frequent answer of each domain", "role": "computed",
        "accuracy": right / len(items), "n": len(items),
    }  # fmt: skip


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Return ranked runs from the highest score down, those without a rank, then references."""
    order = [-1 if math.isfinite(best) else _ORDER.get(role, 0)
             for best, role in zip(table["best"], table["role"], strict=True)]  # fmt: skip
    by = ["_order", "_least", "best", "worst", "name"]
    table = table.assign(_order=order, _least=-table["accuracy"]).sort_values(by, kind="stable")
    return table.drop(columns=["_order", "_least"]).reset_index(drop=True)


def item_statistics(answers: Answers, board: BenchmarkStandings) -> pd.DataFrame:
    """Return statistics of every item of a board: `item` (its number), `n` and `right` (of the
    ranked runs), `difficulty` (share right), `rest` (correlation with the mean of the other items,
    NaN below three runs or without variance), `people_n`, `people_right`.
    """
    x = answers.scores[np.ix_(board.items, np.array(board.ranked, int))].astype(float)
    present = ~np.isnan(x)
    n, right = present.sum(axis=1), np.nansum(x, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = right / n
        others = (np.nansum(x, axis=0) - np.nan_to_num(x)) / (present.sum(axis=0) - present)
    rest = [
        _correlation(part[k], other[k]) for part, other, k in zip(x, others, present, strict=True)
    ]
    people = [answers.persons.get((int(k), board.condition), (0, 0)) for k in board.items]
    return pd.DataFrame({
        "item": board.items, "n": n, "right": right, "difficulty": share, "rest": rest,
        "people_n": [n_people for _, n_people in people],
        "people_right": [done for done, _ in people],
    })  # fmt: skip


def _correlation(scores: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    finite = np.isfinite(other)
    scores, other = scores[finite], other[finite]
    if len(scores) < 3 or scores.std() < 1e-12 or other.std() < 1e-12:
        return float("nan")
    return float(np.corrcoef(scores, other)[0, 1])
