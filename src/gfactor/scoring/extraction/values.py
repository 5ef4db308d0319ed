"""Reading a short text that is an answer as a whole: a line, a tag's content, a JSON value."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels, counted
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    LETTER,
    STOP,
    expressions,
    finder,
    joined,
    phrases,
)
from gfactor.scoring.extraction.signs import (
    ARROW,
    BULLETS,
    CIRCLED,
    CROSSES,
    DASHES,
    PLAIN_TICKS,
    POINTING_HAND,
    TICKED_BOX,
    TICKS,
)

_EDGES = f" \t\n.,;:!?{STOP}{COMMA}'\"*"
_SEPARATOR = re.compile(rf"\s*[.):,={COMMA}|\-{DASHES}]+\s*|\s+")
_REMARK = re.compile(
    rf"\s*(?:$|[.,;:!?{STOP}{COMMA})\]\n(={DASHES}\-|]|[^\x00-\x7f\u00c0-\u024f]|\s(?![{LETTER}]))"
)
_TERMINAL = re.compile(
    rf"\s*(?:$|{expressions('sentence_particle')}|[.;:!?{STOP},)\]\n\"({DASHES}]|-\s)"
)
_BECAUSE = re.compile(rf"\s+{expressions('goes_on')}\b")


def read_whole(text: str, task: ReadingTask, *, strict: bool = False) -> ReadLabels | None:
    """Return the labels of which `text` consists; with `strict`, no remarks may follow them."""
    polite = _POLITE_LABEL.search(text)
    text = text[: polite.start()] if polite else text
    start = _begin(text)
    stripped = text.rstrip(_EDGES)
    if start >= len(stripped):
        return None
    group = task.grammar.group_at(text, start, lower=True)
    label = task.texts.whole(text[start:])
    if label and finder("option").search(text[:start]) and task.texts.counts_things:
        label = None
    if label and (group is None or group.outside or group.end < len(stripped)):
        return ReadLabels(frozenset({label}), "", start, len(stripped))
    value = at(text, start, task, lower=True)
    bare = stripped.rstrip(_EDGES + (")]}>" if strict else f")]}}>{TICKS}{TICKED_BOX}"))
    if value is None or value.end >= len(bare) or _rejects(bare, value.end, task):
        if value is None or (value.trouble == "ambiguous" and value.end < len(bare)):
            listed = _texts_of(stripped, start, task) if task.many else None
            value = listed or value
        return value or (_list_of(text, start, task) if task.many else None)
    rest = _POLITE.sub("", text[value.end :].rstrip(_EDGES)).lstrip(f" \t.):,-{DASHES}=/").strip()
    if rest and len(value.labels) == 1 and task.texts.whole(rest) in value.labels:
        return ReadLabels(value.labels, value.trouble, start, len(stripped))
    spread = _list_of(text, start, task) if task.many else None
    spread = spread or (_texts_of(stripped, start, task) if task.many else None)
    if spread is not None or strict:
        return spread or (value if value.trouble == "contradiction" else None)
    in_lower = text[value.start : value.end].strip("([{\"' )]}").islower()
    return None if in_lower or not _REMARK.match(text, value.end) else value


_POLITE_LABEL = re.compile(
    rf"(?<=[A-Z0-9{CIRCLED}{joined('numbered_sign')})]){expressions('polite_label')}[\s.!{STOP}]*$"
)
_POLITE = re.compile(rf"{expressions('polite')}$")


def at(text: str, start: int, task: ReadingTask, *, lower: bool = False) -> ReadLabels | None:
    """Read the labels, or the option text, that begin at `start`."""
    group = task.grammar.group_at(text, start, lower=lower)
    option = task.texts.at(text, start) if group and text[start].islower() else None
    if group is None or (option and option[1] > group.end):
        return counted(text, start, task) or _text_at(text, start, task)
    trouble = ""
    comma = _COMMA.match(text, group.end) if task.many else None
    if task.many and _BROKEN_OFF.match(text, group.end):
        trouble = "truncated"
    elif (task.many and _goes_on(text, group.end, task)) or (
        comma and task.grammar.group_at(text, comma.end())
    ):
        trouble = "ambiguous"
    elif group.outside:
        trouble = "outside"
    elif group.joined == "or" or (len(group.labels) > 1 and not task.many):
        trouble = "ambiguous"
    elif len(group.labels) == 1 and _other_text(text, group.end, group.labels[0], task):
        trouble = "contradiction"
    if trouble or group.joined == "run":
        return ReadLabels(frozenset(group.labels), trouble, start, group.end)
    more, end = _behind_texts(text, group, task)
    either = _either().match(text, end) if end > group.end else None
    if either and task.grammar.group_at(text, either.end()):
        trouble = "ambiguous"
    if not task.many:
        return ReadLabels(frozenset(group.labels), trouble, start, group.end)
    return ReadLabels(frozenset(group.labels) | more, trouble, start, end if more else group.end)


def _behind_texts(text: str, group: LabelGroup, task: ReadingTask) -> tuple[frozenset[str], int]:
    """The labels that follow, if each has its option's text after it; and their end.

    "A (Berlin), B (Paris) and D (Madrid)", "A: Berlin, B: Paris and D: Madrid".
    """
    labels: set[str] = set()
    end, last = group.end, group
    while passed := _past_own_text(text, last, task):
        end = passed
        link = _link().match(text, passed)
        following = task.grammar.group_at(text, link.end()) if link else None
        if following is None or following.outside or following.joined == "or":
            break
        if not (_past_own_text(text, following, task) or ends_here(text, following.end)):
            break
        labels |= {*following.labels}
        end, last = following.end, following
    return frozenset(labels), end


def _past_own_text(text: str, group: LabelGroup, task: ReadingTask) -> int | None:
    """The end of the option's text after its label, or of a remark in brackets; None if there is
    neither."""
    remark = _IN_BRACKETS.match(text, group.end)
    if remark and not (_JUDGED.search(remark[0]) or finder("not_before").search(remark[0])):
        return remark.end()
    separator = _OWN_TEXT.match(text, group.end)
    option = task.texts.at(text, separator.end()) if separator else None
    if separator is None or option is None or option[0] != group.labels[-1]:
        return None
    closing = re.compile(r"\s?[)\]]" if "(" in separator[0] or "[" in separator[0] else "").match(
        text, option[1]
    )
    return closing.end() if closing else None


_IN_BRACKETS = re.compile(r"\s?\([^()\n]{3,80}\)")
_JUDGED = re.compile(
    rf"[{TICKS}{TICKED_BOX}{CROSSES}?]|\b(?:{expressions('wrong_mark')}|{expressions('hedge')})\b",
    re.IGNORECASE,
)
_OWN_TEXT = re.compile(rf"\s?[(\[]\s?|\s?[:.)]\s|\s[{DASHES}-]\s|\s")


_COMMA = re.compile(r"\s*,\s*")


@cache
def _more() -> re.Pattern[str]:
    """Return the pattern of a link to a label that the list left out: "A and, as said, (C)"."""
    return re.compile(
        rf"\s*,?\s*(?:{phrases('both')}|&)[^.;!?{STOP}\n]{{0,30}}?(?=[\s(\[][A-Z](?![A-Za-z']))[\s]?"
    )


_BROKEN_OFF = re.compile(rf"\s*(?:[,{COMMA}&]|{expressions('broken_off')})\s*$")


def _text_at(text: str, start: int, task: ReadingTask) -> ReadLabels | None:
    """The option text that begins at `start`, with or without its own label in brackets after
    it."""
    option = task.texts.at(text, start)
    if option is None:
        return None
    label, end = option
    behind = _label_of_text().match(text, end)
    if behind and behind[1].upper() in task.grammar.ordered:
        trouble = (
            ""
            if task.grammar.labels[0].isalpha() and behind[1].upper() == label.upper()
            else ("contradiction")
        )
        end = behind.end()
    else:
        trouble = ""
    labels = {label}
    while task.many and not trouble:
        link = _link().match(text, end)
        further = task.texts.at(text, link.end()) if link else None
        if further is None or further[0] in labels:
            break
        labels.add(further[0])
        label_behind = _label_of_text().match(text, further[1])
        if label_behind and label_behind[1].upper() != further[0].upper():
            break
        end = label_behind.end() if label_behind else further[1]
    if not ends_here(text, end):
        return None
    if task.many and _goes_on(text, end, task):
        trouble = "ambiguous"
    return ReadLabels(frozenset(labels), trouble, start, end)


@cache
def _label_of_text() -> re.Pattern[str]:
    """A label in brackets after an option's text: "the red kite (option A)"."""
    return re.compile(rf"\s*[(\[]\s?(?:{phrases('option')}\s*)?([A-Za-z])\s?[)\]]")


def _goes_on(text: str, end: int, task: ReadingTask) -> bool:
    """Return True if a list goes on with a label or an option text that was not read."""
    more = _more().match(text, end) or _HEDGED.match(text, end)
    if more and finder("not_before").search(more[0]):
        return False
    if more and task.grammar.group_at(text, more.end()):
        return True
    link = _link().match(text, end)
    return bool(link and task.texts.at(text, link.end()))


_HEDGED = re.compile(expressions("hedged_more"), re.IGNORECASE)


@cache
def _link() -> re.Pattern[str]:
    return re.compile(
        rf"\s*(?:,?\s*(?:{phrases('both')}|&)|[,{COMMA}]|(?<=[^\W\d]\s)\+(?=\s[^\W\d]))\s*"
    )


def _rejects(text: str, end: int, task: ReadingTask) -> bool:
    """Return True if all that follows an answer is the rejection of others: "but not E"."""
    match = _rejection().match(text, end)
    group = task.grammar.group_at(text, match.end()) if match else None
    return bool(group and group.end >= len(text))


@cache
def _rejection() -> re.Pattern[str]:
    return re.compile(
        rf"[\s,;(]*(?:{expressions('but_not')}\s+)?{phrases('not_before')}\s*"
        rf"(?:{phrases('option')}\s*)?"
    )


def ends_here(text: str, end: int) -> bool:
    """Return True if the reading at `end` is complete: a mark, the end, or e.g. "because"."""
    return bool(
        _TERMINAL.match(text, end) or _BECAUSE.match(text, end) or _particle().match(text, end)
    )


def or_follows(text: str, end: int) -> bool:
    """Return True if an "or" follows the reading: "the blue drum (B), or the green bell"."""
    return bool(_either().match(text, end))


@cache
def _either() -> re.Pattern[str]:
    return re.compile(rf"\s*,?\s*{phrases('either')}")


def skip_fillers(text: str, at: int) -> int:
    """Return the position after at most five fillers ("clearly", "option", "la") from `at` on."""
    for _ in range(5):
        match = _filler().match(text, at)
        if match is None or match.end() == at:
            break
        at = match.end()
    return at


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(
        rf"[\s:,\"']*(?:{phrases('filler')}|{phrases('option')}"
        rf"|(?<![{LETTER}]){expressions('small_word')}(?=\s))[ \t:]*|\s+|:"
    )


@cache
def _particle() -> re.Pattern[str]:
    """The first words after an answer in unspaced languages, which go on without a space."""
    return re.compile(rf"\s*(?:{expressions('particle')}|[{STOP},])")


_LEAD_MARKS = re.compile(
    rf"(?:[A-Za-z]{{1,8}}\s?=\s?(?=[{{(\[]))?(?:[\s*:{PLAIN_TICKS}{TICKED_BOX}{POINTING_HAND}{ARROW}>=#{DASHES}]|\.(?!\d)|-(?!\.?\d))*"
)


def _begin(text: str) -> int:
    """Return the start of the answer in a value: after words such as "option" or "the"."""
    lead = _LEAD_MARKS.match(text)
    start = lead.end() if lead else 0
    for pattern in (_limiting(), _option_word()):
        word = pattern.match(text, start)
        start = word.end() if word else start
    return start


@cache
def _limiting() -> re.Pattern[str]:
    """Return the pattern of words before an answer that is the whole text: "both A and C"."""
    article = expressions("label_article")
    return re.compile(
        rf"(?:{phrases('only')}|(?i:{expressions('both_before')}))[\s:,]*"
        rf"|(?:{article}|{expressions('the_capital')})\s(?=[(\[]?[A-Z](?![{LATIN}']))"
        rf"|{article}\s(?=[b-df-hj-np-tv-z][\s.)]*$)"
        rf"|{expressions('from_label')}"
    )


@cache
def _option_word() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{expressions('option_lead')}\s+){{0,2}}{phrases('option')}\s*[:\-]?\s*"
        rf"(?:{expressions('label_number')}\s?)?(?=\S)",
        re.IGNORECASE,
    )


def _other_text(text: str, end: int, label: str, task: ReadingTask) -> bool:
    """Return True if only the whole text of another option follows a label."""
    separator = _SEPARATOR.match(text, end)
    if separator is None:
        return False
    option = task.texts.at(text, separator.end())
    return bool(
        option and option[0] != label and re.match(r"\s*(?:[.;!)\n]|$)", text[option[1] :][:3])
    )


@cache
def _part() -> re.Pattern[str]:
    return re.compile(
        rf"[,;{COMMA}\n|]|\s+{expressions('and_list')}\s+|\s+(?=[(\[]?[A-Z][)\].]?(?:\s|$))"
    )


def _list_of(text: str, start: int, task: ReadingTask) -> ReadLabels | None:
    """Labels or option texts with only marks, spaces or new lines between them."""
    parts = [p for p in _part().split(text[start:]) if p.strip(_EDGES + "-")]
    if not 1 < len(parts) <= 26 or re.fullmatch(r"\s*\w\s?:\s?\w\s*", text[start:]):
        return None
    labels: list[str] = []
    for part in parts:
        one = ReadingTask(task.grammar, task.texts, many=False)
        value = read_whole(part.strip(f" \t-{BULLETS}*"), one, strict=True)
        if value is None or value.trouble or len(value.labels) != 1:
            return None
        if list(value.labels) != labels[-1:]:
            labels.extend(value.labels)
    lists_options = len(set(labels)) == len(task.grammar.labels) and (
        task.texts.mentions(text) or re.search(r"(?<![(\[])\b[A-Z][).:]", text)
    )
    if len(set(labels)) != len(labels) or lists_options:
        return None
    return ReadLabels(frozenset(labels), "", start, len(text))


def _texts_of(text: str, start: int, task: ReadingTask) -> ReadLabels | None:
    """Several options' texts with "and" or a comma between them, and nothing else."""
    labels: list[str] = []
    at_text = start
    while (option := task.texts.at(text, at_text)) and option[0] not in labels:
        labels.append(option[0])
        if option[1] >= len(text.rstrip(_EDGES)):
            return ReadLabels(frozenset(labels), "", start, option[1]) if len(labels) > 1 else None
        link = _link().match(text, option[1])
        if link is None:
            return None
        at_text = link.end()
    return None
