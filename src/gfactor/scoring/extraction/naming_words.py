"""The words with which the languages of replies name a thing."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.markers import COMMA, STOP, all_languages, joined
from gfactor.scoring.extraction.signs import DASHES


class NamingWords:
    """The words with which some languages name a thing."""

    def __init__(self, codes: tuple[str, ...]) -> None:
        self._codes = codes
        strong, copula, shows = map(self._text, ("named_as", "is_a", "shows_it"))
        surely, article = self._text("surely"), self._text("name_article")
        sign = f"[{joined('script')}]"
        elided = self._text("elided_before")
        adverbs = rf"(?:(?:,\s?|\s|(?<={sign}))?{surely},?(?=\s|{sign}|$)){{0,3}}"
        articles = rf"(?P<article>\s?{article}(?=\s|{sign}|$)|\s?{elided})?"
        lead = rf"(?:(?P<strong>{strong})|(?:{copula})|(?:{shows})){adverbs}{articles}"
        self.lead = self._compiled(rf"{lead}(?:\s|(?<=[\s'])|(?<={sign})){adverbs}\s?")
        self.lead_end = self._compiled(
            rf"(?:(?P<strong>{strong})|{copula}|{shows}){adverbs}(?:\s?(?:{article}|{self._text('elided_before')}))?{adverbs}\s?$"
        )
        self.shows = self._compiled(f"(?!{strong}|{copula}){shows}")
        self.article_begin = self._compiled(rf"^(?:{article}\s+|{self._text('elided_before')})")
        self.preposition_end = self._compiled(
            rf"(?<!\w)(?P<word>{self._text('name_preposition')})(?:\s{article})?\s$"
        )
        self.behind = self._compiled(rf"{self._text('behind_name')}[\s.{STOP}!]*")
        self.behind_end = self._compiled(rf"\s?{self._text('behind_name')}[\s.{STOP}!]*$")
        self.needs_ending = codes == ("ko",)
        self.capital_names = codes == ("de",)
        self.describes = self._compiled(rf"(?:{self._text('describes_it')})(?!\w)")
        self.no_quality = self._compiled(rf"(?:{self._text('describes_place')})(?!\w)")
        self.describes_behind = self._compiled(rf"(?:{self._text('describes_behind')})$")
        self.denied_behind = self._compiled(self._text("name_denied"))
        self.doubt = self._compiled(self._text("naming_doubt"))
        self.back = self._compiled(self._text("refers_back"))
        self.back_first = self._compiled(rf"(?:{self._text('refers_back')}|{self._text('its')})")
        self.back_end = self._compiled(rf"\s(?:{self._text('refers_back')})\s$")
        self.back_copula = self._compiled(
            rf"^(?:{self._text('refers_back')})(?:\s?|')(?:{strong}|{copula})|^(?=[^\W\d_]')(?:{copula})"
        )
        ends = self._text("no_end")
        self.no_end = self._compiled(rf"(?:^|\s|(?<={sign}))(?:(?-i:{ends})|(?!\w$){ends})$")
        self.back_last = self._compiled(rf"(?:^|\s)(?:{self._text('refers_back')})$")
        self.back_begin = self._compiled(rf"^(?:{self._text('refers_back')})\s")
        self.cue = self._compiled(
            rf"(?<!\w)(?:{self._text('conclusion')}|{self._text('concludes_that')})(?:(?!\w)|(?<={sign}))"
        )
        self.not_but = self._compiled(rf"[\s,;]+(?:{self._text('denied_but')})(?:\s|(?<={sign}))")
        self.copula_begin = self._compiled(rf"^(?:{copula})\s?")
        self.surely_around = self._compiled(
            rf"(?:{surely},?\s)?(?P<name>[^,.;:\n{STOP}]+?)(?:,\s?(?:{surely}|{self._text('no_doubt')}))?[.!]?"
        )
        self.no_doubt = self._compiled(self._text("no_doubt"))
        self.closing = self._compiled(rf"[\s\W]*(?:{self._text('closing_remark')})")
        self.detail = self._compiled(self._text("detail_noun"))
        self.reason = self._compiled(
            rf"\s(?:{self._text('because_only')}|{self._text('because_lead')})\s"
        )
        self.supposed = self._compiled(rf"[\s\"'(]*(?:{self._text('supposed')})")
        self.not_inside = self._compiled(rf"(?<!\w)(?:{self._text('not_in_name')})(?!\w)")
        joint = self._text("and_word")
        self.listed = self._compiled(rf",\s(?:[^\s,]+\s){{1,2}}?(?:[^,]{{1,20}},\s)?{joint}\s")
        self.either_behind = self._compiled(
            rf"[\s,({DASHES}{COMMA}-]*(?:{self._text('either')})(?:\s|(?<={sign}))"
        )

    def _text(self, kind: str) -> str:
        texts = (getattr(one, kind) for one in all_languages() if one.code in self._codes)
        return f"(?:{'|'.join(text for text in texts if text) or '(?!)'})"

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)


@cache
def _words(codes: tuple[str, ...]) -> NamingWords:
    return NamingWords(codes)


def words_that_name(codes: tuple[str, ...]) -> NamingWords:
    """Return the words of the languages with these tags; of all languages if there are none."""
    return _words(codes or tuple(one.code for one in all_languages()))
