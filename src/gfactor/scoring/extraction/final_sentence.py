"""The last sentence of a reply that discusses its options: "So the nets that fold are B and E.".

The options may have been named before, each with what was seen of it; the last sentence then names
those that are meant. It counts if a conclusion, a colon, "only", bold type or, for a list of
several, "are" says so, and if nothing in it denies, doubts or asks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.bold import IsBold
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import MARKED, STATED, Claim
from gfactor.scoring.extraction.closing import NO_ANSWER
from gfactor.scoring.extraction.contrast import RELATION, is_affirmed, tail_pattern
from gfactor.scoring.extraction.doubtful import is_declining, is_doubtful
from gfactor.scoring.extraction.factuality import (
    HEDGE,
    NEGATION,
    last_sentence,
    sentences_of,
)
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import (
    COMMA,
    STOP,
    expressions,
    finder,
    phrases,
)
from gfactor.scoring.extraction.meant import is_meant, is_rough
from gfactor.scoring.extraction.refusal import COMPLETE
from gfactor.scoring.extraction.trailing import before_denials, named_in
from gfactor.scoring.extraction.values import at
from gfactor.scoring.extraction.verdicts import Verdicts, groups_in

_LONGEST = 4000
_LONGEST_SENTENCE = 400


def find_final(text: str, task: ReadingTask, verdicts: Verdicts, is_bold: IsBold) -> Claim | None:
    """Return the claim of the last sentence; None if it names no option, or not surely."""
    body = text.rstrip()
    if not body or len(body) > _LONGEST or is_declining(body[-_LONGEST_SENTENCE:], task):
        return None
    end, denied_behind = before_denials(body, task)
    body = body[:end]
    begin = _last_clause(body)
    stop = _contrast_in(body, begin, task)
    if stop - begin > _LONGEST_SENTENCE or sentences_of(body).is_asked(begin + 1):
        return None
    last = _Last(body, begin, stop, task, is_bold)
    claim = last.of_labels() or last.of_texts() or last.of_subject()
    if claim is None:
        claim = _before_remark(body, task, is_bold)
    if claim is None:
        return None
    labels = claim.value.labels
    denied = {*verdicts.wrong, *verdicts.lines_wrong} | named_in(body[stop:], task) | denied_behind
    return None if labels & denied or not {*verdicts.lines_right} <= labels else claim


def _before_remark(body: str, task: ReadingTask, is_bold: IsBold) -> Claim | None:
    """Return the labels that end a conclusion with a colon, if a remark that names no option
    follows: "In short, two are true: A and D. It was tempting to mark more."."""
    end = len(body)
    for _ in range(_MOST_REMARKS):
        end = len(body[: last_sentence(body[:end])].rstrip())
        begin = last_sentence(body[:end])
        if not end or "\n" in body[end:] or named_in(body[end:], task):
            return None
        if _summed_up().match(body, begin):
            remark = body[end:]
            is_open = "?" in remark or HEDGE.search(remark) or finder("retraction").search(remark)
            last = _Last(body[:end], begin, end, task, is_bold)
            group = last.group()
            is_end = group and _COLON.search(body[begin : group.start])
            return last.of_labels() if is_end and not is_open else None
    return None


_MOST_REMARKS = 2
"""Number of sentences behind a conclusion that may be a remark."""


@cache
def _summed_up() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{phrases('conclusion')}|{expressions('summing_up')})", re.IGNORECASE)


def is_unsettled(claim: Claim) -> bool:
    """Return True if the last sentence may replace a claim: one in doubt, or only a hint."""
    return claim.strength < MARKED and bool(claim.value.trouble or claim.strength < STATED)


def includes(final: Claim, claims: list[Claim]) -> bool:
    """Return True if the last sentence names all options that are stated to be right before it."""
    stated = (c for c in claims if c.strength >= STATED and c.start < final.start)
    return all(c.value.labels <= final.value.labels for c in stated)


def _last_clause(body: str) -> int:
    """Return the beginning of the last sentence, or of its part after a semicolon."""
    begin = last_sentence(body)
    parts = [m.end() for m in _SEMICOLON.finditer(body, begin, len(body) - 1)]
    last = parts[-1] if parts else begin
    is_contrast = _contrast().match(body, max(begin, last - 2))
    return begin if is_contrast or NEGATION.search(body, last) else last


_SEMICOLON = re.compile(r";\s")


def _contrast_in(body: str, begin: int, task: ReadingTask) -> int:
    """Return where a clause about the other options begins in the last sentence; else its end."""
    contrast = _contrast().search(body, begin)
    if contrast:
        return contrast.start()
    for mark in reversed(list(_MARK.finditer(body, begin))):
        rest = body[mark.start() :]
        named = groups_in(rest, task)
        if named and (_is_denied(rest, named[-1].end) or NEGATION.match(rest[1:].lstrip())):
            is_denied = NEGATION.search(body, begin, mark.start())
            return len(body) if is_denied else mark.start()
    return len(body)


def _is_denied(text: str, end: int) -> bool:
    """Return True if the labels that end there are denied, and nothing follows."""
    tail = tail_pattern().match(text, end)
    return bool(tail and tail["no"]) or bool(finder("wrong").match(text, end + 1))


_MARK = re.compile(rf"[,;{COMMA}]\s?")


@cache
def _contrast() -> re.Pattern[str]:
    """Match the mark before a clause about the other options: "; the others", ", whereas"."""
    return re.compile(
        rf"\s?[,;({COMMA}]\s?(?=(?:{phrases('others')}|{phrases('not_before')}"
        rf"|{phrases('whereas')}))"
    )


@dataclass(frozen=True)
class _Last:
    """The last sentence of a reply.

    Parameters
    ----------
    body: the reply up to its end.
    begin, stop: where the sentence begins, and where it ends or contrasts the other options.
    task, is_bold: the task of the reading, and what is bold.
    """

    body: str
    begin: int
    stop: int
    task: ReadingTask
    is_bold: IsBold

    @cached_property
    def groups(self) -> list[LabelGroup]:
        """The labels in the reply up to the contrast."""
        return groups_in(self.body[: self.stop], self.task)

    @property
    def is_contrast(self) -> bool:
        """True if a clause about the other options follows."""
        return self.stop < len(self.body)

    def group(self) -> LabelGroup | None:
        """Return the only labels of the sentence, if they can be an answer."""
        inside = [g for g in self.groups if g.start >= self.begin]
        if len(inside) != 1 or not _can_answer(inside[0], self.task):
            return None
        return None if self.task.grammar.is_name(self.body, inside[0].start) else inside[0]

    def of_labels(self) -> Claim | None:
        """The labels that end the sentence."""
        group = self.group()
        if group is None:
            return None
        before = self.body[self.begin : group.start]
        behind = self.body[group.end : self.stop]
        is_bold = self.is_bold(group.start, group.end)
        may_go_on = is_bold or (self.begin == 0 and COMPLETE.search(self.body))
        if may_go_on and (clause := _RELATIVE.match(behind)):
            behind = behind[: clause.start("words")]
            if is_doubtful(clause["words"], sentences_of(self.body)):
                return None
        if not _ends(behind, group, self.task):
            return None
        words = f"{before} \n{_ONLY_END.sub(' ', behind)}"
        if is_doubtful(words, sentences_of(self.body)):
            return None
        if not re.search(r"\w", before):
            is_sure = (is_bold or _is_bracketed(self.body, group)) and self._is_known(group)
        else:
            is_sure = is_bold or self._is_drawn(group, behind) or self._is_told(group, before)
        return _claim(group, "final sentence") if is_sure else None

    def _is_known(self, group: LabelGroup) -> bool:
        """Return True if a label alone is not the next of a list that breaks off: no label stands
        before it, or this one too, or its option's text in the sentence before."""
        named = {label for g in self.groups if g.end <= self.begin for label in g.labels}
        above = self.body[last_sentence(self.body[: self.begin].rstrip()) : self.begin]
        texts = {label for label, *_ in self.task.texts.mentions(above)}
        return not named or {*group.labels} <= named | texts

    def _is_drawn(self, group: LabelGroup, behind: str) -> bool:
        """Return True if a conclusion, "only" or a colon leads to the labels."""
        sentence = self.body[last_sentence(self.body) : group.start]
        before = self.body[self.begin : group.start]
        return bool(
            finder("conclusion").search(sentence)
            or _CONCLUDED_BEHIND.match(behind)
            or _MEANS.search(before)
            or (finder("only").search(before) and len(group.labels) > 1)
            or _ONLY_END.match(behind)
            or _COLON.search(before)
        )

    def _is_told(self, group: LabelGroup, before: str) -> bool:
        """Return True if "are" stands before several labels, or before one if none was named."""
        several = len(group.labels) > 1
        is_first = not any(g.end <= self.begin for g in self.groups)
        if NO_ANSWER.search(_MARK.split(before)[-1]) or not COMPLETE.search(self.body):
            return False
        if _copula().search(before):
            return several or is_first
        is_noun = bool(behind_option().search(before))
        if several and is_noun and len(before.split()) == 1:
            return True
        return self.begin == 0 and (several or is_noun)

    def of_texts(self) -> Claim | None:
        """The texts that end the sentence; for one option, in bold or before a conclusion."""
        body, task = self.body, self.task
        mentions = [m for m in task.texts.mentions(body[: self.stop]) if m[1] >= self.begin]
        labels = frozenset(label for label, _, _ in mentions)
        value = at(body[: self.stop], mentions[0][1], task) if mentions else None
        its_text = value.end if value and not value.trouble and value.labels == labels else 0
        if (
            not mentions
            or len(labels) == len(task.grammar.labels)
            or (len(labels) > 1 and not task.many)
            or any(g.end > max(self.begin, its_text) and not g.outside for g in self.groups)
            or is_rough(body, mentions)
            or not all(is_meant(body, start, end) for _, start, end in mentions)
        ):
            return None
        before = body[self.begin : mentions[0][1]]
        behind = body[its_text or mentions[-1][2] : self.stop]
        between = (body[a[2] : b[1]] for a, b in pairwise(mentions))
        is_list = its_text or all(_link().fullmatch(words) for words in between)
        if not is_list or not _TAIL.fullmatch(behind):
            return None
        if is_doubtful(before, sentences_of(body)):
            return None
        is_sure = all(self.is_bold(start, end) for _, start, end in mentions)
        is_sure = is_sure or bool(_CONCLUDED_BEHIND.match(behind))
        if task.many and not is_sure and not NO_ANSWER.search(_MARK.split(before)[-1]):
            is_sure = bool(
                finder("conclusion").search(before)
                or _COLON.search(before)
                or _copula().search(before)
                or (len(labels) > 1 and _only_before().search(before))
            )
        value = ReadLabels(labels, "", mentions[0][1], mentions[-1][2])
        return Claim(value, STATED, "final sentence", value.start) if is_sure else None

    def of_subject(self) -> Claim | None:
        """The subject of a reply that is one sentence, or of a last one in bold, or with a
        contrast: "Panel C shows the mirror image."."""
        group = self.group() or self._ordinals()
        if group is None or not COMPLETE.search(self.body):
            return None
        before = self.body[self.begin : group.start]
        predicate = self.body[group.end : self.stop]
        is_shown = _is_shown(group, predicate, self.task)
        is_bold = self.is_bold(group.start, group.end) or finder("conclusion").match(
            before.lstrip()
        )
        is_list = is_bold and len(group.labels) > 1
        if (
            not (self.begin == 0 or self.is_contrast or is_list)
            or not any(is_affirmed(b, predicate) for b in self._subjects(before))
            or finder("correction").search(predicate)
            or not (self.is_contrast or is_shown or len(group.labels) > 1)
            or (RELATION.search(predicate) and not (self.is_contrast or is_shown))
            or is_doubtful(predicate, sentences_of(self.body))
            or not named_in(predicate, self.task) <= {*group.labels}
        ):
            return None
        return _claim(group, "one sentence")

    def _subjects(self, before: str) -> tuple[str, ...]:
        """Return the words before the labels with and without a noun of which nothing is known."""
        is_noun_alone = self.is_contrast and re.fullmatch(r"\s*[^\W\d_]{3,20}\s", before)
        return (before, "" if is_noun_alone else _NOUN_END.sub("", before))

    def _ordinals(self) -> LabelGroup | None:
        """Return the options that a reply of one sentence names by their places at its start."""
        begin = len(self.body) - len(self.body[self.begin :].lstrip())
        if not self.task.many or any(g.start <= begin for g in self.groups if g.end > begin):
            return None
        by_place = at(self.body, begin, self.task)
        if by_place is None or by_place.trouble or len(by_place.labels) < 2:
            return None
        return LabelGroup((*by_place.labels,), "and", False, begin, by_place.end)


def _claim(group: LabelGroup, rule: str) -> Claim:
    value = ReadLabels(frozenset(group.labels), "", group.start, group.end)
    return Claim(value, STATED, rule, group.start)


def _can_answer(group: LabelGroup, task: ReadingTask) -> bool:
    several = len(group.labels) > 1
    return not (
        group.outside
        or group.joined in ("or", "run")
        or (several and not task.many)
        or len(group.labels) == len(task.grammar.labels)
    )


def _is_bracketed(body: str, group: LabelGroup) -> bool:
    return body[group.start] in "([" and body[group.end - 1] in ")]"


def _ends(behind: str, group: LabelGroup, task: ReadingTask) -> bool:
    """Return True if nothing but the option's text, brackets or a verb follows the labels."""
    its_text = [m for m in task.texts.mentions(behind) if m[0] in group.labels]
    if its_text and not re.search(r"\w", behind[: its_text[0][1]]):
        behind = behind[its_text[-1][2] :]
    return bool(_TAIL.fullmatch(behind))


_TAIL = lazy_pattern(
    rf"(?:{expressions('label_unit')}|{expressions('counted_tail')})?{expressions('ends_only')}?(?:\s?\([^()\n]{{1,80}}\))?"
    rf"{expressions('polite')}?(?:\s{expressions('last_verb')})?(?:,?\s{phrases('conclusion')})?[\s.!)\]\"'{STOP}]*",
    re.IGNORECASE,
)
_ONLY_END = lazy_pattern(expressions("ends_only"), re.IGNORECASE)
_CONCLUDED_BEHIND = lazy_pattern(rf",?\s{phrases('conclusion')}\W*$", re.IGNORECASE)
_MEANS = lazy_pattern(rf"{expressions('means')}\s*$", re.IGNORECASE)
_NOUN_END = re.compile(r"(?<=\s)[^\W\d_]{3,20}\s$")
"""A noun before the labels, of which nothing is known: "the curves"."""
_RELATIVE = lazy_pattern(
    rf"\s?,?\s(?={expressions('relative')}\s)(?P<words>[^.;]{{3,200}})[.!]?\s*$", re.IGNORECASE
)
"""A relative clause behind the labels: "it is B and D that have four sides"."""
_COLON = re.compile(r":\s*[\"'(\[]*$")


@cache
def _copula() -> re.Pattern[str]:
    """Match "are", with an article and a noun, at the end of a text."""
    return re.compile(
        rf"{expressions('says_which')}(?:{expressions('last_article')}\s?)?"
        rf"(?:[^\W\d_]{{2,20}}\s)?[\"'(\[]*$",
        re.IGNORECASE,
    )


@cache
def _only_before() -> re.Pattern[str]:
    """Match "only", with an article, at the end of a text."""
    return re.compile(rf"{phrases('only')}\s?(?:{expressions('any_article')}\s)?$", re.IGNORECASE)


@cache
def behind_option() -> re.Pattern[str]:
    """Match a word for an option at the end of a text."""
    return re.compile(rf"\s{phrases('option')}\s?$")


def _is_shown(group: LabelGroup, predicate: str, task: ReadingTask) -> bool:
    """Return True if pictures are said to show something: several, or one that is not the
    first."""
    is_first = group.labels == task.grammar.labels[:1]
    if is_first or task.texts.anywhere is not None:
        return False
    return bool((_SHOWS.search if len(group.labels) > 1 else _SHOWS.match)(predicate[:40]))


_SHOWS = lazy_pattern(rf"\s{{0,3}}{expressions('shows')}", re.IGNORECASE)


def find_named_picture(text: str, task: ReadingTask) -> Claim | None:
    """Return the pictures that a reply names with one word before their labels: "Net C"."""
    body = text.strip()
    groups = groups_in(body, task)
    if len(groups) != 1 or not _can_answer(groups[0], task) or task.texts.anywhere is not None:
        return None
    group = groups[0]
    before = body[: group.start]
    is_alone = _NOUN.fullmatch(before) and _TAIL.fullmatch(body, group.end)
    if not is_alone or is_doubtful(before, sentences_of(body)) or _SHOWS.match(before):
        return None
    return _claim(group, "whole")


_NOUN = re.compile(r"(?:[^\W\d_]{1,4}\s)?[^\W\d_]{2,20}\s?[(\[]?")


@cache
def _link() -> re.Pattern[str]:
    """Match what may stand between two texts of a list."""
    return re.compile(
        rf"\s*(?:[,{COMMA}]\s*)?(?:{phrases('both')}|&|\+)?\s*(?:{expressions('any_article')}\s)?"
    )
