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
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, put
from gfactor.cli.scoring import SCORED, scoring_options
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Results"


OPTIONS = [
    click.option(
        "-o",
        "--output",
        type=PATH,
        metavar="FILE",
        help="Write every response with its answer, stage and points as NAME.csv or NAME.parquet.",
    ),
    click.option(
        "--correct",
        type=PATH,
        metavar="MARKS",
        help="Correct the scores by marks of people: a table with examinee, item and mark (0 to "
        "1), or what gfactor annotate responses -o writes.",
    ),
    click.option(
        "--benchmark",
        metavar="NAME",
        help="With --correct, the benchmark, if the journal has several.",
    ),
]
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
    {"journal": "JOURNAL"},
    without=SCORED,
    options=[*OPTIONS, scoring_options],
    twins=["correct_scores"],
    about=ABOUT,
)
def command(
    journal: str,
    output: Path | None,
    correct: Path | None,
    benchmark: str | None,
    claim: str,
    calibration: Path | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    from gfactor.api.results import Scores
    from gfactor.api.taking import opened as opened_journal
    from gfactor.psychometrics.irt.calibration_files import read_calibration
    from gfactor.scoring import write_answers

    if correct is not None:
        for option, given in (("-o", output), ("--calibration", calibration)):
            if given is not None:
                raise ParameterError(
                    f"{option} does not go with --correct; call gfactor score twice"
                )
        return _say_corrected(journal, scoring, correct, claim, benchmark, as_json)
    if benchmark is not None:
        raise ParameterError("--benchmark is for --correct; other scores are by benchmark anyway")
    # A file that is not a calibration is said before a judge is paid.
    scale = None if calibration is None else read_calibration(calibration)
    with opened_journal(journal) as opened:
        scores = Scores.of(opened, scoring, scale, claim)
    if output:
        write_answers(scores.responses, output)
    put(scores, as_json)
    if output and not as_json:
        say(f"{output}: {len(scores.responses):,} responses")
    return scoring.code


def _say_corrected(
    journal: str,
    scoring: Scoring,
    marks: Path,
    claim: str,
    benchmark: str | None,
    as_json: bool,
) -> int:
    """Print the scores that people's marks correct."""
    from gfactor.api.correcting import corrected_journal

    corrected = corrected_journal(journal, scoring, marks, claim=claim, benchmark=benchmark)
    if as_json:
        put_json(corrected.to_dict())
    else:
        say(corrected.summary())
        if scoring.judged:
            say(scoring.judge_line())
    return scoring.code
