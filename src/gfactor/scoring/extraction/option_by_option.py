"""A description option by option that breaks off: "Option A shows a mill. Option B shows".

Each sentence of a description begins with the label of an option and describes that option; the
answer would have come after the last one. So an unfinished description claims nothing, and the
reply is read without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise

from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.claims import MARKED, Claim
from gfactor.scoring.extraction.markers import LATIN, STOP, expressions, finder, phrases
from gfactor.scoring.extraction.refusal import COMPLETE
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.signs import BULLETS
from gfactor.scoring.extraction.verdicts import Verdicts, groups_in

_MOST = 400
_LONGEST = 20_000
_END = re.compile(rf"[.!?](?=\s)|[{STOP}!?;\n]")
_EACH = Scanner(expressions("described"), flags=re.IGNORECASE)
"""Announcements of a description in its first sentence: "Let's check each option: A is"."""
_INTRODUCED = re.compile(expressions("introduced"), re.IGNORECASE)
"""Announcements of a description in the sentence before it."""
_LEAD = re.compile(
    rf"\s*(?:[-*{BULLETS}]\s+|\d{{1,2}}[.)]\s+)?{expressions('then_lead')}?", re.IGNORECASE
)
_ANSWERS = re.compile(
    rf"\s*[)\]]*\s*(?:$|[.,](?!\w)|[:;]?\s*{expressions('because_answer')})", re.IGNORECASE
)
"""Words after a bare label at the beginning of a reply which show that it is the answer, not a
subject."""
_COMMITTED = re.compile(expressions("committed"), re.IGNORECASE)


def claims_before_description(
    text: str, task: ReadingTask, find: Callable[[str, ReadingTask], tuple[Verdicts, list[Claim]]]
) -> tuple[str, Verdicts, list[Claim], bool]:
    """Read the text with `find`; if the text breaks off in a description, read only the part before
    it.

    Returns the text that was read, its verdicts and claims, and True if there is such a
    description.
    """
    verdicts, claims = find(text, task)
    begin = _unfinished_description(text, task, claims, verdicts)
    if begin is None:
        return text, verdicts, claims, False
    return text[:begin], *find(text[:begin], task), True


def _unfinished_description(
    text: str, task: ReadingTask, claims: Iterable[Claim], verdicts: Verdicts
) -> int | None:
    """Return the beginning of the description with which the reply breaks off; None if there is
    none.

    It is not a description if a sentence calls an option the answer (one of `claims` does so) or
    concludes without an option at its beginning, or if two or more lines have verdicts, which are
    read as a list.
    """
    if COMPLETE.search(text) or len(verdicts.lines_right + verdicts.lines_wrong) > 1:
        return None
    sentences = _sentences(text)[-_MOST:]
    if len(sentences) > 1 and _option().fullmatch(text[slice(*sentences[-1])].strip()):
        sentences.pop()
    heads = [_head(text, *sentence, task) for sentence in sentences]
    if not heads or heads[-1] is None:
        return None
    begin, last = len(heads) - 1, task.grammar.labels.index(heads[-1])
    for k in range(len(heads) - 2, -1, -1):
        head = heads[k]
        if head is not None:
            at = task.grammar.labels.index(head)
            if at >= last:
                break
            begin, last = k, at
        elif _concludes(text, *sentences[k], task):
            break
    if begin == len(heads) - 1 and not _is_first(text, sentences, heads[-1], task):
        return None
    start = sentences[begin][0]
    return None if any(_is_firm(c, start, text, task) for c in claims) else start


def without_descriptions(claims: list[Claim], text: str, task: ReadingTask) -> list[Claim]:
    """Return the claims without those that only describe an option: "Option A corresponds to a
    mill".

    These have the option's own text after its label, and either a description is announced or
    several options begin a sentence.
    """
    of_texts = [c for c in claims if c.strength < MARKED and len(c.value.labels) == 1]
    if not of_texts or len(text) > _LONGEST:
        return claims
    sentences = [(s, e, _head(text, s, e, task)) for s, e in _sentences(text)[-_MOST:]]
    if len({head for _, _, head in sentences if head}) < 2 and not any(
        head and _INTRODUCED.search(text, *above[:2]) for above, (_, _, head) in pairwise(sentences)
    ):
        return claims
    told = [
        c
        for c in of_texts
        if c.rule in ("announcement", "hint")
        and task.texts.at(text, c.value.start)
        and any(s <= c.start < e and {head} == c.value.labels for s, e, head in sentences)
        and not _is_firm(c, 0, text, task)
    ]
    return [c for c in claims if c not in told]


def _sentences(text: str) -> list[tuple[int, int]]:
    """The sentences and lines that hold a word; a description announced in one divides it."""
    ends = sorted({m.end() for p in (_END, _EACH) for m in p.finditer(text)} | {len(text)})
    starts = [0, *ends]
    return [(s, e) for s, e in zip(starts, ends, strict=False) if re.search(r"\w", text[s:e])]


@cache
def _option() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?i:{expressions('the')})\s+|(?i:{expressions('elided')}))?{phrases('option')}\s*"
        rf"|{expressions('the_label')}\s+(?=[(\[]?[A-Z](?![{LATIN}']))"
    )


def _head(text: str, start: int, end: int, task: ReadingTask) -> str | None:
    """The label that is the subject of a sentence."""
    lead = _LEAD.match(text, start)
    begin = lead.end() if lead else start
    word = _option().match(text, begin)
    at = word.end() if word else begin
    group = task.grammar.group_at(text, at) if at < end else None
    if group is None or len(group.labels) != 1 or group.outside:
        return None
    rest = text[group.end : end]
    is_last = not text[end:].strip()
    if not is_last and _ANSWERS.match(rest) and not (word and rest.lstrip()[:1] == ","):
        return None
    bare_line = (
        is_last
        and "\n" in text[max(0, start - 1) : at]
        and not rest.strip(" .)")
        and not (word and word[0].strip() and _goes_on(text, start, group.labels[0], task))
    )
    return None if bare_line else group.labels[0]


def _goes_on(text: str, start: int, label: str, task: ReadingTask) -> bool:
    """Return True if a description was announced above a line with one option, not the last."""
    announced = _INTRODUCED.search(text, 0, start)
    return bool(announced and label != task.grammar.labels[-1])


def _concludes(text: str, start: int, end: int, task: ReadingTask) -> bool:
    """Return True if a sentence draws a conclusion, or corrects itself, about an option."""
    sentence = text[start:end]
    named = groups_in(sentence, task) or task.texts.mentions(sentence)
    return bool(named) and any(
        finder(kind).search(sentence) for kind in ("conclusion", "correction")
    )


def _is_first(text: str, sentences: list[tuple[int, int]], label: str, task: ReadingTask) -> bool:
    """Return True if the last sentence begins a description: announced, or an option's text."""
    mentions = [m for m in task.texts.mentions(text[slice(*sentences[-1])]) if m[0] == label]
    above = text[slice(*sentences[-2])] if len(sentences) > 1 else ""
    return label == task.grammar.labels[0] and bool(mentions or _INTRODUCED.search(above))


def _is_firm(claim: Claim, start: int, text: str, task: ReadingTask) -> bool:
    """Return True if a claim in a description is more than a remark on each option in turn."""
    if claim.start < start:
        return claim.value.end > start
    if claim.strength >= MARKED:
        return claim.rule != "last line"
    if claim.rule == "verdict":
        return not task.many and bool(_COMMITTED.search(text, claim.value.start, claim.value.end))
    return claim.rule == "announcement" and bool(
        _COMMITTED.search(text, claim.start, claim.value.start)
    )
