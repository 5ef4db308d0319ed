"""Numbers in words, in the languages other than English, where a sentence counts in that language.

A word is read only beside a phrase of its own language that counts ("hay", "il y a", "一共"), since
the same letters say other things elsewhere (Spanish "dos" is Portuguese for "of the"). One is left
out: in most of the languages it is also the article.
"""

from __future__ import annotations

import re

_COUNTING: tuple[tuple[str, str], ...] = (
    (
        r"\b(?:il y a|au total|en tout|compte|dénombre)\b",
        "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
    ),
    (
        r"\b(?:hay|en total|cuento)\b",
        "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    ),
    (
        r"\b(?:há|existem|no total|ao todo|conto)\b",
        "zero _ dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
    ),
)
_PORTUGUESE_TOO = {"duas": 2, "quatorze": 14}
_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile(
    r"(?:共|总共|总数|有)[^,。\n\d]{0,4}?(?P<n>[二两三四五六七八九]?十[一二三四五六七八九]?"
    r"|[两二三四五六七八九])[个個只条條颗顆张張种種]"
)
_HANGUL = re.compile(r"(?:모두|총|전부)\s*(?P<n>[가-힣]{1,4}?)\s*개")
_NATIVE = "_ _ 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두 열세 열네 열다섯 열여섯"
_KOREAN = {word: value for value, word in enumerate(_NATIVE.split(" ")) if word != "_"}


def counted(line: str) -> int | None:
    """The one number in words that a counting sentence holds; None where there is none or more."""
    found: set[int] = set()
    for phrase, words in _COUNTING:
        if re.search(phrase, line, re.IGNORECASE):
            values = {w: v for v, w in enumerate(words.split()) if w != "_"} | _PORTUGUESE_TOO
            found |= {values[w] for w in map(str.casefold, _WORD.findall(line)) if w in values}
    found |= {_han(m["n"]) for m in _HAN.finditer(line)}
    found |= {_KOREAN[m["n"]] for m in _HANGUL.finditer(line) if m["n"] in _KOREAN}
    return found.pop() if len(found) == 1 else None


def _han(text: str) -> int:
    digits = {c: k for k, c in enumerate("零一二三四五六七八九")} | {"两": 2}
    if "十" not in text:
        return digits[text]
    tens, units = text.split("十")
    return 10 * (digits[tens] if tens else 1) + (digits[units] if units else 0)
