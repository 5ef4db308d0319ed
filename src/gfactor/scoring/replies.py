"""Reading the answer of a reply by rules, and the status of the reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal

from gfactor.examinees import FAILED
from gfactor.frozen import quickly_made
from gfactor.items import Answer, OutputFormat
from gfactor.items.formats import CHOSEN, RULE_LABEL, TURN_END
from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.answering_sentences import read_answering
from gfactor.scoring.extraction.blank_texts import SENTENCE_END
from gfactor.scoring.extraction.conforming import strict
from gfactor.scoring.extraction.filled_sentences import SET_APART, read_filled
from gfactor.scoring.extraction.markers import phrases
from gfactor.scoring.extraction.named_thing import breaks_off, names_two, read_named
from gfactor.scoring.extraction.normalize import clean
from gfactor.scoring.extraction.refusal import is_refusal, why_nothing
from gfactor.scoring.extraction.result import NOTHING, Extraction, extracted, no_answer
from gfactor.scoring.one_number import read_number
from gfactor.scoring.questions import PutItem
from gfactor.scoring.texts import same_text

Status = Literal["answered", "no_answer", "refused", "truncated", "filtered", "failed"]
STATUSES: tuple[Status, ...] = (
    *("answered", "no_answer", "refused", "truncated", "filtered", "failed"),
)  # fmt: skip
"""Statuses of a response: an answer was read; the reply holds none; it declines; it was cut off
before its answer; a filter withheld it; the attempt failed.
"""

_LONGEST_CACHED = 200
"""Largest length of replies whose readings are stored. Short replies are often repeated; longer
ones rarely are, and would fill the memory."""


@quickly_made
@dataclass(frozen=True)
class Readings:
    """The readings of a reply by the benchmark's own rule (`strict`), and leniently without
    guessing (`lenient`).

    They differ only if an output format is part of the task.
    """

    strict: Extraction
    lenient: Extraction


def status_of(outcome: str, read: Extraction) -> Status:
    """Return the status of a response, from its outcome and the answer that was read in it."""
    if outcome in FAILED:
        return "failed"
    if outcome == "content_filter":
        return "filtered"
    if read.has_answer:
        return "answered"
    if outcome == "refusal" or read.rule == "refusal":
        return "refused"
    if outcome == "truncated" or read.rule == "truncated":
        return "truncated"
    return "no_answer"


def read_reply(text: str, outcome: str, question: PutItem) -> Readings:
    """Read a reply by the rules; labels are the item's own, even if options were shown in another
    order.

    A truncated reply is read without its last, unfinished line, except for open questions, where
    part of an answer may earn points. An answer to a question with options or blanks counts if it
    was complete in that line before the end.
    """
    kind = question.answer_type
    if outcome == "truncated" and kind in (*CHOSEN, "blanks") and question.output_format is None:
        return _read_cut(text, question)
    if outcome == "truncated" and kind != "open":
        *whole, cut = text.split(TURN_END) if kind == "turns" else [text]
        text = TURN_END.join([*whole, _whole_lines(cut)])
    if kind == "turns" and question.output_format is not None:
        return _by_turns(text, question.output_format)
    if question.output_format is not None:
        return _formatted(text, question.output_format)
    if kind in CHOSEN:
        read = _chosen(text, kind, question.displayed_options)
        if read.answer is not None and question.options_seed is not None:
            read = replace(read, answer=question.as_stored(read.answer))
    elif kind == "blanks":
        read = extract(text, kind, blanks=question.blanks)
        if "__" in question.text and read.rule not in SET_APART:
            read = read_filled(text, question.text, question.blanks) or read
            read = no_answer("nothing") if read.rule == "whole" and "__" in text else read
        if read.rule in ("nothing", "whole") and question.blanks == 1 and question.text:
            read = _read_answering(text, read, question)
        if question.blanks == 1 and question.text:
            read = _read_named(text, read, question)
            if read.rule in _IN_SENTENCES and breaks_off(text, question.text):
                read = no_answer("truncated")
        if question.has_one_number:
            read = read_number(text, read, question)
        if read.answer != (text,) and _is_key(text, read.answer, question):
            read = extracted((text.strip(),), "key", (0, len(text)))
    elif kind == "open":
        read = read_open(text)
    else:
        # Without a format or options, the form of such an answer is unknown.
        read = NOTHING
    return Readings(read, read)


def _read_answering(text: str, read: Extraction, question: PutItem) -> Extraction:
    """Return the text of a sentence that repeats the question; `read` if it is no such sentence."""
    is_word = read.has_answer and _ONE_WORD.fullmatch(text)
    rule = question.facts.get(RULE_LABEL)
    if is_word or len(text) > _LONGEST_CACHED or rule in ("number", "containment"):
        return read
    return read_answering(clean(text), question.text) or read


def _read_named(text: str, read: Extraction, question: PutItem) -> Extraction:
    """Return the text that a reply of several sentences names; `read` if it names none.

    Sentences that were read as texts are read again: "Answer: the bird is a heron" names a heron.
    """
    if question.facts.get(RULE_LABEL) in ("number", "containment"):
        return read
    given = str(read.answer[0]) if isinstance(read.answer, tuple) else ""
    if given and (len(given.split()) < _FEWEST and len(given) < _FEW_SIGNS):
        return read
    if read.rule == "heading" and read.span:
        headed = text[slice(*read.span)].strip().partition("\n")[0]
        again = read_named(clean(headed), question.text)
        return replace(again, rule=read.rule, span=read.span) if again else read
    if read.rule not in _UNNAMED:
        return read
    cleaned = clean(text)
    if read.rule == "announcement" and re.search(r"[,;]", given) and names_two(cleaned):
        return no_answer("ambiguous")
    return read_named(cleaned, question.text) or read


_UNNAMED = frozenset(("nothing", "none", "ambiguous", "whole", "announcement"))
"""Rules that leave a reply without a text, or with a whole sentence."""
_IN_SENTENCES = frozenset(("answering sentence", "filled sentence", "named", "whole"))
"""Rules that read a text in a sentence."""
_FEWEST, _FEW_SIGNS = 3, 5
"""Numbers of words, and of letters without a space, from which on a text may be a sentence."""


_ONE_WORD = re.compile(r"[^\s\u2e80-\uffdc]+")
"""A word of a language with spaces."""


def _is_key(text: str, answer: Answer | None, question: PutItem) -> bool:
    """Return True if a whole reply is the key of the one blank, but the text read in it is not. A
    reply that repeats the question does not count.
    """
    if question.blanks != 1 or len(text) > _LONGEST_CACHED or same_text(text, question.text):
        return False
    accepted = [key for key in (question.target, *question.accepted) if isinstance(key, tuple)]
    keys = [str(key[0]) for key in accepted if len(key) == 1]
    read = str(answer[0]) if isinstance(answer, tuple) else ""
    return any(same_text(text, key) for key in keys) and not any(
        same_text(read, key) for key in keys
    )


def _read_cut(text: str, question: PutItem) -> Readings:
    """Read a truncated reply up to the last place where an answer in it can be complete.

    The text after that place must not change the reading: it may begin to correct the answer, or
    continue a list.
    """
    whole = read_reply(text, "ok", question)
    for end in sorted({*_complete_ends(text, question)}, reverse=True):
        read = read_reply(text[:end], "ok", question)
        one = read.strict
        if one.rule in _FIRM and one.has_answer and one.answer == whole.strict.answer:
            return read
    return read_reply(_whole_lines(text), "ok", question)


def _whole_lines(text: str) -> str:
    return text[: text.rfind("\n") + 1]


def _complete_ends(text: str, question: PutItem) -> Iterator[int]:
    """Yield the positions in the last line at which an answer may be complete."""
    start = text.rfind("\n") + 1
    if not text[start:].strip() or _OBJECT.search(text):
        return
    is_chosen = question.answer_type in CHOSEN
    ends = [m.end() for m in _COMPLETE.finditer(text, start)]
    yield from [end for end in ends if is_chosen or text[end - 1] != "." or end < len(text)][-1:]
    label = re.sub(r"[\W_]", "", text)
    if question.answer_type == "choice" and label in question.labels and label.isalpha():
        yield len(text)


_FIRM = frozenset(
    (
        *("announcement", "boxed", "brackets", "tag", "heading", "key", "whole", "sentence"),
        "first line",
    )
)
"""Rules that read one statement of the whole answer; a verdict may be the first of a list."""
_COMPLETE = lazy_pattern(
    rf"\\boxed\s?\{{[^{{}}\n]*\}}|</(?:answer|final_answer)\s?>|{SENTENCE_END.pattern}"
)
"""Ends of a box, of a tag and of a sentence."""
_OBJECT = re.compile(r"\{\s*[\"']|^\s*\[", re.MULTILINE)
"""The beginning of JSON."""


def _by_turns(text: str, fmt: OutputFormat) -> Readings:
    """The readings of every turn together; a turn in which nothing was read is an empty word.

    If the examinee got all turns at once, the one reply has an answer per line.
    """
    replies = text.split(TURN_END)
    if len(replies) == 1 < fmt.length:
        lines = [line.strip() for line in text.splitlines()]
        replies = [line for line in lines if fmt.turn.pattern.fullmatch(line)]
    read = [_formatted(reply, fmt.turn) for reply in replies[: fmt.length]]

    def together(parts: Sequence[Extraction]) -> Extraction:
        if not any(part.has_answer for part in parts):
            return replace(NOTHING, rule=parts[-1].rule if parts else "")
        atoms: Any = [part.answer if part.answer is not None else "" for part in parts]
        atoms += [""] * (fmt.length - len(atoms))
        stage = "lenient" if any(part.stage == "lenient" for part in parts) else "strict"
        return Extraction(tuple(atoms), True, stage, "turns")

    return Readings(together([one.strict for one in read]), together([one.lenient for one in read]))


def _formatted(text: str, fmt: OutputFormat) -> Readings:
    return (_kept_formatted if len(text) <= _LONGEST_CACHED else _read_formatted)(text, fmt)


def _read_formatted(text: str, fmt: OutputFormat) -> Readings:
    exact = strict(text, fmt)
    free = extract(text, "value", output_format=fmt)
    if not free.has_answer:
        contradicts = "contradiction" if exact.has_answer else why_nothing(clean(text))
        free = replace(NOTHING, rule=contradicts)
    return Readings(exact if exact.has_answer else replace(NOTHING, rule=free.rule), free)


def _chosen(text: str, kind: str, options: tuple[tuple[str, str], ...]) -> Extraction:
    return (_kept_chosen if len(text) <= _LONGEST_CACHED else _read_chosen)(text, kind, options)


def _read_chosen(text: str, kind: str, options: tuple[tuple[str, str], ...]) -> Extraction:
    return extract(text, kind, dict(options))


_kept_formatted = lru_cache(maxsize=20_000)(_read_formatted)
_kept_chosen = lru_cache(maxsize=20_000)(_read_chosen)


SHORT = 400
"""Length above which a text is an answer even if it says somewhere that something cannot be
done."""


def read_open(reply: str) -> Extraction:
    """Return the answer of a reply to an open question, thinking and markup removed.

    Nothing if the reply is empty, a short refusal, or cut off inside its thinking.
    """
    cleaned = clean(reply)
    text = cleaned.prose.text
    if cleaned.thinking_open or not text.strip():
        return no_answer(why_nothing(cleaned))
    headings = list(_heading().finditer(text))
    start, rule = (headings[-1].end(), "heading") if headings else (0, "whole")
    answer = text[start:].strip()
    if not answer:
        return no_answer(why_nothing(cleaned))
    if rule == "whole" and len(answer) <= SHORT and is_refusal(answer):
        return no_answer("refusal")
    return extracted(answer, rule, cleaned.prose.span(start, len(text)))


@cache
def _heading() -> re.Pattern[str]:
    """The words before an answer at the start of a line, with their colon."""
    return re.compile(rf"(?:^|\n)[^\S\n]*{phrases('heading')}[^\S\n]*[:：]", re.IGNORECASE)
