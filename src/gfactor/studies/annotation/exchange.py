"""Exports and imports of a project: annotated banks, samples of responses, their labels."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.benchmarks.selection.parsing import Quotas
from gfactor.errors import ParameterError
from gfactor.items import Item, answer_from_json, canonical_json, text_hash, write_bank
from gfactor.items.files import check_writable, replacing
from gfactor.studies.annotation.draft import AnnotationDraft, completed, draft_of
from gfactor.studies.annotation.making import items_of
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.state import labels_waiting, states
from gfactor.studies.annotation.store import HistoryEntry
from gfactor.studies.answers import printed


def export_bank(project: Project, path: Path, *, only_final: bool = False) -> dict[str, int]:
    """Write the bank with all decisions applied, a Parquet file, and its history as
    PATH.history.jsonl.

    Items with a final decision (an adjudication, or equal drafts) are written accordingly, without
    dropped ones; others stay unchanged, or are left out with `only_final`. Returns how many items
    were `edited`, `split` (into several), `dropped` and `untouched`.

    Raises ParameterError if the path cannot be written or nothing would be.
    """
    store = project.store()
    try:
        item_states, entries = states(store, project.bank.ids), store.history()
    finally:
        store.close()
    counts = {"edited": 0, "split": 0, "dropped": 0, "untouched": 0}
    items: list[Item] = []
    for item in project.bank:
        final = item_states[item.id].final
        if final is None:
            counts["untouched"] += 1
            items += [] if only_final else [item]
            continue
        draft = completed(AnnotationDraft.from_json(final.content), item)
        if draft == draft_of(item):
            counts["untouched"] += 1
            items.append(item)
            continue
        new = items_of(draft, item, final.annotator)
        counts["dropped" if not new else "split" if len(new) > 1 else "edited"] += 1
        items += new
    metadata = {**project.bank.metadata, "edited": counts}
    metadata.pop("scene_digest", None)
    write_bank(_with_same_labels(items), path, metadata)
    _write_history(entries, path.with_suffix(".history.jsonl"))
    return counts


def _with_same_labels(items: list[Item]) -> list[Item]:
    """Return all items with all labels; a label that an item does not have is empty."""
    kinds: dict[str, Any] = {}
    for item in items:
        for name, value in item.labels.items():
            kinds.setdefault(name, () if isinstance(value, tuple) else type(value)())
    return [replace(item, labels={**kinds, **item.labels}) for item in items]


def _write_history(entries: Iterable[HistoryEntry], path: Path) -> None:
    check_writable(path)
    with replacing(path) as temporary:
        lines = [canonical_json({**vars(e), "content": json.loads(e.content)}) for e in entries]
        temporary.write_text("".join(f"{line}\n" for line in lines), "utf-8")


@dataclass(frozen=True)
class ResponseSample:
    """A sample of responses, and a line for each examinee with fewer responses than wanted."""

    rows: pd.DataFrame
    short: tuple[str, ...] = ()


def wrong_responses(project: Project, scored: pd.DataFrame, by: str = "") -> pd.DataFrame:
    """Return the wrong answers to the project's items, one of every examinee, condition and item.

    Parameters
    ----------
    scored: scored responses, from `gfactor.scoring.scored`. If an item has several occasions, the
        first wrong answer is taken.
    by: a label that the items must have; ParameterError if they do not.
    """
    wrong = scored.loc[scored["correct"].to_numpy(float) == 0]
    return all_responses(project, wrong, by)


def all_responses(project: Project, scored: pd.DataFrame, by: str = "") -> pd.DataFrame:
    """Return the answers to the project's items, one of every examinee, condition and item.

    Parameters
    ----------
    scored: scored responses, from `gfactor.scoring.scored`. If an item has several occasions, the
        first is taken.
    by: a label that the items must have; ParameterError if they do not.
    """
    rows = scored.loc[
        ~scored["missing"].to_numpy(bool)
        & scored["item_id"].isin(list(project.bank.ids)).to_numpy(bool)
        & scored["item_hash"].isin(list(project.bank.frame()["content_hash"])).to_numpy(bool)
    ]
    if by and by not in rows:
        raise ParameterError(f"the items of the journal have no label {by!r}")
    rows = rows.sort_values(["examinee", "condition", "item_id", "occasion"], kind="stable")
    return rows.drop_duplicates(["examinee", "condition", "item_id"])


def sampled(
    wrong: pd.DataFrame, most: int, seed: int, by: str = "", quota: Quotas | None = None
) -> ResponseSample:
    """Return a random sample of every examinee's answers, which depends on the seed and not on the
    order of rows.

    Parameters
    ----------
    wrong: responses, from `wrong_responses` or `all_responses`.
    most: largest number per examinee, without a quota.
    by: a label; the sample then has equally many items of each of its values, as far as there are.
    quota: numbers for each value of `by` (MM-IQ: ten of each paradigm, twenty of mathematics).

    Raises UnknownNameError if the quota names an unknown value.
    """
    drawn, short = [], []
    values = wrong[by].astype(str) if by else pd.Series("", index=wrong.index)
    if quota:
        quota.check(set(values))
    for who, group in wrong.groupby("examinee", sort=True):
        keys = [text_hash(f"{seed}|{who}|{item}") for item in group["item_id"]]
        mixed = group.assign(_key=keys, _value=values.loc[group.index]).sort_values("_key")
        mixed = mixed.assign(_round=mixed.groupby("_value").cumcount())
        if quota is None:
            drawn.append(mixed.sort_values("_round", kind="stable").head(most) if by
                         else mixed.head(most))  # fmt: skip
            continue
        wanted = [k < quota.of(v) for k, v in zip(mixed["_round"], mixed["_value"], strict=True)]
        drawn.append(mixed.loc[wanted])
        counts = Counter(mixed["_value"])
        short += [
            f"{who}: {counts[value]} of {quota.of(value)} of {value}"
            for value in sorted(set(values))
            if counts[value] < quota.of(value)
        ]
    return ResponseSample(pd.concat(drawn) if drawn else wrong, tuple(short))


def add_responses(project: Project, rows: pd.DataFrame, seed: int) -> int:
    """Add responses to the project for labeling; return the number of new ones.

    Labels are blind: pages show neither examinee nor condition. A response's number, which
    determines its order and its address, is drawn from the seed and carries no information.
    """
    store = project.store()
    try:
        return store.add_responses(
            {
                "id": _number(seed, row["item_id"], row["examinee"], row["condition"]),
                "item": row["item_id"],
                "examinee": row["examinee"],
                "condition": row["condition"],
                "text": row["text"],
                "answer": _read_as(row["answer"], project.bank.item(row["item_id"])),
            }
            for row in rows.to_dict("records")
        )
    finally:
        store.close()


def _read_as(answer: str | None, item: Item) -> str:
    """An extracted answer (JSON), in the form in which keys are printed."""
    return "" if answer is None else printed(answer_from_json(answer, item.answer_type), item)


def _number(*names: object) -> int:
    """A number of 48 bits: exact in every browser, and shared by no two responses in practice."""
    return int(text_hash(canonical_json(["response", *map(str, names)]))[:12], 16)


def labels_table(project: Project, *, unblind: bool = False) -> tuple[pd.DataFrame, int]:
    """Return one row per label of a response, and the number of missing labels.

    Columns: `response` (its number), `item`, `examinee`, `condition`, `annotator`, `category`,
    `abilities`, `note`, `created`. Missing are those of every person who has labeled a response,
    for every response, and one of each response if nobody has labeled any. As long as labels are
    missing, `examinee` and `condition` are empty, unless `unblind`.
    """
    store = project.store()
    try:
        responses = store.responses().set_index("id")
        latest = store.latest("label")
        waiting = labels_waiting(store, set(latest))
    finally:
        store.close()
    names_visible = unblind or not waiting
    rows = []
    for (number, who), entry in latest.items():
        label, row = json.loads(entry.content), responses.loc[int(number)]
        rows.append(
            {
                "response": int(number),
                "item": row["item"],
                **{name: row[name] if names_visible else "" for name in ("examinee", "condition")},
                "annotator": who,
                "category": label["category"],
                "abilities": "; ".join(label["abilities"]),
                "note": label["note"],
                "created": entry.created,
            }
        )
    columns = ["response", "item", "examinee", "condition", "annotator", "category", "abilities"]
    return pd.DataFrame(rows, columns=[*columns, "note", "created"]), waiting
