"""Judgment of one response: its answer is read by rules, a judge or a policy, then given points."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gfactor.examinees import FAILED
from gfactor.frozen import quickly_made
from gfactor.items import answer_to_json
from gfactor.scoring.extraction.result import Extraction, Stage
from gfactor.scoring.policies import BENCHMARKS_POLICY, drawn, policy_for
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import Readings, Status, read_reply, status_of
from gfactor.scoring.vlmevalkit.rules import Ruling, ruling

MISSING_OUTCOMES = FAILED | {"content_filter"}
"""Outcomes that are no evidence of the examinee's ability: missing, never wrong."""

JudgedBy = Callable[[PutItem, str], Extraction | None]
"""(question, reply) -> the answer that a judge model read in it, None if it read none."""


class Judgment(NamedTuple):
    """Judgment of a response; the fields are columns of `gfactor.scoring.scored`.

    Parameters
    ----------
    answer, answer_lenient: answers as read strictly and leniently, canonical JSON; None if nothing
        was read.
    correct, correct_lenient: 1 if everything is right, else 0; NaN if `missing`.
    points, points_possible: points that the strict reading earned, NaN if `missing`, and points of
        a right answer.
    format_error: True if the strict reading found nothing and that is an error.
    missing: True if the response is to be left out.
    status: status of the response.
    stage, rule: stage and rule that read the lenient answer; "none" and the reason if none did.
    policy: the policy that decided, "" if none did.
    """

    answer: str | None
    answer_lenient: str | None
    correct: float
    correct_lenient: float
    points: float
    points_possible: float
    format_error: bool
    missing: bool
    status: Status
    stage: Stage
    rule: str
    policy: str = ""


@quickly_made
@dataclass(frozen=True)
class Attempt:
    """Examinee, condition and number of the attempt, which key the random draws."""

    examinee: str = ""
    condition: str = "default"
    occasion: int = 0


def judge_reply(
    question: PutItem,
    text: str,
    outcome: str,
    attempt: Attempt = Attempt(),
    policy: str = BENCHMARKS_POLICY,
    judged_by: JudgedBy | None = None,
    verdict: Mapping[str, str] | None = None,
) -> Judgment:
    """Judge a response with this text and outcome; apart from the judge, this is a pure function.

    `verdict` is the text of an imported verdict of VLMEvalKit's judge, for the policy "vlmevalkit".

    Raises UnknownNameError for an unknown policy, MissingExtraError if an open answer needs the
    extra `open`.
    """
    if policy == "vlmevalkit":
        ruled = ruling(question, text, outcome, verdict or {})
        if ruled is not None:
            return _ruled(question, outcome, ruled)
        policy = "error"
    if outcome in MISSING_OUTCOMES:
        return _left_out(question, outcome, Extraction(None, False, "none", outcome), "")
    read = read_reply(text, outcome, question)
    if judged_by is not None and status_of(outcome, read.lenient) == "no_answer":
        by_judge = judged_by(question, text)
        read = Readings(by_judge, by_judge) if by_judge else read
    if read.lenient.has_answer:
        return _answered(question, "answered", read)
    chosen = policy_for(question.benchmark, policy)
    if chosen == "none":
        return _left_out(question, outcome, read.lenient, chosen)
    answer = None
    if chosen == "random":
        answer = drawn(question, attempt.examinee, attempt.condition, attempt.occasion)
    status = status_of(outcome, read.lenient)
    if answer is None:
        return _wrong(question, status, read.lenient, chosen)
    by_policy = Extraction(answer, True, "policy", chosen)
    return _answered(question, status, Readings(by_policy, by_policy), chosen)


def _answered(question: PutItem, status: Status, read: Readings, policy: str = "") -> Judgment:
    exact, free = read.strict, read.lenient
    if free.stage == "judge":
        # Its answers may have numbers that are equal to, and written unlike, those of the rules.
        return _judged(question, status, read, policy)
    key = (
        status, policy, free.stage, free.rule, free.answer, exact is free, exact.has_answer,
        exact.answer,
    )  # fmt: skip
    judgment = question.judgments.get(key)
    if judgment is None:
        judgment = question.judgments[key] = _judged(question, status, read, policy)
    return judgment


def _judged(question: PutItem, status: Status, read: Readings, policy: str) -> Judgment:
    """Return the judgment of an answer, which depends on nothing else in the reply."""
    free = question.points(read.lenient.answer)
    answer_lenient = answer_to_json(read.lenient.answer)
    if read.strict is read.lenient:
        exact, answer = free, answer_lenient
    else:
        exact = question.points(read.strict.answer) if read.strict.has_answer else None
        answer = answer_to_json(read.strict.answer) if exact else None
    return Judgment(
        answer=answer,
        answer_lenient=answer_lenient,
        correct=float(exact is not None and exact.full),
        correct_lenient=float(free is not None and free.full),
        points=exact.earned * question.weight if exact else 0.0,
        points_possible=question.possible,
        format_error=exact is None,
        missing=False,
        status=status,
        stage=read.lenient.stage,
        rule=read.lenient.rule,
        policy=policy,
    )


def _ruled(question: PutItem, outcome: str, ruling: Ruling) -> Judgment:
    """Return the judgment of VLMEvalKit's ruling: failures are wrong, answers earn their credit."""
    extraction = Extraction(ruling.answer, ruling.answer is not None, "policy", ruling.rule)
    answer = answer_to_json(ruling.answer) if extraction.has_answer else None
    right = float(ruling.credit == 1)
    return Judgment(
        *(answer, answer, right, right, ruling.credit * question.possible, question.possible),
        *(False, False, status_of(outcome, extraction), "policy", ruling.rule, "vlmevalkit"),
    )


def _wrong(question: PutItem, status: Status, read: Extraction, policy: str) -> Judgment:
    error = policy == "error"
    return Judgment(
        *(None, None, 0.0, 0.0, 0.0, question.possible),
        *(error, False, status, read.stage, read.rule, policy),
    )


def _left_out(question: PutItem, outcome: str, read: Extraction, policy: str) -> Judgment:
    status = status_of(outcome, read)
    return Judgment(
        *(None, None, math.nan, math.nan, math.nan, question.possible),
        *(False, True, status, read.stage, read.rule, policy),
    )
