"""Accuracy by domain, skill, answer type and size, chance and trivial baselines beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from gfactor.reports.answers.accuracy import (
    BASELINE_NOTE,
    accuracies,
    in_order,
    keys_of,
    rows_without_baselines,
    with_baselines,
)
from gfactor.reports.answers.group_rates import (
    CHANCE_NOTE,
    PEOPLE_NOTE,
    RATE_NOTE,
    item_rows,
    own_rows,
)
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

FAMILIES_NOTE = (
    "An ability (a code of the Cattell-Horn-Carroll theory; EF: executive functions) is measured "
    "by one or more families of items; n counts items of all of them."
)
SKILLS_NOTE = "An item that needs several skills counts for each of them."


@table("accuracy_by_domain", section="domains", order=20, needs=("domain",))
def by_domain(results: Results) -> Table | None:
    """Tabulate accuracy by domain for the ideal observer, the models and the pooled population."""
    return _broken_down(results, "domain", "Accuracy by domain")


@table("accuracy_of_each_by_domain", section="domains", order=21, needs=("domain",))
def each_by_domain(results: Results) -> Table:
    """Tabulate accuracy by domain for every examinee, including baselines and members of the
    population."""
    rows = own_rows(results)
    keys = keys_of(rows, ["domain"])
    frame = in_order(results, accuracies(results, rows, [*keys, "label"]), keys)
    return Table(
        "Accuracy of each examinee by domain",
        frame,
        percent=_percent(frame),
        headings={"label": "examinee"},
        notes=(RATE_NOTE, CHANCE_NOTE),
        folded=True,
    )


@table("accuracy_by_ability", section="breakdowns", order=28, needs=("family", "ability"))
def by_ability(results: Results) -> Table | None:
    """Tabulate accuracy by ability of a generated battery, over its families."""
    return _broken_down(results, "ability", "Accuracy by ability", (FAMILIES_NOTE,))


@table("accuracy_by_family", section="breakdowns", order=29, needs=("family", "ability"))
def by_family(results: Results) -> Table | None:
    """Tabulate accuracy by family of a generated battery, with the ability that it measures."""
    return _broken_down(results, ["ability", "family"], "Accuracy by family")


@table("accuracy_by_skill", section="breakdowns", order=30, needs=("skills",))
def by_skill(results: Results) -> Table | None:
    """Tabulate accuracy by skill; items may need several skills."""
    return _broken_down(results, "skills", "Accuracy by skill", (SKILLS_NOTE,))


@table("accuracy_by_answer_type", section="breakdowns", order=31, needs=("answer_type",))
def by_answer_type(results: Results) -> Table | None:
    """Tabulate every type of answer."""
    return _broken_down(results, "answer_type", "Accuracy by answer type")


@table("accuracy_by_size", section="breakdowns", order=32, needs=("size",))
def by_size(results: Results) -> Table | None:
    """Tabulate accuracy by size, over all domains."""
    note = "Size: how much there is to see (objects, rows, steps); its meaning is the domain's."
    return _broken_down(results, "size", "Accuracy by size", (note,), folded=True)


@table("accuracy_by_label", section="breakdowns", order=33)
def by_label(results: Results) -> Table | None:
    """Tabulate accuracy by the labels that were asked for (`--by`), one below the other."""
    tables = {
        name: _broken_down(_with_sortable(results, column), column, f"Accuracy by {name}")
        for name, column in results.by.items()
    }
    tabulated = {name: one for name, one in tables.items() if one is not None}
    if len(tabulated) < 2:
        return next(iter(tabulated.values()), None)
    parts = []
    for name, one in tabulated.items():
        part = one.frame.rename(columns={results.by[name]: "value"})
        part["value"] = part["value"].astype(str)
        part.insert(list(part.columns).index("value"), "by", name)
        parts.append(part)
    first = next(iter(tabulated.values()))
    frame = pd.concat(parts, ignore_index=True)
    title = f"Accuracy by {', '.join(tabulated)}"
    return replace(first, title=title, frame=frame, percent=_percent(frame))


@table("accuracy_by_domain_and_size", section="curves", order=40, needs=("domain", "size"))
def by_domain_and_size(results: Results) -> Table | None:
    """Tabulate accuracy in every cell of the design (domain and size), the points of the curves."""
    return _broken_down(results, ["domain", "size"], "Accuracy by domain and size", folded=True)


def _broken_down(
    results: Results,
    by: str | Sequence[str],
    title: str,
    notes: tuple[str, ...] = (),
    *,
    folded: bool = False,
) -> Table | None:
    keys = [by] if isinstance(by, str) else list(by)
    answers = rows_without_baselines(results)
    if answers.empty:
        return None
    everything = item_rows(results)
    if "skills" in keys:
        answers, everything = _single_skills(answers), _single_skills(everything)
    keys = keys_of(everything, keys)
    frame = in_order(results, accuracies(results, answers, [*keys, "label"]), keys)
    frame = with_baselines(results, frame, everything)
    pooled = (PEOPLE_NOTE,) if results.labels("population", "person") else ()
    baselines = (BASELINE_NOTE,) if results.labels("baseline") else ()
    return Table(
        title,
        frame,
        percent=_percent(frame),
        headings={"label": "examinee", "answer_type": "answer type", "skills": "skill"},
        notes=(RATE_NOTE, CHANCE_NOTE, *pooled, *baselines, *notes),
        folded=folded,
    )


def _with_sortable(results: Results, column: str) -> Results:
    """Return results whose values of a label can be sorted: words beside numbers as words."""
    values = results.answers[column]
    kinds = {type(one) for one in values.dropna().tolist()}
    if len(kinds) < 2 or kinds <= {int, float} or column == "skills":
        return results
    return replace(
        results, answers=results.answers.assign(**{column: values.map(str, na_action="ignore")})
    )


def _single_skills(answers: pd.DataFrame) -> pd.DataFrame:
    return answers.explode("skills").dropna(subset=["skills"])


def _percent(frame: pd.DataFrame) -> tuple[str, ...]:
    first = list(frame.columns).index("n") + 1
    return tuple(str(name) for name in frame.columns[first:])
