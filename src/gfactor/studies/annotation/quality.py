"""Quality of annotators: known responses, agreement with others, time; and the consensus."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import wilson
from gfactor.psychometrics.classical.agreement import Consensus, dawid_skene
from gfactor.studies.annotation.agreeing import key_judgments
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.schemes import SCHEMES
from gfactor.studies.annotation.state import GRADES, counted_labels, grades, labels, queue
from gfactor.studies.annotation.store import AnnotationStore

ASPECTS = ("category", *GRADES, "dropped", "type", "key")
"""Subjects of a consensus: categories of responses, and judgments of items in drafts."""


def set_gold(project: Project, table: pd.DataFrame) -> int:
    """Set the known category of responses, from a table with the columns `response` (its number) or
    `item`, `examinee` and `condition`, then `category` and optionally `why` (Markdown). Return the
    number of responses.

    Raises ParameterError, with the row, for an unknown response or category; no category is then
    set.
    """
    store = project.store()
    try:
        responses = store.responses()
        by_number = {int(n) for n in responses["id"]}
        names = ("item", "examinee", "condition")
        by_name = dict(
            zip(map(tuple, responses[list(names)].to_numpy()), responses["id"], strict=True)
        )
        if "category" not in table or not ({"response"} & set(table) or set(names) <= set(table)):
            raise ParameterError(
                "known responses need the columns category and response, or category, item, "
                "examinee and condition"
            )
        rows = []
        for line, row in enumerate(table.to_dict("records"), 2):
            if "response" in table:
                number = _number(row["response"])
            else:
                number = by_name.get(tuple(str(row[name]) for name in names))
            if number is None or int(number) not in by_number:
                raise ParameterError(f"row {line}: there is no such response in the project")
            if row["category"] not in SCHEMES[project.scheme].categories:
                raise UnknownNameError(
                    f"category (row {line})", str(row["category"]),
                    SCHEMES[project.scheme].categories,
                )  # fmt: skip
            why = row.get("why")
            rows.append({"response": int(number), "category": row["category"],
                         "why": why if isinstance(why, str) else ""})  # fmt: skip
        return store.set_gold(rows)
    finally:
        store.close()


def _number(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


def annotators_table(project: Project) -> pd.DataFrame:
    """Tabulate the work of annotators, a row for each.

    Columns: `annotator`, `role`, `drafts` and `items` (assigned), `labels` and `responses` (in
    their queue), `draft_seconds` and `label_seconds` (medians, from the page shown to the entry
    saved), `gold` (number of labeled responses with a known category), `gold_accuracy` with
    Wilson's interval from `gold_low` to `gold_high`, `alike` (the share of the others' labels of
    the same responses that are equal to theirs), and `pairs` (the number of these comparisons).
    """
    store = project.store()
    try:
        return _annotators(store)
    finally:
        store.close()


def _annotators(store: AnnotationStore) -> pd.DataFrame:
    seconds = _medians(store)
    counted, gold = counted_labels(store), store.gold()
    assigned = store.assignments()
    drafts = store.latest("draft")
    alike = _alike(labels(store))
    people = dict(store.annotators())
    names = sorted({*people, *(who for _, who in counted), *(who for _, who in drafts)})
    rows = []
    for name in names:
        here = {int(item): json.loads(entry.content)["category"]
                for (item, who), entry in counted.items() if who == name}  # fmt: skip
        matches = [
            category == gold[number][0] for number, category in here.items() if number in gold
        ]
        low, high = wilson(sum(matches), len(matches))
        rows.append({
            "annotator": name, "role": people[name].role if name in people else "",
            "drafts": sum(who == name for _, who in drafts),
            "items": sum(who == name and not unit.startswith("response:")
                         for unit, who in assigned),
            "labels": len(here), "responses": len(queue(store, name)),
            "draft_seconds": seconds.get((name, "draft"), np.nan),
            "label_seconds": seconds.get((name, "label"), np.nan),
            "gold": len(matches), "gold_accuracy": np.mean(matches) if matches else np.nan,
            "gold_low": float(low), "gold_high": float(high),
            **dict(zip(("alike", "pairs"), alike.get(name, (np.nan, 0)), strict=True)),
        })  # fmt: skip
    return pd.DataFrame(rows)


def _medians(store: AnnotationStore) -> dict[tuple[str, str], float]:
    """Return the median seconds by annotator and kind of entry."""
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    seconds = store.spent()
    for entry in store.history():
        if entry.id in seconds:
            spent[entry.annotator, entry.kind].append(seconds[entry.id])
    return {key: float(np.median(values)) for key, values in spent.items()}


def _alike(table: pd.DataFrame) -> dict[str, tuple[float, int]]:
    """Return, by annotator, the share of equal labels in others' labels of the same responses."""
    alike = {}
    for name in table:
        ratings = table[name]
        others = table.drop(columns=name)
        both = others.notna().to_numpy(bool) & ratings.notna().to_numpy(bool)[:, None]
        same = others.to_numpy(object) == ratings.to_numpy(object)[:, None]
        n = int(both.sum())
        alike[str(name)] = (float(same[both].mean()) if n else float("nan"), n)
    return alike


def consensus_of(
    project: Project,
    what: str = "category",
    *,
    prior: float = 0.5,
    n_bootstrap: int = 200,
    seed: int = 0,
) -> Consensus:
    """Return the reliability-weighted consensus of annotators, and the majority.

    Parameters
    ----------
    what: "category" of responses, or of items "difficulty", "quality", "dropped", "type" or "key"
        (whether it is right).
    prior: pseudo-counts of every category, as in `dawid_skene`.

    Raises UnknownNameError for something else, ParameterError, with the missing data, if no
    consensus can be computed.
    """
    if what not in ASPECTS:
        raise UnknownNameError("thing that annotators say", what, ASPECTS)
    store = project.store()
    try:
        if what == "category":
            table = labels(store)
        else:
            judged = key_judgments(store, project.bank) if what == "key" else None
            table = grades(store, what) if judged is None else judged
    finally:
        store.close()
    unit = "response" if what == "category" else "item"
    _check_judgments(table, what, unit)
    order = sorted(table.index, key=lambda name: (len(str(name)), str(name)))
    return dawid_skene(
        table.loc[order].rename_axis(unit), prior=prior, n_bootstrap=n_bootstrap, seed=seed
    )


def _check_judgments(table: pd.DataFrame, what: str, unit: str) -> None:
    """Raise ParameterError, with advice, unless two people have judged with some differences."""
    given = table.notna().to_numpy(bool)
    values = {str(value) for value in table.to_numpy(object)[given]}
    people = [name for name, column in zip(table.columns, given.T, strict=True) if column.any()]
    if len(people) < 2:
        by = f"only {people[0]} has" if people else "nobody has"
        deed = "labeled a response" if unit == "response" else f"labeled an item ({what})"
        raise ParameterError(
            f"a consensus needs labels from two people, but {by} {deed} yet; assign the {unit}s to "
            f"two or more with `gfactor annotate assign`"
            + (" and --responses" if unit == "response" else "")
        )
    if len(values) < 2:
        raise ParameterError(
            f"all labels of every {unit} are equal ({what}: {values.pop()}), so no consensus has "
            "to be estimated: this value is the consensus"
        )
