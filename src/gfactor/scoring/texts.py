"""Texts in one spelling, for comparing them."""

from __future__ import annotations

import re
import unicodedata

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni")
_EXPONENT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+")
_SPELLINGS = str.maketrans(
    {"⁄": "/", "−": "-", "‐": "-", "‑": "-", "‒": "-", "“": '"', "”": '"', "‘": "'", "’": "'",
     "×": "*", "·": "*", "÷": "/", "∶": ":", "、": ","}
)  # fmt: skip
_BRACED = re.compile(r"([\^_])\{([^{}]*)\}")
_WRAPPED = re.compile(r"\\(?:text|textbf|mathrm|mathbf|boxed)\s?\{([^{}]*)\}|\\[()\[\],;! ]|\$")
_FRACTION = re.compile(r"\\[dt]?frac\s?\{([^{}]*)\}\s?\{([^{}]*)\}")
_HAN = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_LOOSE_SPACE = re.compile(
    rf"(?<=[{_HAN}])\s+|\s+(?=[{_HAN}])|(?<=[-+*/=<>^,:;()])\s+|\s+(?=[-+*/=<>^,:;()])"
)
_TAIL = " .。;,:"
_QUOTED = re.compile(r"(['\"])(.*)\1", re.DOTALL)


def with_plain_exponents(text: str) -> str:
    """The text with raised signs behind a caret: "10²" and "10^2" are one thing, "102" another."""
    return _EXPONENT.sub(lambda m: "^" + m[0].translate(_RAISED), text)


def comparable(text: str) -> str:
    """The text in the one spelling in which texts for blanks are compared.

    Width, composition and signs (NFKC; minus signs, quotes, multiplication) and LaTeX dress are
    made the same; spaces that mean nothing, quotes round the whole and stops at its end go. Upper
    and lower case stay apart: mPa is not MPa.
    """
    text = _WRAPPED.sub(lambda m: m[1] or "", _FRACTION.sub(r"\1/\2", text))
    text = _BRACED.sub(r"\1\2", with_plain_exponents(text))
    text = unicodedata.normalize("NFKC", text).translate(_SPELLINGS)
    text = _LOOSE_SPACE.sub("", " ".join(text.split())).rstrip(_TAIL)
    quoted = _QUOTED.fullmatch(text)
    return quoted[2].rstrip(_TAIL) if quoted else text
