"""Items whose text is not in the language that their label says."""

from __future__ import annotations

from collections import Counter

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import Outcome, register
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.benchmarks.quality.languages import SCRIPTS, mismatch


@register("language", "texts that are not in the language of their label")
def check(survey: Survey) -> Outcome:
    """Texts whose script, or whose function words, are another language's."""
    known = [i for i in survey.items if i.language.partition("-")[0].lower() in SCRIPTS]
    cases, of = [], Counter[str]()
    for item in known:
        words = mismatch(item.words, item.language)
        if words:
            cases.append(Case((item.id,), f"label {item.language}: {words}"))
            of[item.language] += 1
    measures = {"unknown_language": len(survey.items) - len(known)}
    left = survey.undecided("language", cases)
    if not left:
        return Outcome(len(known), (), measures)
    spread = ", ".join(f"{n:,} labeled {language}" for language, n in sorted(of.items()))
    finding = Finding(
        "language",
        "warning",
        f"{len(left):,} of {len(known):,} items are in another language than their label "
        f"says ({spread}).",
        "Correct the label, or say that such items (passages in a foreign language) are meant.",
        left,
        review=True,
    )
    return Outcome(len(known), (finding,), measures)
