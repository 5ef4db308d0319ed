"""State of a study: progress, quota, dropout by page, times, marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.studies.questionnaires.order.adaptive import answered_in
from gfactor.studies.questionnaires.order.sequencing import FormPlan
from gfactor.studies.questionnaires.results.labels import MARKS, answer_seconds, marks, reasons
from gfactor.studies.questionnaires.results.page_names import (
    AFTER,
    PageName,
    by_person,
    dropout_rows,
    name_of,
)
from gfactor.studies.questionnaires.storing.page_loads import position_of
from gfactor.studies.questionnaires.storing.quotas import completed, is_limited
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.definition import Study


@dataclass(frozen=True)
class Overview:
    """Overview for the owner.

    `facts` are pairs of a name and a number; `dropout` has a row per page: the number of people who
    reached it, of those who did not reach the next, and the median seconds there; `people` has a
    row per participant, the latest first.
    """

    facts: tuple[tuple[str, str], ...]
    dropout: tuple[dict[str, Any], ...]
    people: tuple[dict[str, Any], ...]

    def summary(self) -> str:
        """Return the facts and the table of pages, as text."""
        lines = [f"{name}: {value}" for name, value in self.facts]
        if self.dropout:
            lines += ["", pd.DataFrame(self.dropout).to_string(index=False, na_rep="-")]
        if any(row["page"] == AFTER[0] and row["left"] for row in self.dropout):
            lines.append(f"those who left at {AFTER[0]!r} had answered everything and are finished")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the overview as JSON holds it."""
        return {
            "facts": dict(self.facts), "dropout": list(self.dropout), "people": list(self.people),
        }  # fmt: skip


def overview(
    store: Store, study: Study, most: int = 200, plans: Mapping[str, FormPlan] | None = None
) -> Overview:
    """Return the state of a study now; the list of people is cut at `most`. With the `plans` of an
    adaptive study, by language, people have `abilities`: by block `theta` and `se` so far."""
    with store.snapshot():
        return _overview(store, study, most, plans)


def _overview(
    store: Store, study: Study, most: int, plans: Mapping[str, FormPlan] | None
) -> Overview:
    participants = store.frame("participants").sort_values("number")
    answers = store.frame("answers")
    answers = answers.assign(seconds=answer_seconds(answers))
    loads, counters = store.pages.frame(), store.counters()
    marked = marks(answers, participants, study.rules)
    done = _count(marked, "finished")
    exits = Counter(store.frame("exits")["outcome"])
    first, amendments = store.declarations()
    held_places = []
    if is_limited(study):
        held_places.append(("Places held", str(len(store.holders(study.place_s)))))
    facts = [
        ("Closed", _minute(ended) if (ended := store.ended()) else "no"),
        ("Paused", _minute(paused["since"]) if (paused := store.paused()) else "no"),
        ("Visits", str(counters.get("visits", 0))),
        ("Consented", str(counters.get("started", 0))),
        ("In progress", str(len(participants) - done - exits.total())),
        ("Finished", f"{done} of {study.quota}" if study.quota else str(done)),
        ("Withdrawn", str(counters.get("withdrawn", 0))),
        *held_places,
        ("Turned away by the quota", str(counters.get("full", 0))),
        *((name.replace("_", " ").capitalize(), str(_count(marked, name))) for name in MARKS[:4]),
    ]
    people = marked.iloc[::-1].head(most).to_dict("records")
    rows = [_plain(row, study) for row in people]
    language = dict(zip(participants["code"], participants["language"], strict=True))
    for row in rows if any(plan.adaptive for plan in (plans or {}).values()) else ():
        given = answers.loc[answers["code"] == row["code"]].sort_values("position")
        answer_rows = given.to_dict("records")
        blocks = (plans or {})[language[row["code"]]].adaptive
        estimates = {name: b.estimate(answered_in(answer_rows, b)) for name, b in blocks.items()}
        row["abilities"] = {n: {"theta": e.theta, "se": e.se} for n, e in estimates.items()}
    reached = completed(study, store)
    for name, quota in (study.quotas or {}).items():
        facts.append((f"Finished in {name}", f"{reached[name]} of {quota}"))
    facts += [(name.replace("_", " ").capitalize(), str(exits[name])) for name in sorted(exits)]
    if first is not None:
        facts.append(("Declared", f"{first['created'][:10]}, {first['digest'][:12]}"))
        facts.append(("Amendments", str(len(amendments))))
    ended = _ended(answers, set(store.frame("exits")["code"]))
    names = by_person(study, participants)
    return Overview(tuple(facts), tuple(dropout_rows(names, loads, answers, ended)), tuple(rows))


def _ended(answers: pd.DataFrame, codes: set[str]) -> dict[str, int]:
    """Return the position of the last answer of those who were screened out, or sent away as their
    quota was full; those who have given none (-1) are left out.
    """
    ended = answers.loc[answers["code"].isin(list(codes))].groupby("code")["position"].max()
    return {str(code): int(position) for code, position in ended.items()}


def _order(page: str) -> tuple[int, int]:
    """Instructions, questions by number, results, done."""
    if (position := position_of(page)) >= 0:
        return 1, position
    return {"instructions": 0, "results": 2}.get(page, 3), -1


def page_times(
    loads: pd.DataFrame, names: Mapping[str, Sequence[PageName]] | None = None
) -> pd.DataFrame:
    """Return the time of participants on each page, from its first showing to that of the next
    page, by the server's clock.

    Parameters
    ----------
    loads: pages that were shown, a row per participant and page.
    names: names of the steps of everybody's form, by code; pages keep the names that are stored
        without.

    Returns
    -------
    A row per page, in order: `page`, `n` (participants who went on), and the quantiles in seconds
    `q10`, `q25`, `median`, `q75`, `q90`.
    """
    ordered = loads.sort_values(["code", "at"], kind="stable")
    same = ordered["code"].to_numpy()[1:] == ordered["code"].to_numpy()[:-1]
    spent = np.diff(ordered["at"].to_numpy(float))[same]
    pages = list(zip(ordered["code"], ordered["page"], strict=True))[:-1]
    if names is None:
        named = [PageName(*_order(page), page) for _, page in pages]
    else:
        named = [name_of(page, names[code]) for code, page in pages]
    order = {name.text: name for name in named}
    table = _quantiles(spent, np.array([name.text for name in named], object)[same], "page")
    return table.iloc[sorted(range(len(table)), key=lambda k: order[str(table["page"].iloc[k])])]


def item_times(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the times of answers to each item (see `answer_seconds`).

    Returns
    -------
    A row per item, by id: `item`, `n` (answers with a time), and the quantiles in seconds `q10`,
    `q25`, `median`, `q75`, `q90`.
    """
    items = answers.loc[answers["kind"] == "item"]
    return _quantiles(answer_seconds(items).to_numpy(float), items["item"].to_numpy(), "item")


QUANTILES = {"q10": 0.1, "q25": 0.25, "median": 0.5, "q75": 0.75, "q90": 0.9}


def _quantiles(values: NDArray[np.float64], group: NDArray[Any], name: str) -> pd.DataFrame:
    rows = []
    finite = np.isfinite(values)
    for one in sorted(set(group[finite])):
        seconds = values[finite & (group == one)]
        figures = np.quantile(seconds, list(QUANTILES.values()))
        rows.append({name: one, "n": len(seconds), **dict(zip(QUANTILES, figures, strict=True))})
    return pd.DataFrame(rows, columns=[name, "n", *QUANTILES])


def latest_answers(store: Store, count: int) -> list[dict[str, Any]]:
    """Return the `count` answers that were stored last, the last one first."""
    answers = store.frame("answers")
    answers = answers.assign(seconds=answer_seconds(answers))
    last = answers.sort_values(["created", "code", "position"]).iloc[::-1].head(count)
    return [{str(name): value for name, value in row.items()} for row in last.to_dict("records")]


def marked_person(store: Store, study: Study, code: str) -> dict[str, Any]:
    """Return the data of one participant: a row of `marks`, and the `reasons` by mark."""
    answers, people = store.frame("answers"), store.frame("participants")
    marked = marks(
        answers.loc[answers["code"] == code], people.loc[people["code"] == code], study.rules
    )
    row = marked.to_dict("records")[0]
    return {
        **{str(name): value for name, value in row.items()},
        "reasons": reasons(row, study.rules),
    }


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")


def _plain(row: dict[Any, Any], study: Study) -> dict[str, Any]:
    reason_texts = reasons(row, study.rules)
    return {
        "code": row["code"],
        "answered": row["items"],
        "finished": row["finished"],
        "seconds": None
        if row["median_seconds"] != row["median_seconds"]
        else row["median_seconds"],
        "checks_wrong": row["checks_wrong"],
        "marks": ", ".join(m.replace("_", " ") for m in MARKS[:4] if row[m]),
        "reasons": "; ".join(reason_texts[m] for m in MARKS[:4] if row[m]),
    }


def _count(marked: pd.DataFrame, name: str) -> int:
    return int(np.count_nonzero(marked[name].to_numpy(bool)))
