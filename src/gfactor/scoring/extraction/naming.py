"""The text that a sentence names as the thing asked for: "so the sport is water polo".

The words of the sentence's own language decide, because short words such as "es" or "a" are copulas
in one language and something else in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from gfactor.scoring.extraction.blank_texts import BLANK_WORD, EDGES, SENTENCE_END, TALK
from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, Sentences
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    expressions,
    finder,
    phrases,
)
from gfactor.scoring.extraction.naming_words import words_that_name
from gfactor.scoring.extraction.reply_sentences import SCRIPT, content_of
from gfactor.scoring.extraction.signs import ARROWS, DASHES
from gfactor.scoring.extraction.writing_of_numbers import writing_of

_MOST_WORDS = 5
_MOST_SIGNS = 14
"""Largest numbers of words, and of signs of an unspaced language, in a text that is named."""


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence without markup, and where texts in it were in bold or in quotes."""

    text: str
    bold: tuple[tuple[int, int], ...] = ()
    quoted: tuple[tuple[int, int], ...] = ()

    @property
    def apart(self) -> tuple[tuple[int, int], ...]:
        """Return the places of the bold texts, or those of the quoted ones if there are none."""
        return self.bold or self.quoted


def sentences_in(line: str) -> list[MarkedSentence]:
    """Return the sentences of a line of Markdown."""
    plain, bold, quoted = "", [], []
    at = 0
    for match in _APART.finditer(line):
        plain += _bare(line[at : match.start()])
        inside = _bare(match["bold"] or match["quoted"] or "")
        at = match.end()
        start = len(plain)
        plain += inside
        is_heading = inside.rstrip().endswith(":") or re.match(r"\s?:", line[at:])
        is_heading = is_heading or _HEADING.fullmatch(inside.strip())
        if not is_heading and not (SENTENCE_END.search(inside.rstrip(EDGES)) or _is_long(inside)):
            span = (start, start + len(inside.rstrip(EDGES)))
            (bold if match["bold"] else quoted).append(span)
    plain += _bare(line[at:])
    ends = [m.end() for m in SENTENCE_END.finditer(plain) if not _inside(m.start(), bold)]
    bounds = [0, *ends, len(plain)]
    return [
        MarkedSentence(plain[a:b], _within(bold, a, b), _within(quoted, a, b))
        for a, b in pairwise(bounds)
        if re.search(r"\w", plain[a:b])
    ]


def _inside(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(a <= at < b for a, b in spans)


def _within(spans: list[tuple[int, int]], start: int, end: int) -> tuple[tuple[int, int], ...]:
    return tuple((a - start, b - start) for a, b in spans if start <= a < end)


def _bare(text: str) -> str:
    return _MARKS.sub("", text)


_APART = re.compile(
    rf"(\*{{2,3}}|__)(?P<bold>[^*_\n]{{1,80}}?)\1|(?<!\w)\"(?P<quoted>[^\"\n]{{1,80}})\"(?![{LATIN}])"
)
_HEADING = re.compile(
    rf"(?:{phrases('conclusion')}|{phrases('heading')}|{expressions('section_name')})\s?[.{STOP}]",
    re.IGNORECASE,
)
"""A heading at the beginning of a line: "Conclusion."."""
_MARKS = re.compile(rf"\*+|`+|^\s*(?:#+|>|[-{ARROWS}])\s|(?<!\w)_|_(?!\w)|\\[()\[\]]|\$")


class ThingNaming:
    """Reading of the names in the sentences of a reply to one question."""

    def __init__(self, text: str, question: str) -> None:
        languages = writing_of([text, question]).languages
        self.words = words_that_name(tuple(one.code for one in languages))
        self.question = question
        self.question_words = frozenset(content_of(question))
        self.asks_quality = bool(_QUALITY.search(question))

    def is_concluded(self, text: str) -> bool:
        """Return True if a sentence has words with which a conclusion is drawn."""
        return bool(self.words.cue.search(text))

    def is_closing(self, text: str) -> bool:
        """Return True if a sentence only closes the reply politely."""
        return bool(self.words.closing.match(text))

    def refers_back(self, sentence: MarkedSentence) -> bool:
        """Return True if a sentence begins with a word for the thing named before it."""
        return bool(self.words.back_first.match(sentence.text.lstrip()))

    def points_back(self, sentence: MarkedSentence) -> bool:
        """Return True if a sentence says no more than that the thing named before it is the one
        asked for: "That is the dish on offer."."""
        text = sentence.text.strip()
        back = self.words.back_copula.match(text)
        denials = (NEGATION, HEDGE, self.words.doubt)
        return bool(
            back
            and not sentence.apart
            and not text.endswith("?")
            and self.overlaps(text[back.end() :])
            and not any(one.search(Sentences(text).affirmed(text)) for one in denials)
        )

    def text_at_end(self, sentence: MarkedSentence) -> str | None:
        """Return the bold or quoted text with which a sentence ends, if its clause states it."""
        if not sentence.apart:
            return None
        start, end = sentence.apart[-1]
        name, clause = sentence.text[start:end], sentence.text[:start]
        clause = clause[_clause_start(clause) :]
        if re.search(r"\w", sentence.text[end:]) or self._is_doubtful(clause):
            return None
        return None if _is_long(name) or BLANK_WORD.search(name) else name.strip()

    def overlaps(self, text: str) -> bool:
        """Return True if a text shares a word with the question."""
        return bool(self.question_words & frozenset(content_of(text)))

    def name_in(self, sentence: MarkedSentence, *, is_sole: bool = False) -> str | None:
        """Return the text that a sentence names, in bold, quoted or behind a copula; `is_sole` is
        True if the reply has no other text in bold."""
        if sentence.text.rstrip().endswith("?") or self.words.supposed.match(sentence.text):
            return None
        apart = {sentence.text[a:b].casefold() for a, b in sentence.apart}
        if len(apart) > 1:
            return None
        if apart:
            is_bold = bool(sentence.bold)
            text_apart = self._set_apart(sentence.text, *sentence.apart[-1], is_bold=is_bold)
            if text_apart is None and sentence.bold and is_sole:
                text_apart = self._alone_in_bold(sentence.text, *sentence.bold[-1])
            if text_apart or sentence.bold:
                return text_apart
        return self._plain(sentence.text)

    def _alone_in_bold(self, text: str, start: int, end: int) -> str | None:
        """Return the only bold text of a reply, if its clause neither doubts nor describes."""
        name, rest = text[start:end].strip(), _CLAUSE_END.split(text[end:], maxsplit=1)[0]
        cues = [m.end() for m in self.words.cue.finditer(text[:start])]
        clause = text[max(_clause_start(text[:start]), *cues, 0) : start]
        is_few = len(rest.split()) <= 4 and len(SCRIPT.findall(rest)) <= 8
        doubtful = self._is_doubtful(clause) or self._denies(rest) or HEDGE.search(rest)
        if (
            self._describes(name)
            or doubtful
            or not is_few
            or _is_long(name)
            or BLANK_WORD.search(name)
        ):
            return None
        return None if self.words.either_behind.match(text[end:]) else name

    def _set_apart(self, text: str, start: int, end: int, *, is_bold: bool) -> str | None:
        """Return the text at a place if its sentence states that it is the thing asked for."""
        name, before, behind = text[start:end].strip(), text[:start], text[end:]
        before = self.words.back_end.sub(" ", before)
        cues = [m.end() for m in self.words.cue.finditer(before)]
        clause = before[max(_clause_start(before), *cues, 0) :]
        rest = _CLAUSE_END.split(behind, maxsplit=1)[0]
        doubtful = self._is_doubtful(clause) or self._denies(rest)
        if doubtful or self.words.either_behind.match(behind) or _is_long(name):
            return None
        if BLANK_WORD.search(name) or self._describes(name):
            return None
        added = [m[0] for m in _WORD.finditer(rest) if not self.overlaps(m[0])]
        is_end = not added or bool(self.words.behind.fullmatch(rest.strip()))
        few = len(added) <= 4 and len(SCRIPT.findall(rest)) <= 8
        lead = self.words.lead_end.search(before)
        if not is_bold and not (is_end and (cues or self.overlaps(before))):
            return None
        if lead and (is_end or few):
            return None if not lead["strong"] and self._is_of_a_detail(clause) else name
        preposition = self.words.preposition_end.search(before)
        if preposition and is_end:
            first_words = re.findall(r"\w+", self.question.casefold()) or [""]
            is_asked = preposition["word"].casefold() in (first_words[0], first_words[-1])
            return name if is_asked else None
        if preposition or not is_end:
            return None
        return name if self.is_concluded(text) or self.overlaps(before) else None

    def _describes(self, name: str) -> bool:
        """Return True if a text set apart tells of a place, a detail or, unasked, a quality."""
        words = [m[0] for m in _WORD.finditer(name)]
        if not any(re.search("[A-Z]", word) for word in words):
            details = (self.words.detail, _PART)
            if any(detail.fullmatch(word) for word in words for detail in details):
                return True
            if words and self.words.no_quality.fullmatch(words[0]):
                return True
        return not self.asks_quality and all(map(self.words.describes.fullmatch, words))

    def _plain(self, text: str) -> str | None:
        """Return the name in the predicate of the last clause, or of the clause that concludes."""
        body = text.strip().rstrip(EDGES)
        cues = list(self.words.cue.finditer(body))
        for match in reversed([*self.words.lead.finditer(body)]):
            cue = next((c for c in reversed(cues) if c.start() <= match.start()), None)
            inner = any(match.start() < c.start() < match.end() for c in cues)
            inner = inner and bool(finder("announce").search(body[: match.end()]))
            begin = max(_clause_start(body[: match.start()]), cue.end() if cue else 0)
            clause = body[begin : match.start()]
            subject = clause.strip(EDGES) or body[cue.end() if cue else 0 : match.start()]
            subject = subject.strip(f" ,:{COMMA}")
            name = self._name_of(body[match.end() :], is_free=not subject and bool(cue))
            if name is None:
                continue
            if self._is_doubtful(clause):
                return None
            is_shown = self.words.shows.match(match[0]) is not None
            of_it = not subject or self._is_of_it(subject, match[0])
            is_detail = not match["strong"] and self._is_of_a_detail(subject)
            if is_detail or not (cue or inner or (of_it and not is_shown)):
                continue
            is_strong = bool(match["strong"] or match["article"])
            if self._is_name(name, is_strong=is_strong, is_cued=bool(cue) or inner):
                return name
        return None

    def _is_of_it(self, subject: str, lead: str) -> bool:
        """Return True if a subject shares a word with the question, or stands for the thing."""
        if SCRIPT.search(subject):
            is_noun = len(subject) <= _MOST_BARE_SIGNS and subject[-1] in self.question
            return self.overlaps(subject + lead) or is_noun
        return self.overlaps(subject) or bool(self.words.back_last.search(subject))

    def bare_name(self, sentence: MarkedSentence) -> str | None:
        """Return a sentence that is no more than a name of a few words: "Kingfisher."."""
        body = sentence.text.strip().rstrip(EDGES)
        is_noun = not self.words.lead.search(body) and not _CLAUSE_END.search(body)
        if (
            not sentence.text.rstrip().endswith((".", *STOP))
            or not is_noun
            or TALK.search(body)
            or _HEADING.fullmatch(sentence.text.strip())
        ):
            return None
        if SCRIPT.search(body):
            ends = self.words.behind_end.search(body)
            body = body[: ends.start()] if ends and self.words.needs_ending else body
            is_bare = not re.search(r"\s", body) and len(body) <= _MOST_BARE_SIGNS
            if not is_bare or (self.words.needs_ending and not ends):
                return None
        name = self.words.article_begin.sub("", body)
        if len(name.split()) > _MOST_BARE or _INTERJECTION.fullmatch(name):
            return None
        lowered = name[:1].lower() + name[1:]
        is_name = self._is_name(lowered, is_strong=False, is_cued=True)
        return name if is_name and not self._is_doubtful(body) else None

    def _name_of(self, rest: str, *, is_free: bool) -> str | None:
        """Return the beginning of a predicate, up to a remark, without its article."""
        ends = self.words.behind_end.search(rest)
        if self.words.needs_ending and not ends:
            return None
        rest = rest[: ends.start()] if ends else rest
        remark = _REMARK_BEHIND.search(rest) or self.words.reason.search(rest)
        behind = rest[remark.start() :] if remark else ""
        if self.words.either_behind.match(behind) or self.words.listed.match(behind):
            return None
        name = rest[: remark.start()] if remark else rest
        name = _respelled(name, rest[remark.start() :]) if remark else name
        if is_free:  # "daher ist die Sportart Curling"
            shared = [m.end() for m in _WORD.finditer(name) if self.overlaps(m[0])]
            name = (name[shared[-1] :] if shared else name).strip() or name
            name = self.words.back_begin.sub("", name)
        name = self.words.article_begin.sub("", name.strip()).strip(f"{EDGES}\"' ")
        return name or None

    def _is_name(self, name: str, *, is_strong: bool, is_cued: bool) -> bool:
        if _is_long(name) or not re.search(r"[^\W\d]", name) or self._denies(name):
            return False
        if HEDGE.search(name) or re.match(r"\d", name) or _ORDINAL.search(name):
            return False
        if self.words.describes_behind.search(name) or self.words.not_inside.search(name):
            return False
        words = [m[0] for m in _WORD.finditer(name)]
        new = [word for word in words if not self.overlaps(word)]
        if not new and not is_strong:
            return False
        if self.asks_quality:
            return not self.words.no_quality.match(name)
        if any(re.search(r"[A-Z]", word) for word in words[:1]):
            return True
        left = [word for word in new if not self.words.describes.fullmatch(word)]
        starts = self.words.describes.match(name) or self.words.no_quality.match(name)
        if not left or (starts and not is_strong):
            return False
        return is_strong or is_cued or not self.words.capital_names

    def _is_doubtful(self, clause: str) -> bool:
        affirmed = self.words.no_doubt.sub(" ", Sentences(clause).affirmed(clause))
        doubts = (HEDGE, NEGATION, self.words.doubt)
        return any(doubt.search(affirmed) for doubt in doubts)

    def _denies(self, text: str) -> bool:
        affirmed = self.words.no_doubt.sub(" ", Sentences(text).affirmed(text))
        return bool(NEGATION.search(affirmed) or self.words.denied_behind.search(affirmed))

    def _is_of_a_detail(self, subject: str) -> bool:
        detail = self.words.detail.search(subject)
        return bool(detail and not self.overlaps(detail[0]))


def _is_long(text: str) -> bool:
    return len(text.split()) > _MOST_WORDS or len(SCRIPT.findall(text)) > _MOST_SIGNS


def _clause_start(before: str) -> int:
    """Return where the last clause of a text begins."""
    return max((m.end() for m in _CLAUSE_END.finditer(before)), default=0)


_CLAUSE_END = re.compile(rf"[,;:({DASHES}{COMMA}](?=\s|$)|[;:({COMMA}]|\s[-{DASHES}]\s")
_REMARK_BEHIND = re.compile(rf"[,;:{COMMA}](?=\s|\D)|\s?\(|\s[-{DASHES}]\s|[{DASHES}]")
_PART = re.compile(expressions("part_of_picture"), re.IGNORECASE)
_MOST_BARE, _MOST_BARE_SIGNS = 3, 4
_INTERJECTION = re.compile(expressions("interjection"), re.IGNORECASE)
_ORDINAL = re.compile(rf"(?<!\w)(?:{expressions('ordinal')})(?!\w)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\s?\(([^\W\d]+)\)")


def _respelled(name: str, remark: str) -> str:
    """Return the word in brackets behind a word that is the same in another spelling."""
    other = _IN_BRACKETS.match(remark)
    word = name.rpartition(" ")[2] if other else ""
    is_same = other and SequenceMatcher(None, word.casefold(), other[1].casefold()).ratio() > 0.8
    return other[1] if other and is_same else name


_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_QUALITY = re.compile(expressions("set_noun"), re.IGNORECASE)


def lines_of(raw: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a reply that have words, and True for those of a list or a table."""
    for line in raw.split("\n"):
        if re.search(r"\w", line):
            yield line, bool(_ENTRY.match(line) or line.count("|") > 1)


_ENTRY = re.compile(r"\s*(?:[-*+\u2022]\s|\(?\d{1,2}[.)]\s)")
