"""Reading of replies that the rules left open by a judge model, each reply once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pandas as pd

from gfactor.administration import Journal, RunResult
from gfactor.administration.asking.concurrent import Progress
from gfactor.administration.asking.runner import ask
from gfactor.administration.imports import judge_name
from gfactor.administration.sharing.claims import Tell
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee
from gfactor.frames import pick
from gfactor.scoring.judge import CONDITION, JUDGED, rendered, verdict_key
from gfactor.scoring.questions import PutItem, question_of


def left_open(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a scored table that a judge may read.

    In these rows the reply is not empty, the rules found no answer, no refusal and no truncation,
    and the answer type has no output format.
    """
    has_text = scored["text"].str.strip() != ""
    kinds = scored["answer_type"].isin(JUDGED)
    return pick(scored, (scored["status"] == "no_answer") & has_text & kinds)


def ask_judge(
    journal: Journal,
    judge: Examinee,
    scored: pd.DataFrame,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> RunResult:
    """Have `judge` read the replies left open in a scored table, and close the judge.

    Verdicts are stored in the journal under the judge's name, the condition `judge` and a hash of
    the whole prompt, so that a judge reads no reply twice, even if several processes ask; failed
    attempts are repeated by the next call. `gfactor.scoring.scored(journal, judge=judge.name)`
    applies the verdicts.

    Parameters
    ----------
    journal : Journal
        Journal that holds the replies and stores the verdicts.
    judge : Examinee
        An examinee.
    scored : DataFrame
        Scored responses, as `scored` returns them; the rows without an answer are judged.
    progress : Progress, optional
        Called while verdicts come in.
    tell : Tell, optional
        Called with a sentence while waiting for other processes.

    Returns
    -------
    RunResult
        Numbers of replies that were judged, known already, and failed.

    Raises
    ------
    JournalError
        If the journal fails; errors of the judge are passed on as other kinds of GfactorError.

    Examples
    --------
    >>> from gfactor.scoring import ask_judge, scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> from gfactor.examinees import make_examinee
    >>> ask_judge(journal, make_examinee("baseline:random", bank=bank, jobs=1), table).asked
    0
    """
    answered = {key for key, _ in journal.answered(judge.name, CONDITION)}
    waiting: dict[str, tuple[PutItem, str]] = {}
    already: set[str] = set()
    for question, reply in _open_questions(journal, scored):
        key = verdict_key(question, reply)
        if key in answered:
            already.add(key)
        else:
            waiting.setdefault(key, (question, reply))
    waiting_by_key = {key: partial(rendered, *what) for key, what in waiting.items()}
    result = ask(waiting_by_key, judge, journal, CONDITION, progress, tell)
    return replace(result, known=len(already))


def verdicts(journal: Journal, judge: str) -> dict[str, str]:
    """Return a judge's verdicts by the hash of its prompt."""
    responses = journal.responses()
    of_judge = pick(
        responses, (responses["examinee"] == judge) & (responses["condition"] == CONDITION)
    )
    return dict(zip(of_judge["item_hash"], of_judge["text"], strict=True))


def judges(journal: Journal) -> tuple[str, ...]:
    """Return the judges whose verdicts the journal stores, without those of other harnesses."""
    names = journal.examinees(CONDITION)
    return tuple(
        sorted(name for name in names if not name.startswith(judge_name("vlmevalkit", "")))
    )


def imported_verdicts(journal: Journal) -> dict[str, dict[str, str]]:
    """Return verdicts of VLMEvalKit's judges, by `gfactor.administration.imports.verdict_key`.

    Raises ParameterError if two judges have rated the same reply.
    """
    responses = journal.responses()
    imported = responses["examinee"].str.startswith(judge_name("vlmevalkit", ""))
    of_condition = pick(responses, imported & (responses["condition"] == CONDITION))
    if of_condition["item_hash"].duplicated().any():
        names = ", ".join(sorted(set(of_condition["examinee"])))
        raise ParameterError(
            f"the journal holds verdicts of several judges on one reply ({names}); import the "
            "files of each judge into a separate journal"
        )
    return {
        key: json.loads(text)
        for key, text in zip(of_condition["item_hash"], of_condition["text"], strict=True)
    }


def _open_questions(journal: Journal, scored: pd.DataFrame) -> Iterator[tuple[PutItem, str]]:
    items = journal.items().to_dict("records")
    rows = {(r["benchmark"], r["content_hash"], r["id"]): r for r in items}
    for row in left_open(scored).to_dict("records"):
        item = rows[row["benchmark"], row["item_hash"], row["item_id"]]
        yield question_of(item, row["condition"]), row["text"]
