"""Comparison of examinees on the same items, and the ranks that it leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.who_answered import model_changes
from gfactor.api.reach import ReachOptions
from gfactor.api.scoring import Scoring, scoring_of, shares_of
from gfactor.api.taking import JournalLike, opened
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import (
    Differences,
    RankSets,
    Sampling,
    all_pairs,
    benjamini_hochberg,
    rank_sets,
)
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, Claim, checked_claim
from gfactor.results import Result, number_of, plain
from gfactor.scoring import by_label, with_chance
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.frames import pick
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.sampling import ITEM, answer_variance, other_claim, sampling_of

INDEPENDENT, UNIT = "none", "unit"


def compare(
    journal: JournalLike,
    *,
    by: str | None = None,
    claim: str | None = None,
    domain_label: str = DOMAIN,
    benchmark: str | None = None,
    over_benchmarks: bool = False,
    cluster: str | None = None,
    lenient: bool = False,
    ratio: bool = False,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> Comparison:
    """Compare examinees, each pair on the items that both answered, one benchmark at a time.

    For every pair: the difference of their means with its 95 % interval and p, and p adjusted for
    the number of pairs: p_holm, on which the rank sets rest, and p_fdr, for a search through the
    table. For every examinee: the ranks that its differences leave possible. Failed attempts are
    missing and left out. Several conditions in a journal are compared like several examinees. What
    the other claim would give stands beside the rank sets.

    Parameters
    ----------
    journal : Journal or path
        Journal that `run` returned, or its file.
    by : str, optional
        Label within whose values examinees are compared too: "domain", "size", "skill" ...
    claim : {"same-domains", "other-domains", "these-items"}, optional
        Population that the differences generalize to: other items of the same domains (the
        default), other domains, or these items alone (which needs several occasions).
    domain_label : str
        The label that divides the items into domains.
    benchmark : str, optional
        The only benchmark to be compared; by default each for itself.
    over_benchmarks : bool
        Compare one mean over all benchmarks, on the items that all examinees answered.
    cluster : str, optional
        Older name. A label is the claim "other-domains" over its values; "unit" is
        "same-domains" without domains; "none" takes every item by itself.
    lenient : bool
        Use the lenient reading, not the benchmark's rule.
    ratio : bool
        Compare points earned per possible point, not items right as a whole.
    examinees : list of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition whose answers count, as in `score`.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    Comparison
        `differences` (a DataFrame: every pair with its difference, interval and adjusted p) and
        `ranks` (every examinee with the ranks that are left possible).

    Raises
    ------
    ParameterError
        If there are fewer than two examinees, options contradict each other, or the items do not
        support the claim.
    UnknownNameError
        For an unknown label, claim or benchmark.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6, 65-70.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> comparison = gf.compare(journal)
    >>> comparison.differences[["first", "second", "n"]]
                first             second   n
    0  observer:ideal  baseline:constant  20
    >>> comparison.generalizes_to["percept-v"]
    'generalizes to other items of this kind'
    """
    if lenient and ratio:
        raise ParameterError("points are given by the benchmark's own rule; leave out lenient")
    with opened(journal) as kept:
        scoring = scoring_of(examinees, condition, judge, policy, reach)
        asked = Question.of(claim, domain_label, cluster, benchmark, over_benchmarks)
        return Comparison.of(kept, scoring, by, asked, lenient, ratio)


@dataclass(frozen=True)
class Question:
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
    """

    claim: Claim | None = DEFAULT_CLAIM
    domains: str | None = DOMAIN
    benchmark: str | None = None
    over_benchmarks: bool = False
    note: str = ""

    @classmethod
    def of(
        cls,
        claim: str | None = None,
        domains: str = DOMAIN,
        cluster: str | None = None,
        benchmark: str | None = None,
        over_benchmarks: bool = False,
    ) -> Question:
        """Check options. ParameterError if an older option contradicts `claim`."""
        if benchmark is not None and over_benchmarks:
            raise ParameterError("one benchmark has no mean over benchmarks; leave one of both out")
        rest = (benchmark, over_benchmarks)
        if cluster is None:
            checked = DEFAULT_CLAIM if claim is None else checked_claim(claim)
            return cls(checked, domains, *rest)
        if claim is not None:
            raise ParameterError("cluster is the older name of claim; give claim alone")
        if cluster == INDEPENDENT:
            return cls(None, None, *rest, "cluster none takes every item by itself")
        if cluster == UNIT:
            return cls("same-domains", None, *rest, "cluster unit is the claim same-domains, "
                       "items not divided into domains")  # fmt: skip
        said = f"cluster {cluster} is the claim other-domains, items divided by {cluster}"
        return cls("other-domains", cluster, *rest, said)

    @property
    def cluster(self) -> str:
        """The older name of what is independent, for documents."""
        if self.claim is None:
            return INDEPENDENT
        return self.domains if self.claim == "other-domains" and self.domains else UNIT


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Examinees compared pair by pair, each benchmark for itself.

    Parameters
    ----------
    wholes: comparison on all items of each benchmark; that of a mean over benchmarks under its
        name.
    within: comparisons by benchmark, then by value of the label `by`; empty without one.
    question: question that was asked.
    lenient, ratio: way of scoring the answers.
    left_out: benchmarks that fewer than two answered.
    changes: runs in which the model that answered changed.
    """

    wholes: Mapping[str, Compared]
    within: Mapping[str, Mapping[str, Compared]]
    by: str | None
    question: Question
    lenient: bool
    ratio: bool
    left_out: tuple[str, ...] = ()
    changes: tuple[Diagnostic, ...] = ()

    @classmethod
    def of(
        cls,
        journal: Journal,
        scoring: Scoring,
        by: str | None,
        question: Question,
        lenient: bool,
        ratio: bool,
    ) -> Comparison:
        """Compare what an open journal holds."""
        reading = "points" if ratio else "correct_lenient" if lenient else "correct"
        table = with_runs(with_chance(scoring.table(journal), journal.items()), reading)
        wholes, parts, left_out = {}, {}, []
        for name, rows in _by_benchmark(table, question):
            runs = _from_best(rows)
            if len(runs) < 2:
                left_out.append(name)
                continue
            wholes[name] = _compare(rows, runs, question)
            groups = by_label(rows, by) if by else {}
            of_values = {
                str(value): _compare(part, runs, question, within=True)
                for value, part in groups.items()
            }
            parts[name] = dict(zip(of_values, _adjusted_together(of_values.values()), strict=True))
        if not wholes:
            raise ParameterError(
                f"each benchmark of the journal ({', '.join(left_out)}) was answered by one "
                "examinee alone, and a comparison needs two on the same items; have a second "
                "examinee answer one of them, into the same journal (gfactor run)"
            )
        changes = model_changes(journal, set(table["examinee"]))
        return cls(wholes, parts, by, question, lenient, ratio, tuple(left_out), changes)

    @property
    def whole(self) -> Compared:
        """The comparison of the only benchmark; ParameterError if there are several."""
        if len(self.wholes) > 1:
            raise ParameterError(
                f"the comparison holds {len(self.wholes)} benchmarks ({', '.join(self.wholes)}), "
                "each compared by itself; choose one with --benchmark (in Python: benchmark=...)"
            )
        return next(iter(self.wholes.values()))

    @property
    def parts(self) -> Mapping[str, Compared]:
        """The comparisons within every value of `by`, of the only benchmark; ParameterError where
        there are several."""
        assert self.whole
        return next(iter(self.within.values()))

    @property
    def claim(self) -> str | None:
        """Return what the differences generalize to; None for items that stand by themselves."""
        return self.question.claim

    @property
    def generalizes_to(self) -> dict[str, str]:
        """The claim in words, by benchmark."""
        return {name: whole.words for name, whole in self.wholes.items()}

    @property
    def differences(self) -> pd.DataFrame:
        """A row per pair: `first`, `second`, their means, `estimate` with `ci_lower`, `ci_upper`,
        `se`, `p`, `p_holm` and `p_fdr`, `effect`, `n` and what was left out; `benchmark` first
        where there are several."""
        return self._together(lambda whole: whole.differences.table.rename(columns=_ENDS))

    @property
    def ranks(self) -> pd.DataFrame:
        """A row per examinee, from the best: `mean`, `n`, `rank`, and its rank set `best` to
        `worst`; `benchmark` first where there are several."""
        return self._together(lambda whole: whole.ranks.table)

    def _together(self, table: Callable[[Compared], pd.DataFrame]) -> pd.DataFrame:
        if len(self.wholes) == 1:
            return table(self.whole)
        named = [
            table(whole).reset_index().assign(benchmark=name) for name, whole in self.wholes.items()
        ]
        frame = pd.concat(named, ignore_index=True).drop(columns="index", errors="ignore")
        return pick(frame, ["benchmark", *(c for c in frame if c != "benchmark")])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return diagnostics of differences and rank sets, and of what was left out."""
        both = [
            note
            for whole in self.wholes.values()
            for note in (*whole.differences.diagnostics, *whole.ranks.diagnostics)
        ]
        both += self.changes
        if self.left_out:
            both.append(
                Diagnostic(
                    "answered_by_one",
                    "note",
                    f"{', '.join(self.left_out)}: answered by one examinee, so not compared.",
                    "Run another on the same bank.",
                )
            )
        if self.question.note:
            said = f"{self.question.note[0].upper()}{self.question.note[1:]}."
            both.append(Diagnostic("older_option", "note", said, "Use claim instead."))
        return by_severity(one for k, one in enumerate(both) if one not in both[:k])

    @property
    def title(self) -> str:
        """Return who is best, and how many pairs differ."""
        if len(self.wholes) == 1:
            return f"{self.whole.differences.title}; {self.whole.words}"
        return "; ".join(f"{n}: {w.differences.title}" for n, w in self.wholes.items())

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """`ranks` and `differences`."""
        return {"ranks": self.ranks, "differences": self.differences}

    def _document(self) -> Mapping[str, Any]:
        """The document of `gfactor compare --json`."""
        documents = {name: whole.to_dict() for name, whole in self.wholes.items()}
        first = next(iter(documents.values()))
        settings = {k: v for k, v in first.items() if k not in ("differences", "ranks", "words")}
        return {
            "reading": "lenient" if self.lenient else "strict",
            "ratio": self.ratio,
            "claim": self.claim,
            "generalizes_to": self.generalizes_to,
            "cluster": self.question.cluster,
            **settings,
            **_flat(documents),
            "left_out": list(self.left_out),
            "diagnostics": self.diagnostics,
            **({"by": self.by, "parts": self._parts()} if self.by else {}),
        }

    def _parts(self) -> dict[str, Any]:
        """By value of the label, the rows of all benchmarks that have it."""
        by_value: dict[str, dict[str, Any]] = {}
        for name, parts in self.within.items():
            for value, part in parts.items():
                by_value.setdefault(value, {})[name] = part.to_dict()
        return {value: _flat(documents) for value, documents in by_value.items()}

    def _lines(self) -> list[str]:
        return [self.title, *(whole.ranks.title for whole in self.wholes.values())]


_ENDS = {"low": "ci_lower", "high": "ci_upper"}


def _flat(documents: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The rows of all benchmarks, each with the name of its own."""
    return {
        kind: [{"benchmark": name, **row} for name, one in documents.items() for row in one[kind]]
        for kind in ("differences", "ranks")
    }


@dataclass(frozen=True)
class Compared:
    """The runs on some items: differences, rank sets; of each failed attempts, what chance earns,
    and who found the answers; `other` is the same under the claim that is told beside it; `who`
    counts examinees and conditions in words."""

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
            told: Any = self.other.differences.table[["low", "high", "p_holm"]]
            ends = told.to_dict("records")
            document["differences"] = [
                row | {"other_claim": plain(end)}
                for row, end in zip(document["differences"], ends, strict=True)
            ]
        del document["diagnostics"]
        return document


def with_runs(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """The table with columns `score`, `of` (what it is out of) and `run`: the examinee, and its
    condition if several."""
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


def runs_in_words(rows: pd.DataFrame) -> str:
    """Say how many examinees answered, and under how many conditions where there are several.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({"examinee": ["a", "a"], "condition": ["default", "cot=on"]})
    >>> runs_in_words(runs)
    '1 examinee under 2 conditions'
    """
    conditions = len(set(rows["condition"]))
    who = number_of(len(set(rows["examinee"])), "examinee")
    return who if conditions < 2 else f"{who} under {conditions} conditions"


def _from_best(table: pd.DataFrame) -> list[str]:
    """The runs by their mean, so that most differences are positive."""
    means = {run: rows["score"].mean() for run, rows in table.groupby("run")}
    return sorted(map(str, means), key=lambda run: (-np.nan_to_num(means[run]), run))


def _by_benchmark(table: pd.DataFrame, question: Question) -> list[tuple[str, pd.DataFrame]]:
    """The rows of every benchmark, or the items that all have in common of all together."""
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
    kept = [pair in common for pair in zip(table["item_id"], table["item_hash"], strict=True)]
    rows = pick(table, kept)
    if len(set(rows["benchmark"])) < 2:
        raise ParameterError(
            f"the {runs} examinees have {len(common):,} items in common, not of two benchmarks; "
            "choose examinees that answered the same, or compare each benchmark for itself"
        )
    return [(f"mean over the common items of {' and '.join(names)}", rows)]


def _compare(
    rows: pd.DataFrame, runs: Sequence[str], question: Question, *, within: bool = False
) -> Compared:
    """Compare `runs` on the items of `rows`; the occasions of an item are averaged.

    Scores are out of what an item is worth on average, so that the mean over all items is their sum
    per possible point, as `gfactor score` has it: heavy items count for more. `within` a value of
    a label a claim about other domains needs two of them, and is else about other items.
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
    judged = partial(_judged, rows, scores, noise)
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
    sampling: Sampling | None,
    beside: Compared | None = None,
) -> Compared:
    differences = all_pairs(scores, sampling=sampling, answer_variance=noise)
    failed = rows.loc[rows["missing"].to_numpy(dtype=bool), "run"]
    missing = {run: int(np.count_nonzero(failed == run)) for run in scores.columns}
    words = "takes every item by itself" if sampling is None else sampling.words
    return Compared(
        differences, rank_sets(differences), missing, _chance(rows), shares_of(rows, "run"),
        words, beside, runs_in_words(rows),
    )  # fmt: skip


def _chance(rows: pd.DataFrame) -> dict[str, float]:
    """Return the score of chance on the items that every run answered, for runs where it is known.
    It is expressed as `_compare` expresses scores: relative to the average worth of an item.
    """
    items = rows.loc[~rows["missing"].to_numpy(bool)].drop_duplicates(["run", *ITEM])
    name = "chance" if (items["of"] == 1).all() else "chance_share"
    known = items.loc[items[name].notna()].assign(_earned=lambda frame: frame[name] * frame["of"])
    sums: Any = known.groupby("run")[["_earned", "of"]].sum()
    return {str(run): float(value) for run, value in (sums["_earned"] / sums["of"]).items()}


def _adjusted_together(parts: Iterable[Compared]) -> list[Compared]:
    """The same with `p_fdr` over the pairs of all parts: the whole table is searched at once."""
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
