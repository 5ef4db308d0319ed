"""The content, options and key of a row, of a data set or of predictions."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from gfactor.benchmarks.loading import LETTERS, listed, pictured, unlisted
from gfactor.benchmarks.vlmevalkit.known_sets import is_known, published_rule
from gfactor.benchmarks.vlmevalkit.table import Row
from gfactor.items import Answer, AnswerType, Choice, Image, Segment
from gfactor.items.formats import RULE_LABEL, rule_flaw, tolerance_of

LONGEST_BLANK = 60
"""A key of at most so many characters in one line is compared as a whole (`blanks`), a longer one
as a text (`open`)."""

YES_NO = ("Yes", "No")
"""The options of a question whose key is one of the two words (MME and its like)."""

TOLERANCE_COLUMN = "tolerance"
"""Column with the largest distance from a key that is a number."""

_NUMBER = re.compile(
    r"[-+\u2212]?(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|(?:0|[1-9]\d*)(?:[.,]\d+)?|\.\d+)"
)
_MOST_DIGITS = 15
"""A longer run of digits is a name, as one that begins with 0 is (a telephone number)."""

_MARK = re.compile(r"<image(?: (\d+))?>")


def content_of(row: Row, images: Sequence[Image]) -> tuple[tuple[Segment, ...], tuple[Choice, ...]]:
    """Return content in reading order, and choices (empty for a row without options).

    A mark `<image n>` is picture n, a mark `<image>` the next picture that no such mark has taken;
    a mark without a picture stays in the text. Pictures without a mark come first. Options with
    both text and picture stay in the content, and the choices are only labels.

    Raises ValueError if a numbered mark names no picture, or there is no question.
    """
    texts = [row[name] for name in ("hint", "question") if row.get(name, "").strip()]
    options = offered(row)
    present = "".join(options)
    if options and present != LETTERS[: len(present)]:
        gap = next(have for have, due in zip(present, LETTERS, strict=False) if have != due)
        raise ValueError(f"it has an option {gap}, but not all options before it")
    if not texts and not images:
        raise ValueError("it has neither a question nor a picture")
    marks = _Marks(images)
    option_segments = [marks.split(text.strip()) for text in texts]
    split = [(label, marks.split(text.strip())) for label, text in options.items()]
    placed = {id(s) for part in (*option_segments, *(o for _, o in split)) for s in part}
    first = [image for image in images if id(image) not in placed]
    content: list[Segment] = [*first, *(s for part in option_segments for s in part)]
    if not options:
        return tuple(content), ()
    choices = listed(split)
    if choices is None:
        for label, segments in split:
            content += [f"{label}.", *segments]
        choices = unlisted(options)
    return tuple(content), choices


def told_of(row: Row) -> tuple[tuple[Segment, ...], tuple[Choice, ...]]:
    """Return content and choices of a row of predictions, which has only texts; marks stay in the
    texts.

    VLMEvalKit loses the text of an option that is "None" or "N/A", because a table's empty cell is
    read the same way. The label is kept, with "", if another option follows or it is the key.
    """
    texts = tuple(row[name] for name in ("hint", "question") if row.get(name, "").strip())
    options = offered(row)
    key = row.get("answer", "").strip()
    labels_in_use = [*options, *([key] if key in row and _next_to(key, options) else [])]
    last = max((LETTERS.index(label) for label in labels_in_use), default=-1)
    labels = LETTERS[: last + 1] if last > 0 else ""
    return texts, tuple(Choice(label, options.get(label, "")) for label in labels)


def offered(row: Row) -> dict[str, str]:
    """Return the text of each option by label, from the columns A, B ..., or from a list in the
    column `choices`.

    Raises ValueError if the column holds something else, such as a dictionary.
    """
    options = {label: row[label] for label in LETTERS if row.get(label, "").strip()}
    cell = "" if options else row.get("choices", "").strip()
    texts = list_in(cell)
    if texts is None and cell.startswith(("[", "{")):
        raise ValueError(
            f'its options {shortened(cell)} are no list of texts; write ["...", "..."]'
        )
    return options or {k: str(v) for k, v in zip(LETTERS, texts or (), strict=False)}


def scoring_rule(dataset: str, row: Row) -> str:
    """Return the name of the rule that scores a row's texts, "" for the answer type's own rule.

    A column `scoring_rule` names it, or else the rule of the data set applies. In a table without
    that column, of a data set that VLMEvalKit does not know by name, the rule of a key that is a
    number is "number". Raises ValueError for an unknown name.
    """
    if named := row.get(RULE_LABEL, "").strip():
        if flaw := rule_flaw(named):
            raise ValueError(flaw)
        return named
    if dataset.startswith("MathVista") and row.get("answer_type") in ("integer", "float"):
        return "number"
    if is_known(dataset) or RULE_LABEL in row:
        return published_rule(dataset)
    keys = _keys_of(row.get("answer", "").strip())
    return "number" if all(len(key) == 1 and _is_number(key[0]) for key in keys) else ""


def tolerance_in(row: Row) -> str:
    """Return the distance from the key that is right by the rule "number", "" for none.

    Raises ValueError if the cell holds something else than a number.
    """
    written = row.get(TOLERANCE_COLUMN, "").strip()
    if written and tolerance_of(written) is None:
        raise ValueError(f"its tolerance is {shortened(written)}; write a number, such as 0.5")
    return written


def answer_of(
    row: Row, choices: Sequence[Choice], rule: str = ""
) -> tuple[AnswerType, Answer, tuple[Answer, ...], tuple[Choice, ...]]:
    """Return the answer type, the target, other right answers, and the choices.

    In a row without options, a list of texts and a key with <OR> hold alternative answers, and
    each part of a key with <AND> fills one blank. A list of numbers is one text. A single letter
    is a text if the data set has a `rule` for texts. The rule "containment" makes the answer open.

    Raises ValueError if there is no key, or it names no option.
    """
    key = row.get("answer", "").strip()
    if not key:
        raise ValueError("it has no key, so that its answer cannot be scored")
    if choices:
        first, *others = _labels_of(row.get("answer_option", "").strip() or key, choices)
        if others:
            return "choices", (first, *others), (), tuple(choices)
        return "choice", first, (), tuple(choices)
    if key.casefold() in ("yes", "no"):
        return "choice", key.capitalize(), (), tuple(Choice(word, word) for word in YES_NO)
    if not rule and re.fullmatch("[A-H]", key):
        return "choice", key, (), pictured(key)
    first, *others = _keys_of(key)
    short = all(len(part) <= LONGEST_BLANK and "\n" not in part for part in first)
    if short and rule != "containment":
        return "blanks", first, tuple(others), ()
    if len(first) != 1:
        return "open", " ".join(first), (), ()
    return "open", first[0], tuple(other[0] for other in others), ()


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and sum(map(str.isdigit, text)) <= _MOST_DIGITS


class _Marks:
    """A splitter of texts at picture marks, which counts the marks without a number."""

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = images
        self._taken = 0

    def split(self, text: str) -> list[Segment]:
        segments: list[Segment] = []
        start = 0
        for mark in _MARK.finditer(text):
            image = self._picture(mark[1])
            if image is not None:
                segments += [part for part in [text[start : mark.start()].strip()] if part]
                segments.append(image)
                start = mark.end()
        return segments + [part for part in [text[start:].strip()] if part]

    def _picture(self, number: str | None) -> Image | None:
        if number is None:
            self._taken += 1
            available = self._taken <= len(self._images)
            return self._images[self._taken - 1] if available else None
        if not 1 <= int(number) <= len(self._images):
            raise ValueError(f"its text names image {number}, but it has {len(self._images)}")
        return self._images[int(number) - 1]


def _next_to(key: str, options: dict[str, str]) -> bool:
    """Return True if the key is the letter behind the last of at least two options."""
    return len(options) > 1 and key == LETTERS[LETTERS.index(max(options)) + 1 :][:1]


def _labels_of(key: str, choices: Sequence[Choice]) -> tuple[str, ...]:
    labels = [choice.label for choice in choices]
    if key.upper() in labels:
        return (key.upper(),)
    if (several := list_in(key)) and all(isinstance(one, str) for one in several):
        right = {label for one in several for label in _labels_of(one.strip(), choices)}
        return tuple(label for label in labels if label in right)
    letters = re.sub(r"[\s,;、()]", "", key)
    if letters and set(letters) <= set(labels):
        return tuple(label for label in labels if label in letters)
    for choice in choices:
        if isinstance(choice.content, str) and choice.content and choice.content.strip() == key:
            return (choice.label,)
    number = "; write its letter, as a number may count from 0 or from 1" * key.isdecimal()
    raise ValueError(f"its key {key!r} is not among its options ({', '.join(labels)}){number}")


def _keys_of(key: str) -> list[tuple[str, ...]]:
    """The right answers, each as its parts."""
    alternatives = list_in(key)
    if alternatives and all(isinstance(text, str) and text.strip() for text in alternatives):
        return [(text.strip(),) for text in alternatives]
    if "<AND>" in key:
        parts = [[t.strip() for t in part.split("<OR>")] for part in key.split("<AND>")]
        most = max(map(len, parts))
        return [tuple(part[min(k, len(part) - 1)] for part in parts) for k in range(most)]
    return [(text.strip(),) for text in key.split("<OR>") if text.strip()] or [(key,)]


def shortened(text: str) -> str:
    """Return a text in quotation marks, without the end if it is long."""
    return repr(text if len(text) <= LONGEST_BLANK else f"{text[:LONGEST_BLANK]}...")


def list_in(text: str) -> list[Any] | None:
    """Parse a list in Python's notation ("['24/7', '3.43']"); return None if the text is not a
    list."""
    if not text.strip().startswith("["):
        return None
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None
