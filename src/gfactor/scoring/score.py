"""From responses to points: reading, judging, the benchmark's policy, the scoring rule."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.imports import verdict_key as verdict_key_of
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.frames import pick
from gfactor.scoring.judge import JUDGED, read_verdict, verdict_key
from gfactor.scoring.judging import imported_verdicts, verdicts
from gfactor.scoring.judgment import Asked, judge_reply
from gfactor.scoring.policies import BENCHMARKS_POLICY, policy_for
from gfactor.scoring.questions import Question, question_of

_JUDGED = {
    "answer": "object",
    "answer_lenient": "object",
    "correct": "float64",
    "correct_lenient": "float64",
    "points": "float64",
    "points_possible": "float64",
    "format_error": "bool",
    "missing": "bool",
    "status": "object",
    "stage": "object",
    "rule": "object",
    "policy": "object",
}
"""The fields of `Judgment` and their types as columns."""

RESERVED_COLUMNS = (
    *("examinee", "item_id", "item_hash", "condition", "occasion", "outcome", "text"),
    *_JUDGED,
    *("answer_type", "benchmark", "edition"),
)
"""The columns of a scored table that are not labels."""

_ITEM_COLUMNS = (
    *("id", "content_hash", "benchmark", "edition", "answer_type", "target", "accepted"),
    *("output_format", "points", "language", "question", "choices"),
)


def scored(journal: Journal, *, policy: str = BENCHMARKS_POLICY, judge: str = "") -> pd.DataFrame:
    """Every response of a journal, read and judged; one row per response and item.

    Parameters
    ----------
    policy: what is made of replies in which no answer was found: `own` for each benchmark's own
        (`gfactor.scoring.policies`), or one of random, incorrect, error, none for all. Under
        `vlmevalkit` every reply is read and ruled on by VLMEvalKit's rules; where an answer earns
        a part of its point, `correct` is 0 and `points` has the part.
    judge: name of a judge model whose verdicts, kept in the journal by `ask_judge`, stand for
        answers that the rules did not find; "" for no judge.

    Returns
    -------
    Columns: `examinee`, `item_id`, `item_hash`, `condition`, `occasion`, `outcome`, `text`;
    `answer` and `answer_lenient`, canonical JSON as read by the strict and the lenient reading
    (these differ only for items with an output format), None where nothing was read ("null" is the
    answer "there is none"); `correct` and `correct_lenient`, 1 where all is right, else 0;
    `points` of `points_possible`, by the strict reading; `format_error`, whether the strict reading
    found nothing and that is an error; `missing`, whether the attempt says nothing about the
    examinee (its `correct` and `points` are NaN then); `status` (`gfactor.scoring.replies`),
    `stage` and `rule` of the extraction, where nothing was found "none" and why; `policy`, "" but
    where a policy decided; `answer_type`, `benchmark`, `edition`; then one column per label of the
    items (`label.NAME` for a label with the name of one of these columns).

    A key whose attempts all failed has one row, that of its last failed attempt. Items that ask
    exactly the same share a response and have a row each. A truncated reply is read without its
    last, unfinished line.

    Raises UnknownNameError for an unknown policy, MissingExtraError where open answers need the
    extra `open`.
    """
    names = {"id": "item_id", "content_hash": "item_hash"}
    policy_for("", policy)
    given = journal.administered().rename(columns=names)
    attempts = _one_per_key(journal).merge(given, on=["examinee", "condition", "item_hash"])
    items = journal.items()
    reserved = {*RESERVED_COLUMNS, *attempts.columns}
    labels = {
        name: f"label.{name}" if name in reserved else name
        for name in items.columns
        if name not in _ITEM_COLUMNS
    }
    known = {(r["content_hash"], r["id"]): r for r in items.to_dict("records")}
    items = items.rename(columns={**names, **labels}).drop(columns="points")
    table = attempts.merge(items, on=["item_hash", "item_id"])
    said = verdicts(journal, judge) if judge else {}
    imported = imported_verdicts(journal) if policy == "vlmevalkit" else {}
    scoring = _Scoring(known, policy, judge, said, imported)
    columns = pd.DataFrame(
        [scoring.row(row) for row in table.to_dict("records")],
        columns=list(_JUDGED),
        index=table.index,
        dtype=object,  # else None among texts becomes NaN
    ).astype(_JUDGED)
    table = pd.concat([table, columns], axis=1)
    return pick(table, [*RESERVED_COLUMNS, *labels.values()])


def _one_per_key(journal: Journal) -> pd.DataFrame:
    """All responses, and of every key without one the last failure."""
    key = ["examinee", "item_hash", "condition", "occasion"]
    responses, failures = journal.responses(), journal.failures()
    if failures.empty:
        return responses
    answered = set(map(tuple, pick(responses, key).to_numpy()))
    last = {tuple(k): row for row, k in enumerate(pick(failures, key).to_numpy())}
    rows = [row for k, row in last.items() if k not in answered]
    missing = failures.iloc[rows]
    return pd.concat([responses, missing], ignore_index=True) if len(responses) else missing


@dataclass(frozen=True)
class _Scoring:
    """How the rows of a journal are scored.

    `items` are rows of `Journal.items` by hash and id, `verdicts` what the judge said by the hash
    of what it was told.
    """

    items: Mapping[tuple[str, str], Mapping[Hashable, Any]]
    policy: str
    judge: str
    verdicts: Mapping[str, str]
    imported: Mapping[str, Mapping[str, str]]

    def row(self, row: Mapping[Hashable, Any]) -> tuple[Any, ...]:
        """The columns `_JUDGED` of one row."""
        asked = Asked(row["examinee"], row["condition"], row["occasion"])
        item = self.items[row["item_hash"], row["item_id"]]
        question = question_of(item, row["condition"])
        judge = self._verdict if self.judge else None
        key = verdict_key_of(question.id, asked.examinee, asked.condition, asked.occasion)
        judged = judge_reply(
            *(question, row["text"], row["outcome"], asked, self.policy, judge),
            self.imported.get(key),
        )
        return tuple(getattr(judged, name) for name in _JUDGED)

    def _verdict(self, question: Question, reply: str) -> Extraction | None:
        if question.answer_type not in JUDGED or not reply.strip():
            return None
        said = self.verdicts.get(verdict_key(question, reply), "")
        return read_verdict(said, question, self.judge)
