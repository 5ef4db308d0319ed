"""Output formats: the form that an item demands of a reply, as data.

A format is stored with every item, so that replies can be read without the benchmark's code. The
strict regular expression is derived from the same few fields that render the model answer, so the
two cannot disagree. Reading replies (strictly and leniently) is in
`gfactor.scoring.extraction.formatted`.
"""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

AnswerType = Literal[
    "choice", "choices", "blanks", "open", "value", "tuple", "list", "set", "turns"
]
"""Answer types: MULTI's SA, MA, FB and OP, Percept-V's four kinds, and one answer to each turn of a
conversation."""

ANSWER_TYPES: tuple[str, ...] = get_args(AnswerType)

CHOSEN = ("choice", "choices")
"""Answer types whose answers are labels of options."""

TEXT_RULES = (
    *("VQA accuracy", "relaxed accuracy", "ANLS", "containment", "exact text", "number"),
)  # fmt: skip
"""Scoring rules for texts that the label `scoring_rule` of an item may name, see
`gfactor.scoring.text_rules`."""
RULE_LABEL = "scoring_rule"
TOLERANCE_LABEL = "scoring_tolerance"
"""Label with the largest distance from the key that the rule "number" counts as right."""


def rule_flaw(name: object) -> str | None:
    """Return a sentence about the flaw of a label `scoring_rule` that names no rule."""
    if name is None or name == "" or name in TEXT_RULES:
        return None
    return f"its label {RULE_LABEL!r} is {name!r}; the rules are {', '.join(TEXT_RULES)}"


def tolerance_of(written: str) -> Decimal | None:
    """Return a tolerance from its digits, with a point or a comma; None if it is none."""
    plain = re.fullmatch(r"\d+(?:[.,]\d+)?", written.strip())
    return Decimal(plain[0].replace(",", ".")) if plain else None


Cell: TypeAlias = tuple[int, int]
"""A grid coordinate (row, column)."""

Atom: TypeAlias = int | str | Cell
Answer: TypeAlias = Atom | tuple[Atom, ...] | frozenset[Atom]
"""An answer in Python: an atom (`value`), a tuple (`tuple` and `list`) or a frozenset (`set`)."""

TURN_END = "\x1e"
"""Separator of the replies to the turns of a conversation (ASCII's record separator)."""


def readable_turns(text: str, between: str = "; ") -> str:
    """Return a stored reply for people to read: turns are separated by `between`."""
    return text.replace(TURN_END, between)


_INTEGER = r"\d+"
_CELL = r"\(\s*\d+\s*,\s*\d+\s*\)"


@dataclass(frozen=True)
class OutputFormat:
    """The format of the single line in which an answer is to be given.

    Parameters
    ----------
    answer_type : AnswerType
        `value`, `tuple`, `list` or `set` (Percept-V, section "Evaluation"); `turns` if each of the
        last `length` turns of a conversation is answered in the form of a `value`.
    labels : list of str
        Words written before the parts, each followed by a colon. A `tuple` has one label
        per part ("ABOVE:x BELOW:y"); every other type has at most one ("COUNT:x").
    atom : {'integer', 'word', 'cell', 'token'}
        Kind of one part: `integer`, `word` (from `vocabulary`), `cell` ("(row,column)"), or `token`
        (an integer or a word from `vocabulary`).
    vocabulary : list of str
        Every word that may be used, spelt as it is to be written. Reading ignores case.
    separator : str
        Separator of the parts of a list or set: " " or ",". Commas may have spaces around them.
    none : str
        A word that means "there is none", or "" if that cannot be the answer.
    length : int
        Number of parts a list must have, 0 if it depends on the picture; number of turns
        that are answered.

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> bool(counting.pattern.fullmatch("COUNT:3")), bool(counting.pattern.fullmatch("three"))
    (True, False)
    """

    answer_type: AnswerType
    labels: tuple[str, ...] = ()
    atom: Literal["integer", "word", "cell", "token"] = "integer"
    vocabulary: tuple[str, ...] = ()
    separator: str = " "
    none: str = ""
    length: int = 0

    @cached_property
    def turn(self) -> OutputFormat:
        """The format of the reply to one turn of a conversation."""
        return replace(self, answer_type="value", length=0)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The strict format: a whole line must match, labels in upper case, words in any case."""
        if self.answer_type == "turns":
            one = self.turn.pattern.pattern
            return re.compile(TURN_END.join([one] * self.length))
        words = "|".join(re.escape(w) for w in sorted(self.vocabulary, key=len, reverse=True))
        atom = {
            "integer": _INTEGER,
            "word": f"(?i:{words})",
            "cell": _CELL,
            "token": f"(?:{_INTEGER}|(?i:{words}))",
        }[self.atom]
        gap = r"\s+" if self.separator == " " else r"\s*,\s*"
        if self.answer_type == "tuple" and len(self.labels) > 1:
            body = r"\s+".join(rf"{re.escape(name)}\s*:\s*({atom})" for name in self.labels)
        else:
            label = rf"{re.escape(self.labels[0])}\s*:\s*" if self.labels else ""
            many = self.answer_type in ("list", "set")
            more = rf"{{{self.length - 1}}}" if self.length else "*"
            body = label + (rf"({atom}(?:{gap}{atom}){more})" if many else f"({atom})")
        if self.none:
            body = rf"{body}|(?P<none>{re.escape(self.none)})"
        return re.compile(rf"(?:{body})")

    def render(self, answer: Answer | None) -> str:
        """Return the line that a perfect examinee writes for `answer` (None: "there is none")."""
        if answer is None:
            return self.none
        if self.answer_type == "turns":
            return TURN_END.join(self.turn.render(atom) for atom in atoms_of(answer, "turn"))
        parts = [self._write(atom) for atom in atoms_of(answer, self.atom)]
        if self.answer_type == "tuple" and len(self.labels) > 1:
            return " ".join(f"{n}:{p}" for n, p in zip(self.labels, parts, strict=True))
        joined = (", " if self.separator == "," else " ").join(parts)
        if not self.labels:
            return joined
        gap = " " if self.answer_type in ("list", "set") else ""
        return f"{self.labels[0]}:{gap}{joined}"

    @staticmethod
    def _write(atom: Atom) -> str:
        return f"({atom[0]},{atom[1]})" if isinstance(atom, tuple) else str(atom)

    def to_json(self) -> str:
        """Return the format as canonical JSON, for the bank."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> OutputFormat:
        """Parse the JSON of `to_json`; raise ValueError if a field or a type is unknown."""
        fields: dict[str, Any] = json.loads(text)
        fields = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
        try:
            fmt = cls(**fields)
        except TypeError as error:
            raise ValueError(f"not an output format: {error}") from error
        if fmt.answer_type not in ANSWER_TYPES:
            raise ValueError(f"unknown answer type {fmt.answer_type!r}")
        return fmt


def atoms_of(answer: Answer, atom: str) -> list[Atom]:
    """Return the parts of an answer in canonical order (sets are sorted; a cell is one part).

    Parameters
    ----------
    answer : Answer
        An answer.
    atom : str
        Kind of one part: "integer", "word", "cell" or "token".

    Returns
    -------
    list of Atom
        Its parts, in order.

    Examples
    --------
    >>> from gfactor.items import atoms_of
    >>> atoms_of((3, 1), "integer"), atoms_of((3, 1), "cell")
    ([3, 1], [(3, 1)])
    """
    if isinstance(answer, frozenset):
        return sorted(answer, key=lambda a: (str(type(a)), a))
    if isinstance(answer, tuple):
        if atom == "cell" and len(answer) == 2 and all(isinstance(a, int) for a in answer):
            return [answer]  # pyright: ignore[reportReturnType]
        return list(answer)
    return [answer]


def answer_to_json(answer: Answer | None) -> str:
    """Return the canonical JSON of an answer: `3`, `"YES"`, `[1,4]`, a set as a sorted list, "there
    is none" as `null`.

    Parameters
    ----------
    answer : Answer, optional
        The answer to write; None if there is no answer.

    Returns
    -------
    str
        Canonical JSON.

    Examples
    --------
    >>> from gfactor.items import answer_to_json
    >>> answer_to_json(frozenset({4, 1})), answer_to_json(None)
    ('[1,4]', 'null')
    """
    plain = (
        sorted(answer, key=lambda a: (str(type(a)), a)) if isinstance(answer, frozenset) else answer
    )
    return _COMPACT.encode(plain)


_COMPACT = json.JSONEncoder(separators=(",", ":"))


def option_from_json(text: object) -> str | None:
    """Return the label of the option that `answer_to_json` wrote; None if no option was read.

    Parameters
    ----------
    text : object
        Canonical JSON of an answer; None or NaN if there is none.

    Examples
    --------
    >>> option_from_json('"B"'), option_from_json("[1,4]"), option_from_json(None)
    ('B', None, None)
    """
    value = json.loads(text) if isinstance(text, str) else None
    return value if isinstance(value, str) else None


def answer_from_json(text: str, answer_type: str) -> Answer | None:
    """Return the answer that `answer_to_json` wrote for an item of `answer_type`.

    Parameters
    ----------
    text : str
        Canonical JSON, as `answer_to_json` writes it.
    answer_type : str
        Answer type of the item.

    Returns
    -------
    Answer, optional
        The answer; None for "there is none".

    Examples
    --------
    >>> from gfactor.items import answer_from_json
    >>> sorted(answer_from_json("[1,4]", "set"))
    [1, 4]
    """

    def tuples(value: Any) -> Any:
        return tuple(tuples(v) for v in value) if isinstance(value, list) else value

    value = tuples(json.loads(text))
    return frozenset(value) if answer_type == "set" and value is not None else value
