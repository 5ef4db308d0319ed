"""The sentences and clauses of a reply with the numbers in them, in and outside of lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gfactor.scoring.extraction.bold import BOLD
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    expressions,
    joined,
)
from gfactor.scoring.extraction.normalize import Cleaned, clean
from gfactor.scoring.extraction.signs import BULLETS, DASHES, EM_DASH, MIDDLE_DOT, TIMES
from gfactor.scoring.extraction.writing_of_numbers import Writing, languages_of
from gfactor.scoring.extraction.written_numbers import (
    WrittenNumber,
    numbers_in,
)

_MOST_LINES = 40


@dataclass(frozen=True)
class Sentence:
    """A sentence, the numbers in it and in its bold texts, and whether it is part of a list or a
    table."""

    text: str
    numbers: tuple[WrittenNumber, ...]
    in_list: bool
    in_table: bool
    bold: tuple[WrittenNumber, ...]


def sentences_of(cleaned: Cleaned, writing: Writing) -> list[Sentence]:
    """Return the sentences of a reply's last lines, each with its numbers."""
    lines = [line for line in cleaned.reply.text.split("\n") if line.strip()][-_MOST_LINES:]
    in_list = _list_lines(lines)
    sentences: list[Sentence] = []
    for k, line in enumerate(lines):
        prose = clean(line).prose.text
        prose = _LIST_NUMBER.sub("", prose) if in_list[k] else prose
        in_table = line.lstrip().startswith("|") or line.count("|") > 1
        bold = [clean(m["inside"]).prose.text for m in BOLD.finditer(line)]
        for text in _split(prose):
            strong = [
                numbers
                for one in bold
                if one in text
                and not one.rstrip().endswith(":")
                and len(numbers := numbers_in(one, writing)) == 1
            ]
            numbers = tuple(numbers_in(text, writing))
            bold_numbers = tuple(one for several in strong for one in several)
            sentences.append(Sentence(text, numbers, in_list[k], in_table, bold_numbers))
    return sentences


def _split(prose: str) -> list[str]:
    """Return the sentences of a line; a stop after a short word before a digit ends none."""
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(prose):
        word = re.search(rf"[{LATIN}]+$", prose[start : end.start()])
        follows = prose[end.end() :].lstrip()
        if end[0].startswith(".") and word and len(word[0]) < 5 and follows[:1].isdigit():
            continue
        if _ORDINAL.search(prose[start : end.end()]):
            continue
        sentences.append(prose[start : end.end()])
        start = end.end()
    sentences.append(prose[start:])
    return [one for one in sentences if re.search(r"\w", one)]


_END = re.compile(rf"[.!?](?=\s|$)|[{STOP}!?]|\.{{3}}|\u2026")
_ORDINAL = re.compile(
    rf"(?<![{LATIN}])(?:{expressions('ordinal_lead')})\s\d{{1,3}}\.$", re.IGNORECASE
)
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,2}[.)]\s")
_ENTRY = re.compile(
    rf"\s*(?:[-*+{BULLETS}{MIDDLE_DOT}{DASHES}]\s|\(?\d{{1,2}}[.)]\s|[\u2460-\u2473])"
)
_NAMED_ENTRY = re.compile(r"\s*[*_]*[^\W\d][^:=\n.]{0,30}[*_]*\s?:[*_]*\s*\S*\d[^:\n]{0,25}")


def _list_lines(lines: list[str]) -> list[bool]:
    """Return, for each line, whether it is an entry of a list of two lines or more."""
    entries = [bool(_ENTRY.match(line)) for line in lines]
    named = [bool(_NAMED_ENTRY.fullmatch(line)) for line in lines]
    many = sum(entries) > 1
    return [
        (many and entries[k])
        or (named[k] and (named[k - 1 : k] == [True] or named[k + 1 : k + 2] == [True]))
        for k in range(len(lines))
    ]


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return the beginnings and ends of the clauses of a text."""
    starts = [0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]
    return [(a, b) for a, b in pairwise(starts) if re.search(r"\w", text[a:b])]


def numbered_clauses(text: str, numbers: Sequence[WrittenNumber]) -> list[tuple[int, int]]:
    """Return the clauses of a text that hold numbers, each with those without any before it."""
    sentences: list[tuple[int, int]] = []
    begin = 0
    for _, end in clauses_of(text):
        if any(begin <= one.start < end for one in numbers):
            sentences.append((begin, end))
            begin = end
    return [*sentences[:-1], (sentences[-1][0], len(text))] if sentences else []


def clause_of(text: str, number: WrittenNumber) -> tuple[int, int]:
    """Return the beginning and the end of the clause with a number."""
    spans = [(a, b) for a, b in clauses_of(text) if a <= number.start < b]
    return spans[0] if spans else (0, len(text))


_CLAUSE = re.compile(
    rf"[,;:](?!\d)|(?<![\d\s]),|[{COMMA};:{EM_DASH}]|\s-\s|\s(?={expressions('clause_begins')}\s)"
)


def is_in_brackets(text: str, number: WrittenNumber) -> bool:
    """Return True if a number stands in brackets."""
    before = text[: number.start]
    return before.rfind("(") > before.rfind(")") and ")" in text[number.end :]


def is_cut(text: str, last: Sentence) -> bool:
    """Return True if a reply breaks off in the middle of its last sentence."""
    body = last.text.rstrip()
    if _HANGING.search(body):
        return True
    if _COMPLETE.search(body):
        return False
    if last.numbers and _GOES_ON.match(body[last.numbers[-1].end :]):
        return True
    if len(text.split()) < 12 and not SCRIPT.search(text):
        return False
    if not last.numbers:
        return len(body.split()) > 6 and "\n" not in text[-len(body) - 1 :][:1]
    tail = body[last.numbers[-1].end :]
    single = len(body) + 2 >= len(text.strip())
    return len(re.findall(r"\w+", tail)) > 2 and not single and "," in tail


_GOES_ON = re.compile(rf"[^,{COMMA}]{{0,40}}[,{COMMA}]\s(?:\w+\s?){{3}}")
_COMPLETE = re.compile(rf"(?:[.!?{STOP})\]}}\"'%|]|{expressions('ends_reply')})\s*$")
_HANGING = re.compile(rf"[,;:({COMMA}=+{TIMES}]\s*$|{expressions('hanging')}\s*$", re.IGNORECASE)


def content_of(text: str) -> list[str]:
    """Return the beginnings of the words of a text that are not frequent ones; of unspaced
    languages, pairs of letters."""
    small = {word for language in languages_of(text) for word in language.small_words.split()}
    words = re.findall(r"[^\W\d_]+", text.casefold())
    sentences: list[str] = []
    for word in words:
        if SCRIPT.search(word):
            sentences += [word[k : k + 2] for k in range(len(word) - 1)]
        elif len(word) > 1 and word not in small:
            sentences.append(word[:5])
    return sentences


SCRIPT = re.compile(f"[{joined('script')}]")
"""A letter of a language without spaces."""
