"""The content, options and key of a row."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from gfactor.benchmarks.loading import LETTERS, listed, pictured, unlisted
from gfactor.benchmarks.vlmevalkit.table import Row
from gfactor.items import Answer, AnswerType, Choice, Image, Segment

LONGEST_BLANK = 60
"""A key of at most so many characters in one line is compared as a whole (`blanks`), a longer one
as a text (`open`)."""

YES_NO = ("Yes", "No")
"""The options of a question whose key is one of the two words (MME and its like)."""

_MARK = re.compile(r"<image (\d+)>")


def content_of(row: Row, images: Sequence[Image]) -> tuple[tuple[Segment, ...], tuple[Choice, ...]]:
    """Content in reading order, and choices (empty for a row without options).

    Pictures that no mark `<image n>` places stand first. Options of text and picture together stay
    in the content, and the choices are labels alone.

    Raises ValueError where a mark names no picture, or there is no question.
    """
    texts = [row[name] for name in ("hint", "question") if row.get(name, "").strip()]
    letters = _letters(row)
    options = [(letter, _split(row[letter].strip(), images)) for letter in letters]
    shown = [_split(text.strip(), images) for text in texts]
    if not texts and not images:
        raise ValueError("it has neither a question nor a picture")
    placed = {id(s) for part in (*shown, *(o for _, o in options)) for s in part}
    first = [image for image in images if id(image) not in placed]
    content: list[Segment] = [*first, *(s for part in shown for s in part)]
    if not options:
        return tuple(content), ()
    choices = listed(options)
    if choices is None:
        for letter, segments in options:
            content += [f"{letter}.", *segments]
        choices = unlisted(letters)
    return tuple(content), choices


def _letters(row: Row) -> str:
    """The labels of the options; ValueError where one between others is missing."""
    present = [letter for letter in LETTERS if row.get(letter, "").strip()]
    if present and present != list(LETTERS[: len(present)]):
        gap = next(have for have, due in zip(present, LETTERS, strict=False) if have != due)
        raise ValueError(f"it has an option {gap}, but not all before it")
    return "".join(present)


def _split(text: str, images: Sequence[Image]) -> list[Segment]:
    segments: list[Segment] = []
    start = 0
    for mark in _MARK.finditer(text):
        number = int(mark[1])
        if not 1 <= number <= len(images):
            raise ValueError(f"its text names image {number}, and it has {len(images)}")
        segments += [part for part in [text[start : mark.start()].strip()] if part]
        segments.append(images[number - 1])
        start = mark.end()
    return segments + [part for part in [text[start:].strip()] if part]


def answer_of(
    row: Row, choices: Sequence[Choice]
) -> tuple[AnswerType, Answer, tuple[Answer, ...], tuple[Choice, ...]]:
    """Answer type, target, other right answers, and the choices.

    Raises ValueError where there is no key, or it names no option.
    """
    key = row.get("answer", "").strip()
    if not key:
        raise ValueError("it has no key, so that its answer cannot be scored")
    if choices:
        first, *others = _labels_of(key, choices)
        if others:
            return "choices", (first, *others), (), tuple(choices)
        return "choice", first, (), tuple(choices)
    if key.casefold() in ("yes", "no"):
        return "choice", key.capitalize(), (), tuple(Choice(word, word) for word in YES_NO)
    if re.fullmatch("[A-H]", key):
        return "choice", key, (), pictured(key)
    first, *others = _texts(key)
    if len(first) <= LONGEST_BLANK and "\n" not in first:
        return "blanks", (first,), tuple((text,) for text in others), ()
    return "open", first, tuple(others), ()


def _labels_of(key: str, choices: Sequence[Choice]) -> tuple[str, ...]:
    labels = [choice.label for choice in choices]
    letters = re.sub(r"[\s,;、()]", "", key)
    if letters and set(letters) <= set(labels):
        return tuple(label for label in labels if label in letters)
    for choice in choices:
        if isinstance(choice.content, str) and choice.content and choice.content == key:
            return (choice.label,)
    raise ValueError(f"its key {key!r} is not among its options ({', '.join(labels)})")


def _texts(key: str) -> list[str]:
    """The right texts of an open question: one, or a list as Python shows it."""
    if key.startswith("["):
        try:
            found = ast.literal_eval(key)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [key]
        texts = [str(text).strip() for text in found] if isinstance(found, list) else []
        return [text for text in texts if text] or [key]
    return [key]
