"""Check of whether questions with pictures can be answered without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gfactor.benchmarks.quality.bank_survey import BlindRun, Survey, SurveyedItem
from gfactor.benchmarks.quality.chance import against_chance
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding

_NO_PICTURES = Finding(
    "no_pictures",
    "warning",
    "The bank has no single-choice item with a picture, so runs without pictures tell nothing of "
    "it.",
    "Build the bank with its pictures: VLMEvalKit's data sets have them in the column image.",
)


@register("text_only", "accuracy of runs without images, against chance")
def check(survey: Survey) -> CheckOutcome:
    """Test the accuracy of examinees on single-choice items that have a picture, answered without
    it.

    The chance level of an item is 1 / number of options. `constant` is the accuracy of always
    naming the most frequent label. A warning is made if the interval of the accuracy lies above
    both, else a note that there is no sign.
    """
    items = [i for i in survey.items if i.looks and i.answer_type == "choice" and i.options]
    if survey.blind and not items:
        return CheckOutcome(0, (_NO_PICTURES,), {"runs": []})
    findings, rows, right_by = [], [], Counter[str]()
    for run in survey.blind:
        answered = [i for i in items if i.id in run.points]
        if not answered:
            continue
        finding = _run(run, answered)
        rows.append(dict(finding.values))
        findings.append(finding)
        right_by.update(i.id for i in answered if run.points[i.id] > 0.5)
    if len(rows) > 1:
        findings += _by_all(survey, items, right_by, len(rows))
    n = max((row["n"] for row in rows), default=0)
    return CheckOutcome(n, tuple(findings), {"runs": rows})


def _run(run: BlindRun, answered: Sequence[SurveyedItem]) -> Finding:
    right = round(sum(run.points[i.id] for i in answered))
    test = against_chance(right, [len(i.options) for i in answered])
    constant = max(Counter(str(i.target) for i in answered).values()) / len(answered)
    row = {"examinee": run.examinee, "condition": run.condition, **test.to_dict()}
    row["constant"] = round(constant, 6)
    sentence = (
        f"{run.examinee} under {run.condition} answers {test} right without the pictures; the "
        f"most frequent label would earn {constant:.1%}"
    )
    if test.low <= max(test.chance, constant):
        sentence += (
            ": no more than that label does."
            if test.low > test.chance
            else ": no sign that they can be answered without."
        )
        remedy = "Read the interval: an effect up to its end is not ruled out."
        return Finding("no_sign_without_images", "note", sentence, remedy, values=row)
    remedy = "So much of the score needs no picture; report it beside the accuracy with pictures."
    return Finding("answered_without_images", "warning", f"{sentence}.", remedy, values=row)


def _by_all(
    survey: Survey, items: Sequence[SurveyedItem], right_by: Counter[str], runs: int
) -> list[Finding]:
    """Find items that every run answered rightly, and the number expected by chance."""
    always = [i for i in items if right_by[i.id] == runs]
    expected = sum((1 / len(i.options)) ** runs for i in items)
    cases = [Case((i.id,), f"right in all {runs} runs") for i in always]
    left = survey.undecided("text_only", cases)
    if not left:
        return []
    sentence = (
        f"All {runs} runs without pictures answer {len(left):,} of {len(items):,} items "
        f"right; independent guesses would {expected:.1f}."
    )
    remedy = "Look whether question and options tell the answer; models also share what they know."
    values = {"items": len(left), "n": len(items), "runs": runs, "expected": round(expected, 4)}
    return [Finding("right_without_images", "note", sentence, remedy, left, True, values)]
