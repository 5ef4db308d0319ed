"""Marks beside options, whatever names these: "Oil [x]", "( ) A (X) B", "1: passed / 2: failed".

Ticks, crosses and boxes part a reply into pieces; each piece names one option, by its label, its
text or its number, and all marks stand on the same side of it. Lines that begin with the text of an
option may end in a verdict of one word instead.
"""

from __future__ import annotations

import re

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.factuality import HEDGE
from gfactor.scoring.extraction.markers import COMMA, LATIN, LETTER, STOP, expressions
from gfactor.scoring.extraction.signs import (
    ARROW,
    ARROWS,
    BULLETS,
    CIRCLED,
    CROSSED_BOX,
    CROSSES,
    DASHES,
    EMPTY_BOX,
    EMPTY_SQUARE,
    FULL_CIRCLE,
    FULL_SQUARE,
    MIDDLE_DOT,
    ROUND_MARKS,
    TICKED_BOX,
    TICKS,
)
from gfactor.scoring.extraction.verdict_tables import RIGHT_MARK, WRONG_MARK, Judged

_LONGEST = 3000
_LONGEST_PIECE = 300
_LONGEST_REST = 200

_EMPTY = re.compile(rf"\[\s?\]|\(\s?\)|[{EMPTY_BOX}{EMPTY_SQUARE}]")
_MARK = re.compile(
    rf"(?P<empty>{_EMPTY.pattern})"
    rf"|(?P<full>{FULL_SQUARE}|\(\s?[{FULL_CIRCLE}{BULLETS}*]\s?\))"
    rf"|(?P<tick>\[\s?[vV{TICKS}]\s?\]|\(\s?[vV{TICKS}]\s?\)|(?<![\w(])[{TICKS}](?![\w(])|[{TICKED_BOX}{ROUND_MARKS}]|(?<![{LETTER}])O(?![{LETTER}']))"
    rf"|(?P<letter>\[\s?[xX]\s?\]|\(\s?[xX]\s?\)|[{CROSSED_BOX}])"
    rf"|(?P<cross>(?<![\d)]\s)(?<![\d)])[{CROSSES}](?!\s?[\d(])|(?<![{LETTER}])X(?![{LETTER}']))"
)
"""Marks; a box with an X is chosen beside empty ones, and rejected beside ticks."""
_NUMBER = re.compile(
    rf"(?<![\d.,{LETTER}])(?:(?P<n>[1-9])(?![\d.,]\d|[{LETTER}%])|(?P<circled>[{CIRCLED}]))"
)


def read_marked(text: str, task: ReadingTask) -> Judged:
    """Return the options of a reply with one mark each; empty if the marks do not fit them."""
    body = text.strip()
    marks = list(_MARK.finditer(body)) if len(body) <= _LONGEST else []
    labels = task.grammar.labels
    if not 2 <= len(marks) <= len(labels) or {"O", "X", "V"} & {*labels}:
        return []
    chosen = _chosen({str(m.lastgroup) for m in marks})
    if not chosen:
        return []
    ends = [0, *(m.end() for m in marks)]
    starts = [*(m.start() for m in marks), len(body)]
    pieces = [body[a:b] for a, b in zip(ends, starts, strict=True)]
    for inside, rest in ((pieces[:-1], pieces[-1]), (pieces[1:], pieces[0])):
        named = _named(inside, rest, task)
        if named:
            return [(x, m.lastgroup in chosen) for x, m in zip(named, marks, strict=True)]
    return []


def _chosen(kinds: set[str]) -> set[str]:
    """Return the kinds of marks that choose an option; empty if only one kind is there."""
    if "empty" in kinds:
        return kinds - {"empty"} if len(kinds) == 2 else set()
    return {"tick"} if "tick" in kinds and len(kinds) == 2 and "full" not in kinds else set()


def _named(pieces: list[str], rest: str, task: ReadingTask) -> list[str]:
    """Return the option that each piece names; empty if one names none or several, or two the
    same one."""
    if len(rest) > _LONGEST_REST or any(len(piece) > _LONGEST_PIECE for piece in pieces):
        return []
    for names_in in (_labels_in, _numbers_in):
        named = [names_in(piece, task) for piece in pieces]
        flat = [x for names in named for x in names]
        if all(len(names) == 1 for names in named) and len({*flat}) == len(flat):
            is_whole = names_in is _labels_in or flat == list(task.grammar.labels)
            return flat if is_whole and not _labels_in(rest, task) else []
    return []


def _labels_in(piece: str, task: ReadingTask) -> set[str]:
    """Return the labels of the options that a piece names by their label or text."""
    named = {label for label, _, _ in task.texts.mentions(piece)}
    for match in task.grammar.mention.finditer(piece):
        group = task.grammar.group_at(piece, match.start())
        named |= {*group.labels} if group else set()
    return named


def _numbers_in(piece: str, task: ReadingTask) -> set[str]:
    """Return the labels of the options that a piece names by their number."""
    labels = task.grammar.labels
    numbers = {int(m["n"]) if m["n"] else CIRCLED.index(m["circled"]) + 1
               for m in _NUMBER.finditer(piece)}  # fmt: skip
    if not all(label.isalpha() for label in labels) or task.texts.circled:
        return set()
    is_held = any(task.texts.holds(str(number)) for number in numbers)
    return set() if is_held else {labels[n - 1] if n <= len(labels) else "?" for n in numbers}


def is_box_list(text: str, task: ReadingTask) -> bool:
    """Return True if a reply is a list of all options with a box each, some of them chosen: a line
    of it is no answer by itself."""
    empty = _EMPTY.search(text)
    return bool(empty) and {label for label, _ in read_marked(text, task)} == {*task.grammar.labels}


def read_text_lines(text: str, task: ReadingTask) -> Judged:
    """Return the verdicts of lines that begin with the texts of the options, one line each."""
    judged: Judged = []
    for line in text[:_LONGEST].split("\n"):
        lead = _LEAD.match(line)
        option = task.texts.at(line, lead.end() if lead else 0)
        if option is None:
            continue
        rest = line[option[1] :]
        begun, ended = _BEGUN.match(rest), _ENDED.search(rest) or _LED_TO.fullmatch(rest)
        sides = {bool(m["right"]) for m in (begun, ended) if m}
        if len(sides) != 1 or HEDGE.search(rest):
            return []
        judged.append((option[0], sides.pop()))
    names = [label for label, _ in judged]
    if {"O", "X", "V"} & {*task.grammar.labels}:
        return []
    is_list = 1 < len({*names}) == len(names) == len(task.grammar.labels)
    return judged if is_list and len({side for _, side in judged}) == 2 else []


_LEAD = re.compile(rf"\s*(?:[-*|{BULLETS}]\s+)?(?:\d{{1,2}}[.)]\s+|[(\[]?[A-Z][.):\]]\s+)?[\"'(]?")
_WORD_END = rf"(?![{LATIN}])"
_BEGUN = re.compile(
    rf"[\"')]*\s*[:.,\-{DASHES}{ARROW}|=>(]+\s*(?:(?P<right>{RIGHT_MARK})|(?P<wrong>{WRONG_MARK}))"
    rf"{_WORD_END}(?=\s*(?:[.,;:!)(|\-{DASHES}{STOP}{COMMA}]|$))",
    re.IGNORECASE,
)
"""A verdict right after the text: "Apples - yes, three of them"."""
_ENDED = lazy_pattern(
    rf"(?:[\s.,;:|(={DASHES}{ARROW}{STOP}{COMMA}-]|{expressions('is_sign')})(?<![{LATIN}])"
    rf"(?:(?P<right>{RIGHT_MARK})|(?P<wrong>{WRONG_MARK}))\s*[.!){STOP}]*\s*$",
    re.IGNORECASE,
)
"""A verdict at the end of the line: "so this is false."."""


_LED_TO = re.compile(
    rf"[\s.:_=>|{MIDDLE_DOT}{DASHES}{ARROW}-]*(?<=[\s.:|])(?:(?P<right>[OV]|{RIGHT_MARK}|{expressions('mark_word')})"
    rf"|(?P<wrong>[X{CROSSES}{CROSSED_BOX}{DASHES}-]))[\s|]*"
)
"""Dots, or the edge of a cell, and a mark that ends the line: "Oil ....... X"."""


def read_arrows(text: str, task: ReadingTask) -> frozenset[str]:
    """Return the options of a list whose entries each end in an arrow and a label: "the gate is
    open -> D"; empty if there are fewer than two, or if two entries have the same label."""
    labels = [m["label"] for m in _ARROWED.finditer(text[:_LONGEST])]
    is_list = 1 < len(labels) == len({*labels}) < len(task.grammar.labels)
    return frozenset(labels) if is_list and {*labels} <= {*task.grammar.labels} else frozenset()


_ARROWED = re.compile(rf"(?:[{ARROWS}]|[-=]>)\s?[(\[]?(?P<label>[A-Z])[)\].]?[ \t]*$", re.MULTILINE)


def odd_one(judged: Judged, labels: tuple[str, ...]) -> str | None:
    """Return the only option with another mark than all the others of an item; None if there is
    none."""
    sides = [side for _, side in judged]
    if len({*labels}) < 3 or sorted(label for label, _ in judged) != sorted(labels):
        return None
    for side in (True, False):
        if sides.count(side) == 1:
            return next(label for label, is_right in judged if is_right is side)
    return None
