"""Option texts in place of labels: "the blue drum" for (B), "24" for (B) 24.

A text counts only where it is the text of one option, whole, with words and numbers not cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from gfactor.scoring.reading.markers import LETTER
from gfactor.scoring.reading.normalize import clean, with_fractions
from gfactor.scoring.reading.synonyms import synonyms, truth
from gfactor.scoring.texts import with_plain_exponents

_ARTICLE = re.compile(
    r"(?:the|an?|le|la|les|l'|une?|el|los|las|un[ao]?|os?|as?|um|uma)\s+|l'", re.IGNORECASE
)
_ARTICLE_BEFORE = re.compile(
    r"(?<![A-Za-zÀ-ɏ])((?:the|an?|les?|la|une?|el|los|las|un[ao]s?|os?|as?"
    r"|uma?)\s)$",
    re.IGNORECASE,
)
_EDGES = " \t\n.,;:!?。、'\"()[]"


class OptionTexts:
    """The texts of an item's options, ready to be looked for.

    Parameters
    ----------
    options: label to text; empty texts and texts that two options share are never looked for.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        plain = {label: _plain(text) for label, text in options.items()}
        shared = [text for text in plain.values() if list(plain.values()).count(text) == 1]
        self._label_of = {text: label for label, text in plain.items() if text and text in shared}
        self._synonyms = synonyms(self._label_of)
        self.truth = truth(self._label_of)
        self.circled = any("①" <= c <= "⑳" for text in options.values() for c in text)

    def holds(self, number: str) -> bool:
        """Whether a text of an option holds this number."""
        found = re.compile(rf"(?<!\d){number}(?!\d)")
        return any(found.search(text) for text in self._label_of)

    def whole(self, text: str) -> str | None:
        """The label of the option that `text` is, but for case, articles and marks at its ends."""
        if len(text) >= 2000:
            return None
        bare = _plain(text, cleaned=True)
        return self._label_of.get(bare) or self._synonyms.get(bare)

    def at(self, text: str, start: int) -> tuple[str, int] | None:
        """The label of the option text that begins at `start` and where it ends; longest first."""
        if self._anywhere is None:
            return None
        article = _ARTICLE.match(text, start)
        for begin in (article.end() if article else start, start):
            match = self._anywhere.match(text, begin)
            label = self._label_of.get(_plain(match[0], cleaned=True)) if match else None
            if match and label:
                return label, match.end()
        return None

    def mentions(self, text: str) -> list[tuple[str, int, int]]:
        """Where options' texts stand in `text`: label, start, end."""
        if self._anywhere is None:
            return []
        found = [
            (self._label_of.get(_plain(m[0], cleaned=True)), m.start(), m.end())
            for m in self._anywhere.finditer(text)
        ]
        return [(label, _with_article(text, start), end) for label, start, end in found if label]

    @cached_property
    def _anywhere(self) -> re.Pattern[str] | None:
        texts = sorted(self._label_of, key=len, reverse=True)
        if not texts:
            return None
        return re.compile("|".join(_bounded(t) for t in texts), re.IGNORECASE)


def _with_article(text: str, start: int) -> int:
    """Where the article before an option's text begins, which is no label: "A Lucky Find"."""
    article = _ARTICLE_BEFORE.search(text, max(0, start - 5), start)
    return article.start(1) if article else start


def _plain(text: str, *, cleaned: bool = False) -> str:
    """A text for comparison: cleaned, in lower case, single spaces, no article, bare ends."""
    prose = text if cleaned else with_fractions(clean(text).prose).text
    joined = " ".join(with_plain_exponents(prose).casefold().split())
    joined = _NUMBER.sub(_number, joined).strip(_EDGES)
    return _ARTICLE.sub("", joined, count=1) if _ARTICLE.match(joined) else joined


_NUMBER = re.compile(r"(?<![\w.,/^])(\d{1,3}(?:,\d{3})+|\d*)(?:[.,](\d+))?(?![\w/^]|[.,]\d)")


def _number(match: re.Match[str]) -> str:
    """A number in one spelling: 2.50 and 2,5 are 2.5, .5 is 0.5, 1,000 is 1000."""
    if not match[0]:
        return ""
    whole, part = match[1].replace(",", "") or "0", (match[2] or "").rstrip("0")
    return f"{whole}.{part}" if part else whole


def _bounded(text: str) -> str:
    """An expression for a text whose words and numbers are not parts of longer ones."""
    body = r"\s+".join(_spellings(word) for word in text.split())
    before = after = ""
    if re.match(rf"[{LETTER}]", text):
        before = rf"(?<![{LETTER}])(?<!\d[.,])" + (r"(?<![-−^])" if text[0].isdigit() else "")
        before += r"(?<![\s=(]\.)(?<!^\.)" if text[0].isdigit() else ""
    elif re.match(r"[가-힣]", text):
        before = r"(?<![가-힣])"
    if re.search(rf"[{LETTER}]$", text):
        after = (
            rf"(?![{LETTER}]|[.,]\d" + (r"|\s?[%°/]|[²³^¼½¾]" if text[-1].isdigit() else "") + ")"
        )
    return before + body + after


def _spellings(word: str) -> str:
    """An expression for a word; for a number, its other spellings too."""
    found = re.fullmatch(r"(\d+)(?:\.(\d+))?", word)
    if found is None:
        exponent = re.sub(
            r"\\\^(\d+)",
            lambda m: f"(?:\\^{{?{m[1]}}}?|{m[1].translate(_RAISED)})",
            re.escape(word),
        )
        return exponent
    whole, part = found[1], found[2]
    if part is None:
        grouped = rf"{whole[:-3]},?{whole[-3:]}" if 3 < len(whole) < 7 else whole
        return rf"{grouped}(?:\.0{{1,9}}(?!\d))?"
    return rf"{'0?' if whole == '0' else whole}[.,]{part}0*"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
