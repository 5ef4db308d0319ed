"""Verdicts on single options: "B is correct", "A and C are wrong", a tick after D."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import cache

from gfactor.scoring.extraction.candidates import NTH, ReadingTask, ReadLabels, counted
from gfactor.scoring.extraction.claims import STATED, Claim
from gfactor.scoring.extraction.factuality import HEDGE, Sentences, is_real, sentences_of
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.marked_options import read_marked, read_text_lines
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    expressions,
    finder,
    nth_named,
    phrases,
)
from gfactor.scoring.extraction.signs import (
    ARROW,
    CROSSES,
    DASHES,
    EMPTY_BOX,
    ROUND_MARKS,
    TICKED_BOX,
    TICKS,
)
from gfactor.scoring.extraction.verdict_tables import (
    RIGHT_MARK,
    WRONG_MARK,
    read_letters,
    read_marks,
    read_sides,
    read_table,
)

_LINE_VERDICT = re.compile(
    rf"[^\n]{{0,300}}?[\s:\-{DASHES}(=,.;{COMMA}{ARROW}|]*(?<![A-Za-z\u00c0-\u024f])(?:(?P<right>{RIGHT_MARK})"
    rf"|(?P<wrong>{WRONG_MARK}))\s*[.){STOP};,!]*\s*(?:\([^()\n]{{3,100}}\)[.{STOP}]?\s*)?(?:\n|$)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    rf"\s*[.:)\-{DASHES},]*\s*(?:(?P<right>{expressions('answers_right')})"
    rf"|(?P<wrong>{expressions('answers_wrong')}))\s*[,.;:({DASHES}-]",
    re.IGNORECASE,
)
"""A line that answers for its option and goes on: "A: no, it would rust"."""
_TOO_MANY = 2000
_MOST_LINES = 300


@dataclass
class Verdicts:
    """Verdicts of a reply on single options.

    Parameters
    ----------
    right: claims, one for each place where options are called right.
    wrong: label to the last place in the text where it is called wrong.
    lines_right, lines_wrong: labels of lines that are one option and a verdict each.
    lines: labels of all lines that begin with one.
    """

    right: list[Claim] = field(default_factory=list)
    wrong: dict[str, int] = field(default_factory=dict)
    lines_right: list[str] = field(default_factory=list)
    lines_wrong: list[str] = field(default_factory=list)
    lines: set[str] = field(default_factory=set)


def find_verdicts(text: str, task: ReadingTask) -> Verdicts:
    """Return all verdicts in `text`, which is cleaned prose, without conditional ones and
    questions."""
    sentences = sentences_of(text)
    verdicts = Verdicts()
    groups = groups_in(text, task)
    for group in groups:
        after = _past_text(text, group.end, task)
        if _wrong().match(text, after) or _not_before().search(
            text[max(0, group.start - 30) : group.start]
        ):
            verdicts.wrong |= {label: group.start for label in group.labels}
        elif (match := finder("right").match(text, after)) and not task.grammar.is_name(
            text, group.start
        ):
            several = group.joined == "or" or (len(group.labels) > 1 and not task.many)
            trouble = "outside" if group.outside else "ambiguous" if several else ""
            value = ReadLabels(frozenset(group.labels), trouble, group.start, match.end())
            claim = Claim(value, STATED, "verdict", group.start)
            if is_real(claim, sentences):
                verdicts.right.append(claim)
    verdicts.right += _of_ordinals(text, task, sentences)
    _read_lines(text, groups, task, verdicts)
    return verdicts


@cache
def _wrong() -> re.Pattern[str]:
    """Match a verdict that a label is wrong, or a denial that ends after "not": "B is not."."""
    return re.compile(rf"{phrases('wrong')}|{phrases('denied')}(?=\s*(?:[.;!,){STOP}\n]|$))")


def _of_ordinals(text: str, task: ReadingTask, sentences: Sentences) -> list[Claim]:
    """Options named by their place and called right: "the third option is correct"."""
    claims: list[Claim] = []
    for ordinal in [*NTH.finditer(text), *_NUMBERED.finditer(text)][-100:]:
        value = counted(text, ordinal.start(), task)
        space = re.compile(r"\s*").match(text, value.end) if value else None
        if value is None or space is None or not finder("right").match(text, space.end()):
            continue
        if task.many:
            value = _with_ordinals_before(text, value, task)
        claim = Claim(value, STATED, "verdict", value.start)
        if is_real(claim, sentences):
            claims.append(claim)
    return claims


def _with_ordinals_before(text: str, value: ReadLabels, task: ReadingTask) -> ReadLabels:
    """The option named by its place, with another one before it: "the first and the third one"."""
    before = _ORDINAL_AND.search(text, max(0, value.start - 40), value.start)
    number = nth_named(before) if before else 0
    if before is None or not 0 < number <= len(task.grammar.labels):
        return value
    labels = value.labels | {task.grammar.labels[number - 1]}
    return ReadLabels(frozenset(labels), value.trouble, before.start(), value.end)


_ORDINAL_AND = re.compile(
    rf"(?<![{LATIN}])(?:{expressions('ordinal')})\s+{expressions('and_short')}\s"
    rf"(?:{expressions('the')}\s)?$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(expressions("numbered_verdict"))


def groups_in(text: str, task: ReadingTask) -> list[LabelGroup]:
    """Return all groups of labels in the text, from left to right, not overlapping; at most
    2,000."""
    groups: list[LabelGroup] = []
    at = 0
    for match in task.grammar.mention.finditer(text):
        if match.start() < at or len(groups) >= _TOO_MANY:
            continue
        group = task.grammar.group_at(text, match.start())
        if group is not None:
            groups.append(group)
            at = group.end
    return groups


def _past_text(text: str, end: int, task: ReadingTask) -> int:
    """Return the start of a verdict on a label: after its option's text and a bracketed remark."""
    match = _REMARK.match(text, end)
    after = match.end() if match else end
    gap = re.compile(r"\)?\s").match(text, after)
    option = task.texts.at(text, gap.end()) if gap else None
    if option is None or not text[:end].endswith((option[0], f"{option[0]})")):
        separator = re.compile(rf"\s*[.:,\-{DASHES}]\s*").match(text, after)
        option = task.texts.at(text, separator.end()) if separator else None
    if option:
        after = option[1]
    space = re.compile(r"[ \t]*,?[ \t]*").match(text, after)
    return space.end() if space else after


_REMARK = re.compile(r"\s*\([^()\n]{1,80}\)")


@cache
def _not_before() -> re.Pattern[str]:
    """Return the pattern of words that reject the labels after them: "not", "rule out options"."""
    return re.compile(
        rf"{phrases('not_before')}\s*(?:(?:{expressions('the')}|{expressions('elided')})\s+)?(?:{phrases('option')})?\s*$"
    )


def _read_lines(text: str, groups: list[LabelGroup], task: ReadingTask, verdicts: Verdicts) -> None:
    """Lines, or clauses, that are a label and end in a verdict, one after the other."""
    for start, end in _segments(text):
        begin = re.compile(rf"\s*(?:\d{{1,2}}[.)]\s+)?(?:{phrases('option')}\s*)?").match(
            text, start
        )
        group = task.grammar.group_at(text, begin.end() if begin else start)
        if group is None or len(group.labels) != 1 or group.outside:
            continue
        rest = text[group.end : end]
        verdicts.lines.add(group.labels[0])
        verdict = _LINE_VERDICT.match(rest)
        others = [g for g in groups if group.end < g.start < end and not g.outside]
        if verdict is None and any(task.texts.at(text, group.end + k) for k in (1, 2)):
            verdict = _ANSWERED.match(text, _past_text(text, group.end, task), end)
            others = []
        elif verdict is None:
            verdict = (
                None if any(_ANSWERED.match(text, g.end) for g in others) else _ANSWERED.match(rest)
            )
            others = []
        if (
            verdict is None
            or (others and others[0].labels != group.labels)
            or task.texts.whole(rest.lstrip(" .:)-"))
            or HEDGE.search(rest)
        ):
            continue
        side = verdicts.lines_right if verdict["right"] else verdicts.lines_wrong
        side.append(group.labels[0])
    if not verdicts.lines_right and not verdicts.lines_wrong:
        _read_ticks(text, task, verdicts)
    if not verdicts.lines_right and not verdicts.lines_wrong:
        _read_row(text, groups, task, verdicts)
    for read in (read_letters, read_sides, read_marks, read_table, read_marked, read_text_lines):
        if not verdicts.lines_right and not verdicts.lines_wrong:
            for label, is_right in read(text, task):
                verdicts.lines.add(label)
                (verdicts.lines_right if is_right else verdicts.lines_wrong).append(label)


def _segments(text: str) -> deque[tuple[int, int]]:
    """Lines, and the parts of a line that begin with a label after a semicolon or a stop."""
    segments: deque[tuple[int, int]] = deque(maxlen=_MOST_LINES)
    for line in re.finditer(r"[^\n]{1,400}", text):
        starts = [m.end() for m in _next_option().finditer(text, *line.span())]
        segments.extend(zip([line.start(), *starts], [*starts, line.end()], strict=True))
    return segments


@cache
def _next_option() -> re.Pattern[str]:
    return re.compile(rf"[;{STOP}]\s?(?=(?:{phrases('option')}\s?)?[(\[]?[A-Z](?![A-Za-z']))")


def _read_ticks(text: str, task: ReadingTask, verdicts: Verdicts) -> None:
    """Lines that begin with a tick or an empty box and a label, at least one of either kind."""
    ticks = list(_TICKED.finditer(text))[-_MOST_LINES:]
    if len({m["label"] for m in ticks}) != len(ticks) or len({bool(m["right"]) for m in ticks}) < 2:
        return
    for match in ticks:
        if match["label"] in task.grammar.labels:
            side = verdicts.lines_right if match["right"] else verdicts.lines_wrong
            side.append(match["label"])


_TICKED = re.compile(
    rf"(?:(?:^|\n)[ \t]{{0,4}}|[ \t](?=[{EMPTY_BOX}{TICKED_BOX}\[]))"
    rf"(?:(?P<right>\[[xX{TICKS}]\]|[{TICKS}{TICKED_BOX}])|\[\s?\]"
    rf"|[{EMPTY_BOX}{CROSSES}])\s{{0,3}}[(\[]?"
    r"(?P<label>[A-Z]|\d)(?![A-Za-z0-9])"
)


def _read_row(text: str, groups: list[LabelGroup], task: ReadingTask, verdicts: Verdicts) -> None:
    """Labels with only verdicts between them: "(A) no (B) yes", "A: true, B: false"."""
    groups = [g for g in groups if not g.outside]
    ends = [*(g.start for g in groups[1:]), len(text)][: len(groups)]
    signs = [
        (g, _ROW_VERDICT.fullmatch(text, g.end, end)) for g, end in zip(groups, ends, strict=True)
    ]
    signed = [m for m in _SIGNED.finditer(text) if m[1] in task.grammar.labels]
    if len({m[1] for m in signed}) > 1 and any(not (m["right"] or m["too"]) for m in signed):
        for match in signed:
            verdicts.lines.add(match[1])
            is_right = match["right"] or match["too"]
            (verdicts.lines_right if is_right else verdicts.lines_wrong).append(match[1])
        return
    judged = [(g.labels[0], m) for g, m in signs if m and len(g.labels) == 1 and not g.outside]
    if len(judged) < 2:
        return
    for label, match in judged:
        verdicts.lines.add(label)
        (verdicts.lines_right if match["right"] else verdicts.lines_wrong).append(label)


_SIGNED = re.compile(
    rf"(?<![A-Za-z\u00c0-\u024f])([A-Z])\s?(?:[(:=]\s?(?:(?P<right>[O{ROUND_MARKS}{TICKS}])|[X{CROSSES}])"
    rf"|(?:(?P<too>[{ROUND_MARKS}{TICKS}]|(?<=\s)O)|[{CROSSES}]|(?<=\s)X))"
    rf"\)?(?=[\s,;/.{COMMA}]|$)"
)
_ROW_VERDICT = re.compile(
    rf"\s*[.:)\]\-{DASHES}=,?]?\s*\(?\s*(?:(?P<right>{RIGHT_MARK})"
    rf"|(?P<wrong>{WRONG_MARK}))[\s.,;/|()\[{STOP}]*",
    re.IGNORECASE,
)
