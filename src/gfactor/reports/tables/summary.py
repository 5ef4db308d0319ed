"""One row per examinee and benchmark: items, how many are right, who found the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from gfactor.frames import column, distinct, pick
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.reports.answers.group_rates import (
    ACCURACY,
    CHANCE_NOTE,
    CLAIM_NOTES,
    FORMAT_ERRORS,
    LENIENT,
    PEOPLE_NOTE,
    RATE_NOTE,
    RateMeasure,
    domains_of,
    over_domains,
    own_rows,
    rate,
)
from gfactor.reports.answers.results import ROLES, Results, pooled_labels
from gfactor.reports.table_registry import Table, table
from gfactor.results import number_of
from gfactor.scoring import shares
from gfactor.scoring.policies import policy_for

READ_NOTE = (
    "Shares of all responses. Rule: the rules found the answer; one found outside the output "
    "format counts for the lenient reading alone, and is a format error. Judge: a judge model did, "
    "where the rules had not. Random draw: neither did, and the policy took an option drawn at "
    "random for the answer (M3GIA, appendix F); such answers say nothing about the examinee. No "
    "answer: none was found, and the response counts as wrong. Missing: left out."
)

_AMOUNTS = {"label", "domain", "correct", "correct_lenient", "format_error", "chance"}
"""Columns of rows that rates are computed from, beside those that begin with "_"."""

_OF_ANSWERS = {"label", "role", "examinee", "_setting", "condition", "missing",
               "stage", "rule", "answer"}  # fmt: skip


@dataclass(frozen=True)
class _Examinee:
    """One row: an examinee (or all persons), its answers, and those of them that count."""

    results: Results
    label: str
    benchmark: str
    answers: pd.DataFrame
    counted: pd.DataFrame
    _estimates: dict[RateMeasure, Mapping[str, Any]] = field(default_factory=dict, init=False)

    @property
    def role(self) -> str:
        return str(self.answers["role"].iloc[0])

    @property
    def missing(self) -> int:
        return int(self.answers["missing"].astype(bool).to_numpy().sum())

    def rate(self, measure: RateMeasure) -> Mapping[str, Any]:
        if measure not in self._estimates:
            # One domain is no sample of domains: other items of it are meant.
            narrow = self.results.claim == "other-domains" and domains_of(self.counted) < 2
            claim = DEFAULT_CLAIM if narrow else self.results.claim
            self._estimates[measure] = rate(self.counted, measure, self.results.level, claim)
        return self._estimates[measure]


@dataclass(frozen=True)
class _Column:
    """A column, or several that belong together: the one place where it is defined.

    Parameters
    ----------
    names: names in exports.
    cells: cells of an examinee's row, in the order of the names; nothing if it has none.
    heading: heading of the first column, if it is not its name.
    percent: shown as a percentage.
    notes: notes for the reader, below the table.
    """

    names: tuple[str, ...]
    cells: Callable[[_Examinee], tuple[Any, ...]]
    heading: str = ""
    percent: bool = False
    notes: tuple[str, ...] = ()


def _with_interval(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


def _rate(measure: RateMeasure) -> Callable[[_Examinee], tuple[Any, ...]]:
    """A rate with its interval."""

    def cells(one: _Examinee) -> tuple[Any, ...]:
        estimate = one.rate(measure)
        return estimate["value"], estimate["low"], estimate["high"]

    return cells


def _same_domains(one: _Examinee) -> tuple[Any, ...]:
    estimate = rate(one.counted, ACCURACY, one.results.level)
    return estimate["value"], estimate["low"], estimate["high"]


def _over_domains(one: _Examinee) -> tuple[Any, ...]:
    # One domain is no sample of domains.
    if domains_of(one.counted) < 2:
        return ()
    over = over_domains(one.counted, ACCURACY, one.results.level)
    ends = (over["low"], over["high"]) if len(one.counted) else (float("nan"),) * 2
    return one.rate(ACCURACY)["value"], *ends


def _specification(answers: pd.DataFrame) -> str:
    names = column(answers, "examinee")
    persons = column(answers, "role").iloc[0] == "person"
    return number_of(len(names.unique()), "person") if persons else str(names.iloc[0])


COLUMNS = (
    _Column(("label",), lambda one: (one.label,), "examinee"),
    _Column(("benchmark",), lambda one: (one.benchmark,) if one.benchmark else ()),
    _Column(("role",), lambda one: (one.role,)),
    _Column(("n",), lambda one: (len(one.counted),)),
    _Column(
        _with_interval("accuracy"), _rate(ACCURACY), percent=True,
        notes=(
            "Accuracy is by the benchmark's own rule (strict reading: an answer outside the output "
            "format is wrong), lenient beside it.",
            RATE_NOTE,
        ),
    ),
    _Column(("chance",), lambda one: (one.rate(ACCURACY)["chance"],), percent=True,
            notes=(CHANCE_NOTE,)),
    _Column(
        _with_interval("over_domains"), _over_domains, "other domains", percent=True,
        notes=(
            "Other domains: the same mean with the interval of another claim, what would be "
            "expected of other domains of this kind. Whole domains are then a sample.",
        ),
    ),
    _Column(_with_interval("lenient"), _rate(LENIENT), percent=True),
    _Column(
        _with_interval("format_errors"), _rate(FORMAT_ERRORS), "format errors", percent=True,
        notes=(
            "Format errors: replies that do not conform to the output format, or hold no answer, "
            "where the benchmark's policy counts that as an error.",
        ),
    ),
    _Column(
        ("answers",), lambda one: (len(one.answers) - one.missing,),
        notes=(
            "Answers: responses that count. Missing: attempts that failed (transport, timeout) or "
            "were left out; they are in neither n nor answers.",
        ),
    ),
    _Column(("missing",), lambda one: (one.missing,)),
    _Column(("examinee",), lambda one: (_specification(one.answers),)),
)  # fmt: skip


_SAME_DOMAINS = _Column(
    _with_interval("same_domains"), _same_domains, "same domains", percent=True,
    notes=(
        "Same domains: the same mean with the interval of another claim, what would be expected of "
        "other items of these domains.",
    ),
)  # fmt: skip


def _columns(claim: str) -> list[_Column]:
    """The columns with the intervals of a claim, and beside them those of the other one."""
    noted = (COLUMNS[_ACCURACY].notes[0], CLAIM_NOTES[claim])
    columns = list(COLUMNS)
    columns[_ACCURACY] = replace(COLUMNS[_ACCURACY], notes=noted)
    if claim == "other-domains":
        columns[_BESIDE] = _SAME_DOMAINS
    return columns


_ACCURACY, _BESIDE = (
    next(k for k, one in enumerate(COLUMNS) if one.names[0] == name)
    for name in ("accuracy", "over_domains")
)


def _row(columns: Sequence[_Column], one: _Examinee) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for one_column in columns:
        if cells := one_column.cells(one):
            row |= zip(one_column.names, cells, strict=True)
    return row


@table("summary", section="summary", order=10)
def summary(results: Results) -> Table:
    """Tabulate accuracy of every examinee on each benchmark, with two intervals, and its format
    errors."""
    counting = [policy_for(name, results.policy) for name in results.benchmarks or [""]]
    columns = [
        c for c in _columns(results.claim) if "error" in counting or "format_errors" not in c.names
    ]
    several = len(results.benchmarks) > 1
    rows = []
    for benchmark in results.benchmarks if several else [""]:
        part = results.of(benchmark) if several else results
        answers = part.once(_with_people)
        named = answers.assign(_own=column(part.answers, "label"))
        counted = own_rows(part)
        names = [name for name in counted if name in _AMOUNTS or str(name)[0] == "_"]
        counted = pick(counted, names)
        for label, group in named.groupby("label"):
            of_label = pick(counted, counted["label"].isin(distinct(group, "_own")))
            rows.append(_row(columns, _Examinee(part, str(label), benchmark, group, of_label)))
    frame = _in_order(pd.DataFrame(rows))
    columns = [c for c in columns if c.names[0] in frame]
    people = (PEOPLE_NOTE,) if results.labels("person") else ()
    return Table(
        "Every examinee",
        frame,
        percent=tuple(c.names[0] for c in columns if c.percent),
        headings={c.names[0]: c.heading for c in columns if c.heading},
        notes=(*(note for c in columns for note in c.notes), *people),
        csv_only=("examinee",),
    )


@table("examinees", section="summary", order=12)
def examinees(results: Results) -> Table | None:
    """List the specifications that the labels of a report stand for."""
    answers = results.once(_with_people)
    rows = [
        {
            "label": str(label),
            "role": column(group, "role").iloc[0],
            "specification": _specification(group),
        }
        for label, group in answers.groupby("label")
    ]
    if all(row["label"] == row["specification"] for row in rows):
        return None
    frame = _in_order(pd.DataFrame(rows).assign(accuracy=0.0)).drop(columns="accuracy")
    title = "What the names of examinees stand for"
    return Table(title, frame, headings={"label": "examinee"}, folded=True)


@table("reading", section="summary", order=11, needs=("stage",))
def reading(results: Results) -> Table:
    """Tabulate by which reader the answers of every examinee were found: rules, a judge, a random
    draw, none."""
    answers = results.once(_with_people)
    rows = [
        {"label": str(label), "role": group["role"].iloc[0], "responses": len(group)}
        | shares(group)
        for label, group in answers.groupby("label")
    ]
    frame = _in_order(pd.DataFrame(rows).assign(accuracy=0.0)).drop(columns="accuracy")
    judge = f" Judge: {results.judge}." if results.judge else " No judge was asked."
    others = ("judge", "draw", "none", "missing")
    zeros = tuple(name for name in others if not column(frame, name).to_numpy(bool).any())
    headings = {"draw": "random draw", "none": "no answer"}
    names = ", ".join(headings.get(name, name) for name in zeros)
    notes = (f"Nowhere above 0, so in the CSV file only: {names}.",) if zeros else ()
    return Table(
        "Responses by who found their answer",
        frame,
        percent=("rule", "judge", "draw", "none", "missing"),
        headings={"label": "examinee", **headings},
        notes=(f"{READ_NOTE}{judge} Policy: {results.policy}.", *notes),
        csv_only=zeros,
    )


def _with_people(results: Results) -> pd.DataFrame:
    """The answers, with one label for all persons, as far as these tables need them."""
    answers = results.answers
    answers = pick(answers, [name for name in answers if name in _OF_ANSWERS])
    person = column(answers, "role") == "person"
    return answers.assign(label=column(answers, "label").mask(person, pooled_labels(answers)))


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows by benchmark, if there are several, by role, then the most accurate first."""
    order = {role: position for position, role in enumerate(ROLES)}
    first = ["benchmark"] if "benchmark" in frame else []
    by = [*first, "_position", "accuracy", "label"]
    ascending = [*(True for _ in first), True, False, True]
    frame = frame.assign(_position=[order[role] for role in frame["role"]])
    frame = frame.sort_values(by, ascending=ascending, kind="stable")
    return frame.drop(columns="_position").reset_index(drop=True)
