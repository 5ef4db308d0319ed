"""gfactor report: make the report of a journal: tables, figures and one page to open.

gfactor report c.db -o report/
gfactor report c.db -o report/ --judge openai:gpt-4o-mini --condition default
gfactor report c.db -o report/ --labels labels.csv --models models.csv
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.scoring import SCORED, scoring_options

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Results"


@derived(
    __doc__,
    "report",
    {"journal": "JOURNAL", "folder": "-o DIR"},
    without=SCORED,
    options=[scoring_options],
    about="The numbers are those that gfactor score prints.",
)
def command(
    journal: str,
    folder: Path,
    calibration: Path | None,
    prereg: Path | None,
    claim: str | None,
    as_json: bool,
    scoring: Scoring,
    **files: Any,
) -> int:
    from gfactor.api.compared_runs import runs_in_words
    from gfactor.api.results import report_of
    from gfactor.api.taking import opened as opened_journal
    from gfactor.psychometrics.irt.calibration_files import read_calibration
    from gfactor.results import number_of, plain

    scale = None if calibration is None else read_calibration(calibration)
    with opened_journal(journal) as opened:
        written, results = report_of(
            opened, scoring, folder, calibration=scale, prereg=prereg, claim=claim, **files
        )
    compared = results.preregistration
    if as_json:
        document = {"path": str(written.path), "tables": list(written.tables),
                    "figures": list(written.figures)}  # fmt: skip
        put_json(document | ({} if compared is None else {"preregistration": plain(compared)}))
        return scoring.code
    say(
        f"{written.path}: {number_of(len(written.tables), 'table')}, "
        f"{number_of(len(written.figures), 'figure')}, "
        f"{number_of(len(results.counted), 'answer')} of "
        f"{runs_in_words(results.answers)}."
    )
    if compared is not None:
        away = compared.loc[compared["as_planned"] == "no"]
        say(f"{len(away)} deviations from the plan {prereg}.")
        for row in away.to_dict("records"):
            say(f"  {row['what']}: planned {row['planned']}; done: {row['done']}")
    if scoring.judged:
        say(scoring.judge_line())
    return scoring.code
