"""Answers stated in a sentence of their own: "There are 5 circles in total.", "Yes, it is."

Only the last line is read, and only where it says nothing else that could be meant: a sentence
that counts holds one number, one for two labels holds one number beside each label's word, a line
that begins with one of two words holds neither of them again, and one that says which words a set
holds ends with them and names none before.
"""

from __future__ import annotations

import re

from gfactor.items import Atom, OutputFormat
from gfactor.scoring.extraction.lexicons import lexicon
from gfactor.scoring.extraction.numerals import counted, headed

_COUNTS = re.compile(
    r"\b(?:(?:i|we) count(?:ed)?|je compte|j'ai compté|cuento|conté"
    r"|conto|contei|there (?:is|are|were)|in total|altogether|in all|a total of|una? total de"
    r"|um total de"
    r"|total(?: number)?"
    r"|adds? up to"
    r"|il y a|au total|en tout|hay|en total|há|existem|no total|ao todo)\b|一共|总共|共[有计]|共\d"
    r"|总数"
    r"|모두|총",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:or|about|around|approximately|roughly|almost|nearly|between|at (?:least|most)|more than"
    r"|less than|fewer than|over|under|up to|if|not|n't|no|maybe|perhaps|might|may|could|seems?"
    r"|look"
    r"|each|per|every|rows?|columns?|types?|kinds?|rangées?|lignes?|colonnes?|filas?|columnas?"
    r"|linhas?|colunas?|tipos?|ou|environ|entre|o|unos|cerca|menos|más|mais|talvez|não|pas)\b"
    r"|[?~≈<>+*/=×-]|约|大概|可能|或|左右|不|[行列种]|약|아마|정도|또는|줄|가지|의 그림",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\s*(?P<word>[^\W\d_]+)\s*[,;:.!—–]")


def stated(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The atoms that a line states, one per label; None where it states none, or more."""
    if fmt.answer_type == "value" and fmt.atom == "integer":
        return _count(line, fmt)
    if fmt.answer_type == "tuple" and len(fmt.labels) > 1 and fmt.atom == "integer":
        return _counts(line, fmt)
    if fmt.answer_type == "value" and fmt.atom == "word" and len(fmt.vocabulary) == 2:
        return _lead(line, fmt)
    if fmt.answer_type == "set" and fmt.atom == "word":
        return _members(line, fmt)
    return None


def _count(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    known = lexicon(fmt)
    if (total := _total(line)) is not None:
        return (total,)
    if not _ABOUT.search(line) and (under := headed(line)) is not None:
        return (under,)
    begun = _COUNTS.search(line)
    if begun is None or _OPEN.search(line) or (_SEEN.match(begun[0]) and _ALSO.search(line)):
        return None
    numbers = [known.value(m[0]) for m in known.suspect.finditer(line)]
    if not numbers and not re.search(r"\d", line) and (worded := counted(line)) is not None:
        return (worded,)
    exact = known.atom.search(line) or _COUNTER.search(line)
    return tuple(numbers) if len(numbers) == 1 and exact else None


_ABOUT = re.compile(
    r"[?~≈]|约|大概|可能|或|左右|약|아마|정도|또는|\b(?:ou|o|or|about|environ|unos|cerca)\b", re.I
)
_SEEN = re.compile(r"i |we |je |j'|c", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:and|et|y|e|but|also|plus|few|some|several)\b|[,和과와]", re.IGNORECASE)
"""Where a sentence tells what was counted: that it may not be all."""
_COUNTER = re.compile(
    r"(?<![A-Za-z0-9第.,−-])\d{1,9}\s?(?:[个個只条條颗顆张張种種根枚]|개|마리|장)"
)


def _total(line: str) -> int | None:
    """The number that is announced as the total and is the sum of all numbers before it."""
    if _DOUBT.search(line):
        return None
    numbers = [int(m[0]) for m in _NUMBER.finditer(line)]
    totals = list(_TOTAL.finditer(line))
    if len(numbers) < 3 or not totals or sum(numbers[:-1]) != numbers[-1]:
        return None
    last = list(_NUMBER.finditer(line))[-1]
    before = list(_NUMBER.finditer(line))[-2].end()
    return numbers[-1] if before <= totals[-1].start() < last.end() + 20 else None


_NUMBER = re.compile(r"(?<![A-Za-zÀ-ɏ0-9_.,−-])\d{1,9}(?![A-Za-zÀ-ɏ0-9_%]|[.,]\d)")
_TOTAL = re.compile(
    r"=|\b(?:in total|altogether|in all|total|sum|au total|en tout|somme|en total|suma|no total"
    r"|ao todo|soma)\b|共|总|合计|모두|총|합",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:or|about|around|approximately|roughly|almost|nearly|if|not|n't|no|maybe|perhaps|might"
    r"|may|could|seems?|ou|environ|o|unos|cerca|talvez|não|pas)\b"
    r"|[?~≈<>*/×%]|约|大概|可能|或|左右|不|약|아마|정도|또는",
    re.IGNORECASE,
)


def _counts(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    known = lexicon(fmt)
    if _OPEN.search(line) or len(list(known.suspect.finditer(line))) != len(fmt.labels):
        return None
    ways = (_beside(line, fmt, before=True), _beside(line, fmt, before=False))
    counts = {way for way in ways if way}
    return counts.pop() if len(counts) == 1 else None


def _beside(line: str, fmt: OutputFormat, *, before: bool) -> tuple[Atom, ...] | None:
    """The number before (or behind) each label's word, one for each and no number twice."""
    known = lexicon(fmt)
    matches: list[re.Match[str]] = []
    for label in fmt.labels:
        stem = re.escape(label.casefold().removesuffix("s"))
        words = rf"(?:{'|'.join((f'{stem}s?', *_OTHER_WORDS.get(label, ())))})"
        behind = re.compile(rf"\s+(?:\w+\s+)?{words}\b", re.IGNORECASE)
        ahead = re.compile(rf"\b{words}\s(?:(?:of|is|number|no\.)\s)?$", re.IGNORECASE)
        near = [
            m
            for m in known.atom.finditer(line)
            if (behind.match(line, m.end()) if before else ahead.search(line[: m.start()]))
        ]
        if len(near) != 1 or near[0].start() in [m.start() for m in matches]:
            return None
        matches.append(near[0])
    return tuple(known.value(m[0]) for m in matches)


_OTHER_WORDS = {
    "NODES": ("nœuds?", "noeuds?", "sommets?", "nodos?", "nós?", "vértices?"),
    "EDGES": ("arêtes?", "aristas?", "arestas?"),
    "CIRCLES": ("cercles?", "círculos?"),
    "TRIANGLES": ("triángulos?", "triângulos?"),
    "SQUARES": ("carrés?", "cuadrados?", "quadrados?"),
}
"""What the things counted are called in other languages that write the number before them."""


def _lead(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The word of a yes/no question with which the line begins, if no such word follows."""
    known = lexicon(fmt)
    lead = _LEADS.match(line)
    if lead is None or known.atom.fullmatch(lead["word"]) is None:
        return None
    rest = line[lead.end() :]
    if known.atom.search(rest) or re.search(
        r"\b(?:but|however|then again|not sure)\b|\?", rest, re.I
    ):
        return None
    return (known.value(lead["word"]),)


_PREDICATE = re.compile(r"\b(?:are|is|were|sont|est|son|es|são|é)\s*:?\s+", re.IGNORECASE)
_SET = re.compile(
    r"\b(?:colou?rs?|shapes?|figures?|forms?|couleurs?|formes?|colore?s?|formas?|figuras?|cor(?:es)?)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:missing|absent|except|excluding|other|others|remaining|first|second|third|last|next|main"
    r"|mostly|mainly|dominant|common|frequent|most|some|many|several|few|two|three|four|five|left"
    r"|right|top|bottom|upper|lower|middle|cent(?:er|re)|corner|background|border|without|besides"
    r"|also|different|same|wrong|include|hidden|repeated|manqu\w*|absente?s?|autres?|sauf"
    r"|premi\w+|princip\w+|certaine?s|gauche|droite|haut|bas|fond|faltan\w*|ausentes?|otr[oa]s"
    r"|salvo|primer\w*|algun[oa]s|izquierda|derecha|arriba|abajo|fondo|outr[oa]s|primeir\w*"
    r"|algum\w*|esquerda|direita|cima|baixo|fundo)\b",
    re.IGNORECASE,
)
"""Subjects that are a part of the picture, or what it does not hold."""
_JOINT = re.compile(r"\s*(?:,\s*(?:and|et|y|e)\b|[,;、&]|\b(?:and|et|y|e)\b)\s*", re.IGNORECASE)
_ENDS = re.compile(r"[\s.!)]*$")


def _members(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The words that a sentence on "the colors" or "the shapes" has for its whole predicate."""
    known = lexicon(fmt)
    predicate = _PREDICATE.search(line)
    if predicate is None or _OPEN.search(line):
        return None
    subject = line[: predicate.start()]
    if not _SET.search(subject) or _PART.search(subject) or known.suspect.search(subject):
        return None
    words: list[Atom] = []
    at = predicate.end()
    while match := known.atom.match(line, at):
        words.append(known.value(match[0]))
        joint = _JOINT.match(line, match.end())
        if joint is None:
            return tuple(words) if _ENDS.match(line, match.end()) else None
        at = joint.end()
    return None
