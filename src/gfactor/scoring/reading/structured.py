"""Answers in JSON: a reply that is, or holds, an object with a key for the answer."""

from __future__ import annotations

import json
import re
from operator import itemgetter
from typing import Any

_KEYS = frozenset(
    [
        "answer",
        "answers",
        "finalanswer",
        "finalanswers",
        "correctanswer",
        "correctanswers",
        "choice",
        "choices",
        "finalchoice",
        "selectedoption",
        "selectedoptions",
        "selected",
        "selection",
        "option",
        "options",
        "correctoption",
        "correctoptions",
        "label",
        "prediction",
        "pred",
        "response",
        "result",
        "letter",
        "respuesta",
        "respuestas",
        "respuestascorrectas",
        "opcióncorrecta",
        "opcioncorrecta",
        "respuestafinal",
        "respuestacorrecta",
        "réponse",
        "réponses",
        "reponses",
        "réponsefinale",
        "bonneréponse",
        "bonnesréponses",
        "réponsecorrecte",
        "choix",
        "reponse",
        "resposta",
        "respostas",
        "respostacorreta",
        "respostascorretas",
        "respostafinal",
        "alternativacorreta",
        "alternativas",
        "opção",
        "opçãocorreta",
        "opciones",
        "letra",
        "alternativa",
        "opción",
        "opcion",
        "gabarito",
        "答案",
        "最终答案",
        "正确答案",
        "正确选项",
        "答案选项",
        "最终选项",
        "选项",
        "选择",
        "정답",
        "답",
        "최종답변",
        "선택",
        "최종답",
        "최종정답",
        "답변",
        "정답들",
    ]
)
_MOST_OBJECTS = 50


def find_json(text: str) -> tuple[Any, int, int] | None:
    """The answer's value in the last JSON object that has one (or the list that is the reply).

    Returns the value (None for `null`) with the place of the object; None where there is none.
    """
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        value = _parsed(stripped)
        if isinstance(value, list) and all(isinstance(v, str | int) for v in value):
            return value, 0, len(text)
    for start, end in reversed(_objects(text)):
        value = _parsed(text[start:end])
        if isinstance(value, dict):
            found = _answer_in(value)
            if found is not _MISSING:
                return found, start, end
    return None


def flagged(value: Any) -> Any:
    """The names that are true where a value gives each name true or false; else the value."""
    if isinstance(value, dict) and value and all(isinstance(v, bool) for v in value.values()):
        return [name for name, is_true in value.items() if is_true]
    return value


def is_cut_off(text: str) -> bool:
    """Whether a reply is a JSON object that breaks off."""
    return bool(_BEGUN.match(text)) and "}" not in text


_BEGUN = re.compile(r"\s*(?:```(?:json)?\s*)?\{\s*[\"']\w{1,40}[\"']\s*:", re.IGNORECASE)
_MISSING = object()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        try:
            return json.loads(
                re.sub(r",\s{0,20}([}\]])", r"\1", text).replace("'", '"'), strict=False
            )
        except (ValueError, RecursionError):
            return None


def _answer_in(value: dict[str, Any]) -> Any:
    """The value under the last key that means "answer", one object deep."""
    for key in reversed(list(value)):
        plain = re.sub(r"[\s_\-]", "", key.casefold())
        if plain in _KEYS:
            inner = value[key]
            if isinstance(inner, dict):
                found = _answer_in(inner)
                return inner if found is _MISSING else found
            return inner
    return _MISSING


def _objects(text: str) -> list[tuple[int, int]]:
    """Where outermost {...} stand, counted without regard to strings; the last fifty."""
    found: list[tuple[int, int]] = []
    depth = start = 0
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                found.append((start, match.end()))
    return found[-_MOST_OBJECTS:]


_FENCE = re.compile(r"^```[a-z]*|```$", re.IGNORECASE)


def find_keyed(raw: str) -> list[str] | None:
    """The values of a reply that is one flat JSON object, as its keys are ordered."""
    bare = _FENCE.sub("", raw.strip()).strip()
    if not (bare.startswith("{") and bare.endswith("}")):
        return None
    try:
        value = json.loads(bare, strict=False)
    except (ValueError, RecursionError):
        return None
    if len(value) == 1 and isinstance(only := next(iter(value.values())), list):
        return ["?" if v is None else str(v) for v in only if not isinstance(v, list | dict)]
    if any(isinstance(v, list | dict) for v in value.values()):
        return None
    if len(value) == 1:
        return ["?" if v is None else str(v) for v in value.values()]
    numbers = [re.search(r"\d{1,2}$", key.strip()) for key in value]
    if None in numbers:
        return []
    order = sorted(
        zip((int(n[0]) for n in numbers if n), value.values(), strict=True), key=itemgetter(0)
    )
    return ["?" if v is None else str(v) for _, v in order]
