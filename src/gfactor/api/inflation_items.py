"""Answers to public and fresh items, and the listed items as they were shown, with replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.api.matrix_files import holds_scores as is_table_file
from gfactor.api.matrix_files import read_scores
from gfactor.api.results import matrix_of
from gfactor.api.scoring import scoring_of
from gfactor.api.taking import JournalLike, opened
from gfactor.errors import ParameterError
from gfactor.items import Item, ItemBank
from gfactor.psychometrics.given import as_frame, holds_scores
from gfactor.psychometrics.inference.inflation import Inflation
from gfactor.reports.samples import Sample, ShownReply, shown_parts
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.score_matrix import item_names

_SHOWN = 5
"""Replies that are shown with an item: the examinee's, then those of the ablest references."""
_MARKS = {1.0: "right", 0.0: "wrong"}


@dataclass(frozen=True)
class GivenAnswers:
    """Answers of all models.

    Parameters
    ----------
    table : DataFrame (models x items)
        1 right, 0 wrong, the share right of several occasions, NaN not answered.
    responses : DataFrame
        The scored responses with the column `item`, their name in `table`; empty for a table.
    items : DataFrame
        What the journal keeps of the items; empty for a table.
    banks : tuple of ItemBank
        The banks that the journal was filled from, as far as they are still there.
    """

    table: pd.DataFrame
    responses: pd.DataFrame = field(default_factory=pd.DataFrame)
    items: pd.DataFrame = field(default_factory=pd.DataFrame)
    banks: tuple[ItemBank, ...] = ()


def given_answers(answers: JournalLike, condition: str | None) -> GivenAnswers:
    """Read answers from a table, its file, or a journal."""
    if (by := getattr(answers, "by", "item")) != "item":
        raise ParameterError(
            f"a table of means by {by} holds no answers to single items; "
            'give the journal, or gfactor.matrix(journal, by="item")'
        )
    if holds_scores(answers):
        return GivenAnswers(as_frame(answers, "the answers").rename(index=str, columns=str))
    if isinstance(answers, str | Path) and is_table_file(Path(answers)):
        return GivenAnswers(read_scores(Path(answers)).rename(index=str, columns=str))
    with opened(answers) as journal:
        scoring = scoring_of((), condition, None, BENCHMARKS_POLICY, {})
        matrix, responses = matrix_of(journal, scoring, "item", False, False, False, {})
        return GivenAnswers(
            matrix.scores.rename(index=str, columns=str),
            responses.assign(item=item_names(responses)), journal.items(), _banks(journal),
        )  # fmt: skip


def _banks(journal: Journal) -> tuple[ItemBank, ...]:
    """Return the banks that the journal names, where they are still there and the same."""
    noted = {campaign["bank"]: campaign["digest"] for campaign in journal.meta()["campaigns"]}
    found = []
    for name, digest in noted.items():
        if Path(name).suffix == ".parquet" and Path(name).is_file():
            bank = ItemBank.open(Path(name))
            found += [bank] if bank.scene_digest == digest else []
    return tuple(found)


def with_samples(
    found: Inflation, given: GivenAnswers, item_of: Callable[[str], Item | None]
) -> Inflation:
    """Return the result with its listed items as they were shown, and replies to them.

    Parameters
    ----------
    found : Inflation
    given : GivenAnswers
        What it was computed from.
    item_of : callable
        The item of a name in the answers, from a bank that the user gave, or None.
    """
    samples = []
    ablest = found.references.sort_values("fresh", ascending=False, kind="stable").index
    for row in found.items.to_dict("records"):
        name = str(row["item"])
        said = given.responses
        said = said.loc[(said["item"] == name).to_numpy()] if len(said) else said
        item = item_of(name) or _in_banks(said, given.banks)
        question = _question(said, given.items) if item is None else {}
        if item is None and not question:
            continue
        content = item.content if item else (question["question"],)
        key = item.target if item else json.loads(question["target"])
        key = ", ".join(map(str, key)) if isinstance(key, list | tuple) else str(key)
        labels = (("expected", f"{100 * row['expected']:.0f} % right"), ("key", key))
        replies = _replies(said, (found.examinee, *ablest))
        samples.append(Sample(name, name, shown_parts(content, name), labels, replies))
    return replace(found, samples=tuple(samples))


def _in_banks(said: pd.DataFrame, banks: tuple[ItemBank, ...]) -> Item | None:
    """Return the item of some responses, from the banks that a journal was filled from."""
    for bank in banks if len(said) else ():
        item_id = str(said["item_id"].iloc[0])
        if item_id in bank:
            item = bank.item(item_id)
            if item.provenance.content_hash == said["item_hash"].iloc[0]:
                return item
    return None


def _question(said: pd.DataFrame, items: pd.DataFrame) -> Mapping[str, Any]:
    """Return what a journal keeps of the item of some responses; empty for a table."""
    if said.empty:
        return {}
    first = said.iloc[0]
    same = (items["content_hash"] == first["item_hash"]) & (items["id"] == first["item_id"])
    return items.loc[same.to_numpy()].iloc[0].to_dict() if same.any() else {}


def _replies(said: pd.DataFrame, names: tuple[str, ...]) -> tuple[ShownReply, ...]:
    """Return the first replies to an item of the first models that replied to it."""
    if said.empty:
        return ()
    first = said.sort_values("occasion", kind="stable").drop_duplicates("examinee")
    by_name = {str(row["examinee"]): row for row in first.to_dict("records")}
    known = [name for name in names if name in by_name][:_SHOWN]
    return tuple(
        ShownReply(name, str(by_name[name]["text"]), _MARKS.get(by_name[name]["correct"], ""))
        for name in known
    )
