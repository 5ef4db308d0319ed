"""Answers to public and fresh items, and the listed items as they were shown, with replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.api.inputs.matrix_files import holds_scores as is_table_file
from gfactor.api.inputs.matrix_files import read_scores
from gfactor.api.inputs.scoring import nothing_counts, scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.errors import GfactorError, ParameterError
from gfactor.items import Item, ItemBank
from gfactor.psychometrics.given import as_frame, holds_scores
from gfactor.psychometrics.inference.inflation import Inflation
from gfactor.reports.answers.samples import SampledItem, ShownReply, shown_parts
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.score_matrix import item_names, matrix
from gfactor.scoring.summaries import fitting

_LISTED = 5
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
        Table of the journal's items; empty for a table of answers.
    banks : mapping of str to str
        Digests of the banks that the journal was filled from, by their files.
    """

    table: pd.DataFrame
    responses: pd.DataFrame = field(default_factory=pd.DataFrame)
    items: pd.DataFrame = field(default_factory=pd.DataFrame)
    banks: Mapping[str, str] = field(default_factory=dict)

    def models(self, names: Sequence[str]) -> list[str]:
        """Return the models with these names; in a journal, all examinees that have the named
        parameters."""
        if self.responses.empty:
            return [str(name) for name in names]
        given = [str(name) for name in self.table.index]
        return list(dict.fromkeys(one for name in names for one in fitting(str(name), given)))

    def model(self, name: str) -> str:
        """Return the model of a name; raise ParameterError if several fit."""
        matching = self.models([name])
        if len(matching) > 1:
            raise ParameterError(
                f"{name!r} stands for {len(matching)} examinees, {matching[0]!r} for one; name one "
                "in full, or each as an examinee (in Python: inflation_each)"
            )
        return matching[0]

    @cached_property
    def opened_banks(self) -> tuple[ItemBank, ...]:
        """The banks that still exist unchanged."""
        banks = []
        for name, digest in self.banks.items():
            with suppress(GfactorError):
                bank = ItemBank.open(name)
                banks += [bank] if bank.scene_digest == digest else []
        return tuple(banks)


def given_answers(answers: JournalLike, condition: str | None) -> GivenAnswers:
    """Read answers from a table, its file, or a journal."""
    if (by := getattr(answers, "by", "item")) != "item":
        raise ParameterError(
            f"a table of means by {by} holds no answers to single items; "
            'give the journal, or gfactor.matrix(journal, by="item")'
        )
    file = Path(answers) if isinstance(answers, str | Path) else None
    in_file = file is not None and is_table_file(file)
    if condition is not None and (in_file or holds_scores(answers)):
        raise ParameterError(
            "condition is for a journal; a table of answers has no conditions, so leave it out"
        )
    if holds_scores(answers):
        return GivenAnswers(as_frame(answers, "the answers").rename(index=str, columns=str))
    if file is not None and in_file:
        return GivenAnswers(read_scores(file).rename(index=str, columns=str))
    with opened(answers) as journal:
        scoring = scoring_of((), condition, None, BENCHMARKS_POLICY, {})
        responses = scoring.table(journal)
        if bool(responses["missing"].to_numpy(bool).all()):
            raise nothing_counts(journal, responses)
        return GivenAnswers(
            matrix(_as_one_condition(responses), "item").scores.rename(index=str, columns=str),
            responses.assign(item=item_names(responses)), journal.items(),
            {row["bank"]: row["digest"] for row in journal.meta()["campaigns"]},
        )  # fmt: skip


def _as_one_condition(responses: pd.DataFrame) -> pd.DataFrame:
    """Return responses whose conditions do not count if every item has one for all models.

    Logs of other harnesses have a condition per task: it belongs to the form then, as its items do.
    """
    given = responses.loc[~responses["missing"].to_numpy(bool)]
    conditions = given.groupby(["benchmark", "item_id", "item_hash"])["condition"].nunique()
    return given.assign(condition="") if bool((conditions == 1).all()) else responses


def with_samples(
    result: Inflation, given: GivenAnswers, item_of: Callable[[str], Item | None]
) -> Inflation:
    """Return the result with its listed items as they were shown, and replies to them.

    Parameters
    ----------
    result : Inflation
    given : GivenAnswers
        The answers from which it was computed.
    item_of : callable
        The item of a name in the answers, from a bank that the user gave, or None.
    """
    samples = []
    ablest = result.references.sort_values("fresh", ascending=False, kind="stable").index
    for row in result.items.to_dict("records"):
        name = str(row["item"])
        responses = given.responses
        responses = (
            responses.loc[(responses["item"] == name).to_numpy()] if len(responses) else responses
        )
        item = item_of(name) or _in_banks(responses, given)
        question = _question(responses, given.items) if item is None else {}
        if item is None and not question:
            continue
        content = item.content if item else (question["question"],)
        key = item.target if item else json.loads(question["target"])
        key = ", ".join(map(str, key)) if isinstance(key, list | tuple) else str(key)
        labels = (("expected", f"{100 * row['expected']:.0f} % right"), ("key", key))
        replies = _replies(responses, (result.examinee, *ablest))
        samples.append(SampledItem(name, name, shown_parts(content, name), labels, replies))
    return replace(result, samples=tuple(samples))


def _in_banks(responses: pd.DataFrame, given: GivenAnswers) -> Item | None:
    """Return the item of some responses, from the banks that a journal was filled from."""
    for bank in given.opened_banks if len(responses) else ():
        item_id = str(responses["item_id"].iloc[0])
        if item_id in bank:
            item = bank.item(item_id)
            if item.provenance.content_hash == responses["item_hash"].iloc[0]:
                return item
    return None


def _question(responses: pd.DataFrame, items: pd.DataFrame) -> Mapping[str, Any]:
    """Return what a journal keeps of the item of some responses; empty for a table."""
    if responses.empty:
        return {}
    first = responses.iloc[0]
    same = (items["content_hash"] == first["item_hash"]) & (items["id"] == first["item_id"])
    return items.loc[same.to_numpy()].iloc[0].to_dict() if same.any() else {}


def _replies(responses: pd.DataFrame, names: tuple[str, ...]) -> tuple[ShownReply, ...]:
    """Return the first replies to an item of the first models that replied to it."""
    if responses.empty:
        return ()
    first = responses.sort_values("occasion", kind="stable").drop_duplicates("examinee")
    by_name = {str(row["examinee"]): row for row in first.to_dict("records")}
    answering = [name for name in names if name in by_name][:_LISTED]
    return tuple(
        ShownReply(name, str(by_name[name]["text"]), _MARKS.get(by_name[name]["correct"], ""))
        for name in answering
    )
