"""gfactor score: score the answers of a journal: accuracy with intervals.

gfactor score c.db
gfactor score c.db --examinee observer:limited --json
gfactor score c.db --judge openai:gpt-4o-mini -o answers.csv
gfactor score c.db --correct labels.csv
gfactor score c.db --policy vlmevalkit
gfactor score c.db --calibration bank.calibration.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of, put

HEADING = "Results"


ABOUT = """Last come the shares of responses that were read by rules, by a judge, answered by a
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
where asking it failed for some replies; these are asked again by the same command."""


@derived(
    __doc__,
    "score",
    {"journal": "JOURNAL", "output": "-o FILE", "correct": "--correct MARKS"},
    twins=["correct_scores"],
    about=ABOUT,
)
def command(
    journal: str, output: Path | None = None, correct: Path | None = None,
    benchmark: str | None = None, *, as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Score a journal, or correct its scores by marks of people.

    Parameters
    ----------
    output : path, optional
        Write every response with its answer, stage and points as NAME.csv or NAME.parquet.
    correct : path, optional
        Correct the scores by marks of people: a table with examinee, item and mark (0 to 1), or
        what gfactor annotate responses -o writes.
    benchmark : str, optional
        With --correct, the benchmark, if the journal has several.
    """
    if correct is not None:
        refuse_typed(
            "does not go with --correct; call gfactor score twice",
            among=("output", "calibration"),
        )
        del given["calibration"]
        corrected = function_of("correct_scores")(
            journal, people=correct, benchmark=benchmark, **given
        )
        return put(corrected, as_json, judged=True)
    refuse_typed("is for --correct; other scores are by benchmark anyway", among=("benchmark",))
    scores = function_of("score")(journal, **given)
    if output:
        from gfactor.scoring import write_answers

        write_answers(scores.responses, output)
    written = f"{output}: {len(scores.responses):,} responses" if output else ""
    return put(scores, as_json, last=written)
