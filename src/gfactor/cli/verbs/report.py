"""gfactor report: make the report of a journal: tables, figures and one page to open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, calibration_option, journal_argument
from gfactor.cli.scoring import scoring_options

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Results"


@click.command(name="report")
@journal_argument
@click.option(
    "-o",
    "--output",
    type=PATH,
    required=True,
    metavar="DIR",
    help="Folder for the report; made where it does not exist.",
)
@click.option(
    "--labels",
    type=PATH,
    metavar="FILE",
    help="Labels of wrong responses, as gfactor annotate responses WORKSPACE -o FILE writes them, "
    "for the types of errors.",
)
@click.option(
    "--models",
    type=PATH,
    metavar="FILE",
    help="Facts about models: a CSV file with examinee and context_window (tokens).",
)
@calibration_option
@click.option(
    "--prereg",
    type=PATH,
    metavar="FILE",
    help="A plan of gfactor plan --prereg: deviations from it are listed.",
)
@json_option
@scoring_options
def command(
    journal: str,
    output: Path,
    labels: Path | None,
    models: Path | None,
    calibration: Path | None,
    prereg: Path | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Report what was measured: DIR/report.html, DIR/tables/ and DIR/figures/.

    The page opens from disk and needs no network. Every table lies beside it as CSV, Markdown and
    LaTeX, every figure as SVG and PNG. The same journal gives the same bytes.

    M3GIA, MM-IQ and MULTI get the tables and figures of their papers, with the published rows
    below ours. Conditions are never mixed; tables of two conditions compare those that differ in
    one thing alone (images, prompt, knowledge).

    With --calibration, abilities with their intervals stand beside accuracies.

    --examinee, --condition, --judge and --policy are those of gfactor score, and the numbers those
    that it prints.

    \b
    Example:
      gfactor report c.db -o report/
      gfactor report c.db -o report/ --judge openai:gpt-4o-mini --condition default
      gfactor report c.db -o report/ --labels labels.csv --models models.csv

    Python: gfactor.report(journal, "report/")
    """
    from gfactor.api.results import report_of
    from gfactor.api.taking import opened as opened_journal
    from gfactor.psychometrics.irt.calibration_files import read_calibration
    from gfactor.results import plain

    known = None if calibration is None else read_calibration(calibration)
    with opened_journal(journal) as opened:
        written, results = report_of(opened, scoring, output, labels, models, known, prereg)
    compared = results.preregistration
    if as_json:
        planned = {} if compared is None else {"preregistration": plain(compared)}
        put_json(
            {
                "path": str(written.path),
                "tables": list(written.tables),
                "figures": list(written.figures),
                **planned,
            }
        )
    else:
        from gfactor.results import number_of

        say(
            f"{written.path}: {number_of(len(written.tables), 'table')}, "
            f"{number_of(len(written.figures), 'figure')}, "
            f"{number_of(len(results.counted), 'answer')} of "
            f"{number_of(len(results.labels()), 'examinee')}."
        )
        if compared is not None:
            away = compared.loc[compared["as_planned"] == "no"]
            say(f"{len(away)} deviations from the plan {prereg}.")
            for row in away.to_dict("records"):
                say(f"  {row['what']}: planned {row['planned']}; done: {row['done']}")
        if scoring.judged:
            say(scoring.judge_line())
    return scoring.code
