"""Replies with the answers that a careful reader finds in them, one JSON object per line.

A case has an `id`, a `kind` and a `response`; SA and MA have `options` (label to text), FB has
`blanks` (how many), PV has `format` and `answer_type`. If `expected` is given (null if no
answer is there), the reading can be judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gfactor.errors import ParameterError
from gfactor.imaging import CSS, TWENTY
from gfactor.items import OutputFormat
from gfactor.items.formats import AnswerType
from gfactor.items.reading import SQLITE_HEAD
from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.markers import each, expressions
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.texts import same_text

_TYPES: dict[str, AnswerType] = {
    "value": "value", "single": "value", "tuple": "tuple", "pair": "tuple", "fixed": "tuple",
    "list": "list", "set": "set",
}  # fmt: skip
_WORDS = (
    *sorted({*CSS, *TWENTY, *" ".join(words for (words,) in each("color_names")).split()}),
    *(
        word
        for kind in ("shape_names", "format_words")
        for (words,) in each(kind)
        for word in words.split()
    ),
)
_LABEL = re.compile(r"([A-Z]{2,}(?: [A-Z]{2,})*)\s*:")
_WORDY = re.compile(expressions("format_cue"), re.IGNORECASE)


def format_from(given: Any, answer_type: str | None) -> OutputFormat:
    """Return the output format that a case gives: its fields (object or JSON text), or a template.

    In a template, words in capitals before a colon are labels; "|" and "or" separate the only
    words allowed; brackets with a comma are cells; names of colors and shapes stand for all of
    them, spelt as those the template shows; anything else is an integer.

    Raises
    ------
    ParameterError: if the format cannot be understood or has no answer type.
    """
    try:
        if isinstance(given, dict):
            return OutputFormat.from_json(json.dumps({"answer_type": answer_type, **given}))
        if isinstance(given, str) and given.lstrip().startswith("{"):
            return format_from(json.loads(given), answer_type)
    except ValueError as error:
        raise ParameterError(f"the format cannot be read: {error}") from error
    if not isinstance(given, str) or answer_type not in _TYPES:
        types = ", ".join(sorted(_TYPES))
        raise ParameterError(f"a PV case needs a `format` and an `answer_type` (one of {types})")
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
    number_words = [w for w in re.findall(r"[A-Za-z]+", body) if w.casefold() in _WORDS]
    if number_words and all(w.isupper() for w in number_words):
        return tuple(word.upper() for word in _WORDS)
    if number_words and all(w.istitle() for w in number_words):
        return tuple(word.capitalize() for word in _WORDS)
    return _WORDS


Verdict = Literal["right", "wrong", "invented", "missed"]
_KINDS = {"SA": "choice", "MA": "choices", "FB": "blanks", "PV": "value"}


@dataclass(frozen=True)
class ReplyCase:
    """One reply to be read; `judged` is True if the file gives its true answer."""

    id: str
    kind: str
    language: str
    response: str
    options: dict[str, str]
    blanks: int
    output_format: OutputFormat | None
    expected: Any
    judged: bool

    def read(self) -> Extraction:
        """Return the answer that the rules read in the reply."""
        return extract(
            self.response,
            _KINDS[self.kind],
            self.options,
            blanks=self.blanks,
            output_format=self.output_format,
        )

    def verdict(self, extraction: Extraction) -> Verdict:
        """Compare the reading with `expected`; the order of labels and of sets does not matter."""
        if self.output_format and self.expected and self.expected == self.output_format.none:
            return "right" if extraction.has_answer and extraction.answer is None else "missed"
        none_expected = self.expected is None and not (
            self.output_format and self.output_format.none
        )
        if not extraction.has_answer:
            return "right" if self.expected is None else "missed"
        if none_expected:
            return "invented"
        expected, answer = self.expected, plain(extraction.answer)
        if self.kind == "MA" or isinstance(extraction.answer, frozenset):
            expected = sorted(list(expected or ()), key=str)
            answer = sorted(answer, key=str)
        if self.kind == "PV":
            expected, answer = _in_one_case(expected), _in_one_case(answer)
        if self.kind == "FB":
            texts = [expected] if isinstance(expected, str) else list(expected or ())
            is_same = len(texts) == len(answer) and all(
                part == text if None in (part, text) else same_text(part, text)
                for part, text in zip(answer, texts, strict=True)
            )
            return "right" if is_same else "wrong"
        return "right" if answer == expected else "wrong"


def _in_one_case(answer: Any) -> Any:
    """Words of a formatted answer are the same in any case, as in `OutputFormat`."""
    if isinstance(answer, list):
        return [_in_one_case(part) for part in answer]
    return answer.casefold() if isinstance(answer, str) else answer


def plain(answer: Any) -> Any:
    """Return an answer as JSON has it: sets as sorted lists, tuples as lists."""
    if isinstance(answer, frozenset):
        return [plain(part) for part in sorted(answer, key=lambda a: (str(type(a)), a))]
    if isinstance(answer, tuple):
        return [plain(part) for part in answer]
    return answer


def read_cases(path: Path) -> Iterable[ReplyCase]:
    """Return the cases of a file, in order.

    Raises
    ------
    ParameterError: if the file or one of its lines cannot be used; the message has the line's
        number.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        yield _case(line, number)
                    except ParameterError as error:
                        raise ParameterError(
                            f"cases {str(path)!r}, line {number}: {error}"
                        ) from error
    except OSError as error:
        raise ParameterError(f"cases {str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 text (byte {error.start})"
        if path.read_bytes().startswith(SQLITE_HEAD):
            what = (
                "is a database, not a file of replies; gfactor score JOURNAL -o FILE writes every "
                "reply of a journal with what was read in it"
            )
        raise ParameterError(f"cases {str(path)!r} {what}") from error


def as_cases(given: Iterable[ReplyCase | Mapping[str, Any]]) -> Iterator[ReplyCase]:
    """Yield cases; a mapping is read as a line of a file is.

    Raises
    ------
    ParameterError
        If something is neither a case nor a mapping that can be one; the message has its number.
    """
    for number, one in enumerate(given, start=1):
        if isinstance(one, ReplyCase):
            yield one
            continue
        try:
            yield _case(json.dumps(one), number)
        except TypeError as error:
            raise ParameterError(
                f"case {number} must be a mapping with id, kind and response that can be written "
                "as JSON"
            ) from error
        except ParameterError as error:
            raise ParameterError(f"case {number}: {error}") from error


def _case(line: str, number: int) -> ReplyCase:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ParameterError("not JSON; give one object per line") from error
    if not isinstance(given, dict):
        raise ParameterError("not a JSON object; give one object per line")
    kind = given.get("kind")
    if kind not in _KINDS:
        raise ParameterError(f"`kind` is {kind!r}; it must be one of {', '.join(_KINDS)}")
    if not isinstance(given.get("response"), str):
        raise ParameterError("`response` is missing or not text")
    return ReplyCase(
        id=str(given.get("id", number)),
        kind=kind,
        language=str(given.get("language", "")),
        response=given["response"],
        options=_options(given.get("options"), kind),
        blanks=_blanks(given.get("blanks", 1), kind),
        output_format=(
            format_from(given.get("format"), given.get("answer_type")) if kind == "PV" else None
        ),
        expected=given.get("expected"),
        judged="expected" in given,
    )


def _options(given: Any, kind: str) -> dict[str, str]:
    if kind not in ("SA", "MA"):
        return {}
    if isinstance(given, list | tuple) and given and all(isinstance(o, str) for o in given):
        return dict.fromkeys(given, "")
    if not isinstance(given, dict) or not given:
        raise ParameterError("`options` must map each label to its text")
    return {str(label): "" if text is None else str(text) for label, text in given.items()}


def _blanks(given: Any, kind: str) -> int:
    count = len(given) if isinstance(given, list) else given
    if kind == "FB" and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
        raise ParameterError(f"`blanks` is {given!r}; it must be the number of blanks, 1 or more")
    return count if kind == "FB" else 1
