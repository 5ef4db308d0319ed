"""Pages of questions: reading their fields into values, and filling them in for bots."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.studies.answers.fields import Fields
from gfactor.studies.questionnaires.study.page_definitions import (
    LONGEST_TEXT,
    Page,
    PageQuestion,
    choice_text,
    question_text,
)
from gfactor.studies.questionnaires.translations import Words

Values = dict[str, Any]
"""Answers by variable: a value, a list of values, a number or a text; none if not answered."""


class NotAnsweredError(Exception):
    """Problem with the fields of a page, in the participant's language."""


def read_questions(page: Page, fields: Fields, say: Words) -> Values:
    """Return the answers in the fields of a page: `q-0`, for a grid `q-0-0`, `q-0-1` ... Raises
    NotAnsweredError with a sentence if a required answer is missing or an answer is impossible.
    """
    values: Values = {}
    for k, question in enumerate(page.questions):
        names = _field_names(question, k)
        for name, variable in zip(names, question.variables, strict=True):
            value = _value(question, fields.get(name, ()), say)
            if value is not None:
                values[variable] = value
            elif question.required:
                missing = question_text(question, say)
                raise NotAnsweredError(say("question_missing", question=missing))
    return values


def question_views(page: Page, say: Words, typed: Fields) -> list[dict[str, Any]]:
    """Return the views of a page's questions for its template; `typed` has the texts already in the
    fields."""
    views = []
    for k, question in enumerate(page.questions):
        options = [(o.value, choice_text(question, o, say)) for o in question.options]
        rows = [choice_text(question, row, say) for row in question.rows]
        names = _field_names(question, k)
        views.append({
            "kind": question.kind, "text": question_text(question, say), "options": options,
            "required": question.required, "low": question.low, "high": question.high,
            "step": question.step, "fields": list(zip(names, rows or [""], strict=True)),
            "typed": {name: list(typed.get(name, ())) for name in names},
        })  # fmt: skip
    return views


def fill_questions(page: Page, source: random.Random) -> list[tuple[str, str]]:
    """Return the fields that a bot posts."""
    pairs = []
    for k, question in enumerate(page.questions):
        for name in _field_names(question, k):
            if question.kind in ("number", "slider"):
                low, high = question.low or 0.0, question.high or (question.low or 0.0) + 100
                pairs.append((name, str(source.randint(int(low), int(high)))))
            elif question.kind == "text":
                pairs.append((name, "simulated"))
            else:
                pairs.append((name, source.choice(question.options).value))
    return pairs


def values_text(values: Values) -> str:
    """Return the answers of a page in the form of the database."""
    return json.dumps(values, ensure_ascii=False)


def cells(text: str) -> dict[str, Any]:
    """Return the answers of a page as cells of a table; several values of one question with ';'."""
    return {
        name: ";".join(value) if isinstance(value, list) else value
        for name, value in json.loads(text).items()
    }


def answers_in_words(page: Page, text: str, say: Words) -> str:
    """Return the answers to a page in words: each question with the chosen values; for a page
    without questions, its measurements."""
    answers: Mapping[str, Any] = json.loads(text or "{}")
    if not page.questions:
        return "; ".join(f"{name}: {_plain_value(value)}" for name, value in answers.items())
    parts = []
    for question in page.questions:
        chosen = {option.value: choice_text(question, option, say) for option in question.options}
        rows = [choice_text(question, row, say) for row in question.rows] or [""]
        for variable, row in zip(question.variables, rows, strict=True):
            if variable not in answers:
                continue
            value = answers[variable]
            several = value if isinstance(value, list) else [value]
            answer = ", ".join(chosen.get(one, str(one)) for one in several)
            parts.append(f"{f'{question_text(question, say)} {row}'.strip()} {answer}")
    return "; ".join(parts)


def _plain_value(value: Any) -> str:
    if isinstance(value, list):
        return (
            f"{len(value)} values"
            if any(isinstance(one, dict) for one in value)
            else (", ".join(map(str, value)))
        )
    return str(value)


def dictionary_rows(pages: Sequence[Page], say: Words) -> list[dict[str, str]]:
    """Return a row per variable: its question, and the meanings of its values."""
    rows = []
    for page in pages:
        for question in page.questions:
            wording = question_text(question, say)
            levels = "; ".join(
                f"{o.value} = {choice_text(question, o, say)}" for o in question.options
            )
            texts = [choice_text(question, row, say) for row in question.rows] or [""]
            for variable, row in zip(question.variables, texts, strict=True):
                rows.append({
                    "table": "questionnaire", "variable": variable, "type": question.kind,
                    "description": f"{wording} {row}".strip(), "levels": levels,
                    "page": page.name, "required": "yes" if question.required else "no",
                })  # fmt: skip
    return rows


def _field_names(question: PageQuestion, k: int) -> list[str]:
    return [f"q-{k}-{j}" for j in range(len(question.rows))] or [f"q-{k}"]


def _value(question: PageQuestion, given: Sequence[str], say: Words) -> Any:
    """The value in a field; None if there is none."""
    if question.kind in ("single", "grid", "multiple"):
        chosen = [o.value for o in question.options if o.value in given]
        return (chosen or None) if question.kind == "multiple" else next(iter(chosen), None)
    text = " ".join(given)[:LONGEST_TEXT].strip() if given else ""
    if not text:
        return None
    return text if question.kind == "text" else _number(question, text, say)


def _number(question: PageQuestion, text: str, say: Words) -> float | int:
    low, high = question.low, question.high
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    below, above = low is not None and value < low, high is not None and value > high
    if not math.isfinite(value) or below or above:
        bounds = {
            "low": "" if low is None else f"{low:g}",
            "high": "" if high is None else f"{high:g}",
        }
        wording = question_text(question, say)
        raise NotAnsweredError(say("number_out_of_range", question=wording, **bounds))
    return int(value) if value.is_integer() else value


def right_in(rows: Sequence[Mapping[str, Any]], positions: Sequence[int]) -> tuple[int, int]:
    """Return the number of right answers at these positions of a form, and of all answers there."""
    given = [row for row in rows if row["kind"] == "item" and row["position"] in set(positions)]
    return sum(bool(row["right"]) for row in given), len(given)
