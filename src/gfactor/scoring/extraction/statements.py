"""Answers stated in a sentence of their own: "There are 5 circles in total.", "Yes, it is."

Only the last line is read, and only if it is not ambiguous. A sentence with a count must contain
one number only. A sentence for two labels must contain one number beside each label's word. A line
that begins with "yes" or "no" must contain neither word again. A sentence that lists the words of a
set must end with them, and name none before.
"""

from __future__ import annotations

import re

from gfactor.items import Atom, OutputFormat
from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.cell_lists import NO_DIFFERENCE
from gfactor.scoring.extraction.lexicons import NUMBER_WORDS, lexicon
from gfactor.scoring.extraction.markers import (
    COMMA,
    STOP,
    each,
    expressions,
    finder,
    joined,
    phrases,
)
from gfactor.scoring.extraction.numerals import counted, headed, number_in_words
from gfactor.scoring.extraction.signs import ABOUT, DASHES, MINUS, TIMES

_COUNTS = re.compile(expressions("count_sentence"), re.IGNORECASE)
_OPEN = re.compile(rf"{expressions('count_open')}|[?~{ABOUT}<>+*/={TIMES}-]", re.IGNORECASE)
_LEADS = re.compile(rf"\s*(?P<word>[^\W\d_]+)\s*[,;:.!{DASHES}]")


def stated(line: str, fmt: OutputFormat, *, alone: bool = False) -> tuple[Atom, ...] | None:
    """Return the atoms that a line states, one per label; None if it states another number of
    atoms.

    `alone` is True if the line is the whole reply.
    """
    if fmt.answer_type == "value" and fmt.atom == "integer":
        return (_before_the_things(line, fmt) if alone else None) or _count(line, fmt)
    if fmt.answer_type == "tuple" and len(fmt.labels) > 1 and fmt.atom == "integer":
        return _counts(line, fmt) or _placed(line, fmt) or _named_counts(line, fmt)
    if fmt.answer_type in ("value", "tuple") and fmt.atom == "cell":
        return _last_cell(line, fmt)
    if fmt.answer_type == "value" and fmt.atom == "word" and len(fmt.vocabulary) == 2:
        return _lead(line, fmt)
    if fmt.answer_type == "set" and fmt.atom in ("word", "cell"):
        return _members(line, fmt)
    return None


def _count(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    drawn = list(finder("conclusion").finditer(line))
    if drawn and (concluded := _counted(line[drawn[-1].end() :], fmt)) is not None:
        return concluded
    return _counted(line, fmt)


def _counted(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The number of a line or clause that counts, if it holds no other one."""
    words = lexicon(fmt)
    if (total := _total(line)) is not None:
        return (total,)
    if not _ABOUT.search(line) and (under := headed(line)) is not None:
        return (under,)
    begun = _COUNTS.search(line)
    if (
        begun is None
        or _OPEN.search(line)
        or (_SEEN.match(begun[0]) and _ALSO.search(line, begun.end()))
    ):
        return None
    numbers = [words.value(m[0]) for m in words.suspect.finditer(line)]
    if not numbers and not re.search(r"\d", line) and (worded := counted(line)) is not None:
        return (worded,)
    exact = words.atom.search(line) or _COUNTER.search(line)
    return tuple(numbers) if len(numbers) == 1 and exact else None


def _before_the_things(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The number before the name of the counted things, if the line contains nothing else."""
    words = lexicon(fmt)
    number = words.atom.match(line.lstrip())
    rest = line.lstrip()[number.end() :] if number else ""
    return (words.value(number[0]),) if number and _THINGS.fullmatch(rest) else None


_THINGS = re.compile(rf"\s+(?:{expressions('count_things')})[\s.!]*", re.IGNORECASE)
_ABOUT = re.compile(rf"[?~{ABOUT}]|{expressions('count_about')}", re.IGNORECASE)
_SEEN = re.compile(expressions("who_counts"), re.IGNORECASE)
_ALSO = re.compile(rf"{expressions('also_counted')}|,", re.IGNORECASE)
"""Signs in a sentence about counted things that it may not count all."""
_COUNTER = re.compile(
    rf"(?<![A-Za-z0-9{joined('nth_sign')}.,{MINUS}-])\d{{1,9}}\s?{expressions('counters')}"
)


def _total(line: str) -> int | None:
    """The number that is announced as the total and is the sum of all numbers before it."""
    if _DOUBT.search(line):
        return None
    numbers = [int(m[0]) for m in _NUMBER.finditer(line)]
    totals = list(_TOTAL.finditer(line))
    if len(numbers) < 3 or not totals or sum(numbers[:-1]) != numbers[-1]:
        return None
    last = list(_NUMBER.finditer(line))[-1]
    before = list(_NUMBER.finditer(line))[-2].end()
    return numbers[-1] if before <= totals[-1].start() < last.end() + 20 else None


_NUMBER = re.compile(
    rf"(?<![A-Za-z\u00c0-\u024f0-9_.,{MINUS}-])\d{{1,9}}(?![A-Za-z\u00c0-\u024f0-9_%]|[.,]\d)"
)
_TOTAL = re.compile(rf"=|{expressions('total')}", re.IGNORECASE)
_DOUBT = re.compile(rf"{expressions('total_doubt')}|[?~{ABOUT}<>*/{TIMES}%]", re.IGNORECASE)


def _counts(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    words = lexicon(fmt)
    if _OPEN.search(line) or len(list(words.suspect.finditer(line))) != len(fmt.labels):
        return None
    ways = (_beside(line, fmt, before=True), _beside(line, fmt, before=False))
    counts = {way for way in ways if way}
    return counts.pop() if len(counts) == 1 else None


def _beside(line: str, fmt: OutputFormat, *, before: bool) -> tuple[Atom, ...] | None:
    """The number before (or after) each label's word, one for each and no number twice."""
    vocabulary = lexicon(fmt)
    matches: list[re.Match[str]] = []
    for label in fmt.labels:
        stem = re.escape(label.casefold().removesuffix("s"))
        others = (words for of, words in _OTHER_WORDS if of == label)
        words = rf"(?:{'|'.join((f'{stem}s?', *others))})"
        behind = re.compile(rf"\s+(?:\w+\s+)?{words}\b", re.IGNORECASE)
        ahead = re.compile(rf"\b{words}\s(?:{expressions('number_link')}\s)?$", re.IGNORECASE)
        near = [
            m
            for m in vocabulary.atom.finditer(line)
            if (behind.match(line, m.end()) if before else ahead.search(line[: m.start()]))
        ]
        if len(near) != 1 or near[0].start() in [m.start() for m in matches]:
            return None
        matches.append(near[0])
    return tuple(vocabulary.value(m[0]) for m in matches)


_OTHER_WORDS = [
    (label, words)
    for (texts,) in each("things")
    for label, words in (pair.split("=") for pair in texts.split(","))
]
"""Names of the counted things in languages that write the number before them."""


def _placed(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The number with each label's place: "Five dots lie above the line and three below it"."""
    ways_to_name = [_PLACE_OF_LABEL.get(label) for label in fmt.labels]
    marks = sorted(
        (m.start(), k) for k, w in enumerate(ways_to_name) if w for m in w.finditer(line)
    )
    numbers = sorted(_numbers_of(line))
    if (
        sorted(k for _, k in marks) != list(range(len(fmt.labels)))
        or len(numbers) != len(marks)
        or not _ENDED.search(line)
        or _DOUBT.search(line)
        or _ABOUT.search(line)
    ):
        return None
    ways = (numbers, marks) if numbers < marks else (marks, numbers)
    in_turn = [mark for pair in zip(*ways, strict=True) for mark in pair]
    if in_turn != sorted(in_turn):
        return None
    at = {k: number for (_, k), (_, number) in zip(marks, numbers, strict=True)}
    return tuple(at[k] for k in range(len(fmt.labels)))


_PLACE_WORDS = [pair.split("=", 1) for (texts,) in each("place_names") for pair in texts.split(",")]
_PLACE_OF_LABEL = {
    label: re.compile("|".join(words for of, words in _PLACE_WORDS if of == label), re.IGNORECASE)
    for label, _ in _PLACE_WORDS
}
"""Words for the places that labels name, such as above a line."""


def _numbers_of(line: str) -> list[tuple[int, int]]:
    """Return the numbers of a line, in digits or words: start and value."""
    digits = [(m.start(), int(m[0])) for m in _DIGITS.finditer(line)]
    words = [*_WORD.finditer(line), *_BEFORE_COUNTER.finditer(line)]
    values = {m.start(): _in_words(m[0]) for m in words}
    return digits + [(start, value) for start, value in values.items() if value is not None]


_ENDED = re.compile(rf"[.!{STOP}]\s*$")
"""The end of a sentence, after which a last number cannot go on."""


def _named_counts(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The number, in words of any language, right before each label's word."""
    if _OPEN.search(line) or not _ENDED.search(line):
        return None
    counts: list[int] = []
    for label in fmt.labels:
        words = "|".join(words for of, words in _OTHER_WORDS if of == label) or "(?!)"
        matches = re.findall(rf"(\d{{1,9}}|[^\W\d_]+)\s+(?:{words})\b", line, re.IGNORECASE)
        number = _in_words(matches[0]) if len(matches) == 1 else None
        if number is None:
            return None
        counts.append(number)
    return tuple(counts)


def _in_words(word: str) -> int | None:
    """Return the number that a word of any language means; None if it means none."""
    number = number_in_words(word)
    return NUMBER_WORDS.get(word.casefold()) if number is None else number


_DIGITS = re.compile(r"(?<![\d.,])\d{1,9}(?![\d%]|[.,]\d)")
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_COUNTER = re.compile(
    rf"[{joined('digits')}{joined('two')}]+(?=\s?{expressions('counters')})"
)


def _last_cell(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The only cell of a line, if the line ends with it and draws it as a conclusion."""
    cells = list(lexicon(fmt).suspect.finditer(line))
    if len(cells) != 1 or line[cells[0].end() :].strip(" .!*_)"):
        return None
    before = line[: cells[0].start()]
    lead = _DRAWN.search(before)
    if lead is None or _DENIED.search(before[: lead.start()]):
        return None
    return (lexicon(fmt).value(cells[0][0]),)


_DRAWN = lazy_pattern(
    rf"(?:{phrases('conclusion')}|{expressions('cell_lead')}|{expressions('says_which')})"
    r"[\s,:]*(?:\w{1,4}\s)?[\s(*]*$",
    re.IGNORECASE,
)
_DENIED = lazy_pattern(
    rf"{expressions('not_these')}|{expressions('or_answer')}|{expressions('count_about')}|[?~{ABOUT}]",
    re.IGNORECASE,
)


_TAKEN_BACK = re.compile(rf"{expressions('lead_doubt')}|\?", re.IGNORECASE)


def _lead(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """Return "yes" or "no" if the line begins with it and no other such word follows; else None."""
    words = lexicon(fmt)
    lead = _LEADS.match(line)
    word = _in_the_format(lead["word"], fmt) if lead else ""
    if lead is None or words.atom.fullmatch(word) is None:
        return None
    rest = line[lead.end() :]
    if words.atom.search(rest) or _TAKEN_BACK.search(rest):
        return None
    return (words.value(word),)


def _in_the_format(word: str, fmt: OutputFormat) -> str:
    """Return the format's word for a "yes" or "no" of any language; else the word itself."""
    if sorted(text.casefold() for text in fmt.vocabulary) != sorted(("no", "yes")):
        return word
    is_yes, is_no = (word.casefold() in texts for texts in (_YES, _NO))
    named = "yes" if is_yes else "no"
    return named if is_yes != is_no else word


_YES, _NO = (
    {text for (texts,) in each(kind) for text in texts.split("/")}
    for kind in ("yes_texts", "no_texts")
)


_PREDICATE = re.compile(expressions("predicate"), re.IGNORECASE)
_SET = re.compile(expressions("set_noun"), re.IGNORECASE)
_BEFORE_CELLS = re.compile(r"[,:]\s+(?=\()")
_CELLS = re.compile(expressions("cell_name"), re.IGNORECASE)
_PART = re.compile(expressions("part_of_picture"), re.IGNORECASE)
"""Subjects that are only a part of the picture, or things that are not in it."""
_AND = expressions("and_short")
_JOINT = re.compile(rf"\s*(?:,\s*{_AND}\b|[,;{COMMA}&]|\b{_AND}\b)\s*", re.IGNORECASE)
_ENDS = re.compile(r"[\s.!)]*$")


def _members(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The words of a sentence about "the colors" or "the shapes", if they are its whole
    predicate."""
    vocabulary = lexicon(fmt)
    predicate = (
        _BEFORE_CELLS.search(line) if fmt.atom == "cell" and _ENDED.search(line) else None
    ) or _PREDICATE.search(line)
    if predicate is None or _OPEN.search(line):
        return None
    subject = line[: predicate.start()]
    is_named = (
        _CELLS.search(subject) and not NO_DIFFERENCE.search(subject)
        if fmt.atom == "cell"
        else _SET.search(subject) and not _PART.search(subject)
    )
    if not is_named or vocabulary.suspect.search(subject):
        return None
    words: list[Atom] = []
    at = predicate.end()
    while match := vocabulary.atom.match(line, at):
        words.append(vocabulary.value(match[0]))
        joint = _JOINT.match(line, match.end())
        if joint is None:
            return tuple(words) if _ENDS.match(line, match.end()) else None
        at = joint.end()
    return None
