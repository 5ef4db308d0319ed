"""Formulas that cannot be parsed (MULTI, appendix E.2: incomplete mathematical functions)."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Seen, Survey
from gfactor.benchmarks.quality.check import Outcome, register
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.benchmarks.quality.latex import flaws_in


@register("formulas", "formulas in LaTeX that do not parse")
def check(survey: Survey) -> Outcome:
    """Question, options and right answers, each text by itself."""
    cases, n = [], 0
    for item in survey.items:
        texts = [text for text in _texts(item) if "$" in text or r"\(" in text or r"\[" in text]
        n += bool(texts)
        flaws = [flaw for text in texts for flaw in flaws_in(text)]
        if flaws:
            cases.append(Case((item.id,), "; ".join(flaws[:3])))
    left = survey.undecided("formulas", cases)
    if not left:
        return Outcome(n)
    finding = Finding(
        "formulas",
        "warning",
        f"{len(left):,} of {n:,} items with formulas have one that does not parse.",
        "Correct the formula; a model reads what is written, and people see an error.",
        left,
        review=True,
    )
    return Outcome(n, (finding,))


def _texts(item: Seen) -> list[str]:
    texts = [item.text, *(option.text or "" for option in item.options)]
    if item.answer_type in ("blanks", "open"):
        answers = item.target if isinstance(item.target, list) else [item.target]
        texts += [answer for answer in answers if isinstance(answer, str)]
    return texts
