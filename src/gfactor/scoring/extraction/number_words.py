"""The words round the numbers of a reply, of the languages that it may be in."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.markers import COMMA, LATIN, all_languages


class NumberWords:
    """The words round numbers in the languages that a text may be in."""

    def __init__(self, codes: tuple[str, ...]) -> None:
        self._codes = codes
        self.part_lead = self._of("part_lead")
        self.detail = self._of("part_lead", rf"[,;({COMMA}]\s?", bounded=False)
        self.one = self._of("one_article")
        self.part = self._of("part_behind", r"[^,;.\d]{0,3}?", "", bounded=False)
        self.no_total = self._of("no_total", r"\s?", "", bounded=False)
        self.bound = self._of("bound", "", r"[^,;.\d]{0,12}$", bounded=False)
        self.bound_behind = self._of("bound_behind", r"\s?", "", bounded=False)
        self.or_number = self._of("or_number", r"\s?\w{0,12}\s?", r"\s", bounded=False)
        self.either = self._of("either")
        self.article = self._of("the", "", r"\s*$")
        self.cued = self._of("conclusion")
        self.adds_up = self._of("adds_up", bounded=False)
        self.total = self._of("total", bounded=False)
        self.unreal = self._of("unreal", spaced=True)
        one, both = self._text("one_article"), self._text("both")
        self.one_and = self._compiled(rf"{one}(?:\s[^\W\d]+){{1,3}}\s?{both}\s(?:[^\W\d]+\s)?$")
        self.and_one = self._compiled(rf"(?:\s[^\W\d]+){{1,3}}\s?{both}\s{one}")
        self.new = self._compiled(rf"{one}\s[^\W\d]+\s$")

    def _text(self, kind: str, *, bounded: bool = True, spaced: bool = False) -> str:
        texts = [
            (one.spaced, getattr(one, kind))
            for one in all_languages()
            if one.code in self._codes and (one.spaced or not spaced)
        ]
        parts = [
            rf"(?<![{LATIN}])(?:{text})(?![{LATIN}])" if bounded and is_spaced else f"(?:{text})"
            for is_spaced, text in texts
            if text
        ]
        return f"(?:{'|'.join(parts) or '(?!)'})"

    def _of(
        self,
        kind: str,
        before: str = "",
        behind: str = "",
        *,
        bounded: bool = True,
        spaced: bool = False,
    ) -> re.Pattern[str]:
        return self._compiled(before + self._text(kind, bounded=bounded, spaced=spaced) + behind)

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)


@cache
def words_of(codes: tuple[str, ...]) -> NumberWords:
    """Return the words of the languages with these tags."""
    return NumberWords(codes)
