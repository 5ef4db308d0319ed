r"""Texts in one normal form, for comparing them: mathematics, chemistry, units and plain words.

Both the key and the reply are brought to it. It makes different spellings of the same text equal
(`$H_{2}O$`, `H₂O` and `\ce{H2O}`; `\frac{1}{2}`, `½` and `1/2`; `\sqrt2` and `√2`; `\pi` and `π`)
and keeps different texts different: `10^2` and `102`, `CO` and `Co`, `H2O` and `H20`, `\log_{2}3`
and `log23`, `\frac{x+1}{2}` and `x+1/2`. docs/scoring.md lists the cases.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def _words(text: str) -> list[str]:
    return text.split()


_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_LOWERED = dict(
    zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True)
)
_EXPONENT = re.compile(f"[{''.join(_RAISED)}]+")
_INDEX = re.compile(f"[{''.join(_LOWERED)}]+")
_VULGAR = dict(zip("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
                   _words("1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8"),
                   strict=True))  # fmt: skip
_MIXED = re.compile(f"([0-9]?)([{''.join(_VULGAR)}])")
_SQUARED_UNIT = re.compile("[㍱-㏟]")
_SPELLINGS = str.maketrans(
    {"⁄": "/", "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "“": '"', "”": '"', "‘": "'",
     "’": "'", "′": "'", "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "∶": ":", "、": ",",
     "∼": "~", "⩽": "≤", "≦": "≤", "⩾": "≥", "≧": "≥", "△": "Δ", "∆": "Δ", "µ": "μ", "ϕ": "φ",
     "ϵ": "ε", "º": "°", "˚": "°", "∘": "°", "≅": "≌", "⟶": "→", "⇀": "→"}
)  # fmt: skip
SIGNS: dict[str, str] = {
    **{name: chr(code) for name, code in zip(
        _words(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi "
        "omicron pi rho sigma tau upsilon phi chi psi omega"
    ),
        [*range(0x3B1, 0x3C2), *range(0x3C3, 0x3CA)], strict=True)},
    **dict(zip(_words("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"),
               "ΓΔΘΛΞΠΣΥΦΨΩ", strict=True)),
    "varepsilon": "ε", "varphi": "φ", "vartheta": "θ", "varrho": "ρ", "varsigma": "ς",
    "times": "*", "cdot": "*", "ast": "*", "div": "/", "pm": "±", "mp": "∓", "le": "≤",
    "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "sim": "~", "cong": "≌", "equiv": "≡", "infty": "∞", "degree": "°",
    "circ": "°", "prime": "'", "angle": "∠", "perp": "⊥", "parallel": "∥", "triangle": "Δ",
    "in": "∈", "notin": "∉", "cup": "∪", "cap": "∩", "subset": "⊂", "subseteq": "⊆",
    "supset": "⊃", "supseteq": "⊇", "emptyset": "∅", "varnothing": "∅", "odot": "⊙", "to": "→",
    "rightarrow": "→", "longrightarrow": "→", "Rightarrow": "⇒", "rightleftharpoons": "⇌",
    "leftrightarrow": "↔", "uparrow": "↑", "downarrow": "↓", "lt": "<", "gt": ">", "ldots": "...",
    "cdots": "...", "dots": "...", "therefore": "∴", "because": "∵", "mid": "|", "vert": "|",
    "lvert": "|", "rvert": "|", "Vert": "∥", "quad": " ", "qquad": " ", "ohm": "Ω", "AA": "Å",
    "forall": "∀", "exists": "∃", "neg": "¬", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨",
    "partial": "∂", "nabla": "∇", "int": "∫", "sum": "∑", "prod": "∏", "backslash": "\\",
}  # fmt: skip
"""LaTeX commands that are one sign each."""
_DROPPED = frozenset(
    [
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "displaystyle",
        "textstyle",
        "limits",
        "rm",
        "bf",
        "it",
        "mathstrut",
        "nolimits",
        "hspace",
        "vspace",
    ]
)
_WRAPPERS = frozenset(
    [
        "text",
        "textbf",
        "textit",
        "textrm",
        "texttt",
        "textsf",
        "mathrm",
        "mathbf",
        "mathit",
        "mathsf",
        "mathtt",
        "mathcal",
        "mathbb",
        "operatorname",
        "bm",
        "boldsymbol",
        "mbox",
        "fbox",
        "boxed",
        "emph",
        "underline",
        "rm",
        "unit",
        "si",
        "pu",
        "ensuremath",
    ]
)
_FUNCTIONS = "arcsin arccos arctan sinh cosh tanh sin cos tan cot sec csc log ln lg lim max min exp"
_FUNCTION = re.compile(rf"(?<![A-Za-z])(?:{_FUNCTIONS.replace(' ', '|')})(?![A-Za-z])")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)\*?[ \t]*|(.))", re.DOTALL)
_DEEPEST = 12
_SCRIPT = re.compile(
    r"[+-]?\d+(?!\d*[+-](?![\dA-Za-z(\\{]))|\d*[+-](?![\dA-Za-z(\\{])|[A-Z]{2,}|'+|.", re.DOTALL
)
_RADICAND = re.compile(r"\d+(?:\.\d+)?|[^\s]", re.DOTALL)
_CHARGE = re.compile(r"(?<=[A-Za-z0-9)\]])([+-])(?=\s|$)")
_OPERATOR = re.compile(r"(?<=.)[-+±*/=<>,\s]")
_LONE = re.compile(r"-?\d+(?:\.\d+)?|[^\W\d_]\d*|[A-Za-z]{2,}|√(?:\[\d+\])?\([^()]*\)|\([^()]*\)")
_HAN = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_MARKS = r"-+*/=<>≤≥≠≈±→⇒|^,:;()\[\]√°∠Δ~Α-ω"
_LOOSE_SPACE = re.compile(
    rf"(?<=[{_HAN}])\s+|\s+(?=[{_HAN}])|(?<=[{_MARKS}])\s+|\s+(?=[{_MARKS}])"
    r"|(?<=\d)\s+(?=[^\W\d_])|(?<=[^\W\d_])\s+(?=\d)"
)
_TAIL = " .。;,:"
_QUOTED = re.compile(r"(['\"])(.*)\1", re.DOTALL)
_OPEN_SET, _CLOSE_SET = "\ue000", "\ue001"


def with_plain_exponents(text: str) -> str:
    """Return the text with superscripts written after a caret, so that "10²" equals "10^2" and
    differs from "102"."""
    return _EXPONENT.sub(lambda m: "^" + "".join(_RAISED[c] for c in m[0]), text)


@lru_cache(maxsize=4096)
def comparable(text: str) -> str:
    r"""Return the normal form of a text for a blank; answers are compared in this form.

    Parameters
    ----------
    text: a key's or a reply's text, plain or with LaTeX (also `\ce` of mhchem).

    Returns
    -------
    The normal form: NFKC; one sign for minus, times, quotes, degrees and the like; scripts in
    brackets after `^` and `_` (numbers below a letter directly after it, `x_1` = `x1`, but not
    those of a function, `\log_{2}3`); fractions with a stroke, in brackets if needed; no
    meaningless spaces; no quotes around the whole text, and no full stop at its end. Case is kept:
    mPa is not MPa.

    Examples
    --------
    >>> comparable("$H_{2}O$") == comparable("H₂O") == comparable(r"\ce{H2O}") == "H2O"
    True
    >>> comparable(r"\frac { \sqrt{3} } { 2 }") == comparable("√3/2")
    True
    >>> comparable("10²") == comparable("10^{2}") != comparable("102")
    True
    """
    is_latex = "\\" in text or "$" in text
    text = unicodedata.normalize("NFKC", _without_dress(text)).translate(_SPELLINGS)
    text = _flat(text, 0).replace("<=", "≤").replace(">=", "≥").replace("!=", "≠")
    text = re.sub(r"-{1,2}>", "→", text)
    text = _with_units(_with_scripts(text))
    text = _without_spaces(" ".join(text.split()), is_latex).rstrip(_TAIL)
    text = text.replace(_OPEN_SET, "{").replace(_CLOSE_SET, "}")
    quoted = _QUOTED.fullmatch(text)
    return quoted[2].rstrip(_TAIL) if quoted else text


def same_text(reply: str, key: str) -> bool:
    """Return True if a reply's text equals a key's text up to spelling.

    Parameters
    ----------
    reply, key: the texts. If one of them is an equation and the other is not, its right side
        counts: "x = 3" is "3".

    Returns
    -------
    bool: True if their normal forms (`comparable`) are equal.
    """
    one, other = comparable(reply), comparable(key)
    if one == other:
        return True
    if ("=" in one) == ("=" in other):
        return False
    equation, value = (one, other) if "=" in one else (other, one)
    named = EQUATION.fullmatch(equation)
    return bool(named and named[1] == value)


EQUATION = re.compile(r"[^=<>≤≥+*/]{1,12}=([^=<>≤≥]+)")


def _without_dress(text: str) -> str:
    """Characters that hold a script or a fraction, written out; the plain form would lose it."""
    text = _SQUARED_UNIT.sub(_unit, text)
    text = _EXPONENT.sub(lambda m: "^{" + "".join(_RAISED[c] for c in m[0]) + "}", text)
    text = _INDEX.sub(lambda m: "_{" + "".join(_LOWERED[c] for c in m[0]) + "}", text)
    text = re.sub(r"(?<=\d)\s?[º˚]", "°", text)
    return _MIXED.sub(lambda m: f"{m[1]} {_VULGAR[m[2]]}" if m[1] else _VULGAR[m[2]], text)


def _unit(match: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", match[0])
    return f"{plain[:-1]}^{plain[-1]}" if plain[-1] in "23" else plain


def _flat(text: str, depth: int) -> str:
    """The text without LaTeX: commands, groups, scripts, fractions and roots spelled out."""
    if depth > _DEEPEST:
        return text
    parts: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\" and (command := _COMMAND.match(text, at)):
            new, at = _spelled(text, command, depth, parts)
            parts.append(new)
        elif sign in "^_":
            inner, at = _argument(text, at + 1, _SCRIPT)
            parts.append(_script(sign, _flat(inner, depth + 1)))
        elif sign == "√":
            inner, at = _argument(text, at + 1, _RADICAND)
            parts.append(f"√({_flat(inner, depth + 1)})")
        elif sign == "{":
            inner, at = _argument(text, at, _SCRIPT)
            spelled = _flat(inner, depth + 1)
            is_set = _SET.search(spelled)
            parts.append(f"{_OPEN_SET}{spelled}{_CLOSE_SET}" if is_set else spelled)
        else:
            root = _PLAIN_ROOT.match(text, at)
            parts.append("√" if root else "" if sign in "}$" else sign)
            if root:
                inner, at = _argument(text, root.end(), _RADICAND)
                parts.append(f"({_flat(inner, depth + 1)})")
            else:
                at += 1
    return "".join(parts)


_SET = re.compile(r"[^,\s]\s*,|^\s*\w[^|:]{0,30}[|:].*[<>=≤≥≠∈]")
"""The content of braces that are a set: its members, or their condition after a stroke."""
_PLAIN_ROOT = re.compile(r"sqrt(?=\()")


def _spelled(text: str, command: re.Match[str], depth: int, before: list[str]) -> tuple[str, int]:
    """Return the normal form of a LaTeX command and its arguments, and their end."""
    name, sign, at = command[1], command[2], command.end()
    if name is None:
        return {"{": _OPEN_SET, "}": _CLOSE_SET, "%": "%", "_": "_", "&": "&", "#": "#"}.get(
            sign, " " if sign in " \\~" else ""
        ), at
    if name in ("frac", "dfrac", "tfrac", "cfrac"):
        above, at = _argument(text, at, _ONE)
        below, at = _argument(text, at, _ONE)
        fraction = _fraction(_flat(above, depth + 1), _flat(below, depth + 1))
        is_mixed = bool(before and before[-1][-1:].isdigit())
        return (" " if is_mixed else "") + fraction, at
    if name == "sqrt":
        index = re.compile(r"\s*\[([^\[\]]*)\]").match(text, at)
        inner, at = _argument(text, index.end() if index else at, _ONE)
        power = f"[{index[1].strip()}]" if index and index[1].strip() != "2" else ""
        return f"√{power}({_flat(inner, depth + 1)})", at
    if name in ("ce", "cee"):
        inner, at = _argument(text, at, _ONE)
        inner = re.sub(r"\^(\d*[+-])", r"^{\1}", inner)
        return _flat(_CHARGE.sub(r"^{\1}", inner), depth + 1), at
    if name in _WRAPPERS:
        inner, at = _argument(text, at, _ONE)
        return _flat(inner.replace("~", " "), depth + 1), at
    if name in _DROPPED:
        return "", at
    if name in SIGNS:
        return SIGNS[name], at
    return (name if _FUNCTION.fullmatch(name) else f"\\{name}"), at


_ONE = re.compile(r"\S", re.DOTALL)


def _argument(text: str, at: int, bare: re.Pattern[str], depth: int = 0) -> tuple[str, int]:
    """The argument that begins at `at`: a group, a command, or what `bare` matches; its end.

    A command has its own arguments down to `_DEEPEST`: a reply may repeat one without end.
    """
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if at >= len(text):
        return "", at
    if text[at] in "{(" and (text[at] == "{" or bare is not _ONE):
        close = {"{": "}", "(": ")"}[text[at]]
        level = 0
        for end in range(at, len(text)):
            level += {text[at]: 1, close: -1}.get(text[end], 0)
            if level == 0:
                return text[at + 1 : end], end + 1
        return text[at + 1 :], len(text)
    if text[at] == "\\" and (command := _COMMAND.match(text, at)):
        end = command.end()
        two = command[1] in ("frac", "dfrac", "tfrac")
        one = two or command[1] == "sqrt" or command[1] in _WRAPPERS
        for _ in range(one + two if depth < _DEEPEST else 0):
            end = _argument(text, end, _ONE, depth + 1)[1]
        return text[at:end], end
    match = bare.match(text, at)
    return (match[0], match.end()) if match else ("", at)


def _script(sign: str, inner: str) -> str:
    inner = "".join(inner.split())
    if sign == "^" and inner and set(inner) <= {"°"}:
        return "°"
    if sign == "^" and inner and set(inner) <= {"'"}:
        return inner
    return f"{sign}({inner})" if inner else ""


def _fraction(above: str, below: str) -> str:
    above, below = above.strip(), below.strip()
    if _OPERATOR.search(re.sub(r"\([^()]*\)", "", above)):
        above = f"({above})"
    return f"{above}/{below if _LONE.fullmatch(below) else f'({below})'}"


_BOTH = re.compile(r"\^(\([^()]*\))_(\([^()]*\))")
_BELOW = re.compile(r"(?:(?<=[^\W\d_])|(?<=[)\]]))_\((\d+)\)(?!\s*\d)")
_FUNCTION_END = re.compile(r"(?:log|lg|ln|lim|max|min|exp)$")
_AROUND_ONE = re.compile(
    r"(?<![\w)√^\]])\((-?\d+(?:\.\d+)?|[^\W\d_])\)(?=/)|(?<=/)\((\d+(?:\.\d+)?|[^\W\d_])\)"
)


def _with_scripts(text: str) -> str:
    """Put subscripts before superscripts, and a number below a letter directly after it: CO_(2) is
    CO2."""
    text = _BOTH.sub(r"_\2^\1", text)
    text = _BELOW.sub(lambda m: m[0] if _FUNCTION_END.search(text, 0, m.start()) else m[1], text)
    return _AROUND_ONE.sub(lambda m: m[1] or m[2], text)


_DEGREES = re.compile(
    r"(?<=\d)\s*(?:degrees?|degrés?|grados?|graus?|度|도)(?:\s+(?:Celsius|(C)))?\s*(?=$|[.。])"
)
_PER = re.compile(r"(?<=[A-Za-zΩ])\s*[* ]\s*([A-Za-z]{1,3})\^\(-(\d)\)")


def _with_units(text: str) -> str:
    """Write degrees in words as a sign, and m s^(-2) as m/s^(2)."""
    text = _DEGREES.sub(lambda m: "°C" if "Celsius" in m[0] or m[1] else "°", text)
    text = re.sub(r"°\s+(?=[CF]\b)|(?<=\d)\s+(?=%)", lambda m: m[0].strip(), text)
    return _PER.sub(lambda m: f"/{m[1]}" + ("" if m[2] == "1" else f"^({m[2]})"), text)


def _without_spaces(text: str, is_latex: bool) -> str:
    """Remove spaces without a meaning: in LaTeX all but those between digits, else those next to
    signs."""
    text = _FUNCTION.sub(lambda m: m[0] + "\ue002", text)
    text = re.sub("\ue002\\s*", "", text)
    if is_latex and not re.search(r"[^\W\d_]{2}", _FUNCTION_NAMES.sub("", text)):
        return re.sub(r"(?<!\d)\s+|\s+(?!\d)", "", text)
    return _LOOSE_SPACE.sub("", text)


_FUNCTION_NAMES = re.compile(_FUNCTIONS.replace(" ", "|"))
