"""Answers in JSON: a reply that is, or holds, an object with a key for the answer."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Any

from gfactor.scoring.extraction.markers import expressions, finder, nth_named
from gfactor.scoring.extraction.normalize import boxed, clean

_WORD = expressions("answer_key")
_BEFORE = expressions("answer_key_before")
_BEHIND = expressions("answer_key_behind")
_KEY = re.compile(
    rf"{_BEFORE}{{0,3}}{_WORD}{_BEHIND}{{0,3}}|{expressions('answer_key_adjective')}{_WORD}?s?"
    rf"|{expressions('joined_key')}"
)
"""Keys for an answer, without accents, spaces and marks: `option_id`, `finalanswer`."""
_HOLDERS = frozenset(
    ("arguments", "args", "parameters", "params", "input", "inputs", "function", "functioncall",
     "toolcall", "toolcalls", "toolinput", "output", "data", "content", "json")
)  # fmt: skip
"""Keys of tool calls whose value contains the answer's key."""
_MOST_OBJECTS = 50


def find_json(text: str) -> tuple[Any, int, int] | None:
    """Return the value of the answer in the last JSON object that has one, or the list if the reply
    is a JSON list.

    Returns the value (None for `null`) with the position of the object; None if there is none.
    """
    return next(_answers_in(text), None)


def is_contradicted(text: str, read: Callable[[Any], object]) -> bool:
    """Return True if an earlier object gives another answer that is not replaced.

    A correction ("wait") or a conclusion ("therefore") between two objects replaces the first.

    Parameters
    ----------
    text: the reply, as `find_json` takes it.
    read: function that returns the meaning of a value, or None if it has none.
    """
    answers = [(read(value), start, end) for value, start, end in _answers_in(text)]
    for (last, start, _), (before, _, end) in pairwise(answers):
        kinds = ("correction", "conclusion")
        if any(finder(kind).search(text, end, start) for kind in kinds):
            return False
        if None not in (last, before) and last != before:
            return True
    return False


def _answers_in(text: str) -> Iterator[tuple[Any, int, int]]:
    """The answers' values with the positions of their objects, from the last object to the
    first."""
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        value = _parsed(stripped)
        if isinstance(value, list) and all(isinstance(v, str | int) for v in value):
            yield value, 0, len(text)
            return
    for start, end in reversed(_objects(text)):
        value = _parsed(text[start:end])
        if isinstance(value, dict):
            answer = _answer_in(value)
            if answer is not _MISSING:
                yield answer, start, end


def flagged(value: Any) -> Any:
    """Return the names that are True if the value maps names to booleans; else the value."""
    if isinstance(value, dict) and value and all(isinstance(v, bool) for v in value.values()):
        return [name for name, is_true in value.items() if is_true]
    return value


def value_text(value: Any) -> str:
    """Return a value as text, without LaTeX or markdown around it."""
    text = str(value)
    inner = boxed(text)
    return clean(text[slice(*inner[-1])] if inner else text).prose.text.strip()


def is_cut_off(text: str) -> bool:
    """Return True if a reply is a JSON object that breaks off."""
    return bool(_BEGUN.match(text)) and "}" not in text


_BEGUN = re.compile(r"\s*(?:```(?:json)?\s*)?\{\s*[\"']\w{1,40}[\"']\s*:", re.IGNORECASE)
_MISSING = object()


def _parsed(text: str) -> Any:
    text = _HIDDEN.sub(r"\\\\", text)
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        for fixed in (_LATEX.sub(r"\\\\", text), _COMMA.sub(r"\1", text).replace("'", '"')):
            try:
                return json.loads(fixed, strict=False)
            except (ValueError, RecursionError):
                continue
        return None


_HIDDEN = re.compile(
    r"(?<!\\)\\(?=boxed|beta|frac|text|times|theta|tan|triangle|rightarrow|rho|neq|nabla)"
)
"""A backslash of a LaTeX command that JSON would read as the beginning of a control character."""
_COMMA = re.compile(r",\s{0,20}([}\]])")
_LATEX = re.compile(r"\\(?=[A-Za-z]{2}|[()\[\]{}])(?!u[0-9a-fA-F]{4})")
"""A backslash of a LaTeX command that would have to be doubled in JSON."""


def _answer_in(value: dict[str, Any], depth: int = 0) -> Any:
    """The value under the last key that means "answer", also inside a tool call's arguments."""
    for key in reversed(list(value)):
        if _KEY.fullmatch(_plain(key)):
            inner = value[key]
            if isinstance(inner, dict):
                answer = _answer_in(inner, depth + 1) if depth < _DEEPEST else _MISSING
                return inner if answer is _MISSING else answer
            return inner
    for key in reversed(list(value)):
        if _plain(key) not in _HOLDERS:
            continue
        answer = _inner_answer(value[key], depth)
        if answer is _MISSING and _calls_an_answer(value):
            answer = _only_value(value[key])
        if answer is not _MISSING:
            return answer
    return _MISSING


def _calls_an_answer(call: dict[str, Any]) -> bool:
    """Return True if a tool call names a tool that takes the answer: "final_answer"."""
    texts = [one for one in call.values() if isinstance(one, str)]
    return any(_KEY.search(_plain(text)) for text in texts if len(text) <= _LONGEST_NAME)


def _only_value(inner: Any) -> Any:
    """The only value of the content of a tool call, if it is a text or a number."""
    inner = _parsed(inner) if isinstance(inner, str) and inner.lstrip().startswith("{") else inner
    values = list(inner.values()) if isinstance(inner, dict) else []
    return values[0] if len(values) == 1 and isinstance(values[0], str | int | float) else _MISSING


_LONGEST_NAME = 30


_DEEPEST = 4


def _inner_answer(inner: Any, depth: int) -> Any:
    """The answer in the content of a tool call: an object, a list of one, or either as JSON
    text."""
    if isinstance(inner, str) and inner.lstrip().startswith("{"):
        inner = _parsed(inner)
    if isinstance(inner, list) and len(inner) == 1:
        inner = inner[0]
    return (
        _answer_in(inner, depth + 1) if isinstance(inner, dict) and depth < _DEEPEST else _MISSING
    )


def _plain(key: str) -> str:
    """A key in lower case, without accents, spaces and marks."""
    letters = unicodedata.normalize("NFD", key.casefold())
    return unicodedata.normalize(
        "NFC", "".join(c for c in letters if c.isalnum() and not "\u0300" <= c <= "\u036f")
    )


def _objects(text: str) -> list[tuple[int, int]]:
    """Return the spans of outermost {...}, counted without regard to strings; the last fifty."""
    spans: list[tuple[int, int]] = []
    depth = start = 0
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                spans.append((start, match.end()))
    return spans[-_MOST_OBJECTS:]


_FENCE = re.compile(r"^```[a-z]*|```$", re.IGNORECASE)


def find_keyed(raw: str) -> list[str] | None:
    """Return the values of a reply that is one flat JSON object, in the order of its keys."""
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
    if any(_number_of(key) is None for key in value):
        return []
    return ["?" if v is None else str(v) for v in in_order(value)]


def in_order(value: dict[str, Any]) -> list[Any]:
    """Return the values in the order of the numbers or ordinals at the ends of their keys, if there
    are any."""
    numbers = [_number_of(key) for key in value]
    if None in numbers or len(set(numbers)) != len(numbers):
        return list(value.values())
    return [v for _, v in sorted(zip(numbers, value.values(), strict=True), key=itemgetter(0))]


def _number_of(key: str) -> int | None:
    number = re.search(r"\d{1,2}$", key.strip())
    if number:
        return int(number[0])
    plain = _plain(key)
    match = _ORDINAL.match(plain)
    return match and nth_named(match)


_ORDINAL = re.compile(expressions("ordinal_key"))
