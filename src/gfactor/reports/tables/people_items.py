"""People beside models: every item with the share of people who solve it, and the means."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.frames import column, mapped, pick
from gfactor.listing import first_few
from gfactor.psychometrics import wilson
from gfactor.psychometrics.inference.crossed import people_beside
from gfactor.reports.answers.group_rates import item_rows
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

DRAWS = 999
NAMED = 20
"""Items that a note names; all are in the table."""

ITEM_NOTE = (
    "Ceiling: the share of people who solve the item, with Wilson's interval over persons. No "
    "examinee can be expected to be right more often on what people cannot do either, and an item "
    "that few people solve may have a wrong key. Then the score of each examinee on the item."
)
MEAN_NOTE = (
    "Every item counts once. People: mean share of people who solve it. Difference: the examinee "
    "less the people, on the items of both. Brackets: percentile intervals of 999 resamples of "
    "persons and items, drawn independently of each other (crossed; Owen 2007). People with whom "
    "items are compared are whoever took part: a convenience sample is no norm."
)


@table("people_by_item", section="people", order=20)
def people_by_item(results: Results) -> Table | None:
    """Return the share of people who solve each item, with its interval, and the scores of
    examinees on it."""
    rows, people = _rows_and_people(results)
    if people.empty:
        return None
    grouped = people.groupby("_item", sort=True)
    right, n = (np.asarray(grouped["correct"].agg(how), float) for how in ("sum", "count"))
    low, high = wilson(np.clip(right, 0, n), n, results.level)
    first = grouped.first()
    frame = pd.DataFrame({
        "item": first["item_id"], "n": n.astype(int), "ceiling": right / n,
        "ceiling_low": low, "ceiling_high": high,
    })  # fmt: skip
    if "domain" in first:
        frame.insert(1, "domain", first["domain"])
    others = _others(rows).reindex(frame.index)
    unsolved = [str(name) for name, k in zip(frame["item"], right, strict=True) if k == 0]
    frame = frame.join(others).sort_values(["ceiling", "item"], kind="stable")
    return Table(
        "People and examinees, item by item",
        frame.reset_index(drop=True),
        percent=("ceiling", *map(str, others.columns)),
        headings={"n": "persons"},
        notes=(ITEM_NOTE, _named(unsolved, len(frame))),
        folded=len(frame) > 60,
    )


@table("people_and_examinees", section="people", order=19)
def people_and_examinees(results: Results) -> Table | None:
    """Tabulate means of people and of each examinee on the same items, and their difference."""
    rows, people = _rows_and_people(results)
    if len(set(people["examinee"])) < 2 or len(set(people["_item"])) < 2:
        return None
    scores = people.pivot_table(index="examinee", columns="_item", values="correct")
    others = _others(rows).reindex(scores.columns)
    others = others.loc[:, others.notna().any()]
    compared = people_beside(
        scores, others, level=results.level, n_bootstrap=DRAWS, seed=results.seed
    ).intervals
    whole = compared.iloc[0]
    frame = [{
        "label": "people (all items)", "n": int(whole["items"]), "persons": len(scores),
        "people": whole["est"], "people_low": whole["low"], "people_high": whole["high"],
    }]  # fmt: skip
    for name, part in compared.iloc[2:].groupby("examinee", sort=False):
        answers = scores.loc[:, others[name].notna()].notna()
        line: dict[str, object] = {"label": name, "persons": int(answers.any(axis=1).sum())}
        for row in part.to_dict("records"):
            kind = row["statistic"]
            line |= {"n": int(row["items"]), kind: row["est"]}
            if kind != "examinee":  # Its own interval, by the one rule, is in the summary.
                line |= {f"{kind}_low": row["low"], f"{kind}_high": row["high"]}
        frame.append(line)
    solved = compared.iloc[1]
    return Table(
        "People beside examinees on the same items",
        pd.DataFrame(frame),
        percent=("people", "examinee", "difference"),
        headings={"label": "examinee", "n": "items"},
        notes=(MEAN_NOTE, f"{100 * solved['est']:.0f} % of the items were solved by at least one "
               f"of the people, {100 * (1 - solved['est']):.0f} % by nobody."),
    )  # fmt: skip


def _rows_and_people(results: Results) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The counted rows with each item numbered, and those of people; of several conditions under
    which people answered, the most frequent one."""
    rows = item_rows(results)
    people = pick(rows, rows["role"] == "person")
    if len(people):
        often = column(people, "_setting").mode().iloc[0]
        people = pick(people, people["_setting"] == often)
    return rows, people


def _others(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean scores, items x labels, of all but people and trivial baselines."""
    others = pick(rows, ~column(rows, "role").isin(["person", "baseline"]))
    if others.empty:
        return pd.DataFrame(index=pd.Index([], name="_item"))
    order = {"ideal": 0, "model": 1, "population": 2}
    labels = others.assign(_order=mapped(column(others, "role"), order))
    names = labels.sort_values(["_order", "label"], kind="stable")["label"].unique()
    wide = others.pivot_table(index="_item", columns="label", values="correct", observed=True)
    return wide.reindex(columns=list(names)).rename_axis(columns=None)


def _named(unsolved: list[str], items: int) -> str:
    if not unsolved:
        return f"Each of the {items} items was solved by somebody."
    return (
        f"Nobody solved {len(unsolved)} of {items} items: {first_few(unsolved, NAMED)}. "
        "Look at their keys first."
    )
