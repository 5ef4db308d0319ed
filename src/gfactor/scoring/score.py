"""From responses to points: reading, judging, the benchmark's policy, the scoring rule."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration import Journal
from gfactor.administration.imports import verdict_key as verdict_key_of
from gfactor.administration.storing.rows import AT_ONCE
from gfactor.administration.storing.tables import RESPONSES
from gfactor.frames import pick, row_tuples
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.judge import JUDGED, read_verdict, verdict_key
from gfactor.scoring.judging import imported_verdicts, verdicts
from gfactor.scoring.judgment import Attempt, Judgment, judge_reply
from gfactor.scoring.policies import BENCHMARKS_POLICY, policy_for
from gfactor.scoring.questions import PutItem, question_of

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
"""The fields of `Judgment`, in its order, and their types as columns; the last one is the
policy."""

RESERVED_COLUMNS = (
    *("examinee", "item_id", "item_hash", "condition", "occasion", "outcome", "text"),
    *_JUDGED,
    *("answer_type", "benchmark", "edition"),
)
"""The columns of a scored table that are not labels."""

_READ = ("examinee", "item_hash", "condition", "occasion", "text", "outcome")
"""Columns of the journal's attempts that are read."""

_ITEM_COLUMNS = (
    *("id", "content_hash", "benchmark", "edition", "answer_type", "target", "accepted"),
    *("output_format", "points", "language", "question", "choices"),
)


def scored(
    journal: Journal, *, policy: str = BENCHMARKS_POLICY, judge: str = "",
    examinee: str | None = None, items: Collection[str] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return the scored responses of a journal, one row per response and item.

    Parameters
    ----------
    journal : Journal
        Open.
    policy : str
        Policy for replies in which no answer was found: `own` for each benchmark's own
        (`gfactor.scoring.policies`), or one of random, incorrect, error, none for all. Under
        `vlmevalkit` every reply is read and ruled on by VLMEvalKit's rules; if an answer earns a
        part of its point, `correct` is 0 and `points` has the part.
    judge : str
        Name of a judge model whose verdicts, kept in the journal by `ask_judge`, stand for
        answers that the rules did not find; "" for no judge.
    examinee : str, optional
        Canonical name of the examinee whose responses are read; by default all examinees.
    items : collection of str, optional
        Ids of the items whose responses are read, by default all.

    Returns
    -------
    DataFrame
        Columns: `examinee`, `item_id`, `item_hash`, `condition`, `occasion`, `outcome`,
        `text`; `answer` and `answer_lenient`, canonical JSON of the answer that the strict and the
        lenient reading found (they differ only for items with an output format); None if no answer
        was found ("null" is the answer "there is none"); `correct` and `correct_lenient`, 1 if all
        is right, else 0; `points` of `points_possible`, by the strict reading; `format_error`,
        True if the strict reading found nothing and that is an error; `missing`, True if the
        attempt says nothing about the examinee (its `correct` and `points` are NaN then); `status`
        (`gfactor.scoring.replies`), `stage` and `rule` of the extraction, if nothing was found
        "none" and why; `policy`, the policy that decided, else ""; `answer_type`, `benchmark`,
        `edition`; then one column per label of the items (`label.NAME` for a label with the name
        of one of these columns). A key whose attempts all failed has one row, that of its last
        failed attempt. Items that ask exactly the same share a response and have a row each. A
        truncated reply is read without its last, unfinished line, unless that holds a complete
        answer to a question with options or blanks.

    Raises
    ------
    UnknownNameError
        For an unknown policy, MissingExtraError if open answers need the extra `open`.

    Examples
    --------
    >>> from gfactor.scoring import scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> table.groupby("examinee")["correct"].mean()["observer:ideal"].item()
    1.0
    """
    return _scored(journal, _Scoring.of(journal, policy, judge), examinee, (), items).responses


@dataclass(frozen=True)
class ScoredJournal:
    """The scored responses of a journal, and what was read in it to score them.

    Parameters
    ----------
    responses : DataFrame
        Result of `scored`.
    items : DataFrame
        Items of the journal, as `Journal.items` returns them.
    administered : DataFrame
        Items that were given to each examinee, as `Journal.administered` returns them.
    """

    responses: pd.DataFrame
    items: pd.DataFrame
    administered: pd.DataFrame


def scored_with_sources(
    journal: Journal, *, policy: str = BENCHMARKS_POLICY, judge: str = ""
) -> ScoredJournal:
    """Return the scored responses of a journal with the tables behind them, which are read once.

    Parameters
    ----------
    journal : Journal
        Open.
    policy, judge : str
        Treatment of replies without an answer, as in `scored`.

    Returns
    -------
    ScoredJournal
        The responses, the items, and the items given to each examinee.
    """
    return _scored(journal, _Scoring.of(journal, policy, judge), None, ())


def scored_in_parts(
    journal: Journal, *, policy: str = BENCHMARKS_POLICY, judge: str = ""
) -> Iterator[pd.DataFrame]:
    """Yield the parts of `scored`, one examinee at a time: memory holds one examinee's answers.

    Parameters
    ----------
    journal : Journal
        Open.
    policy, judge : str
        Treatment of replies without an answer, as in `scored`.

    Returns
    -------
    iterator of DataFrame
        The scored answers of each examinee, in alphabetical order, with the columns
        `reasoning`, `detail`, `tokens` (JSON), `latency_s`, `cost` and `created` of the journal
        after those of `scored`.

    Raises
    ------
    UnknownNameError
        For an unknown policy.

    Examples
    --------
    >>> from gfactor.scoring import scored_in_parts
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> [len(part) for part in scored_in_parts(journal)]
    [10, 10]
    """
    scoring = _Scoring.of(journal, policy, judge)
    for name in journal.examinees():
        part = _scored(journal, scoring, name, ATTEMPT_COLUMNS).responses
        if len(part):
            yield part


ATTEMPT_COLUMNS = ("reasoning", "detail", "tokens", "latency_s", "cost", "created")
"""Columns of the journal that `scored_in_parts` keeps."""

_ITEM_KEY = ("benchmark", "item_hash", "item_id")
_QUESTION_KEY = (*_ITEM_KEY, "condition")
_JUDGED_FROM = ("examinee", "occasion", "text", "outcome")
_OF_ITEM = (*_ITEM_KEY, "edition", "answer_type")
_ATTEMPT = tuple(column.name for column in RESPONSES.c)

_NAMES = {"id": "item_id", "content_hash": "item_hash"}


def _scored(
    journal: Journal, scoring: _Scoring, examinee: str | None, further_columns: Sequence[str],
    only: Collection[str] | None = None,
) -> ScoredJournal:  # fmt: skip
    """Score the answers of one examinee, or of all, with `further_columns` of the journal.

    `only` has the ids of the items to score; None scores all.
    """
    administered = journal.administered(examinee)
    given = administered.rename(columns=_NAMES)
    given = given if only is None else pick(given, given["item_id"].isin(list(only)))
    attempts = _one_per_key(journal, examinee, (*_READ, *further_columns))
    items = scoring.table
    reserved = {*RESERVED_COLUMNS, *_ATTEMPT}
    labels = {
        name: f"label.{name}" if name in reserved else name
        for name in items.columns
        if name not in _ITEM_COLUMNS
    }
    items = pick(items.rename(columns={**_NAMES, **labels}), [*_OF_ITEM, *labels.values()])
    rows, item_rows = _pairs(attempts, given, items)
    attempts = attempts.take(rows).reset_index(drop=True)
    items = items.take(item_rows).drop(columns="item_hash").reset_index(drop=True)
    table = pd.concat([attempts, items], axis=1)
    judged = pd.DataFrame(scoring.columns(table), index=table.index)
    table = pd.concat([table, judged], axis=1)
    responses = pick(table, [*RESERVED_COLUMNS, *labels.values(), *further_columns])
    return ScoredJournal(responses, scoring.table, administered)


def _pairs(
    attempts: pd.DataFrame, given: pd.DataFrame, items: pd.DataFrame
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the positions of attempts, and beside each the position of an item that it answers.

    Items that ask exactly the same share an attempt, which answers those of them that were given
    to its examinee under its condition.
    """
    numbered = pick(items, list(_ITEM_KEY)).assign(item=np.arange(len(items)))
    of_runs = given.merge(numbered, on=list(_ITEM_KEY))
    key = ["examinee", "condition", "item_hash"]
    rows = pick(attempts, key).assign(row=np.arange(len(attempts)))
    pairs = rows.merge(pick(of_runs, [*key, "item"]), on=key)
    return pairs["row"].to_numpy(), pairs["item"].to_numpy()


def _key_of(item: Mapping[Hashable, Any]) -> tuple[str, str, str]:
    return item["benchmark"], item["content_hash"], item["id"]


def _one_per_key(
    journal: Journal, examinee: str | None, columns: Sequence[str]
) -> pd.DataFrame:  # fmt: skip
    """Return these columns of all responses and, for keys without a response, of the last
    failure."""
    key = ["examinee", "item_hash", "condition", "occasion"]
    responses, failures = journal.responses(examinee, columns), journal.failures(examinee, columns)
    if failures.empty:
        return responses
    answered = set(map(tuple, pick(responses, key).to_numpy()))
    last = {tuple(k): row for row, k in enumerate(pick(failures, key).to_numpy())}
    rows = [row for k, row in last.items() if k not in answered]
    missing = failures.iloc[rows]
    return pd.concat([responses, missing], ignore_index=True) if len(responses) else missing


@dataclass(frozen=True)
class _Scoring:
    """Inputs for scoring the rows of a journal.

    `table` is `Journal.items`, `items` its rows by benchmark, hash and id, `verdicts` the judge's
    verdicts by the hash of its prompt.
    """

    table: pd.DataFrame
    items: Mapping[tuple[str, str, str], Mapping[Hashable, Any]]
    policy: str
    judge: str
    verdicts: Mapping[str, str]
    imported: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, journal: Journal, policy: str, judge: str) -> _Scoring:
        """Return the inputs for a journal; raise UnknownNameError for an unknown policy."""
        policy_for("", policy)
        items = journal.items()
        item_by_key = {_key_of(row): row for row in items.to_dict("records")}
        by_reply = verdicts(journal, judge) if judge else {}
        imported = imported_verdicts(journal) if policy == "vlmevalkit" else {}
        return cls(items, item_by_key, policy, judge, by_reply, imported)

    def columns(self, table: pd.DataFrame) -> dict[str, pd.Series]:
        """The columns `_JUDGED` of all rows, in their order.

        Replies to an item are read one after the other, in blocks, because the data of an item (its
        question, the texts of its options) are stored only for a while.
        """
        groups: Any = table.groupby(list(_QUESTION_KEY), sort=False)
        codes: NDArray[np.intp] = groups.ngroup().to_numpy()
        keys = list(row_tuples(table.drop_duplicates(list(_QUESTION_KEY)), _QUESTION_KEY))
        replies = pick(table, list(_JUDGED_FROM))
        order = np.argsort(codes, kind="stable")
        values = {name: np.empty(len(table), dtype=kind) for name, kind in _JUDGED.items()}
        for start in range(0, len(table), AT_ONCE):
            block = order[start : start + AT_ONCE]
            judged = self._block(replies.iloc[block], keys, codes[block])
            for name, column in zip(_JUDGED, zip(*judged, strict=True), strict=True):
                values[name][block] = column
        # With a type, because None among texts would become NaN.
        return {
            name: pd.Series(values[name], index=table.index, dtype=kind)
            for name, kind in _JUDGED.items()
        }

    def _block(
        self, rows: pd.DataFrame, keys: Sequence[tuple[str, ...]], codes: NDArray[np.intp]
    ) -> list[Judgment]:
        """The columns `_JUDGED` of rows; `codes` are the positions of their questions in `keys`."""
        judged: list[Judgment] = []
        question, condition, of_question = None, "", -1
        judged_by_reply: dict[tuple[str, str], Judgment] = {}
        for code, (examinee, occasion, text, outcome) in zip(
            codes.tolist(), row_tuples(rows, _JUDGED_FROM), strict=True
        ):
            if question is None or code != of_question:
                *item, condition = keys[code]
                question, of_question = question_of(self.items[tuple(item)], condition), code
                judged_by_reply.clear()
            one = judged_by_reply.get((text, outcome))
            if one is None:
                attempt = Attempt(examinee, condition, occasion)
                one = self._judged(question, attempt, text, outcome)
                # Equal replies have equal judgments, except for random draws and verdicts on single
                # attempts.
                if one.policy != "random" and not self.imported:
                    judged_by_reply[text, outcome] = one
            judged.append(one)
        return judged

    def _judged(self, question: PutItem, attempt: Attempt, text: str, outcome: str) -> Judgment:
        """The columns `_JUDGED` of a reply."""
        judge = self._verdict if self.judge else None
        verdict = None
        if self.imported:
            key = verdict_key_of(question.id, attempt.examinee, attempt.condition, attempt.occasion)
            verdict = self.imported.get(key)
        return judge_reply(question, text, outcome, attempt, self.policy, judge, verdict)

    def _verdict(self, question: PutItem, reply: str) -> Extraction | None:
        if question.answer_type not in JUDGED or not reply.strip():
            return None
        verdict_text = self.verdicts.get(verdict_key(question, reply), "")
        return read_verdict(verdict_text, question, self.judge)
