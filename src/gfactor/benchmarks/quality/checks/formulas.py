"""Formulas that cannot be parsed (MULTI, appendix E.2: incomplete mathematical functions)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding

_ENVIRONMENT_NAMES = (
    "align align* aligned alignat alignat* alignedat array bmatrix Bmatrix bsmallmatrix cases "
    "dcases displaymath drcases eqnarray eqnarray* equation equation* flalign flalign* gather "
    "gather* gathered matrix math multline multline* picture pmatrix psmallmatrix rcases "
    "smallmatrix split subarray substack tabular vmatrix Vmatrix"
)

ENVIRONMENTS = frozenset(_ENVIRONMENT_NAMES.split())
"""Environments of LaTeX, amsmath and mathtools that stand in formulas."""

ARGUMENTS = {"frac": 2, "dfrac": 2, "tfrac": 2, "cfrac": 2, "binom": 2, "dbinom": 2, "tbinom": 2,
             "sqrt": 1, "overline": 1, "underline": 1, "vec": 1, "hat": 1, "widehat": 1,
             "overrightarrow": 1, "text": 1, "mathrm": 1, "mathbf": 1, "boxed": 1}  # fmt: skip
"""Number of required arguments by command."""

_TOKEN = re.compile(r"\\(?:[a-zA-Z]+\*?|.|$)|[{}&^_]|[^\\{}&^_\s]|\s+", re.DOTALL)
_PRICE = re.compile(r"\$\s?\d[\d,.]*(?:\s|$|[^\d$\\^_{])")
_NAME = re.compile(r"\{([^{}]*)\}")


def flaws_in(text: str) -> list[str]:
    """Return the flaws of the formulas in a text, in words; empty if all can be parsed.

    Formulas are enclosed in $ and $, $$ and $$, \\( and \\), \\[ and \\]. Dollar signs before
    amounts of money enclose none.
    """
    formulas, flaws = _formulas_in(text)
    for formula in formulas:
        flaw = _formula_flaw(formula)
        if flaw:
            flaws.append(f"{flaw}: {_short(formula)}")
    return flaws


def _formulas_in(text: str) -> tuple[list[str], list[str]]:
    """The formulas of a text, and what is wrong with their delimiters."""
    formulas, flaws = [], []
    for opening, closing in ((r"\[", r"\]"), (r"\(", r"\)")):
        # A line break in a matrix, \\[2pt], is no opening.
        open_at = [m.start() for m in re.finditer(rf"(?<!\\){re.escape(opening)}", text)]
        close_at = [m.start() for m in re.finditer(rf"(?<!\\){re.escape(closing)}", text)]
        if len(open_at) != len(close_at):
            flaws.append(f"{len(open_at)} {opening} and {len(close_at)} {closing}")
        else:
            formulas += [text[a + 2 : b] for a, b in zip(open_at, close_at, strict=True) if a < b]
    signs = [m.start() for m in re.finditer(r"(?<!\\)\$", text)]
    if signs and len(signs) == len(_PRICE.findall(text)):
        return formulas, flaws
    parts = re.split(r"(?<!\\)\$\$", text)
    if len(parts) % 2 == 0:
        return formulas, [*flaws, "an odd number of $$"]
    formulas += parts[1::2]
    for outside in parts[::2]:
        pieces = re.split(r"(?<!\\)\$", outside)
        if len(pieces) % 2 == 0:
            return formulas, [*flaws, "an odd number of $"]
        formulas += pieces[1::2]
    return formulas, flaws


def _formula_flaw(formula: str) -> str:
    """Return what is wrong with one formula, without its delimiters; "" if nothing is."""
    if not formula.strip():
        return "an empty formula"
    tokens = [t for t in _TOKEN.findall(formula) if not t.isspace()]
    return _balance_flaw(tokens) or _environment_flaw(formula) or _argument_flaw(tokens)


def _balance_flaw(tokens: list[str]) -> str:
    depth = lefts = 0
    for token in tokens:
        depth += (token == "{") - (token == "}")
        lefts += (token == r"\left") - (token == r"\right")
        if depth < 0:
            return "a } without its {"
        if lefts < 0:
            return r"a \right without its \left"
    if depth:
        return "a { without its }"
    return r"a \left without its \right" if lefts else ""


def _environment_flaw(formula: str) -> str:
    opened: list[str] = []
    for mark in re.finditer(r"\\(begin|end)\b", formula):
        named = _NAME.match(formula, mark.end())
        if named is None:
            return f"\\{mark[1]} without the name of an environment"
        name = named[1].strip()
        if name not in ENVIRONMENTS:
            return f"unknown environment {name!r}"
        if mark[1] == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            return f"\\end{{{name}}} without its \\begin"
    return f"\\begin{{{opened[-1]}}} without its \\end" if opened else ""


def _argument_flaw(tokens: list[str]) -> str:
    if tokens[-1] == "\\":
        return "a backslash at its end"
    for index, token in enumerate(tokens):
        after = list(_arguments(tokens, index + 1, 2))
        if token in ("^", "_") and not after:
            return f"nothing behind {token}"
        wanted = ARGUMENTS.get(token[1:], 0) if token.startswith("\\") else 0
        if len(after) < wanted:
            return f"{token} lacks an argument"
    return ""


def _arguments(tokens: list[str], start: int, most: int) -> Iterator[int]:
    """Yield the start of each argument of a command; an argument is a group or a single sign."""
    at, count = start, 0
    if tokens[at : at + 1] == ["["] and "]" in tokens[at:]:
        at = tokens.index("]", at) + 1
    while at < len(tokens) and count < most:
        token = tokens[at]
        if token in ("}", "&", r"\\", r"\right", r"\end"):
            return
        yield at
        count += 1
        depth = 0
        while at < len(tokens):
            depth += (tokens[at] == "{") - (tokens[at] == "}")
            at += 1
            if depth == 0:
                break


def _short(formula: str) -> str:
    squeezed = " ".join(formula.split())
    return squeezed if len(squeezed) <= 40 else f"{squeezed[:37]}..."


@register("formulas", "formulas in LaTeX that do not parse")
def check(survey: Survey) -> CheckOutcome:
    """Find formulas that cannot be parsed, in questions, options and right answers."""
    cases, n = [], 0
    for item in survey.items:
        texts = [text for text in _texts(item) if "$" in text or r"\(" in text or r"\[" in text]
        n += bool(texts)
        flaws = [flaw for text in texts for flaw in flaws_in(text)]
        if flaws:
            cases.append(Case((item.id,), "; ".join(flaws[:3])))
    left = survey.undecided("formulas", cases)
    if not left:
        return CheckOutcome(n)
    finding = Finding(
        "formulas",
        "warning",
        f"{len(left):,} of {n:,} items with formulas have one that does not parse.",
        "Correct the formula; a model reads what is written, and people see an error.",
        left,
        review=True,
    )
    return CheckOutcome(n, (finding,))


def _texts(item: SurveyedItem) -> list[str]:
    texts = [item.text, *(option.text or "" for option in item.options)]
    if item.answer_type in ("blanks", "open"):
        answers = item.target if isinstance(item.target, list) else [item.target]
        texts += [answer for answer in answers if isinstance(answer, str)]
    return texts
