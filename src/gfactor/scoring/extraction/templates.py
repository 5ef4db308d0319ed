"""Output formats from the text a prompt shows: "COUNT:x", "YES | NO", "(row,column) ..."."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from gfactor.errors import ParameterError
from gfactor.imaging import CSS, TWENTY
from gfactor.items import OutputFormat
from gfactor.items.formats import AnswerType

_TYPES: dict[str, AnswerType] = {
    "value": "value", "single": "value", "tuple": "tuple", "pair": "tuple", "fixed": "tuple",
    "list": "list", "set": "set",
}  # fmt: skip
_COLORS = {
    *CSS, *TWENTY, "white", "grey", "cyan", "magenta", "violet", "indigo", "gold", "silver",
}  # fmt: skip
_SHAPES = (
    "circle", "triangle", "square", "rectangle", "pentagon", "hexagon", "heptagon", "octagon",
    "star", "ellipse", "oval", "diamond", "rhombus", "trapezoid", "parallelogram", "kite", "cross",
    "heart", "arrow", "crescent", "semicircle", "cube", "sphere", "cone", "cylinder", "pyramid",
)  # fmt: skip
_WORDS = (
    *sorted(_COLORS), *_SHAPES, "yes", "no", "none", "left", "right", "up", "down",
)  # fmt: skip
_LABEL = re.compile(r"([A-Z]{2,}(?: [A-Z]{2,})*)\s*:")
_WORDY = re.compile(r"colou?r|shape|blue|green|red|circle|triangle|square|yes|no", re.IGNORECASE)


def format_from(given: Any, answer_type: str | None) -> OutputFormat:
    """The output format that a case gives: its fields (object or JSON text), or a template.

    In a template, words in capitals before a colon are labels; "|" and "or" separate the only
    words allowed; brackets with a comma are cells; names of colors and shapes stand for all of
    them, spelt as those the template shows; anything else is an integer.

    Raises
    ------
    ParameterError: where the format cannot be understood or has no answer type.
    """
    try:
        if isinstance(given, dict):
            return OutputFormat.from_json(json.dumps({"answer_type": answer_type, **given}))
        if isinstance(given, str) and given.lstrip().startswith("{"):
            return format_from(json.loads(given), answer_type)
    except ValueError as error:
        raise ParameterError(f"the format cannot be read: {error}") from error
    if not isinstance(given, str) or answer_type not in _TYPES:
        known = ", ".join(sorted(_TYPES))
        raise ParameterError(f"a PV case needs a `format` and an `answer_type` (one of {known})")
    return _from_template(given, _TYPES[answer_type])


def _from_template(template: str, answer_type: AnswerType) -> OutputFormat:
    template = re.sub(r"\((?:last|single|one) line\)", "", template, flags=re.IGNORECASE)
    body = _LABEL.sub(" ", template)
    cells = re.search(r"\(\s*\w+\s*,\s*\w+\s*\)", body)
    none = "None" if cells and re.search(r"\bnone\b", body, re.IGNORECASE) else ""
    either = [w.strip() for w in re.split(r"\||\bor\b", body)] if not cells else []
    atom: Literal["integer", "word", "cell", "token"] = "cell" if cells else "integer"
    vocabulary: tuple[str, ...] = ()
    if len(either) > 1 and all(re.fullmatch(r"[A-Za-z]+", w) for w in either):
        atom, vocabulary = "word", tuple(either)
    elif not cells and re.search(r"\bS\b.*\bE\b", body):
        atom, vocabulary = "token", ("S", "E")
    elif not cells and _WORDY.search(body):
        atom, vocabulary = "word", _spelt_as_in(body)
    outside = re.sub(r"\([^()]*\)", "", body)
    return OutputFormat(
        answer_type,
        labels=tuple(_LABEL.findall(template)),
        atom=atom,
        vocabulary=vocabulary,
        separator="," if "," in outside else " ",
        none=none,
    )


def _spelt_as_in(body: str) -> tuple[str, ...]:
    """The words allowed, in capitals where the template's own words of them are."""
    shown = [w for w in re.findall(r"[A-Za-z]+", body) if w.casefold() in _WORDS]
    if shown and all(w.isupper() for w in shown):
        return tuple(word.upper() for word in _WORDS)
    if shown and all(w.istitle() for w in shown):
        return tuple(word.capitalize() for word in _WORDS)
    return _WORDS
