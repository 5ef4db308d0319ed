"""Labels in running text: "B", "(b)", "A, C and D", "ACD", "A through C", "A or B".

A letter is a label only if it cannot be a word, part of a word, or a name: "A cat", "I think",
"C'est", "point B" and "vitamin C" contain no label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

from gfactor.scoring.extraction.markers import COMMA, LETTER, STOP, expressions, joined, phrases
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.signs import DASHES, DEGREE, LIST_DOTS

_OPEN = r"[(\[{\"'<]{0,3}"
_CLOSE = rf"(?:\s?[)\]}}\"'>]{{1,3}})?{expressions('label_behind')}?"
_BEFORE = rf"(?<![{LETTER}\\'{DEGREE}$@#])"
_IN_QUOTES = r"(?:(?<=[^A-Za-z\u00c0-\u024f0-9]')|(?<=^'))"
_AFTER = rf"(?![{LETTER}]|'[{LETTER}]|-[{LETTER}]|\+\+|#|{DEGREE}|\.[{LETTER}])"
_WORDS_TOO = frozenset(joined("label_words"))
"""Capital letters that are words at the start of a sentence in one of the languages."""

SMALL_WORDS = "".join(sorted(c.lower() for c in _WORDS_TOO if c.isascii()))
"""Small letters that are words in one of the languages."""

_FOLLOWERS = re.compile(
    rf"\s+(?:{expressions('follower')}"
    rf"|{expressions('verdict_follower')}(?=\s*(?:[,;.:)\n]|$)))(?![{LETTER}])"
)
_NAMES = re.compile(rf"{expressions('named_thing')}\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class LabelGroup:
    """Adjacent labels.

    Parameters
    ----------
    labels: labels in the order of the text, each once.
    joined: how they are joined: "" (a single label), "and", "or", or "run" (nothing between them).
    outside: True if a letter among them is the label of no option.
    start, end: position in the text.
    """

    labels: tuple[str, ...]
    joined: str
    outside: bool
    start: int
    end: int


_LONGEST_LIST = 60
"""Number of links after which a list is read as a new one."""


class Grammar:
    """Spelling of an item's labels in text.

    Parameters
    ----------
    labels: the declared labels, such as ("A", "B", "C", "D"); at least one, all different.
    """

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels = labels
        self._upper = {label.upper(): label for label in labels}
        self._letters = all(len(label) == 1 and label.isalpha() for label in labels)
        self.ordered = tuple(self._upper)
        words = "|".join(re.escape(u) for u in sorted(self._upper, key=len, reverse=True))
        upper = "[A-Z]" if self._letters else f"(?:{words})"
        self._unit = re.compile(rf"{_OPEN}\s?(?:{_BEFORE}|{_IN_QUOTES})({upper}){_AFTER}{_CLOSE}")
        self._lower = re.compile(
            rf"[(\[{{\"']{{0,2}}\s?{_BEFORE}((?i:{words})){_AFTER}(?:\s?[)\]}}\"']{{1,2}})?"
            rf"{expressions('numbered_sign')}?"
        )
        run = "".join(self._upper) if self._letters else ""
        self._run = re.compile(
            rf"{_OPEN}\s?{_BEFORE}([{run}]{{2,{max(2, len(labels))}}}){_AFTER}{_CLOSE}"
            if run
            else r"(?!)()"
        )
        self.mention = re.compile(
            rf"{_OPEN}(?:{_BEFORE}|{_IN_QUOTES})(?:{upper}|[A-Z]{{2,9}}){_AFTER}"
        )

    def group_at(self, text: str, at: int, *, lower: bool = False) -> LabelGroup | None:
        """Return the labels that begin at `at`, or None; with `lower`, in lower case too."""
        first = self._one(text, at, lower)
        if first is None:
            return None
        labels, end, run = first
        joined, joins, worded = ("run" if run else ""), [], False
        while len(joins) < _LONGEST_LIST:
            link = _link().match(text, end)
            following = self._one(text, link.end(), lower) if link else None
            if link is None or following is None or not self._goes_on(text, link, following[1]):
                break
            if ";" in link[0] and worded:
                break
            kind = link.lastgroup or "and"
            worded = worded or any(c.isalpha() for c in link[0])
            more = following[0]
            if kind == "until":
                more = self._range(labels[-1], more[0])
            joins.append(kind)
            labels, end = (*labels, *more), following[1]
        if joins:
            joined = "or" if "either" in joins else "and"
        unique = tuple(dict.fromkeys(labels))
        outside = any(label not in self.labels for label in unique)
        if joined == "" and self._is_word(text, at, end, labels[0]):
            return None
        return LabelGroup(unique, joined, outside, at, end)

    def _one(self, text: str, at: int, lower: bool) -> tuple[tuple[str, ...], int, bool] | None:
        """One label or one run of labels at `at`: labels, end, whether it is a run."""
        run = self._run.match(text, at)
        if run and len(set(run[1])) == len(run[1]):
            return tuple(self._upper[c] for c in run[1]), run.end(), True
        unit = self._unit.match(text, at) or (self._lower.match(text, at) if lower else None)
        if unit is None:
            return None
        return (self._upper.get(unit[1].upper(), unit[1]),), unit.end(), False

    def _range(self, first: str, last: str) -> tuple[str, ...]:
        """The labels after `first` up to `last`; an unknown label if there is no such range."""
        if first not in self.labels or last not in self.labels:
            return ("?",)
        start, end = self.labels.index(first), self.labels.index(last)
        return self.labels[start + 1 : end + 1] if end > start else ("?",)

    @staticmethod
    def _goes_on(text: str, link: re.Match[str], end: int) -> bool:
        """Return True if a label after a comma belongs to the list, and does not begin a clause."""
        if link.lastgroup in ("either", "until"):
            return True
        following = _link().match(text, end)
        if link.lastgroup == "comma" and following and any(sign in following[0] for sign in COMMA):
            return False
        return (link.lastgroup == "both" and ";" not in link[0]) or bool(
            _LIST_END.match(text, end) or following
        )

    @staticmethod
    def _is_word(text: str, start: int, end: int, label: str) -> bool:
        """Return True if a capital at a sentence's start is an article, a pronoun or the like."""
        if label.upper() not in _WORDS_TOO or text[end - 1] not in label:
            return False
        if not re.match(rf"[ \t]+['\"]?[{LETTER}]", text[end : end + 4]):
            return False
        if _FOLLOWERS.match(text, end):
            return label.upper() == "I" and not re.match(
                rf"\s+{expressions('pronoun_label_follower')}\b", text[end : end + 9]
            )
        before = text[:start].rstrip(" \t\"'(")[-1:]
        return label.upper() == "I" or before in ("", *f".!?:;{STOP}\n-,")

    def with_capitals(self, text: str) -> str:
        """Return the text with labels in capitals, if a small letter can only be a label.

        This is the case in brackets, "(b)", at the start of a line before a bracket, "b)", and
        after a word for an option, "la letra b" (unless the letter is a word: "option a has").
        """
        if not self._letters:
            return text

        def raised(match: re.Match[str]) -> str:
            letter = match[1] or match[2] or match[3]
            if letter.upper() not in self._upper:
                return match[0]
            at = match.start(match.lastindex or 1) - match.start()
            return match[0][:at] + letter.upper() + match[0][at + 1 :]

        return _small().sub(raised, text)

    def is_name(self, text: str, start: int) -> bool:
        """Return True if the letters at `start` name a point, a line, a vitamin and so on."""
        return bool(_NAMES.search(text[max(0, start - 14) : start]))


_LIST_END = re.compile(rf"\s*(?:[.;:!?{STOP}()\]\n]|$|{expressions('list_ends')})")


@cache
def _small() -> Scanner:
    mark = r"(?=\s*(?:[.,;:!?)\n]|$))"
    no_words = "".join(c for c in ascii_lowercase if c not in SMALL_WORDS)
    return Scanner(
        rf"(?<![{LETTER}])[(\[]([a-z])[)\]]|^[ \t]*([a-z])(?=\)\s)"
        rf"|{phrases('option')}\s+(?-i:([{no_words}](?![{LETTER}'])|[{SMALL_WORDS}]{mark}))",
        flags=re.MULTILINE,
    )


@cache
def _link() -> re.Pattern[str]:
    """Return the pattern of what may stand between two labels of a list."""
    article = rf"(?:{expressions('it_is')}\s+)?(?:{expressions('link_article')}\s+)?"
    option = rf"(?:\s*{article}(?:{phrases('option')}\s*)?)"
    word = r"(?![A-Z](?![A-Za-z]))"
    return re.compile(
        rf"(?:\s?{expressions('label_unit')})?\s*(?:(?P<either>,?\s*{word}{phrases('either')}|/)"
        rf"|(?P<until>{word}{phrases('until')}|[~{DASHES}]|-(?=[A-Z](?![{LETTER}])))"
        rf"|(?P<both>[{COMMA};&+{LIST_DOTS}]|(?<=[)\]])(?=\s?[(\[])|,?\s*{word}{phrases('both')})"
        rf"|(?P<comma>,))\s*{option}"
    )
