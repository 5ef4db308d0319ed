"""Reading of journals for a leaderboard: one examinee at a time, so that memory stays small.

The score of every run on every item (four bytes each), rates of groups of items and counts stay in
memory; the replies are on disk. A run is an examinee under a condition.
"""

from __future__ import annotations

import hashlib
import heapq
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration import Journal
from gfactor.administration.storing.marked_people import PERSON
from gfactor.errors import JournalError
from gfactor.frames import pick
from gfactor.items.formats import option_from_json
from gfactor.psychometrics.classical.key_votes import Votes
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim
from gfactor.reports.answers.group_rates import ACCURACY, rates, rows_of
from gfactor.reports.answers.results import role_of, short_conditions, short_labels
from gfactor.reports.leaderboard.replies import Spool, shown_reply
from gfactor.reports.leaderboard.runs import RankedRun, run_of
from gfactor.scoring import averaged, item_chance, scored_in_parts, units
from gfactor.scoring.chance import ITEM
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.questions import PutItem, question_of
from gfactor.scoring.unread import UnreadCounts

KEPT_LABELS = ("domain", "ability", "language")
"""Labels that are always broken down where items differ in them; the others are `MORE` at most."""
MORE = 4
FEW, MANY = 2, 40
"""Numbers of a label's values that are worth a table."""

_KEY = ["item_hash", "item_id", "condition", "occasion"]
_FACTS = {
    *ITEM, "benchmark", "edition", "language", "answer_type", "target", "accepted", "points",
    "output_format", "question", "choices", "scene", "twin", "chance", "chance_share", "unit",
}  # fmt: skip
_SLUG = re.compile(r"[^A-Za-z0-9.]+")


@dataclass(frozen=True)
class Answers:
    """Answers read from journals.

    Parameters
    ----------
    items : DataFrame
        Items as in `Journal.items`, each once, with `chance` and `unit` (the independent unit).
    runs : tuple of RankedRun
        Runs of examinees that are no people.
    scores : array (items, runs)
        1 if right, 0 if wrong, their mean over occasions; NaN if nothing counts.
    table : DataFrame
        `run`, `benchmark`, `condition`, `label`, `value`, `n`, `accuracy`, `low`, `high`,
        `chance`, `lenient`, `format_errors`: of all items (`label` "") and by label. Rows of
        people taken together have `run` -1, `persons` and `items`: how many answered, and what.
    persons : dict
        Numbers of persons who were right, and who answered, by item (its number) and condition.
    labels : mapping
        The labels that are broken down, by benchmark.
    digest : str
        SHA-256 of what was answered by whom.
    sources : tuple of str
        Names of the journals.
    repeated : int
        Number of answers that an earlier journal holds too; they were left out.
    votes : dict
        Numbers of models that chose each option, by item (its number) and condition.
    people : mapping of str to DataFrame
        Scores of people by condition, persons x items (their numbers); NaN if not asked.
    unread : UnreadCounts
        Numbers of replies in which no rule read an answer.
    """

    items: pd.DataFrame
    runs: tuple[RankedRun, ...]
    scores: NDArray[np.float32]
    table: pd.DataFrame
    persons: dict[tuple[int, str], tuple[int, int]]
    labels: dict[str, tuple[str, ...]]
    digest: str
    sources: tuple[str, ...]
    repeated: int = 0
    votes: Mapping[tuple[int, str], Votes] = field(default_factory=dict)
    people: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    unread: UnreadCounts = field(default_factory=UnreadCounts)

    def names(self) -> dict[str, str]:
        """Return a short name for every examinee."""
        return short_labels(sorted({run.examinee for run in self.runs}))

    def settings(self) -> dict[str, str]:
        """Return a short name for every condition."""
        return short_conditions(sorted(set(map(str, self.table["condition"]))))


def slug(name: str, *, most: int = 40) -> str:
    """Return a readable file name that differs for different names, with any letters."""
    short = _SLUG.sub("-", name.split(":", 1)[-1]).strip("-.")[:most].rstrip("-.").lower()
    return f"{short or 'x'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def read_answers(
    journals: Sequence[Journal],
    spool: Spool,
    *,
    policy: str = BENCHMARKS_POLICY,
    judge: str = "",
    items: pd.DataFrame | None = None,
    watch: Callable[[str], None] = lambda _: None,
    claim: str = DEFAULT_CLAIM,
) -> Answers:
    """Read journals one examinee at a time.

    Parameters
    ----------
    journals : sequence of Journal
        Open journals. If two hold an answer to the same question, that of the first one counts.
    spool : Spool
        Takes the replies.
    policy, judge : str
        Treatment of replies without an answer, as in `gfactor.scoring.scored`.
    items : DataFrame, optional
        Result of `items_of`, if it is known already.
    watch : callable
        Function that is called with the name of every examinee.
    claim : str
        Population that scores' intervals generalize to.

    Returns
    -------
    Answers
        Items, runs and scores of all journals.

    Raises
    ------
    JournalError
        If no journal holds an answer.
    """
    items = items_of(journals) if items is None else items
    reading = _Reading(items, spool, checked_claim(claim))
    parts = (scored_in_parts(one, policy=policy, judge=judge) for one in journals)
    merged = heapq.merge(*parts, key=_examinee)
    distinct: list[str] = []
    for name, tables in groupby(merged, key=_examinee):
        watch(name)
        distinct.append(name)
        failed = [key for one in journals for key in _failed(one, name)]
        reading.add(name, list(tables), failed)
    if not reading.rates:
        named = ", ".join(repr(one.name) for one in journals)
        subject = f"journal {named} holds" if len(journals) == 1 else f"the journals {named} hold"
        if any(name.startswith(PERSON) for name in distinct):
            raise JournalError(
                f"{subject} answers of people only, and a leaderboard ranks models; have a model "
                "answer the same bank, with `gfactor run`"
            )
        raise JournalError(f"{subject} no answers; have the items asked first, with `gfactor run`")
    return reading.done(tuple(one.name for one in journals))


def items_of(journals: Sequence[Journal]) -> pd.DataFrame:
    """Return the items of all journals, each once, in the order of benchmark and id, numbered from
    0."""
    items = pd.concat([one.items() for one in journals], ignore_index=True)
    items = items.drop_duplicates(ITEM).sort_values(["benchmark", "id", "content_hash"])
    items = items.reset_index(drop=True)
    if items.empty:
        return items
    names = items.rename(columns={"content_hash": "item_hash"})
    levels = {name: part.to_numpy(float) for name, part in item_chance(items).items()}
    return items.assign(**levels, unit=units(names).to_numpy())  # type: ignore[arg-type]


def broken_down(items: pd.DataFrame) -> tuple[str, ...]:
    """Return the labels of a benchmark's items for which the site has a table each."""
    names = []
    for name in ("language", *(c for c in items if c not in _FACTS)):
        values = _values(items[name])
        if FEW <= len(values) <= MANY and len(values) < len(items):
            names.append(str(name))
    first = [name for name in KEPT_LABELS if name in names]
    more = [name for name in names if name not in first]
    return (*first, *_new_divisions(items, first, more)[:MORE])


def _new_divisions(items: pd.DataFrame, before: list[str], names: list[str]) -> list[str]:
    """Return the labels that divide the items differently from all labels before them."""
    seen = {tuple(pd.factorize(items[name].map(repr))[0]) for name in before}
    new = []
    for name in names:
        division = tuple(pd.factorize(items[name].map(repr))[0])
        if division not in seen:
            seen.add(division)
            new.append(name)
    return new


def _values(column: Any) -> set[Any]:
    """The values of a label, those in lists each by itself; whole numbers of columns with gaps."""
    values: set[Any] = set()
    for value in column:
        if isinstance(value, tuple | list):
            values.update(map(str, value))
        elif pd.notna(value):
            values.add(value)
    return values


def _examinee(table: pd.DataFrame) -> str:
    return str(table["examinee"].iloc[0])


def _failed(journal: Journal, examinee: str) -> list[tuple[str, str]]:
    """The condition and item (hash) of every failed attempt."""
    failures = journal.failures(examinee)
    pairs = zip(failures["condition"], failures["item_hash"], strict=True)
    return [(str(condition), str(item)) for condition, item in pairs]


@dataclass
class _Reading:
    """State of the reading so far."""

    items: pd.DataFrame
    spool: Spool
    claim: str = DEFAULT_CLAIM
    runs: list[RankedRun] = field(default_factory=list)
    columns: list[NDArray[np.float32]] = field(default_factory=list)
    rates: list[pd.DataFrame] = field(default_factory=list)
    people: list[pd.DataFrame] = field(default_factory=list)
    votes: dict[tuple[int, str], Counter[str]] = field(default_factory=dict)
    repeated: int = 0
    unread: UnreadCounts = field(default_factory=UnreadCounts)

    def __post_init__(self) -> None:
        pairs = zip(self.items["content_hash"], self.items["id"], strict=True)
        self._number = {pair: k for k, pair in enumerate(pairs)}
        self._benchmark = dict(zip(self.items["content_hash"], self.items["benchmark"],
                                   strict=True))  # fmt: skip
        self._rows: list[Any] = self.items.to_dict("records")
        self._questions: dict[tuple[int, str], PutItem] = {}
        self._labels = {
            str(name): broken_down(part)
            for name, part in self.items.groupby("benchmark", sort=True)
        }
        self._hash = hashlib.sha256()

    def add(self, name: str, tables: list[pd.DataFrame], failed: list[tuple[str, str]]) -> None:
        """Add the answers of an examinee, in as many tables as there are journals with them."""
        table = pd.concat(tables, ignore_index=True) if len(tables) > 1 else tables[0]
        twice = table.duplicated(_KEY)
        self.repeated += int(twice.sum())
        table = pick(table, ~twice).sort_values(_KEY, kind="stable")
        numbers = [self._number[pair] for pair in
                   zip(table["item_hash"], table["item_id"], strict=True)]  # fmt: skip
        chance = self.items[["chance", "chance_share"]].iloc[numbers]
        table = table.assign(
            _number=numbers, role=role_of(name), chance=chance["chance"].to_numpy(),
            chance_share=chance["chance_share"].to_numpy(),
            language=self.items["language"].to_numpy()[numbers],
        )  # fmt: skip
        for row in table[[*_KEY, "outcome", "text", "points"]].itertuples(index=False):
            self._hash.update(repr((name, *row)).encode("utf-8", "backslashreplace"))
        if role_of(name) == "person":
            self.people.append(table.drop(columns=["text", "reasoning", "detail"]))
            return
        self.unread.add(table)
        for condition, part in table.groupby("condition", sort=True):
            counts = Counter(
                str(self._benchmark.get(item, "")) for how, item in failed if how == condition
            )
            self._add_run(name, str(condition), part, counts)

    def _add_run(
        self, name: str, condition: str, part: pd.DataFrame, failed: Mapping[str, int]
    ) -> None:
        run = len(self.runs)
        counted = averaged(part)
        scores = np.full(len(self.items), np.nan, np.float32)
        scores[counted["_number"].to_numpy(int)] = counted["correct"].to_numpy(np.float32)
        self.columns.append(scores)
        if len(counted):
            self.rates.append(self._rated(part).assign(run=run, condition=condition))
        self.runs.append(run_of(run, name, condition, part, failed))
        if role_of(name) == "model":
            self._vote(condition, part)
        self.spool.add(run, (
            (row["_number"], shown_reply(row, self._question(row["_number"], condition)))
            for row in part.to_dict("records")
        ))  # fmt: skip

    def _vote(self, condition: str, part: pd.DataFrame) -> None:
        """Count the options that a model chose, one of each item."""
        chosen: dict[int, str] = {}
        of_choice = pick(part, (part["answer_type"] == "choice").to_numpy())
        for number, answer in zip(of_choice["_number"], of_choice["answer_lenient"], strict=True):
            option = option_from_json(answer)
            if option is not None:
                chosen.setdefault(int(number), option)
        for number, option in chosen.items():
            self.votes.setdefault((number, condition), Counter())[option] += 1

    def _question(self, number: int, condition: str) -> PutItem:
        if (number, condition) not in self._questions:
            self._questions[number, condition] = question_of(self._rows[number], condition)
        return self._questions[number, condition]

    def _rated(self, part: pd.DataFrame) -> pd.DataFrame:
        """Return the rates over all items of every benchmark, and by the values of its labels."""
        rows = rows_of(part)
        parts = [rows.assign(label="", _at="")]
        for benchmark, of_it in rows.groupby("benchmark", sort=True):
            for label in self._labels[str(benchmark)]:
                if label in of_it and any(pd.notna(one) for one in of_it[label]):
                    parts.append(_by_value(of_it, label))
        return _rates(pd.concat(parts, ignore_index=True), self.claim)

    def done(self, sources: tuple[str, ...]) -> Answers:
        """Return the answers of all runs and people that were read."""
        persons: dict[tuple[int, str], tuple[int, int]] = {}
        scores_of_people: dict[str, pd.DataFrame] = {}
        if self.people:
            people = pd.concat(self.people, ignore_index=True)
            for condition, part in people.groupby("condition", sort=True):
                counted = averaged(part)
                if counted.empty:
                    continue
                self.rates.append(self._rated(part).assign(run=-1, condition=condition))
                scores_of_people[str(condition)] = counted.pivot_table(
                    values="correct", index="examinee", columns="_number"
                )
                numbers = counted["_number"].to_numpy(int)
                right = np.bincount(numbers, counted["correct"].to_numpy(float))
                for number, n in enumerate(np.bincount(numbers)):
                    if n:
                        persons[number, str(condition)] = round(float(right[number])), int(n)
        scores = np.column_stack(self.columns) if self.columns else np.empty((len(self.items), 0))
        table = pd.concat(self.rates, ignore_index=True)
        return Answers(
            self.items, tuple(self.runs), scores.astype(np.float32, copy=False), table, persons,
            self._labels, self._hash.hexdigest(), sources, self.repeated,
            self.votes, scores_of_people, self.unread,
        )  # fmt: skip


def _by_value(rows: pd.DataFrame, label: str) -> pd.DataFrame:
    """Return the rows with the value of a label as text; a list gives a row per element."""
    rows = rows.assign(_at=rows[label], label=label)
    if any(isinstance(value, tuple | list) for value in rows["_at"]):
        rows = rows.explode("_at", ignore_index=True)
    rows = pick(rows, rows["_at"].notna())
    return rows.assign(_at=[label_text(value) for value in rows["_at"]])


def _rates(rows: pd.DataFrame, claim: str) -> pd.DataFrame:
    """`benchmark`, `label`, `value`, `n` and rates, a row per value of each label; of all items
    with the interval of the claim that is told beside."""
    keys = ["benchmark", "label", "_at"]
    table = rates(rows, keys, ACCURACY, claim=claim).set_index(keys)
    if claim == "other-domains":
        # One domain is no sample of domains: within it, other items of it are meant.
        within = rates(rows, keys, ACCURACY).set_index(keys)
        table[["low", "high"]] = table[["low", "high"]].fillna(within[["low", "high"]])
    beside = "same-domains" if claim == "other-domains" else "other-domains"
    whole = pick(rows, rows["label"] == "")
    other = rates(whole, keys, ACCURACY, claim=beside).set_index(keys)[["low", "high"]]
    table = table.join(other.add_prefix("other_"))
    shares: Any = rows.groupby(keys)[["correct_lenient", "format_error"]].mean()
    table = table.join(shares.astype(float))
    if "person" in set(rows["role"]):
        counts: Any = rows.groupby(keys)[["examinee", "_item"]].nunique()
        table = table.join(counts.rename(columns={"examinee": "persons", "_item": "items"}))
    table = table.reset_index()
    names = {"value": "accuracy", "_at": "value", "correct_lenient": "lenient",
             "format_error": "format_errors"}  # fmt: skip
    return table.rename(columns=names)


def label_text(value: Any) -> str:
    """Return a label's value as text; a whole number of a column with gaps as such."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)
