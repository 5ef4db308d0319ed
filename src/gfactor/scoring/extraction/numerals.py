"""Numbers in words, in the languages other than English, where a sentence counts in that language.

A word is read only beside a phrase of its own language that counts ("hay", "il y a", "一共"), since
the same letters say other things elsewhere (Spanish "dos" is Portuguese for "of the"). One is left
out: in most of the languages it is also the article.
"""

from __future__ import annotations

import re

_COUNTING: tuple[tuple[str, str], ...] = (
    (
        r"\b(?:il y a|au total|en tout|compte|compté|dénombre)\b",
        "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
    ),
    (
        r"\b(?:hay|en total|cuento|conté)\b",
        "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    ),
    (
        r"\b(?:há|existem|no total|ao todo|conto|contei)\b",
        "zero _ dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
    ),
)
_PORTUGUESE_TOO = {"duas": 2, "quatorze": 14}
_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile(
    r"(?:共|总共|总数|总计|合计|有)[^,。\n\d]{0,4}?(?P<n>[二两三四五六七八九]?十[一二三四五六七八九]?"
    r"|[两二三四五六七八九])[个個只条條颗顆张張种種]"
)
_HANGUL = re.compile(r"(?:모두|총|전부)\s*(?:개수[는은가]?\s*)?(?P<n>[가-힣]{1,4}?)\s*개")
_NATIVE = "_ _ 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두 열세 열네 열다섯 열여섯"
_KOREAN = {word: value for value, word in enumerate(_NATIVE.split(" ")) if word != "_"}


_SPELLED: dict[str, int] = {}
for _units, _teens, _tens, _joint in (
    ("zéro un deux trois quatre cinq six sept huit neuf",
     "dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
     "vingt trente quarante cinquante soixante", "-"),
    ("cero uno dos tres cuatro cinco seis siete ocho nueve",
     "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
     "veinte treinta cuarenta cincuenta sesenta", " y "),
    ("zero um dois três quatro cinco seis sete oito nove",
     "dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove",
     "vinte trinta quarenta cinquenta sessenta", " e "),
):  # fmt: skip
    _first = [*_units.split(), *_teens.split()]
    _SPELLED |= {word: value for value, word in enumerate(_first)}
    for _k, _ten in enumerate(_tens.split(), 2):
        _SPELLED |= {_ten: 10 * _k}
        _SPELLED |= {f"{_ten}{_joint}{_first[u]}": 10 * _k + u for u in range(1, 10)}
_SPELLED |= {
    "vingt et un": 21, "trente et un": 31, "quarante et un": 41, "catorze": 14, "dezasseis": 16,
    "dezassete": 17, "dezanove": 19, "duas": 2, "uma": 1, "una": 1, "une": 1, "veintiuno": 21,
    **{f"veinti{unit}": 22 + k for k, unit in enumerate(
        ("dós", "trés", "cuatro", "cinco", "séis", "siete", "ocho", "nueve"))},
}  # fmt: skip
_KOREAN_TENS = {"": 0, "열": 10, "스물": 20, "서른": 30, "마흔": 40, "쉰": 50}
_KOREAN_UNITS = {
    "": 0, "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5,
    "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_KOREAN_ALL = {
    ten + unit: tens + units
    for ten, tens in _KOREAN_TENS.items()
    for unit, units in _KOREAN_UNITS.items()
    if ten + unit
} | {"스무": 20}
_TOTAL_HEAD = re.compile(
    r"\W*(?:(?:le |el |o |the )?(?:total|sum|count|somme|suma|soma|compte|conteo|contagem"
    r"|n(?:ombre|[úu]mero)(?: total)?|cantidad|quantidade|cuenta)(?![A-Za-zÀ-ɏ])[^:=\d\n]{0,30}[:=]"
    r"|(?:总计|总共|合计|共计|总数|数量|个数|總計|總數)(?:为|是|:|=|\uff1a)?"
    r"|(?:총\s?)?(?:개수|갯수|합계|총합|수량|총계)(?:는|은|가|:|=)?)\s*",
    re.IGNORECASE,
)
_REST = re.compile(
    r"(?P<n>\d{1,9}|[一二两三四五六七八九十百]{1,5}|[가-힣]{1,4}?|[^\W\d_]+(?:-[^\W\d_]+|\s(?:et|y|e)\s[^\W\d_]+)?)"
    r"(?:\s?[个個只條条颗顆张張种種根枚]\w{0,6}|\s?(?:개|마리|장)(?:입니다|이다|이에요)?|\s[^\W\d_]+(?:\s[^\W\d_]+)?)?[\s.。!]*",
    re.IGNORECASE,
)


def headed(line: str) -> int | None:
    """The number, in digits or words, behind a heading for the total: "Total : douze cercles"."""
    head = _TOTAL_HEAD.match(line)
    rest = _REST.fullmatch(line, head.end()) if head else None
    return number_in_words(rest["n"]) if rest else None


def number_in_words(text: str) -> int | None:
    """What a number in digits or in words of the six languages is; None where it is none."""
    plain = text.casefold()
    if plain.isdecimal() and plain.isascii():
        return int(plain)
    if re.fullmatch(
        r"[二两三四五六七八九]?十[一二三四五六七八九]?|[零一二两三四五六七八九]", plain
    ):
        return _han(plain)
    return _SPELLED.get(plain, _KOREAN_ALL.get(plain))


def counted(line: str) -> int | None:
    """The one number in words that a counting sentence holds; None where there is none or more."""
    numbers: set[int] = set()
    for phrase, words in _COUNTING:
        if re.search(phrase, line, re.IGNORECASE):
            values = {w: v for v, w in enumerate(words.split()) if w != "_"} | _PORTUGUESE_TOO
            numbers |= {values[w] for w in map(str.casefold, _WORD.findall(line)) if w in values}
    numbers |= {_han(m["n"]) for m in _HAN.finditer(line)}
    numbers |= {_KOREAN[m["n"]] for m in _HANGUL.finditer(line) if m["n"] in _KOREAN}
    return numbers.pop() if len(numbers) == 1 else None


def _han(text: str) -> int:
    digits = {c: k for k, c in enumerate("零一二三四五六七八九")} | {"两": 2}
    if "十" not in text:
        return digits[text]
    tens, units = text.split("十")
    return 10 * (digits[tens] if tens else 1) + (digits[units] if units else 0)
