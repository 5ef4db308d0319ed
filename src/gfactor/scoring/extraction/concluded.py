"""The number that a reply of several sentences or lines concludes with, for an item whose key is a
number.

The last sentence with a number decides if it states one: a number with or without a unit, in digits
or words, the result of a calculation, or the number behind words of a conclusion. The numbers of
the question, years, and numbers in brackets are passed over where another one is left. Lists and
tables state none, except in the entry that the question is about.
"""

from __future__ import annotations

import re
from itertools import pairwise

from gfactor.scoring.extraction.factuality import HEDGE, Sentences
from gfactor.scoring.extraction.markers import expressions, finder
from gfactor.scoring.extraction.normalize import Cleaned
from gfactor.scoring.extraction.reply_sentences import Sentence, content_of, is_cut, sentences_of
from gfactor.scoring.extraction.result import Extraction, extracted
from gfactor.scoring.extraction.stated_numbers import Stated, Stating
from gfactor.scoring.extraction.writing_of_numbers import Writing
from gfactor.scoring.extraction.written_numbers import numbers_in


def concluded_number(
    cleaned: Cleaned, question: str, code: str, writing: Writing
) -> Extraction | None:
    """Return the number that a reply concludes with; None if it states none, or several.

    Parameters
    ----------
    cleaned: the reply.
    question: the question's text, whose numbers are no answer beside another one.
    code: tag of the item's language.
    writing: how the reply writes numbers.
    """
    prose = cleaned.prose.text
    if cleaned.thinking_open or not prose.strip():
        return None
    value = _NumberedReply(cleaned, Stating(question, code, writing)).number()
    if value is None:
        return None
    return extracted((value,), "number", cleaned.prose.span(0, len(prose)))


def corrected_number(text: str, writing: Writing) -> str | None:
    """Return the number that replaces the one before it in a short reply: "423... sorry, I mean
    432"; None if there is none."""
    numbers = numbers_in(text, writing) if len(text) <= _SHORT else []
    for before, behind in pairwise(numbers):
        between = text[before.end : behind.start]
        cues = [m[0] for m in finder("correction").finditer(between)]
        is_corrected = any(not _CONTRAST.fullmatch(cue.strip(" ,.")) for cue in cues)
        is_short = len(between.split()) <= _FEW and behind is numbers[-1]
        if is_corrected and is_short and not re.search(r"\w", text[behind.end :]):
            return behind.text or None
    return None


_LABELED = re.compile(r"[^:\d\n]{3,40}:\s?[^:\n]{1,25}$")
_SHORT, _FEW = 200, 5
_CONTRAST = re.compile(expressions("contrast"), re.IGNORECASE)
"""Words of correction that only contrast: "but"."""


class _NumberedReply:
    """The sentences of a reply, and the numbers that they state."""

    def __init__(self, cleaned: Cleaned, stating: Stating) -> None:
        self.text = cleaned.prose.text
        self.words = stating.words
        self.sentences = sentences_of(cleaned, stating.writing)
        self.stated = [stating.stated(one, k) for k, one in enumerate(self.sentences)]
        self.overlaps = [
            len(stating.question_words & frozenset(content_of(one.text))) for one in self.sentences
        ]
        self.firm = [s for s in self.stated if s and not s.sentence.in_list]

    def number(self) -> str | None:
        """Return the number that the reply concludes with, in digits; None if there is none."""
        no_value = _NO_VALUE.search(self.text[-400:]) or finder("refusal").search(self.text[-1000:])
        if no_value and not self._ends_with_a_total():
            return None
        last = self._last()
        if last is None or is_cut(self.text, self.sentences[-1]):
            return None
        rest = [one.text for one in self.sentences[last + 1 :] if not one.in_table]
        if _takes_back(" ".join(rest)):
            return None
        final = self.stated[last]
        if final and (final.is_cued or final.is_bold):
            return final.text
        if self.sentences[last].in_list:
            return _text_of(self._of_list(last) or self._said_first())
        bold = {s.text for s in self.firm if s.is_bold}
        if len(bold) == 1 and not self._is_corrected(self.firm[-1]):
            return bold.pop()
        return _text_of(self._of_two(final) if final else self._said_first())

    def _ends_with_a_total(self) -> bool:
        """Return True if the last line is one number in bold with words of the question."""
        last = self.stated[-1] if len(self.sentences) > 1 else None
        if last is None or not (last.is_bold and last.overlap):
            return False
        line = last.sentence.text
        return bool(self.words.total.search(line) and _LABELED.match(line))

    def _last(self) -> int | None:
        """Return the place of the last sentence with a number that tells of no part of a whole."""
        numbered = [k for k, one in enumerate(self.sentences) if one.numbers and not one.in_table]
        numbered = [k for k in numbered if not self._is_of_a_part(self.sentences[k])]
        return numbered[-1] if numbered else None

    def _is_of_a_part(self, sentence: Sentence) -> bool:
        return self.words.part_lead.match(sentence.text.lstrip()) is not None

    def _of_two(self, final: Stated) -> Stated | None:
        """Return the last number stated without words of a conclusion, or the first one if only
        its sentence is about the question."""
        others = [s for s in self.firm if s.number.value != final.number.value]
        first = self.firm[0]
        if not final.is_cued and self._is_about_less(final):
            return None
        if not others or final.overlap or first.position == final.position:
            announced = any(finder("announce").search(s.sentence.text) for s in others)
            if announced and not final.overlap:
                return None
            is_about_it = first in others and first.overlap > final.overlap
            if is_about_it and not final.is_cued and len(self.firm) == 2:
                return None if self._is_corrected(first) else first
            return None if is_about_it and first.is_cued else final
        is_first = first in others and first.overlap and not self._is_corrected(first)
        return first if is_first else final

    def _is_about_less(self, final: Stated) -> bool:
        """Return True if a sentence with several numbers shares more words with the question."""
        before = self.sentences[: final.position]
        return any(
            len({number.value for number in one.numbers if number.text}) > 1
            and self.stated[k] is None
            and not one.in_table
            and self.overlaps[k] > final.overlap == 0
            for k, one in enumerate(before)
        )

    def _of_list(self, last: int) -> Stated | None:
        """Return the number of the only entry of a last list that the question names."""
        entries = [s for s in self.stated[: last + 1] if s and s.sentence.in_list]
        most = max((s.overlap for s in entries), default=0)
        named = [s for s in entries if s.overlap == most]
        return named[0] if most and len(named) == 1 and len(entries) > 1 else None

    def _said_first(self) -> Stated | None:
        """Return the number of the last conclusion, or of the first sentence if details follow."""
        if not self.firm:
            return None
        first = self.firm[0]
        cued = [s for s in self.firm if s.is_cued]
        if cued and cued[-1] is not first:
            return None if self._is_corrected(cued[-1]) else cued[-1]
        if self._is_corrected(first) or any(s.numbers for s in self.sentences[: first.position]):
            return None
        same = {s.number.value for s in self.firm if s.overlap >= max(1, first.overlap)}
        return first if (first.overlap or first.is_cued) and len(same) < 2 else None

    def _is_corrected(self, stated: Stated) -> bool:
        behind = " ".join(one.text for one in self.sentences[stated.position + 1 :])
        return bool(finder("correction").search(behind) or finder("retraction").search(behind))


def _text_of(stated: Stated | None) -> str | None:
    return stated.text if stated else None


def _takes_back(text: str) -> bool:
    """Return True if words after the number take it back or leave it in doubt."""
    if not text.strip():
        return False
    doubt = HEDGE.search(Sentences(text).affirmed(text))
    return bool(doubt or finder("retraction").search(text) or finder("declines").search(text))


_NO_VALUE = re.compile(expressions("no_value"), re.IGNORECASE)
