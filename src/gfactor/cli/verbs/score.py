"""gfactor score: score the answers of a journal: accuracy with intervals.

gfactor score c.db
gfactor score c.db --examinee observer:limited --json
gfactor score c.db --by difficulty
gfactor score c.db --judge openai:gpt-4o-mini -o answers.csv
gfactor score c.db --correct labels.csv
gfactor score c.db --policy vlmevalkit
gfactor score c.db --calibration bank.calibration.json -o answers.csv
gfactor score answers.csv --id code --columns 'item*'

The last line gives the shares of replies that were read by rules, read by a judge, replaced by a
random draw of the policy, left without an answer, or missing.

--policy vlmevalkit reads and scores replies as VLMEvalKit does. It prints VLMEvalKit's figures
(MME's acc+, MMBench's CircularEval, TextVQA's VQA accuracy ...) beside those of gfactor, and the
replies that differ.

--correct estimates the score that people would have given (prediction-powered inference). The mean
of the marks of rules and judge is corrected by their mean difference from people's marks, on the
answers that people marked. It prints an interval, the judge's sensitivity and specificity, and its
bias by model and by length of the reply. The answers that people mark must be drawn at random.
Without people's marks, no interval includes the errors of a judge.

With --judge, options such as --base-url and --key-env say how the judge is reached. The exit code
is 1 if the judge could not be asked about some replies; the same command asks about these again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put
from gfactor.cli.spelling import ITEMS_OF_BANK, TABLE_OPTIONS, options_with

HEADING = "Results"


@derived(
    __doc__,
    "score",
    {
        "path": "-o FILE",
        "by": "--by LABEL",
        "correct": "--correct MARKS",
        **TABLE_OPTIONS,
        **ITEMS_OF_BANK,
    },
    options=[options_with("With --correct", "correct_scores", ("benchmark",))],
    twins=["correct_scores"],
)
def command(journal: str, correct: Path | None = None, *, as_json: bool, **given: Any) -> int:
    """Score a journal, or correct its scores by marks of people.

    Parameters
    ----------
    correct : path, optional
        Correct the scores by marks of people: a table with the columns examinee, item and mark (0
        to 1), or the file that gfactor annotate responses -o writes.
    """
    if correct is not None:
        given |= {"answers": journal, "people": correct}
        reason = "does not go with --correct; call gfactor score twice"
        beside = ("journal", "correct")
        return put(called("correct_scores", given, reason, beside=beside), as_json, judged=True)
    reason = "is for --correct; other scores are by benchmark anyway"
    scores = called("score", given | {"journal": journal}, reason)
    path = given["path"]
    written = [f"{path}: {len(scores.responses):,} responses"] if path else []
    if path and scores.calibrated is not None:
        from gfactor.api.scores.results import abilities_beside

        written.append(f"{abilities_beside(path)}: {len(scores.abilities):,} abilities")
    return put(scores, as_json, last="\n".join(written))
