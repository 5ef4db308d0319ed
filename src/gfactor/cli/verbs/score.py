"""gfactor score: score the answers of a journal: accuracy with intervals.

gfactor score c.db
gfactor score c.db --examinee observer:limited --json
gfactor score c.db --judge openai:gpt-4o-mini -o answers.csv
gfactor score c.db --correct labels.csv
gfactor score c.db --policy vlmevalkit
gfactor score c.db --calibration bank.calibration.json

Last come the shares of responses that were read by rules, by a judge, answered by a
random draw of the policy, without answer, missing.

--policy vlmevalkit reads and rules as VLMEvalKit does, and prints its figures (MME's acc+,
MMBench's CircularEval, TextVQA's VQA accuracy ...) beside those of our reading, with the replies
that make the difference.

--correct reports the score that people would have given: the marks of rules and judge, shifted by
how far people and they differ on the answers that people marked, with an interval
(prediction-powered inference), the judge's sensitivity and specificity, and its bias by model and
length of the reply. Answers that people mark have to be drawn at random. Without people's marks, a
judge's errors are in no interval.

With --judge, options such as --base-url and --key-env say how it is reached. The exit code is 1
where asking it failed for some replies; these are asked again by the same command.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put
from gfactor.cli.spelling import options_with

HEADING = "Results"


@derived(
    __doc__,
    "score",
    {"path": "-o FILE", "correct": "--correct MARKS"},
    options=[options_with("With --correct", "correct_scores", ("benchmark",))],
    twins=["correct_scores"],
)
def command(journal: str, correct: Path | None = None, *, as_json: bool, **given: Any) -> int:
    """Score a journal, or correct its scores by marks of people.

    Parameters
    ----------
    correct : path, optional
        Correct the scores by marks of people: a table with examinee, item and mark (0 to 1), or
        what gfactor annotate responses -o writes.
    """
    if correct is not None:
        given |= {"answers": journal, "people": correct}
        reason = "does not go with --correct; call gfactor score twice"
        beside = ("journal", "correct")
        return put(called("correct_scores", given, reason, beside=beside), as_json, judged=True)
    reason = "is for --correct; other scores are by benchmark anyway"
    scores = called("score", given | {"journal": journal}, reason)
    path = given["path"]
    return put(scores, as_json, last=f"{path}: {len(scores.responses):,} responses" if path else "")
