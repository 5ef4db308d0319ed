"""The text that a reply of several sentences names: in its last sentence after a description, or in
its first one before the reasons.

"The bird is compact. ... All of these features point to a **kingfisher**." names a kingfisher. A
sentence that denies, doubts or corrects a name gives none; `naming` says which sentences name one.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import EDGES, TALK, bare_text
from gfactor.scoring.extraction.factuality import NEGATION
from gfactor.scoring.extraction.markers import finder
from gfactor.scoring.extraction.naming import MarkedSentence, ThingNaming, lines_of, sentences_in
from gfactor.scoring.extraction.naming_words import words_that_name
from gfactor.scoring.extraction.normalize import Cleaned
from gfactor.scoring.extraction.refusal import is_refusal
from gfactor.scoring.extraction.replaced_texts import (
    contrasted_text,
    corrected_text,
    text_behind_colon,
)
from gfactor.scoring.extraction.reply_sentences import SCRIPT
from gfactor.scoring.extraction.result import Extraction, extracted
from gfactor.scoring.extraction.writing_of_numbers import writing_of

_LONGEST = 8000
_SHORT = 5
"""Largest number of words in a last line that is a name alone."""


def read_named(cleaned: Cleaned, question: str) -> Extraction | None:
    """Return the text that a reply names as what the question asks for; None if it names none.

    Parameters
    ----------
    cleaned: the reply.
    question: the question's text.
    """
    raw = cleaned.reply.text
    if cleaned.thinking_open or len(raw) > _LONGEST or is_refusal(raw[:300] + raw[-500:]):
        return None
    name = _NamedReply(raw, question).name()
    if not name or not re.search(r"\w", name):
        return None
    prose = cleaned.prose
    return extracted((bare_text(name),), "named", prose.span(0, len(prose.text)))


def names_two(cleaned: Cleaned) -> bool:
    """Return True if the last line of a reply has two different texts in bold."""
    *_, (line, _) = [("", False), *lines_of(cleaned.reply.text)]
    bold = {part.text[a:b].casefold() for part in sentences_in(line) for a, b in part.bold}
    return len(bold) > 1


def breaks_off(text: str, question: str) -> bool:
    """Return True if a sentence ends without a stop behind an article or a preposition."""
    body = text.rstrip()
    words = words_that_name(tuple(one.code for one in writing_of([text, question]).languages))
    is_sentence = len(body.split()) >= _SHORT or SCRIPT.search(body)
    return bool(is_sentence and words.no_end.search(body))


class _NamedReply:
    """The sentences of the first and the last line of a reply."""

    def __init__(self, raw: str, question: str) -> None:
        self.naming = ThingNaming(raw, question)
        self.lines = [*lines_of(raw)]
        while len(self.lines) > 1 and self._is_closing(self.lines[-1][0]):
            self.lines.pop()
        bold = {
            part.text[a:b].casefold()
            for line, _ in self.lines
            for part in sentences_in(line)
            for a, b in part.bold
        }
        self.is_sole = len(bold) == 1
        self.whole = " ".join(line for line, _ in self.lines).strip()

    def _is_closing(self, line: str) -> bool:
        return all(self.naming.is_closing(part.text) for part in sentences_in(line))

    def _is_beside(self, sentence: str) -> bool:
        """Return True if a sentence closes the reply, or stands in brackets."""
        return self.naming.is_closing(sentence) or bool(_IN_BRACKETS.fullmatch(sentence.strip()))

    def name(self) -> str | None:
        """Return the name that the last line gives, or else the first sentence."""
        if not self.lines:
            return None
        if corrected := corrected_text(self.whole, self.naming.words):
            return corrected
        line, in_list = self.lines[-1]
        last = sentences_in(line)
        while len(last) > 1 and self._is_beside(last[-1].text):
            last.pop()
        is_only = len(self.lines) == 1
        name = None if in_list and not is_only else self._last(last) or self._alone(line)
        name = name or self._first()
        if name is None and last and len(self.whole) <= _SHORT_REPLY:
            name = text_behind_colon(last[-1].text, self.naming.words)
        return name or self._surely()

    def _surely(self) -> str | None:
        """Return the words of a reply that adds no more than how sure it is."""
        match = self.naming.words.surely_around.fullmatch(self.whole)
        is_added = match and match["name"] != self.whole.rstrip(EDGES)
        return (
            match["name"] if match and is_added and len(match["name"].split()) <= _SHORT else None
        )

    def _last(self, sentences: list[MarkedSentence]) -> str | None:
        """Return the name in the only bold text of the last line, or in its last sentence."""
        if any(finder("retraction").search(part.text) for part in sentences):
            return None
        if len(sentences) > 1 and self.naming.points_back(sentences[-1]):
            return self.naming.text_at_end(sentences[-2])
        bold = [k for k, part in enumerate(sentences) if part.bold]
        if len(bold) == 1 and not self._takes_back(sentences[bold[0] + 1 :]):
            name = self.naming.name_in(sentences[bold[0]], is_sole=self.is_sole)
            if name:
                return name
        return self.naming.name_in(sentences[-1]) if len(bold) < 2 and sentences else None

    def _alone(self, line: str) -> str | None:
        """Return a last line that is no more than a name in bold or behind an arrow."""
        if len(self.lines) < 2:
            return None
        alone = _ALONE.fullmatch(line)
        name = alone and (alone["bold"] or alone["pointed"]).strip(EDGES)
        if not name or len(name.split()) > _SHORT or TALK.search(name) or NEGATION.search(name):
            return None
        return None if name.endswith((":", "?")) else name

    def _first(self) -> str | None:
        """Return the name that the first sentence gives, if no other one concludes or corrects."""
        line, in_list = self.lines[0]
        first, *others = sentences_in(line)
        rest = others + [part for later, _ in self.lines[1:] for part in sentences_in(later)]
        is_section = sum(bool(_SECTION.match(one)) for one, _ in self.lines) > 1
        if in_list or is_section or first.text.rstrip().endswith(":"):
            return None
        if self._takes_back(rest) or any(self._concludes(part) for part in rest):
            return None
        if any(finder("announce").search(part.text) for part in rest):
            return None
        if contrasted := contrasted_text(first.text, self.naming.words):
            return contrasted
        if not rest:
            return None
        if (alone := self._quoted_alone(first)) and not any(part.apart for part in rest):
            return alone
        bare = self.naming.bare_name(first) if self.naming.refers_back(rest[0]) else None
        return self.naming.name_in(first) or bare

    def _quoted_alone(self, sentence: MarkedSentence) -> str | None:
        """Return the quoted text of which a sentence consists; None if it has other words."""
        if len(sentence.quoted) != 1:
            return None
        start, end = sentence.quoted[0]
        others = sentence.text[:start] + sentence.text[end:]
        return None if re.search(r"\w", others) else sentence.text[start:end].strip()

    def _concludes(self, part: MarkedSentence) -> bool:
        return bool(finder("conclusion").match(part.text.lstrip()))

    def _takes_back(self, sentences: list[MarkedSentence]) -> bool:
        """Return True if a sentence begins with a correction or takes a claim back."""
        return any(
            finder("correction").match(part.text.lstrip()) or finder("retraction").search(part.text)
            for part in sentences
        )


_SHORT_REPLY = 250
_SECTION = re.compile(r"\s*\*\*[^*\n]{1,40}[.:]\*\*\s\S")
"""A line with a bold heading before its text."""
_IN_BRACKETS = re.compile(r"\([^()]+\)[.!]?")
_ALONE = re.compile(
    r"\s*(?:(\*\*|__)(?P<bold>[^*_\n]{1,60})\1[.!\u3002]?|(?:\u2192|\u21d2|=>|->)\s*(?P<pointed>[^\n*]{1,60}))\s*"
)
