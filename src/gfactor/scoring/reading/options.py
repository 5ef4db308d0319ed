"""Option texts in place of labels: "the blue drum" for (B), "24" for (B) 24.

A text counts only where it is the text of one option, whole, with words and numbers not cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from gfactor.scoring.reading.markers import LETTER
from gfactor.scoring.reading.normalize import clean

_ARTICLE = re.compile(
    r"(?:the|an?|le|la|les|l'|une?|el|los|las|un[ao]?|os?|as?|um|uma)\s+|l'", re.IGNORECASE
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
        self.circled = any("①" <= c <= "⑳" for text in options.values() for c in text)

    def whole(self, text: str) -> str | None:
        """The label of the option that `text` is, but for case, articles and marks at its ends."""
        return self._label_of.get(_plain(text, cleaned=True)) if len(text) < 2000 else None

    def at(self, text: str, start: int) -> tuple[str, int] | None:
        """The label of the option text that begins at `start` and where it ends; longest first."""
        if self._anywhere is None:
            return None
        article = _ARTICLE.match(text, start)
        for begin in (article.end() if article else start, start):
            match = self._anywhere.match(text, begin)
            if match:
                return self._label_of[_plain(match[0], cleaned=True)], match.end()
        return None

    def mentions(self, text: str) -> list[tuple[str, int, int]]:
        """Where options' texts stand in `text`: label, start, end."""
        if self._anywhere is None:
            return []
        found = self._anywhere.finditer(text)
        return [(self._label_of[_plain(m[0], cleaned=True)], m.start(), m.end()) for m in found]

    @cached_property
    def _anywhere(self) -> re.Pattern[str] | None:
        texts = sorted(self._label_of, key=len, reverse=True)
        if not texts:
            return None
        return re.compile("|".join(_bounded(t) for t in texts), re.IGNORECASE)


def _plain(text: str, *, cleaned: bool = False) -> str:
    """A text for comparison: cleaned, in lower case, single spaces, no article, bare ends."""
    prose = text if cleaned else clean(text).prose.text
    joined = " ".join(prose.casefold().split()).strip(_EDGES)
    return _ARTICLE.sub("", joined, count=1) if _ARTICLE.match(joined) else joined


def _bounded(text: str) -> str:
    """An expression for a text whose words and numbers are not parts of longer ones."""
    body = r"\s+".join(re.escape(word) for word in text.split())
    before = after = ""
    if re.match(rf"[{LETTER}]", text):
        before = rf"(?<![{LETTER}])(?<!\d[.,])" + (r"(?<![-−])" if text[0].isdigit() else "")
    elif re.match(r"[가-힣]", text):
        before = r"(?<![가-힣])"
    if re.search(rf"[{LETTER}]$", text):
        after = rf"(?![{LETTER}]|[.,]\d" + (r"|\s?[%°/]" if text[-1].isdigit() else "") + ")"
    return before + body + after
