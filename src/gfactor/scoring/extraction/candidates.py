"""What is looked for in a reply, what one place of it holds, and options named by their number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_letters

from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.options import OptionTexts


@dataclass(frozen=True)
class Task:
    """What is looked for: the item's labels, the texts of its options, one label or several."""

    grammar: Grammar
    texts: OptionTexts
    many: bool


@dataclass(frozen=True)
class Value:
    """Labels read at one place.

    Parameters
    ----------
    labels: the labels; empty where the place holds an answer that is none.
    trouble: "" or why they are no answer: "ambiguous" (or-lists, several for one), "outside"
        (the label of no option), "contradiction" (a label beside another option's text).
    start, end: where in the text.
    """

    labels: frozenset[str]
    trouble: str
    start: int
    end: int


_CIRCLED = re.compile(r"[①-⑳](?![①-⑳、,和与])")
_AND = r"(?:\s?(?:[、,;和与及·]|과|와|이랑|랑|하고|그리고|및|and|et|y|e)?\s?)"
_SEVERAL = re.compile(rf"[①-⑳]번?(?:{_AND}[①-⑳]번?){{1,11}}(?![①-⑳])")
_SEVERAL_NUMBERS = re.compile(rf"\d{{1,2}}번(?:{_AND}\d{{1,2}}번){{1,11}}(?!\d)")
_NUMBERED = re.compile(
    r"(?:no\.\s?)?#?(\d{1,2})(?:번(?:째)?(?:\s?(?:선택지|보기|그림))?|[号號](?:选项|選項|图"
    r"|圖)?)?(?![\d.,]\d|\w*[A-Za-z%°²³/×+*=^])",
    re.IGNORECASE,
)
_BEHIND_A_WORD = re.compile(
    r"(?:\b(?:options?|choices?|answer choice|number|no\.|figure|image|picture|panel|tile|pattern"
    r"|opci[oó]n|n[uú]mero|figura|imagem?n?|alternativa|op[cç][aã]o|proposition|réponse numéro"
    r"|numéro"
    r"|선택지|보기)|选项|選項|图|圖)\s?(?:(?:n[º°o]|no\.|n\.|number|num[eé]ro"
    r"|n[uú]mero)\s?)?[(#]?$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"第?([一二三四五六七八九]|\d)(?:个|個|项|項|幅|张|張|种)(?:选项|選項|图形?|圖形?|答案)?"
)
NTH = re.compile(
    r"(?:(?<![A-Za-zÀ-ɏ])(?:(?:(?:the|la|le|a|o|el) )?(?:(?P<a>first|premi[eè]re?|primera?"
    r"|primeir[ao])|(?P<b>second|deuxième|segund[ao])|(?P<c>third|troisième|tercera?|terceir[ao])"
    r"|(?P<d>fourth|quatrième|cuart[ao]|quart[ao])|(?P<e>fifth|cinquième|quint[ao])) (?:one|option"
    r"|choice|answer|proposition|réponse|opción|respuesta|alternativa|opção|resposta|figure"
    r"|figura|image|imagen|imagem))(?![A-Za-zÀ-ɏ])"
    r"|第(?:(?P<k>[一1])|(?P<l>[二2])|(?P<m>[三3])|(?P<n>[四4])"
    r"|(?P<o>[五5]))(?:[个項项幅张种])(?:选项|答案|图形?)?|(?:(?P<f>첫)|(?P<g>두)|(?P<h>세)"
    r"|(?P<i>네)|(?P<j>다섯))\s?번째\s?(?:선택지|보기"
    r"|그림|도형|것|옵션|(?=입니다|이다|예요|이에요|\.|$)))"
    r"|(?<![A-Za-zÀ-ɏ])(?:the (?:(?P<p>first)|(?P<q>second)|(?P<r>third)|(?P<s>fourth)"
    r"|(?P<t>fifth))"
    r"|(?:la|le|el) (?:(?P<u>premi[eè]re?|primer[ao])|(?P<v>deuxième|seconde?|segund[ao])"
    r"|(?P<w>troisième|tercer[ao])|(?P<x>quatrième|cuart[ao])|(?P<y>cinquième|quint[ao]))"
    r"|[ao] (?:(?P<z>primeir[ao])|(?P<A>segund[ao])|(?P<B>terceir[ao])|(?P<C>quart[ao])"
    r"|(?P<D>quint[ao])))(?=\s*(?:[.!,;\n]|$))",
    re.IGNORECASE,
)
"""The first to the fifth of the options: each alternative has five groups, in this order."""
_HAN = "一二三四五六七八九"


def counted(text: str, start: int, task: Task) -> Value | None:
    """Options named by their place among the options: "③", "option 3", "3번", "第三个选项".

    A bare number is none, and none is read where the options' texts hold that number themselves.
    """
    several = _SEVERAL.match(text, start) if task.many and not task.texts.circled else None
    if several:
        numbers = [ord(c) - ord("①") + 1 for c in several[0] if "①" <= c <= "⑳"]
        return _value(numbers, start, several.end(), task)
    listed = _SEVERAL_NUMBERS.match(text, start) if task.many else None
    if listed:
        numbers = [int(number) for number in re.findall(r"\d+", listed[0])]
        holds = any(task.texts.holds(str(number)) for number in numbers)
        return None if holds else _value(numbers, start, listed.end(), task)
    circled = _CIRCLED.match(text, start)
    if circled and not task.texts.circled:
        return _value([ord(circled[0][0]) - ord("①") + 1], start, circled.end(), task)
    numbered = _NUMBERED.match(text, start)
    if numbered and (
        re.search("[번号號]", numbered[0])
        or _BEHIND_A_WORD.search(text[max(0, start - 20) : start])
    ):
        return _by_number(int(numbered[1]), start, numbered.end(), task)
    nth = NTH.match(text, start)
    if nth:
        return _by_number(ascii_letters.index(nth.lastgroup or "a") % 5 + 1, start, nth.end(), task)
    ordinal = _ORDINAL.match(text, start)
    if ordinal and (ordinal[0][0] == "第" or text[start - 1 : start] == "第"):
        number = _HAN.index(ordinal[1]) + 1 if ordinal[1] in _HAN else int(ordinal[1])
        return _by_number(number, start, ordinal.end(), task)
    return None


def _by_number(number: int, start: int, end: int, task: Task) -> Value | None:
    labels = task.grammar.labels
    if not all(label.isalpha() for label in labels) or task.texts.holds(str(number)):
        return None
    return _value([number], start, end, task)


def _value(numbers: list[int], start: int, end: int, task: Task) -> Value | None:
    labels = task.grammar.labels
    if not all(1 <= number <= len(labels) for number in numbers):
        return None
    named = frozenset(labels[number - 1] for number in numbers)
    return Value(named, "", start, end) if len(named) == len(numbers) else None
