"""Verdicts on single options: "B is correct", "A and C are wrong", "D ✓", "B正确，C错误"."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import cache

from gfactor.scoring.reading.claims import STATED, Claim, Sentences
from gfactor.scoring.reading.labels import Group
from gfactor.scoring.reading.markers import finder, phrases
from gfactor.scoring.reading.values import Task, Value

_RIGHT_MARK = (
    r"✓|✔|✅|☑|√|(?<!in)correct|right|true|yes|(?<!不)正确|(?<!不)正確|(?<!不)对|(?<!不)對"
    r"|(?<!不)符合(?:题意|要求|条件|规律)?|(?<!not )fits|(?<!not )matches|(?<!ne )convient"
    r"|(?<!no )(?<!não )encaixa|(?<!no )encaja|(?<!in)correcte?|juste|vraie?"
    r"|(?<!in)correct[oa]|verdader[oa]|(?<!in)corret[oa]|cert[oa]|verdadeir[oa]|맞음|정답|옳음"
)
_WRONG_MARK = (
    r"✗|✘|✕|❌|×|wrong|incorrect|false|not correct|no|错误?|錯誤?|不正确|不对|不對|不正確"
    r"|不符合?(?:题意|要求|条件|规律)?|does(?: not|n't) (?:fit|match|work|hold)|ne convient pas"
    r"|não encaixa|no encaja|incorrecte|faux|fausse"
    r"|incorrect[oa]|fals[oa]|incorret[oa]|errad[oa]|틀림|오답|아님"
)
_LINE_VERDICT = re.compile(
    rf"[^\n]{{0,160}}?[\s:\-–—(=,.;、→|]*(?<![A-Za-zÀ-ɏ])(?:(?P<right>{_RIGHT_MARK})"
    rf"|(?P<wrong>{_WRONG_MARK}))\s*[.)。;,!]*\s*(?:\n|$)",
    re.IGNORECASE,
)
_TOO_MANY = 2000
_MOST_LINES = 300


@dataclass
class Verdicts:
    """What was said of single options.

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


def find_verdicts(text: str, task: Task) -> Verdicts:
    """All verdicts in `text`, cleaned prose; conditional and asked ones left out."""
    sentences = Sentences(text)
    verdicts = Verdicts()
    groups = groups_in(text, task)
    for group in groups:
        after = _past_text(text, group.end, task)
        if finder("wrong").match(text, after) or _not_before().search(
            text[max(0, group.start - 30) : group.start]
        ):
            verdicts.wrong |= {label: group.start for label in group.labels}
        elif (match := finder("right").match(text, after)) and not task.grammar.is_name(
            text, group.start
        ):
            before = sentences.clause_before(group.start)
            if finder("unreal").search(before) or sentences.is_asked(match.end()):
                continue
            several = group.joined == "or" or (len(group.labels) > 1 and not task.many)
            trouble = "outside" if group.outside else "ambiguous" if several else ""
            value = Value(frozenset(group.labels), trouble, group.start, match.end())
            verdicts.right.append(Claim(value, STATED, "verdict", group.start))
    _read_lines(text, groups, task, verdicts)
    return verdicts


def groups_in(text: str, task: Task) -> list[Group]:
    """All groups of labels in the text, from left to right, not overlapping; at most 2,000."""
    groups: list[Group] = []
    at = 0
    for match in task.grammar.mention.finditer(text):
        if match.start() < at or len(groups) >= _TOO_MANY:
            continue
        group = task.grammar.group_at(text, match.start())
        if group is not None:
            groups.append(group)
            at = group.end
    return groups


def _past_text(text: str, end: int, task: Task) -> int:
    """Where a verdict on a label may begin: behind its option's text and a remark in brackets."""
    match = _REMARK.match(text, end)
    after = match.end() if match else end
    separator = re.compile(r"\s*[.:,\-–—]\s*").match(text, after)
    found = task.texts.at(text, separator.end()) if separator else None
    if found:
        after = found[1]
    space = re.compile(r"[ \t]*,?[ \t]*").match(text, after)
    return space.end() if space else after


_REMARK = re.compile(r"\s*\([^()\n]{1,80}\)")


@cache
def _not_before() -> re.Pattern[str]:
    """What rejects the labels right behind it: "not", "rule out options"."""
    return re.compile(
        rf"{phrases('not_before')}\s*(?:(?:the|la|el|l'|a|o|le)\s+)?(?:{phrases('option')})?\s*$"
    )


def _read_lines(text: str, groups: list[Group], task: Task, verdicts: Verdicts) -> None:
    """Lines, or clauses, that are a label and end in a verdict, one after the other."""
    lines = re.finditer(r"(?:^|\n)[^\n]{1,300}", text)
    for line in deque(lines, maxlen=_MOST_LINES):
        start = line.start() + (text[line.start()] == "\n")
        begin = re.compile(rf"\s*(?:\d{{1,2}}[.)]\s+)?(?:{phrases('option')}\s*)?").match(
            text, start
        )
        group = task.grammar.group_at(text, begin.end() if begin else start)
        if group is None or len(group.labels) != 1 or group.outside:
            continue
        rest = text[group.end : line.end()]
        verdicts.lines.add(group.labels[0])
        verdict = _LINE_VERDICT.match(rest)
        others = [g for g in groups if group.end < g.start < line.end() and not g.outside]
        if (
            verdict is None
            or (others and others[0].labels != group.labels)
            or task.texts.whole(rest.lstrip(" .:)-"))
        ):
            continue
        side = verdicts.lines_right if verdict["right"] else verdicts.lines_wrong
        side.append(group.labels[0])
    if not verdicts.lines_right and not verdicts.lines_wrong:
        _read_row(text, groups, verdicts)


def _read_row(text: str, groups: list[Group], verdicts: Verdicts) -> None:
    """Labels and nothing but verdicts between them: "(A) no (B) yes", "A: true, B: false"."""
    ends = [*(g.start for g in groups[1:]), len(text)][: len(groups)]
    found = [
        (g, _ROW_VERDICT.fullmatch(text, g.end, end)) for g, end in zip(groups, ends, strict=True)
    ]
    judged = [(g.labels[0], m) for g, m in found if m and len(g.labels) == 1 and not g.outside]
    if len(judged) < 2:
        return
    for label, match in judged:
        verdicts.lines.add(label)
        (verdicts.lines_right if match["right"] else verdicts.lines_wrong).append(label)


_ROW_VERDICT = re.compile(
    rf"\s*[.:)\]\-–—=,(]?\s*(?:(?P<right>{_RIGHT_MARK})|(?P<wrong>{_WRONG_MARK}))[\s.,;|()\[。]*",
    re.IGNORECASE,
)
