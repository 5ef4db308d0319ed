"""Finding every place in a reply that claims an answer.

A claim is what an announcement points to ("the answer is B"), what a verdict follows ("B is
correct"), what a mark-up isolates (a box, a tag), or a line that is nothing but an answer. Claims
that are denied, conditional or asked are not returned.
"""

from __future__ import annotations

import bisect
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gfactor.scoring.reading.markers import LETTER, finder, phrases
from gfactor.scoring.reading.normalize import boxed, tagged
from gfactor.scoring.reading.values import Task, Value, at, ends_here, read_whole, skip_fillers

MARKED, STATED, HINTED = 3, 2, 1
"""How firmly an answer is claimed: set apart or headed; stated in a sentence; implied."""

_MOST = 1000
"""Places of one rule that are looked at; of more, which only noise has, the last ones."""


@dataclass(frozen=True)
class Claim:
    """A place that claims an answer: its value, how firmly, by which rule, where it begins."""

    value: Value
    strength: int
    rule: str
    start: int

    @property
    def end(self) -> int:
        return self.value.end


class Sentences:
    """Where the sentences and clauses of a text begin and end."""

    _END = re.compile(r"[.!?](?=[\s\"')\]]|$)|[。!?\n]|\.\.\.")
    _CLAUSE = re.compile(
        r"[.!?,;:](?=[\s\"')\]]|$)|[。!?;,、:\n—…]|\.\.\."
        r"|\s(?=(?:but|sino|mais|mas|pero|rather) )|(?=而是)|(?<=지만|므로|으나|는데|니까)\s"
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self._ends = [m.end() for m in self._END.finditer(text)]
        self._clauses = [m.end() for m in self._CLAUSE.finditer(text)]

    def clause_before(self, at: int) -> str:
        """The beginning of the clause in which `at` lies, at most 120 characters."""
        k = bisect.bisect_right(self._clauses, at)
        start = self._clauses[k - 1] if k else 0
        return self.text[max(start, at - 120) : at]

    def sentence_before(self, at: int) -> str:
        """The beginning of the sentence in which `at` lies, at most 240 characters."""
        k = bisect.bisect_right(self._ends, at)
        start = self._ends[k - 1] if k else 0
        return self.text[start:at] if at - start <= 240 else ""

    def is_asked(self, at: int) -> bool:
        """Whether the sentence in which `at` lies is a question."""
        k = bisect.bisect_left(self._ends, max(at, 1))
        end = self._ends[k] if k < len(self._ends) else len(self.text)
        sentence = self.text[max(at, end - 12) : end].rstrip()
        return sentence.endswith("?") or bool(
            re.search(r"吗[?。]?$|嗎$|(?:까|나)요?\??$", sentence)
        )


def find_claims(text: str, task: Task) -> list[Claim]:
    """All claims in `text`, cleaned prose, in the order of their answers; one per place."""
    sentences = Sentences(text)
    found: dict[int, Claim] = {}
    for rule in (_marked, _headed, _stated, _corrected, _hinted):
        claims = [
            c
            for c in rule(text, task)
            if rule is _marked or (_is_real(c, sentences) and not _begins_list(c, text, task))
        ]
        for claim in claims:
            known = found.get(claim.value.end)
            if known is None or known.strength < claim.strength:
                found[claim.value.end] = claim
    return sorted(found.values(), key=lambda c: c.value.end)


def _is_real(claim: Claim, sentences: Sentences) -> bool:
    before = sentences.clause_before(claim.start)
    if finder("unreal").search(before) or sentences.is_asked(claim.end):
        return False
    before = sentences.sentence_before(claim.start)
    if _TRAP.search(before):
        return False
    whole = before + sentences.text[claim.start : claim.value.start]
    supposed = _SUPPOSED.match(whole)
    if supposed and not finder("conclusion").search(whole, supposed.end()):
        return False
    return not _CONDITION.match(sentences.text, claim.end)


_SUPPOSED = re.compile(
    r"[\s\"'(]*(?:(?:but|and|mais|et|pero|y|mas|e|但是?)\s*)?(?:if(?! (?:we|you|one|i|it's"
    r"|it is)\b)"
    r"|if (?:we|you|one|i|it)\b.{0,80}\bwould be\b|had (?:the|it|they)|were (?:the|it)"
    r"|si (?!on|nous|vous|l'on|\w+mos\b)|se (?:a|o|for|fosse|for[ae]m)\b|如果(?!我们|仔细)"
    r"|若(?!仔细)|假如|假设"
    r"|만약|만일)",
    re.IGNORECASE,
)
"""A sentence that begins with a condition; "if you look closely" is none."""


_TRAP = re.compile(
    r"(?:common|typical|frequent|usual|easy|classic)\s+(?:mistake|error|trap|pitfall|wrong)"
    r"|distractor"
    r"|erreur (?:courante|fréquente|classique)|piège|error (?:com[uú]n|frecuente|t[ií]pico)|trampa"
    r"|erro (?:comum|frequente|t[ií]pico)|常见错误|易错|陷阱|흔한\s*(?:실수|오류)|함정",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"[)\]}\"']*\s*,?\s*(?:only )?(?:if|unless|provided|supposing|assuming|in case"
    r"|si|à moins que|à condition|a menos que|siempre que|a no ser que|caso|desde que"
    r"|se (?:a|o|for|fosse|for[ae]m))\b",
    re.IGNORECASE,
)


def _begins_list(claim: Claim, text: str, task: Task) -> bool:
    """Whether the answer is the first entry of a list of the options: "A) one B) two"."""
    labels = task.grammar.labels
    if len(labels) < 2 or claim.value.labels != {labels[0]}:
        return False
    mark = text[claim.value.end - 1 : claim.value.end + 1].strip(labels[0])[:1]
    following = text[claim.value.end : claim.value.end + 300]
    return mark in tuple(".):]") and f"{labels[1]}{mark}" in following


def _marked(text: str, task: Task) -> Iterator[Claim]:
    """Boxes, answer tags and double brackets: their whole content must be an answer."""
    places = [("boxed", *span) for span in boxed(text)]
    places += [("tag", *span) for span in tagged(text)]
    places += [("brackets", m.start(1), m.end(1)) for m in _DOUBLE.finditer(text)]
    for rule, start, end in places:
        value = read_whole(text[start:end], task)
        if value is not None:
            moved = Value(value.labels, value.trouble, start + value.start, start + value.end)
            yield Claim(moved, MARKED, rule, start)


_DOUBLE = re.compile(r"\[\[([^\[\]\n]{1,80})\]\]|<<([^<>\n]{1,80})>>")


def _last_of(pattern: re.Pattern[str], text: str) -> deque[re.Match[str]]:
    return deque(pattern.finditer(text), maxlen=_MOST)


def _headed(text: str, task: Task) -> Iterator[Claim]:
    """A heading such as "Answer:" and what follows on its line, or on the next."""
    for match in _last_of(_heading(), text):
        start = match.end()
        stop = text.find("\n", start)
        line = text[start : stop if stop >= 0 else len(text)][:400]
        value = read_whole(line, task)
        if value is not None:
            moved = Value(value.labels, value.trouble, start + value.start, start + value.end)
            yield Claim(moved, MARKED, "heading", match.start())
        else:
            yield from _announced(text, match, task, MARKED, "heading")


def _stated(text: str, task: Task) -> Iterator[Claim]:
    for match in _last_of(finder("announce"), text):
        yield from _announced(text, match, task, STATED, "announcement")


def _corrected(text: str, task: Task) -> Iterator[Claim]:
    """ "No, actually C": a correction and nothing but an answer behind it."""
    for match in _last_of(finder("correction"), text):
        for claim in _announced(text, match, task, STATED, "correction"):
            if _ALONE.match(text, claim.end) and not claim.value.trouble:
                strength = HINTED if _CONTRAST.fullmatch(match[0]) else STATED
                yield Claim(claim.value, strength, claim.rule, claim.start)


_ALONE = re.compile(r"\s*(?:$|[.;!。)\]\n]|입니다|이다)")
_CONTRAST = re.compile(
    r"but|however|instead|mais|sino|mas sim|toutefois|cependant|pero|mas|por[eé]m|但|不过|然而"
    r"|하지만|그러나",
    re.I,
)


def _hinted(text: str, task: Task) -> Iterator[Claim]:
    for match in _last_of(finder("weak"), text):
        for claim in _announced(text, match, task, HINTED, "hint"):
            if ends_here(text, claim.end) and not claim.value.trouble:
                yield claim


def _announced(
    text: str, match: re.Match[str], task: Task, strength: int, rule: str
) -> Iterator[Claim]:
    """The answer right behind an announcement, fillers skipped; none if a verdict denies it."""
    start = match.end()
    if task.many and (block := _block(text, start, task)) is not None:
        yield Claim(block, strength, rule, match.start())
        return
    for begin in dict.fromkeys((skip_fillers(text, start), _skip_space(text, start))):
        value = at(text, begin, task)
        if value is None:
            continue
        set_off = text[value.end - 1] in ")]:" or ends_here(text, value.end)
        if "\n" in text[start:begin] and not set_off:
            continue
        if not finder("wrong").match(text, _skip_pronoun(text, value.end)):
            yield Claim(value, strength, rule, match.start())
            return
    begin = skip_fillers(text, start)
    value = at(text, begin, task, lower=True)
    if value is not None and _is_plain(text, value, task, strength):
        yield Claim(value, strength, rule, match.start())


def _block(text: str, start: int, task: Task) -> Value | None:
    """Several options, one a line, that begin on the line below an announcement."""
    found = re.compile(r"[ \t:]*\n\s{0,4}").match(text, start)
    if found is None:
        return None
    stop = text.find("\n\n", found.end())
    value = read_whole(text[found.end() : stop if stop >= 0 else len(text)], task, strict=True)
    if value is None or len(value.labels) < 2:
        return None
    return Value(value.labels, value.trouble, found.end(), found.end() + value.end)


def _skip_pronoun(text: str, at: int) -> int:
    """Behind the word of a relative clause: "it is B that is wrong"."""
    match = re.compile(r"[ \t\n:]*(?:(?:that|which|qui|que)\s+)?").match(text, at)
    return match.end() if match else at


def _is_plain(text: str, value: Value, task: Task, strength: int) -> bool:
    """Whether what may be a label in lower case can be nothing else: "(b)", or "b" at the end."""
    written = text[value.start : value.end]
    if written[0] in "([" and written[-1] in ")]":
        own = task.texts.at(text, _skip_space(text, value.end))
        return ends_here(text, value.end) or bool(own and own[0] in value.labels)
    if strength < STATED:
        return False
    word = written.strip("([{\"' )]}").casefold() in tuple("aeiouy")
    ending = r"\s*[.!)\n]" if strength == STATED and word else r"\s*[.!)\n。]|\s*$"
    return bool(re.match(ending, text[value.end : value.end + 4]))


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n:":
        at += 1
    return at


@cache
def _heading() -> re.Pattern[str]:
    """A heading, quotes or brackets round it allowed, and its colon, dash, arrow or line end."""
    return re.compile(
        rf"(?<![{LETTER}]){phrases('heading')}[\"'\])]{{0,2}}\s?(?:[:=]\s?|-+>?\s|→|[–—]\s|\]\s?"
        rf"|[ \t]{{0,4}}\n\s{{0,6}})\s{{0,6}}|(?<![{LETTER}])(?i:ans)\.\s"
    )
