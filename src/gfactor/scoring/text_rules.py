"""Scoring rules that a benchmark names for its texts, in place of comparing blanks exactly.

The label `scoring_rule` of an item names one. All give a credit from 0 to 1 for the answer that was
read.

VQA accuracy      per annotator, min(1, others who said the same / 3), averaged over annotators
                  (TextVQA; Antol et al. 2015, with punctuation, articles and number words evened).
relaxed accuracy  numbers within 5 % of a key, other texts the same but for case (ChartQA; Methani
                  et al. 2020).
ANLS              1 - edit distance / length of the longer text, to the nearest key, 0 below 0.5
                  (DocVQA, InfoVQA; Biten et al. 2019).
containment       a key stands in the text, case and spelling of formulas apart (OCRBench, MTVQA).
exact text        the same text but for case and spelling of formulas (OCRVQA, GQA).
number            the only number in the text, in digits or English words up to twenty, is a key's
                  (CountBenchQA, TallyQA, MathVista's integers and floats), or at most the label
                  `scoring_tolerance` away from it. "19,5" is 19.5 and "1,234" is 1234; if the key
                  has a decimal comma, "1,234" may also be 1.234.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items.formats import RULE_LABEL, TOLERANCE_LABEL, rule_flaw, tolerance_of
from gfactor.scoring.texts import comparable

TextRule = Callable[[str, Sequence[str]], float]
"""(text, keys) -> credit from 0 to 1."""

_LEAST_LIKENESS = 0.5
"""Similarity of two texts below which ANLS is 0."""

_TOLERANCE = 0.05
"""Largest distance of a number from the key, relative to the key."""

_AGREEING = 3
"""Number of other annotators who have to agree with an answer for full credit."""

_PUNCTUATION = ';/[]"{}()=+\\_-><@`,?!'
_GROUPED = re.compile(r"\d,\d")
_STOP = re.compile(r"(?<!\d)\.(?!\d)")
_MOST_STOPS = 32
"""Largest number of stops removed: the published evaluation passes a flag in place of this
number."""

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_LETTER = r"[^\W\u2e80-\uffdc]"
"""A letter or digit that a number beside it belongs to, as in 24.5C or x2. Chinese, Japanese and
Korean write words without spaces, so that their letters end a number."""
_NUMBER = re.compile(
    rf"(?<!{_LETTER})(?<!\.)(?P<sign>[-+\u2212\u2013]|minus\s+)?"
    rf"(?:(?P<digits>\d[\d.,]*\d|\.?\d+)(?!{_LETTER}|%|[.,]\d)|\b(?P<word>"
    + "|".join(NUMBER_WORDS)
    + r")\b)",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_THOUSANDS_BY_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:(?<=\.\d{3}\.\d{3})|,\d+)")
_DECIMAL = re.compile(r"\d*[.,]?\d+")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_ARTICLES = ("a", "an", "the")
_DIGITS = {"none": "0", **{word: str(k) for k, word in enumerate(NUMBER_WORDS[:11])}}
_APOSTROPHES = re.compile(
    r"^(ai|are|ca|could|did|does|do|had|has|have|is|might|must|need|ought|sha|should|was|were|wo"
    r"|would)nt$|^(could|how|i|might|should|they|we|what|where|who|why|would|you|not)(ve)$"
    r"|^(i)(m)$|^(that|there|what|where|when|who|how|he|somebody|someone|something)(s)$"
    r"|^(they|you|what|there|why)(re)$|^(that|they|you|who|how|it|somebody|someone|something)(ll)$"
    r"|^(it|that|there|they|you|who|where|how|someone|something)(d)$"
)


def vqa_accuracy(text: str, keys: Sequence[str]) -> float:
    """Return the mean over annotators of min(1, others who said the same / 3).

    >>> round(vqa_accuracy("Stop", ["stop"] * 3 + ["go"] * 7), 3)
    0.9
    """
    reply, answers = vqa_normal(text), [vqa_normal(key) for key in keys]
    shares = [
        min(1.0, sum(other == reply for other in answers[:k] + answers[k + 1 :]) / _AGREEING)
        for k in range(len(answers))
    ]
    return sum(shares) / len(shares)


def relaxed_accuracy(text: str, keys: Sequence[str]) -> float:
    """Return 1 if a number is within 5 % of a key, or if the text is a key up to case; "57%" is
    0.57.

    >>> relaxed_accuracy("14.4", ["14.0"]), relaxed_accuracy("15", ["14.0"])
    (1.0, 0.0)
    """
    return float(any(_close(key, text) for key in keys))


def anls(text: str, keys: Sequence[str]) -> float:
    """Return the normalized Levenshtein similarity to the nearest key, which ANLS averages; 0 below
    0.5.

    >>> anls("ITC", ["ITC Limited"]), anls("Univ of California", ["univ of california"])
    (0.0, 1.0)
    """
    likeness = 1 - min(_distance(key, text) for key in keys)
    return likeness if likeness >= _LEAST_LIKENESS else 0.0


def containment(text: str, keys: Sequence[str]) -> float:
    """Return 1 if the text contains a key, up to case and spelling."""
    reply = _folded(text)
    return float(any(_folded(key) in reply for key in keys))


def exact_text(text: str, keys: Sequence[str]) -> float:
    """Return 1 if the text is a key, up to case and spelling."""
    return float(_folded(text) in {_folded(key) for key in keys})


def number(text: str, keys: Sequence[str], tolerance: Decimal = Decimal(0)) -> float:
    """Return 1 if the only number in the text is the number of a key, or at most `tolerance` away.

    >>> number("There are 4.0 of them", ["4"]), number("4 or 5", ["4"])
    (1.0, 0.0)
    >>> number("It reads 19,5.", ["19.5"]), number("20", ["19.5"], Decimal("0.5"))
    (1.0, 1.0)
    """
    return float(
        any(
            len(given) == 1
            and any(abs(value - key) <= tolerance for value in given for key in right)
            for comma in ((False, True) if any(map(_states_comma, keys)) else (False,))
            for given in [_numbers(text, comma)]
            for right in [set[Decimal]().union(*(_numbers(key, comma) for key in keys))]
        )
    )


TEXT_RULES: Mapping[str, TextRule] = {
    "VQA accuracy": vqa_accuracy,
    "relaxed accuracy": relaxed_accuracy,
    "ANLS": anls,
    "containment": containment,
    "exact text": exact_text,
    "number": number,
}
"""Every rule by its name."""


def text_rule(facts: Mapping[Any, Any], kind: str) -> TextRule | None:
    """Return the text rule that an item's labels name; None if they name none, or the answer is not
    a text.

    Raises ParameterError for an unknown name.
    """
    name = facts.get(RULE_LABEL)
    if kind not in ("blanks", "open") or not isinstance(name, str) or not name:
        return None
    if flaw := rule_flaw(name):
        raise ParameterError(flaw)
    written = facts.get(TOLERANCE_LABEL)
    if name == "number" and isinstance(written, str) and written:
        tolerance = tolerance_of(written)
        if tolerance is None:
            raise ParameterError(
                f"its label {TOLERANCE_LABEL!r} is {written!r}; write a number, such as 0.5"
            )
        return partial(number, tolerance=tolerance)
    return TEXT_RULES[name]


def vqa_normal(text: str) -> str:
    """Return a text in the normal form of the VQA evaluation: no punctuation, no articles, numbers
    in digits."""
    plain = without_punctuation(text.replace("\n", " ").replace("\t", " ").strip())
    words = [_DIGITS.get(word, word) for word in plain.lower().split()]
    return " ".join(_contracted(word) for word in words if word not in _ARTICLES)


def without_punctuation(text: str) -> str:
    """Return the text without punctuation; between two words it becomes a space."""
    stripped = text
    for sign in _PUNCTUATION:
        loose = f"{sign} " in text or f" {sign}" in text or _GROUPED.search(text)
        stripped = stripped.replace(sign, "" if loose else " ")
    return _STOP.sub("", stripped, count=_MOST_STOPS)


def sole_number(text: str) -> Decimal | None:
    """Return the only number that the rule `number` finds in a text; None if it finds none or
    several."""
    values = _numbers(text, comma=False)
    return values.pop() if len(values) == 1 else None


def _folded(text: str) -> str:
    return comparable(text).casefold()


def _states_comma(key: str) -> bool:
    """Return True if a key holds a number with a decimal comma, not with grouped thousands."""
    written = (match["digits"] or "" for match in _NUMBER.finditer(key))
    return any(_DECIMAL_COMMA.fullmatch(w) and not _THOUSANDS.fullmatch(w) for w in written)


def _numbers(text: str, comma: bool) -> set[Decimal]:
    """Return the numbers in a text; `comma` is True if "1,234" is 1.234."""
    numbers: set[Decimal] = set()
    for match in _NUMBER.finditer(text):
        if match["word"]:
            values = [Decimal(NUMBER_WORDS.index(match["word"].lower()))]
        else:
            values = _values(match["digits"], comma)
        negative = (match["sign"] or "+") != "+"
        numbers.update(-value if negative else value for value in values)
    return numbers


def _values(written: str, comma: bool) -> list[Decimal]:
    """Return the value of digits with points and commas; several for a list such as "1,2,3"."""
    if _THOUSANDS.fullmatch(written) and not (comma and _DECIMAL_COMMA.fullmatch(written)):
        return [Decimal(written.replace(",", ""))]
    if _THOUSANDS_BY_POINTS.fullmatch(written):
        return [Decimal(written.replace(".", "").replace(",", "."))]
    if _DECIMAL.fullmatch(written):
        return [Decimal(written.replace(",", "."))]
    return [Decimal(part) for part in re.findall(r"\d+(?:\.\d+)?", written)]


def _close(key: str, text: str) -> bool:
    wanted, given = _share(key), _share(text)
    if wanted and given is not None:
        return abs(given - wanted) / abs(wanted) <= _TOLERANCE
    return key.lower() == text.lower()


def _share(text: str) -> float | None:
    try:
        return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def _distance(key: str, text: str) -> float:
    """The edit distance of two texts, without regard to case and spaces, per character of the
    longer one."""
    first, second = " ".join(key.lower().split()), " ".join(text.lower().split())
    longest = max(len(first), len(second))
    return _edit_distance(first, second) / longest if longest else 0.0


def _contracted(word: str) -> str:
    match = _APOSTROPHES.match(word)
    if not match:
        return word
    parts = [part for part in match.groups() if part]
    return f"{parts[0]}n't" if len(parts) == 1 else "'".join(parts)


def _edit_distance(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for k, a in enumerate(first, 1):
        corner, row[0] = row[0], k
        for m, b in enumerate(second, 1):
            corner, row[m] = row[m], min(row[m] + 1, row[m - 1] + 1, corner + (a != b))
    return row[-1]
