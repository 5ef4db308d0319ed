"""Labels in running text: "B", "(b)", "A, C and D", "ACD", "A through C", "A or B".

A letter is a label only where it cannot be a word, a part of one, or a name: "A cat", "I think",
"C'est", "point B", "vitamin C" hold no label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gfactor.scoring.extraction.markers import LETTER, phrases

_OPEN = r"[(\[{\"'<]{0,3}"
_CLOSE = r"(?:\s?[)\]}\"'>]{1,3})?(?:번|\s?(?:选项|選項|선택지|보기)|[项項图圖](?![目形案]))?"
_BEFORE = rf"(?<![{LETTER}\\'°$@#])"
_IN_QUOTES = r"(?:(?<=[^A-Za-zÀ-ɏ0-9]')|(?<=^'))"
_AFTER = rf"(?![{LETTER}]|'[{LETTER}]|-[{LETTER}]|\+\+|#|°|\.[{LETTER}])"
_WORDS_TOO = "AEIOUYÀ"
"""Capitals that are words of their own at the start of a sentence in one of the languages."""

_FOLLOWERS = re.compile(
    r"\s+(?:is|are|was|because|since|as|and|or|but|for|which|with|due|given|though|not|rather"
    r"|instead"
    r"|so|here|that|has|fits|matches|completes|continues|best|only|by|where|while|would"
    r"|should|must"
    r"|can|cannot|does|doesn't|isn't|than|therefore|through|holds|works|to|seems|looks|et|ou|car"
    r"|est"
    r"|sont|puisque|parce|mais|plutôt|qui|n'est|ne|y|o|porque|ya|es|son|está|pero|no|pues|queda"
    r"|pois"
    r"|é|e|são|mas|não|nem|ni|nor|até|hasta|jusqu'à|à|a|também|también|aussi|encaja|convient"
    r"|correctly|perfectly|fails|breaks|violates|lacks|apply|hold|fit|remains"
    r"|(?:yes|true|false|correct|incorrect|right|wrong|vraie?|faux|fausse|oui|non|sí|sim"
    r"|verdad(?:er|eir)[oa]|fals[oa]|cert[oa]|errad[oa]|corr?ect[oa]|incorr?ect[oa])"
    rf"(?=\s*(?:[,;.:)\n]|$)))(?![{LETTER}])"
)
_NAMES = re.compile(
    r"(?:(?<![A-Za-zÀ-ɏ])(?:points?|lines?|segments?|rays?|angles?|verte(?:x|x)|vertices|sides?"
    r"|edges?"
    r"|nodes?|planes?|circles?|triangles?|vitamins?|grades?|types?|teams?|class|body|bodies|bodys"
    r"|hepatitis|plan|droites?|côtés?|sommets?|puntos?|rectas?|ángulos?|lados?|pontos?|retas?"
    r"|ângulos?"
    r"|vitaminas?|vitamine|cities|city|tank|box|house|person|arête|segmento)"
    r"|点|點|直线|线段|射线|角|边|物体|维生素|球|杆|城|车|地|점|직선|선분|각|변|도시|물체"
    r"|비타민)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Group:
    """Labels that stand together.

    Parameters
    ----------
    labels: in the order of the text, each once.
    joined: how: "" (a single label), "and", "or", or "run" (written without anything between).
    outside: whether a letter among them is the label of no option.
    start, end: where in the text.
    """

    labels: tuple[str, ...]
    joined: str
    outside: bool
    start: int
    end: int


_LONGEST_LIST = 60
"""Links of a list beyond which it is read as a new one."""


class Grammar:
    """How an item's labels are written in text.

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
            rf"[(\[{{\"']{{0,2}}\s?{_BEFORE}((?i:{words})){_AFTER}(?:\s?[)\]}}\"']{{1,2}})?번?"
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

    def group_at(self, text: str, at: int, *, lower: bool = False) -> Group | None:
        """The labels that begin at `at`, or None; with `lower`, in lower case too."""
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
        return Group(unique, joined, outside, at, end)

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
        """The labels after `first` up to `last`; a label that is none where there is no range."""
        if first not in self.labels or last not in self.labels:
            return ("?",)
        start, end = self.labels.index(first), self.labels.index(last)
        return self.labels[start + 1 : end + 1] if end > start else ("?",)

    @staticmethod
    def _goes_on(text: str, link: re.Match[str], end: int) -> bool:
        """Whether a label after a comma belongs to the list, and does not begin a clause."""
        if link.lastgroup in ("either", "until"):
            return True
        following = _link().match(text, end)
        if link.lastgroup == "comma" and following and "、" in following[0]:
            return False
        return (link.lastgroup == "both" and ";" not in link[0]) or bool(
            _LIST_END.match(text, end) or following
        )

    @staticmethod
    def _is_word(text: str, start: int, end: int, label: str) -> bool:
        """Whether a capital at the start of a sentence is an article, a pronoun or the like."""
        if label.upper() not in _WORDS_TOO or text[end - 1] not in label:
            return False
        if not re.match(rf"[ \t]+['\"]?[{LETTER}]", text[end : end + 4]):
            return False
        if _FOLLOWERS.match(text, end):
            return label.upper() == "I" and not re.match(
                r"\s+(?:is|because|since)\b", text[end : end + 9]
            )
        before = text[:start].rstrip(" \t\"'(")[-1:]
        return label.upper() == "I" or before in ("", *".!?:;。！？…\n-,")

    def with_capitals(self, text: str) -> str:
        """The text with labels in capitals where a small letter can be nothing else.

        That is in brackets, "(b)", at the start of a line before a bracket, "b)", and behind a word
        for an option, "la opción b" (not where the letter is a word of its own: "option a été").
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
        """Whether the letters at `start` name a point, a line, a vitamin and so on."""
        return bool(_NAMES.search(text[max(0, start - 14) : start]))


_LIST_END = re.compile(
    r"\s*(?:[.;:!?。()\]\n]|$|[都均全皆]|모두|[가이는은도]\s|\b(?:are|were|all|both|apply"
    r"|hold|fit|work|match|sont|son|são"
    r"|están|estão)\b|입니다|이다|이고|이며|예요|선택|[三四两]?项|选项|[三四两]个"
    r"|[두세네]\s?(?:가지|개))"
)


@cache
def _small() -> re.Pattern[str]:
    mark = r"(?=\s*(?:[.,;:!?)\n]|$))"
    return re.compile(
        rf"(?<![{LETTER}])[(\[]([a-z])[)\]]|^[ \t]*([a-z])(?=\)\s)"
        rf"|{phrases('option')}\s+(?-i:([b-df-hj-np-tv-xz](?![{LETTER}'])|[aeiouy]{mark}))",
        re.MULTILINE,
    )


@cache
def _link() -> re.Pattern[str]:
    """What may stand between two labels of a list."""
    article = r"(?:(?:c'est|es|é|it's|it is)\s+)?(?:(?:the|la|el|l'|le|a|o|de)\s+)?"
    option = rf"(?:\s*{article}(?:{phrases('option')}\s*)?)"
    word = r"(?![A-Z](?![A-Za-z]))"
    return re.compile(
        rf"(?:\s?(?:选项|選項|项|項|번))?\s*(?:(?P<either>,?\s*{word}{phrases('either')}|/)"
        rf"|(?P<until>{word}{phrases('until')}|[~～–—]|-(?=[A-Z](?![{LETTER}])))"
        rf"|(?P<both>[、;&+·・‧]|(?<=[)\]])(?=\s?[(\[])|,?\s*{word}{phrases('both')})"
        rf"|(?P<comma>,))\s*{option}"
    )
