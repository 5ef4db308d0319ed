"""The last resort for a reply that claims nothing: a last sentence whose predicate is the answer.

"The process labeled X is (a)." names one label in brackets; "The gas giants are D and E." lists
several labels or options' texts.
"""

from __future__ import annotations

import re

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels, counted
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.factuality import REJECTED, last_sentence, sentences_of
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import COMMA, STOP, expressions, finder, joined
from gfactor.scoring.extraction.values import read_whole
from gfactor.scoring.extraction.verdicts import groups_in

_LONGEST = 1500
_COPULA = re.compile(expressions("says_which"), re.IGNORECASE)
_INVERTED = re.compile(rf"\s*{expressions('are_first')}\s+(\w{{4,20}})\s+(?=\S)", re.IGNORECASE)
_COLON = re.compile(r"(?<=\w)\s?:\s*(?=\S)")
_BRACKETED = re.compile(
    rf"(?:{expressions('article_spaced')}|{expressions('one_option')})?[(\[]\s?\w{{1,2}}\s?[)\]]"
)
_CONCLUDED = re.compile(
    rf"^[^,;:]{{1,200}}[,;:]\s(?={expressions('concluded')}\b)"
    rf"|^[^,;:]{{1,200}}[,;:]\s?(?={expressions('joined_concluded')})",
    re.IGNORECASE,
)
_SIGN = f"[{joined('script')}]"
_SUBJECT = re.compile(rf"\w+\s+\S+\s+\S+|{_SIGN}\s?{_SIGN}\s?{_SIGN}")
_BARE = re.compile(rf"(?:{expressions('the')} )?[A-Z]\.?")
NO_ANSWER = lazy_pattern(expressions("no_answer_subject"), re.IGNORECASE)
"""Subjects whose predicate is not an answer: "the remaining options are B and C"."""
_PARTS = re.compile(
    rf"(?<=[^\W\d])\s\+\s(?=[^\W\d])|\s*,?\s*{expressions('and_part')}\s*|\s*[,{COMMA};&]\s*"
)
_TAIL = re.compile(rf"\s*{expressions('polite')}?[\s.!{STOP})]*$")


def find_closing(text: str, task: ReadingTask) -> Claim | None:
    """Return the answer in the predicate of the last sentence; None if there is none or it is
    doubtful."""
    body = text.rstrip()
    if not body or len(body) > _LONGEST or finder("refusal").search(body):
        return None
    begin = last_sentence(body)
    copulas = [m for m in _COPULA.finditer(body, begin) if m.end() < len(body)]
    if not copulas and task.many and begin == 0:
        copulas = list(_COLON.finditer(body))
    if task.many and (listed := _behind_colon(body, begin, task) or _in_entries(body, task)):
        return listed
    if not copulas:
        return None
    chosen = copulas[0] if task.many else copulas[-1]
    inverted = _INVERTED.match(body, begin) if task.many else None
    chosen = inverted or chosen
    subject = inverted[1] if inverted else body[begin : chosen.start()]
    sentences = sentences_of(body)
    subject = sentences.affirmed(subject)
    if not task.many:
        subject = _CONCLUDED.sub("", subject)
    if (
        not subject.strip()
        or NO_ANSWER.search(subject)
        or REJECTED.search(subject)
        or finder("unreal").search(subject)
        or finder("not_before").search(subject)
        or sentences.is_asked(chosen.end())
    ):
        return None
    tail = _TAIL.search(body, chosen.end())
    stop = tail.start() if tail else len(body)
    if any(_is_named(group, chosen.start()) for group in groups_in(body[:stop], task)):
        return None
    predicate = body[chosen.end() : stop]
    if task.many:
        labels = _listed(predicate, body, chosen.end(), task)
    else:
        labels = _alone(predicate, subject, body, chosen.end(), task)
    if not labels:
        return None
    value = ReadLabels(labels, "", chosen.end(), stop)
    return Claim(value, HINTED, "closing", chosen.end())


def _behind_colon(body: str, begin: int, task: ReadingTask) -> Claim | None:
    """Labels alone after the last sentence's colon, if none is named before it."""
    colons = list(_COLON.finditer(body, begin))
    sentence = body[begin:]
    if not colons or NO_ANSWER.search(sentence) or REJECTED.search(sentence):
        return None
    group = task.grammar.group_at(body, colons[-1].end())
    if group is None and not groups_in(body[: colons[-1].start()], task):
        return _texts_behind_colon(body, colons[-1].end(), task)
    if (
        group is None
        or group.outside
        or group.joined == "or"
        or len(group.labels) == len(task.grammar.labels)
        or body[group.end :].strip(f" .{STOP}!")
        or groups_in(body[: colons[-1].start()], task)
        or finder("unreal").search(sentence)
    ):
        return None
    value = ReadLabels(frozenset(group.labels), "", group.start, group.end)
    return Claim(value, HINTED, "closing", group.start)


def _texts_behind_colon(body: str, start: int, task: ReadingTask) -> Claim | None:
    """The options' texts that end a sentence behind its colon."""
    if finder("unreal").search(sentences_of(body).sentence_before(start)):
        return None
    tail = _TAIL.search(body, start)
    stop = tail.start() if tail else len(body)
    labels = _listed(body[start:stop], body, start, task)
    if not labels:
        return None
    return Claim(ReadLabels(labels, "", start, stop), HINTED, "closing", start)


def _in_entries(body: str, task: ReadingTask) -> Claim | None:
    """The options of the only list of a reply, one an entry below a line that ends with a colon.

    None if the list has all options, or if another line names an option without denying it.
    """
    lines = body.split("\n")
    one = ReadingTask(task.grammar, task.texts, many=False)
    values = [read_whole(line, one, strict=True) if line.strip() else None for line in lines]
    entries = [k for k, v in enumerate(values) if v and not v.trouble and len(v.labels) == 1]
    above = [line for line in lines[: entries[0]] if line.strip()] if entries else []
    if len(entries) < 2 or entries[-1] - entries[0] + 1 != len(entries) or not above:
        return None
    labels = frozenset(label for k in entries if (v := values[k]) for label in v.labels)
    others = [line for k, line in enumerate(lines) if k not in entries]
    if (
        not above[-1].rstrip().endswith(":")
        or len(labels) != len(entries)
        or len(labels) == len(task.grammar.labels)
        or any(NO_ANSWER.search(line) or REJECTED.search(line) for line in above)
        or any(groups_in(line, task) for line in others)
        or any(_is_left_standing(line, task) for line in others)
    ):
        return None
    return Claim(ReadLabels(labels, "", 0, len(body)), HINTED, "closing", 0)


def _is_left_standing(line: str, task: ReadingTask) -> bool:
    """Return True if a line names an option by its text and denies nothing."""
    return bool(task.texts.mentions(line)) and not (
        finder("not_before").search(line) or finder("none").search(line)
    )


def _is_named(group: LabelGroup, before: int) -> bool:
    """Return True if a label of the item is named before the predicate."""
    return group.start < before and not group.outside


def _alone(
    predicate: str, subject: str, body: str, start: int, task: ReadingTask
) -> frozenset[str]:
    if body[start + len(predicate) :].startswith(")"):
        predicate += ")"
    by_place = counted(body, start, task)
    if by_place and not by_place.trouble and len(by_place.labels) == 1:
        behind = body[by_place.end : start + len(predicate)].strip(" .")
        its_text = read_whole(behind, task, strict=True) if behind else None
        if not behind or (its_text and not its_text.trouble and its_text.labels == by_place.labels):
            return by_place.labels
    set_off = _BRACKETED.fullmatch(predicate)
    if not set_off and not (_BARE.fullmatch(predicate) and _SUBJECT.search(subject)):
        return frozenset()
    value = read_whole(predicate, task, strict=True)
    return value.labels if value and not value.trouble else frozenset()


def _listed(predicate: str, body: str, start: int, task: ReadingTask) -> frozenset[str]:
    """Return the labels of a list whose parts are one option each; empty if all are listed."""
    one = ReadingTask(task.grammar, task.texts, many=False)
    if body[start + len(predicate) :].startswith(")"):
        predicate += ")"
    labels: list[str] = []
    for part in _PARTS.split(predicate):
        value = read_whole(part, one, strict=True) if part.strip() else None
        if value is None or value.trouble or len(value.labels) != 1:
            return frozenset()
        labels += value.labels
    named = frozenset(labels)
    is_whole = len(named) == len(labels) and 1 < len(named) < len(task.grammar.labels)
    return named if is_whole else frozenset()
