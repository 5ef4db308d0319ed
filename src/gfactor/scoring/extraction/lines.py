"""Lines that contain only an answer, and replies that begin with one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise

from gfactor.scoring.extraction.candidates import NTH_PART, ReadingTask, ReadLabels, counted
from gfactor.scoring.extraction.claims import HINTED, MARKED, OFFERED, STATED, Claim
from gfactor.scoring.extraction.closing import NO_ANSWER
from gfactor.scoring.extraction.factuality import NEGATION, REJECTED
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import (
    COMMA,
    LETTER,
    STOP,
    each,
    expressions,
    finder,
    phrases,
)
from gfactor.scoring.extraction.signs import DASHES, TICKED_BOX, TICKS
from gfactor.scoring.extraction.values import at, or_follows, read_whole

_LONGEST = 400
_LONGEST_LIST = 60
_LINE = re.compile(r"[^\n]*[^\s][^\n]*")
_LEAD = re.compile(
    rf"\s*(?:\.(?=\s*(?:[A-Z\u00c0-\u00de\"'(]|[^\x00-\x7f\u00c0-\u024f]|\d|$))|[,:;)]|\s(?:[-{DASHES}]"
    rf"|--)\s(?=[{LETTER}]{{2}}"
    rf"|[{LETTER}]\s[{LETTER}])|"
    rf"\s+{expressions('because_lead')}\b|{expressions('joined_because')}|[:{STOP}{COMMA}]|\s*\()"
)
_AFTER_LABEL = re.compile(rf"[ \t]*(?:[.):,|\-{DASHES}]|$)", re.MULTILINE)
_BEFORE_LABEL = re.compile(r"[\s|]*")
_LONGEST_LABEL = 8


def find_lines(text: str, task: ReadingTask) -> list[Claim]:
    """Return claims made by the whole reply, or else by its last and first lines; none in a list of
    options.

    Several lines (or brackets in one line) that begin with different labels are a list.
    """
    lines = [(m.start(), m.end()) for m in _LINE.finditer(text)]
    if not lines:
        return []
    whole = _read(text, lines[0][0], lines[-1][1], task, MARKED, "whole")
    if whole is not None:
        offered = len(whole.value.labels) == len(task.grammar.labels) > 2
        return [] if offered and OFFERED.match(text[lines[0][0] :]) else [whole]
    if len(lines) < 27 and _differ(_read(text, *line, task, MARKED, "last line") for line in lines):
        return []
    heads = [_head(text, line, task) for line in lines[:60] + lines[60:][-60:]]
    before = [g.labels[0] for g in heads[:-1] if g and _is_set_off(text, g)]
    breaks_off = _opens_list(text, lines, heads, task) or _is_next(text, lines, heads, task)
    last = [] if breaks_off else _last(text, lines[-1], task)
    begins = [g.labels[0] for g in heads[:2] if g and _is_set_off(text, g)]
    if begins == list(task.grammar.labels[:2]) and len(task.grammar.labels) > 2:
        return last if _repeats(before, heads[-1]) else []
    if task.many and len(begins) == 2 == len(set(begins)):
        return last if _repeats(before, heads[-1]) else []
    if len(set(before)) > 1:
        if last and _repeats(before, heads[-1]):
            return last
        return _first_of_list(text, lines, heads, task)
    if len(_with_text_of_their_option(text, task)) > 1:
        return last if not task.texts.mentions(text[slice(*lines[-1])]) else []
    if listed := _last_lines(text, lines, task):
        return [listed]
    if last and len(lines) > 1:
        above = _read(text, *lines[-2], task, MARKED, "last line")
        if above and above.value.labels != last[0].value.labels:
            labels = above.value.labels | last[0].value.labels
            return [
                replace(
                    last[0], value=replace(last[0].value, labels=labels, trouble="contradiction")
                )
            ]
    if heads[0] and any(g and _has_remark(text, g) and g.labels != heads[0].labels for g in heads):
        return last
    return last + _first(text, lines[0], heads[0], task)


def _has_remark(text: str, head: LabelGroup) -> bool:
    """Return True if a remark in brackets follows the label of a line: "B (folds)"."""
    return bool(_REMARK.match(text, head.end))


_REMARK = re.compile(r"\s\([^()\n]{1,80}\)")


def _last_lines(text: str, lines: list[tuple[int, int]], task: ReadingTask) -> Claim | None:
    """The last lines of a reply for several options, one an entry below a line with a colon."""
    if not task.many or len(lines) < 3:
        return None
    entries: list[Claim] = []
    for line in reversed(lines[-len(task.grammar.labels) - 1 :]):
        claim = _read(text, *line, task, MARKED, "last line")
        if claim is None or claim.value.trouble or len(claim.value.labels) != 1:
            break
        entries.insert(0, claim)
    labels = frozenset(label for claim in entries for label in claim.value.labels)
    if not 1 < len(labels) == len(entries) < min(len(lines), len(task.grammar.labels)):
        return None
    above = text[slice(*lines[-len(entries) - 1])]
    if not above.rstrip().endswith(":") or _heads_no_answer(above):
        return None
    value = ReadLabels(labels, "", entries[0].value.start, entries[-1].end)
    return Claim(value, MARKED, "last line", entries[0].start)


def _heads_no_answer(above: str) -> bool:
    """Return True if a line says that the entries below it are rejected, or only offered."""
    return bool(NO_ANSWER.search(above) or REJECTED.search(above) or NEGATION.search(above))


def _differ(claims: Iterable[Claim | None]) -> bool:
    """Return True if every line is only an answer, and the answers differ."""
    answers: set[frozenset[str]] = set()
    for claim in claims:
        if claim is None:
            return False
        answers.add(claim.value.labels)
    return len(answers) > 1


def _is_set_off(text: str, head: LabelGroup) -> bool:
    """Return True if a mark, a bracket or the line's end divides a label from what follows."""
    return text[head.end - 1] in ")]" or bool(_AFTER_LABEL.match(text, head.end))


def _repeats(listed: list[str], last: LabelGroup | None) -> bool:
    """Return True if the last line follows a list of the options and names one of them again."""
    if last is None:
        return True
    return len(set(listed)) == len(listed) and last.labels[0] in listed


def _is_next(
    text: str, lines: list[tuple[int, int]], heads: list[LabelGroup | None], task: ReadingTask
) -> bool:
    """Return True if a reply breaks off at the next label of a list: below "| A | No |" "| B |"."""
    if len(lines) < 2 or heads[-1] is None or heads[-2] is None or heads[-1].outside:
        return False
    above, label = heads[-2].labels[0], heads[-1].labels[0]
    follows = (above, label) in pairwise(task.grammar.labels) and _is_set_off(text, heads[-2])
    alone = len(text[slice(*lines[-1])].strip(" \t|")) < _LONGEST_LABEL
    return follows and alone and "\n\n" not in text[lines[-2][1] : lines[-1][0]]


def _opens_list(
    text: str, lines: list[tuple[int, int]], heads: list[LabelGroup | None], task: ReadingTask
) -> bool:
    """Return True if the last line is the first option below "Let us see:", and nothing follows."""
    if len(lines) < 2 or heads[-1] is None or heads[-1].labels[0] != task.grammar.labels[0]:
        return False
    above = text[slice(*lines[-2])]
    return above.rstrip().endswith(":") and not any(
        finder(kind).search(above) for kind in ("announce", "heading", "weak", "conclusion")
    )


def _first_of_list(
    text: str, lines: list[tuple[int, int]], heads: list[LabelGroup | None], task: ReadingTask
) -> list[Claim]:
    """A first line that is an answer, if the list below it names all other options in order."""
    if len(lines) > _LONGEST_LIST:
        return []
    first, *others = [(line, head) for line, head in zip(lines, heads, strict=False) if head]
    claim = _read(text, *first[0], task, STATED, "first line")
    listed = [head.labels[0] for _, head in others]
    rest = [label for label in task.grammar.labels if claim and label not in claim.value.labels]
    set_apart = first[1].labels[0] != task.grammar.labels[0] or "\n\n" in text[first[0][1] :][:3]
    return [claim] if claim and listed == rest and set_apart and lines[0] == first[0] else []


def _head(text: str, line: tuple[int, int], task: ReadingTask) -> LabelGroup | None:
    """The single label with which a line begins."""
    edge = _BEFORE_LABEL.match(text, *line)
    start = edge.end() if edge else line[0]
    word = _option().match(text, start)
    group = task.grammar.group_at(text, word.end() if word else start)
    single = group is not None and len(group.labels) == 1 and not group.outside
    return group if single else None


def _is_one_of_many(text: str, head: LabelGroup) -> bool:
    """Return True if other labels are written as the first one is: "(A) no (B) no"."""
    opened = text[head.start] in "(["
    style = (
        r"[(\[]([A-Z])[)\]]"
        if opened
        else r"(?<![A-Za-z\u00c0-\u024f0-9(\[])([A-Z])[.):](?=\s|[^\x00-\x7f])"
    )
    return len({m[1] for m in re.finditer(style, text[:1000])}) > 1 or bool(
        re.match(r"\s?\([^()\n]{1,60}\)\s?[,;]\s?[A-Z]\s?\(", text[head.end :])
    )


def _with_text_of_their_option(text: str, task: ReadingTask) -> set[str]:
    """Return the labels that are followed by the texts of their options: "(A) the red kite"."""
    labels: set[str] = set()
    for label, start, _ in task.texts.mentions(text)[:200]:
        before = text[max(0, start - 12) : start]
        if re.search(
            rf"(?<![{LETTER}]){re.escape(label)}\s?[.):,\]\-{DASHES}]*\s*(?:[a-z']{{1,3}}\s)?$",
            before,
        ):
            labels.add(label)
    return labels


def _read(
    text: str, start: int, end: int, task: ReadingTask, strength: int, rule: str
) -> Claim | None:
    if end - start > _LONGEST:
        return None
    value = read_whole(text[start:end], task, strict=rule != "whole")
    if value is None or (rule == "whole" and _goes_on(text[start + value.end : end])):
        return None
    moved = ReadLabels(value.labels, value.trouble, start + value.start, start + value.end)
    return Claim(moved, strength, rule, start)


def _goes_on(rest: str) -> bool:
    """Return True if more than a remark in brackets follows the answer."""
    rest = rest.strip(f" \t\n.,;:!?{STOP})]}}\"'*{TICKS}{TICKED_BOX}")
    return bool(rest) and (not rest.startswith("(") or ")" in rest)


def _last(text: str, line: tuple[int, int], task: ReadingTask) -> list[Claim]:
    claim = _read(text, *line, task, MARKED, "last line")
    if claim is None and (sentence := _named().search(text, *line)):
        claim = _read(text, sentence.start(1), line[1], task, STATED, "last sentence")
    return [claim] if claim else []


@cache
def _option() -> re.Pattern[str]:
    return re.compile(rf"{expressions('line_article')}?(?:{phrases('option')}\s*)?", re.IGNORECASE)


_NO_STOP = "".join(
    f"(?<!{word})" for (words,) in each("abbreviations") for word in words.split("|")
)


@cache
def _named() -> re.Pattern[str]:
    """Match a last sentence that is only a label or "option" and a label: "So it is 0.5. B"."""
    return re.compile(
        rf"(?:[.!{STOP}]\s*(?={phrases('option')})"
        rf"|(?<=[a-z\u00e0-\u00ff]{{2}}){_NO_STOP}[.!]\s(?=[(\[\"']?[A-Z]\b))"
        rf"(?={phrases('option')}|.{{1,4}}[.!{STOP}]\s*$)"
        rf"((?:{phrases('option')}\s*)?[^\s\w]?\w{{1,2}}[^\s\w]?[.!{STOP}]?)\s*$"
    )


def _several_lead(text: str, start: int, task: ReadingTask) -> list[Claim]:
    """Return a claim if a reply begins with several labels and a stop: "A and C. B is wrong."."""
    value = at(text, start, task)
    if value is None or value.trouble or len(value.labels) < 2 or not _LEAD.match(text, value.end):
        return []
    if or_follows(text, value.end):
        return []
    return [Claim(value, HINTED, "lead", start)]


def _first(
    text: str, line: tuple[int, int], head: LabelGroup | None, task: ReadingTask
) -> list[Claim]:
    """Read a first line that is an answer, or the answer with which a longer reply begins."""
    claim = _read(text, *line, task, STATED, "first line")
    if claim:
        return [claim]
    if task.many and (led := _several_lead(text, line[0], task)):
        return led
    if head is not None:
        behind = task.grammar.group_at(text, head.end + len(": ")) if head else None
        if behind and text[head.end : head.end + 1] == ":" and behind.end >= line[1]:
            return []
        if (
            head.labels[0] != "I"
            and not _is_one_of_many(text, head)
            and not (task.many and (value := at(text, head.start, task)) and value.trouble)
            and (text[head.end - 1] in ")]:" or _LEAD.match(text, head.end))
        ):
            value = ReadLabels(frozenset(head.labels), "", head.start, head.end)
            return [Claim(value, HINTED, "lead", head.start)]
        return []
    first = re.compile(rf"[^.,:;!?{STOP}\n]{{1,24}}(?=[.,:;!{STOP}](?!\.))").match(text, line[0])
    said = _named_alone(first[0], task) if first else None
    if first and said and not _is_listed(text, said, first.end(), task):
        value = ReadLabels(frozenset({said}), "", line[0], first.end())
        return [Claim(value, HINTED, "lead", line[0])]
    option = task.texts.at(text, line[0])
    follows = re.match(rf"\s*[.,:;!{STOP}{COMMA}](?!\.)", text[option[1] :][:4]) if option else None
    if option and follows and not _is_listed(text, option[0], option[1], task):
        value = ReadLabels(frozenset({option[0]}), "", line[0], option[1])
        return [Claim(value, HINTED, "lead", line[0])]
    return []


def _named_alone(words: str, task: ReadingTask) -> str | None:
    """Return the option of which words consist, by its text or its place; with a remark in
    brackets, that must not name another one."""
    name, _, remark = words.partition("(")
    if remark and not remark.rstrip().endswith(")"):
        return None
    label = task.texts.whole(name)
    if remark and task.texts.whole(remark) not in (None, label):
        return None
    by_place = counted(name, 0, task) if label is None and len(task.grammar.labels) > 2 else None
    is_place = by_place is not None and not by_place.trouble and by_place.end == len(name.rstrip())
    return min(by_place.labels) if by_place and is_place and len(by_place.labels) == 1 else label


def _is_listed(text: str, label: str, end: int, task: ReadingTask) -> bool:
    """Return True if a comma and another option follow: "apples, pears and plums are", "the first,
    the second and"."""
    comma = re.compile(rf"\s*[,{COMMA}]\s*").match(text, end)
    if comma and task.many and NTH_PART.match(text, comma.end()):
        return True
    option = task.texts.at(text, comma.end()) if comma else None
    return option is not None and option[0] != label
