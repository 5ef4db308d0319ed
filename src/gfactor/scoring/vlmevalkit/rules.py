"""VLMEvalKit's scoring of a reply: its rules, by name, and the rule of each data set.

The rules are facts of VLMEvalKit (commit e8e78f05, Apache-2.0), written anew, with their
peculiarities, because their figures are to be reproduced. They are its exact matching, without a
judge unless verdicts were imported.

option              the letter of one option alone in the reply, standing at its end; or "answer is
                    X"; or the text of exactly one option. The rule of every data set with options.
option in last line the same, of the one line that begins with "Answer:" (MMMU_Pro with COT).
key or other        the same with two options, the key and "Other Answers" (open items of MMMU).
boxed letter        \\boxed{X}, else "the answer is X" and the like (VisuLogic).
yes or no           the reply has the word yes, or no, and not both.
VQA accuracy, relaxed accuracy, ANLS
                    as `gfactor.scoring.text_rules` has them, of the reply as it is (TextVQA;
                    ChartQA; DocVQA, InfoVQA).
exact text          the reply is a key but for case (OCRVQA).
containment         a key stands in the reply, case apart (OCRBench, MTVQA, CountBenchQA).
count               the first whole number from 0 to 20, in digits or words, is the key (TallyQA).
MathVista           options by `option`; integers and floats must be equal; all else is wrong.
judge               what the imported verdict says (MM-Vet).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gfactor.items import Answer
from gfactor.scoring.questions import PutItem
from gfactor.scoring.text_rules import TextRule, anls, relaxed_accuracy, vqa_accuracy
from gfactor.scoring.vlmevalkit.texts import boxed_letter, count_in, option_in, yes_or_no

_FAILED = "Failed to obtain answer"
FAILURE = f"{_FAILED} via API."
"""Text in VLMEvalKit's files in place of an answer that it did not get."""

_LOST = frozenset(
    re.findall(
        r"[^|]+",
        "#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a"
        "|nan|null",
    )
)
"""Replies that VLMEvalKit loses when it reads its own tables: all of them become "nan"."""

_NUMBERS: Mapping[object, Callable[[str], float]] = {"integer": int, "float": float}
_CHOICES = ("multi_choice", "choice")

_DRAWN = "randomly generate one"
"""Text in the log of a verdict that is an option drawn at random."""


@dataclass(frozen=True)
class Ruling:
    """VLMEvalKit's ruling on a reply.

    Parameters
    ----------
    answer: answer that it reads, None if it finds none.
    credit: credit from 0 to 1.
    rule: name of the rule that decided, "judge", or "drawn at random".
    decided: True if the rule came to a decision; else a judge is asked.
    """

    answer: Answer | None
    credit: float
    rule: str = ""
    decided: bool = True


@dataclass(frozen=True)
class RuledReply:
    """A reply with its item, the input of a rule.

    Parameters
    ----------
    question: the item.
    reply: the text, as VLMEvalKit reads it.
    """

    question: PutItem
    reply: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The right texts, one per annotator if the data set has several."""
        question = self.question
        accepted = (question.target, *question.accepted)
        return tuple(" ".join(map(str, k)) if isinstance(k, tuple) else str(k) for k in accepted)

    @property
    def options(self) -> dict[str, str]:
        """Text of each option that VLMEvalKit knows, by label."""
        return {label: text for label, text in self.question.options.items() if text}

    def chosen(self, label: str | None) -> Ruling:
        """Return the ruling on a chosen option; "Z" is VLMEvalKit's label for none of them."""
        question = self.question
        key = question.target if isinstance(question.target, str) else "".join(self.keys[:1])
        valid = label if label in question.labels else None
        if valid:
            valid = label = str(question.as_stored(valid))
        answer = frozenset({valid}) if valid and question.answer_type == "choices" else valid
        return Ruling(answer, float(label == key), decided=label is not None)

    def texts(self, credit: float) -> Ruling:
        """Return the ruling on a text."""
        kind = self.question.answer_type
        if kind in ("choice", "choices"):
            same = [la for la in self.question.labels if la.casefold() == self.reply.casefold()]
            return Ruling(same[0] if same and kind == "choice" else None, credit)
        return Ruling((self.reply,) if kind == "blanks" else self.reply, credit)


def ruling(question: PutItem, text: str, outcome: str, verdict: Mapping[str, str]) -> Ruling | None:
    """Return VLMEvalKit's ruling on a reply; None if it has no rule for the item's data set.

    Parameters
    ----------
    text, outcome: text and outcome of the response; VLMEvalKit counts a failed attempt as a wrong
        answer.
    verdict: notes of an imported verdict, empty without one.

    Notes
    -----
    Replies to a data set that only a judge scores have no ruling without a verdict.
    """
    name = rule_of(question)
    if not name:
        return None
    reply = FAILURE if outcome == "transport_error" else text.strip()
    case = RuledReply(question, "nan" if reply in _LOST or not reply else reply)
    if verdict and not _same(verdict.get("prediction", ""), case.reply):
        verdict = {}
    by_rule = _RULES[name](case)
    if not by_rule.decided and verdict:
        by_rule = _judged(case, verdict)
    if not by_rule.decided and name in _JUDGED_SETS:
        return None
    return replace(by_rule, rule=by_rule.rule or name)


def dataset_of(question_id: str) -> str:
    """Return the data set of an item's id, DATASET/INDEX."""
    return question_id.partition("/")[0]


def rule_of(question: PutItem) -> str:
    """Return the name of the rule for an item, "" if VLMEvalKit has none."""
    dataset = dataset_of(question.id)
    for pattern, name in _RULE_OF:
        if pattern.search(dataset):
            return name
    if question.output_format is not None:
        return ""
    lettered = all(len(label) == 1 for label in question.labels) and any(question.options.values())
    if lettered and question.answer_type in ("choice", "choices"):
        cot = dataset.startswith("MMMU_Pro") and "COT" in dataset
        return "option in last line" if cot else "option"
    return "key or other" if dataset.startswith("MMMU") else ""


def _option(case: RuledReply) -> Ruling:
    return case.chosen(option_in(case.reply, case.options))


def _option_in_last_line(case: RuledReply) -> Ruling:
    lines = [line.strip() for line in case.reply.split("\n")]
    marked = [line for line in lines if line.startswith("Answer:")]
    if len(marked) != 1:
        return _option(case)
    letters = {c for c in marked[0] if "A" <= c <= "Z"}
    letter = letters.pop() if len(letters) == 1 else marked[0].removeprefix("Answer:")
    return _option(RuledReply(case.question, letter.strip()))


def _key_or_other(case: RuledReply) -> Ruling:
    key = case.keys[0] if len(case.keys) == 1 else repr(list(case.keys))
    label = option_in(case.reply, {"A": key, "B": "Other Answers"})
    return replace(case.texts(float(label == "A")), decided=label is not None)


def _boxed_letter(case: RuledReply) -> Ruling:
    return case.chosen(boxed_letter(case.reply))


def _yes_or_no(case: RuledReply) -> Ruling:
    answer = yes_or_no(case.reply)
    return Ruling(answer, float(answer == case.question.target), decided=answer is not None)


def _by(rule: TextRule) -> Callable[[RuledReply], Ruling]:
    return lambda case: case.texts(rule(case.reply, case.keys))


def _exact(case: RuledReply) -> Ruling:
    return case.texts(float(any(k.strip().lower() == case.reply.lower() for k in case.keys)))


def _containment(case: RuledReply) -> Ruling:
    dataset, reply = dataset_of(case.question.id), case.reply
    if dataset.startswith("MTVQA"):
        pairs = [(key.strip().lower().replace(".", ""), reply.lower().replace(".", ""))
                 for key in case.keys]  # fmt: skip
    elif dataset == "CountBenchQA":
        pairs = [(key, reply) for key in case.keys]
    elif case.question.facts.get("category") == "Handwritten Mathematical Expression Recognition":
        pairs = [("".join(key.split()), re.sub(r"[ \n]", "", reply)) for key in case.keys]
    else:
        pairs = [(key.lower().strip(), reply.lower().replace("\n", " ")) for key in case.keys]
    return case.texts(float(any(key in values for key, values in pairs)))


def _count(case: RuledReply) -> Ruling:
    number = count_in(case.reply)
    return case.texts(float(str(number) == case.keys[0].removesuffix(".0")))


def _mathvista(case: RuledReply) -> Ruling:
    if case.question.facts.get("question_type", case.question.answer_type) in _CHOICES:
        return _option(case)
    kind = case.question.facts.get("given_answer_type")
    try:
        right = kind in _NUMBERS and _NUMBERS[kind](case.reply) == _NUMBERS[kind](case.keys[0])
    except ValueError:
        right = False
    return replace(case.texts(float(right)), decided=right)


def _by_judge(case: RuledReply) -> Ruling:
    return replace(case.texts(0.0), decided=False)


_RULES: Mapping[str, Callable[[RuledReply], Ruling]] = {
    "option": _option,
    "option in last line": _option_in_last_line,
    "key or other": _key_or_other,
    "boxed letter": _boxed_letter,
    "yes or no": _yes_or_no,
    "VQA accuracy": _by(vqa_accuracy),
    "relaxed accuracy": _by(relaxed_accuracy),
    "exact text": _exact,
    "ANLS": _by(anls),
    "containment": _containment,
    "count": _count,
    "MathVista": _mathvista,
    "judge": _by_judge,
}
"""Every rule, by the name that the column `rule` of a scored table shows."""

_JUDGED_SETS = frozenset({"MathVista", "judge"})
"""Rules that give no ruling without a judge, if they do not decide."""

_RULE_OF: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"^(MME|HallusionBench|POPE|AMBER|VSR-zeroshot)$", "yes or no"),
        (r"^TextVQA", "VQA accuracy"),
        (r"^ChartQA_", "relaxed accuracy"),
        (r"^OCRVQA", "exact text"),
        (r"^(DocVQA|InfoVQA)", "ANLS"),
        (r"^(OCRBench|MTVQA_TEST|CountBenchQA)$", "containment"),
        (r"^TallyQA$", "count"),
        (r"^VisuLogic$", "boxed letter"),
        (r"^MathVista", "MathVista"),
        (r"^MMVet", "judge"),
    )
)
"""Names of data sets, as regular expressions, and their rules; the first that fits counts."""


def _judged(case: RuledReply, verdict: Mapping[str, str]) -> Ruling:
    if "res" in verdict:
        return replace(
            _mathvista(RuledReply(case.question, verdict["res"])), rule="judge", decided=True
        )
    if "extracted" in verdict:
        return Ruling(
            verdict["extracted"], float(verdict["extracted"] == case.question.target), "judge"
        )
    credit = _number(verdict.get("hit", verdict.get("score", "")))
    rule = "drawn at random" if _DRAWN in verdict.get("log", "") else "judge"
    return Ruling(case.question.target if credit == 1 else None, credit, rule)


def _same(judged: str, reply: str) -> bool:
    """Return True if a verdict is on this reply; a workbook may have cut one of the two."""
    if judged.startswith(_FAILED) and reply.startswith(_FAILED):
        return True
    judged = "nan" if judged.strip() in _LOST else judged.strip()
    short, long = sorted((" ".join(judged.split()), " ".join(reply.split())), key=len)
    return short == long or (len(short) > 32_000 and long.startswith(short))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float(text == "True")
