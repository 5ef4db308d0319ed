"""gfactor annotate responses: take answers of models in to be labeled; write the labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import folder_argument, seed_option
from gfactor.cli.scoring import scoring_options
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

PER_EXAMINEE = declared("gfactor.api.annotate.exchange", "PER_EXAMINEE")


@click.command("responses")
@folder_argument
@click.option("--from", "journal", type=PATH, metavar="JOURNAL", help="Take from.")
@click.option(
    "--of",
    type=click.Choice(["wrong", "all"]),
    default="wrong",
    show_default=True,
    help="Take wrong answers, whose errors are labeled, or of all answers, to be marked right or "
    "wrong (--scheme marks) for gfactor score --correct.",
)
@click.option(
    "--per-examinee",
    type=click.IntRange(min=1),
    help=f"As many of each at most.  [default: {PER_EXAMINEE}]",
)
@click.option("--by", default="", metavar="LABEL", help="Equally many of each value of a label.")
@click.option(
    "--quota",
    metavar="N,VALUE=N",
    help="With --by: how many of each of its values, and of those named, as 10,Math=20 (MM-IQ, "
    "section 4.3).",
)
@seed_option("Of the sample.")
@click.option("-o", "--output", type=PATH, metavar="CSV", help="Write the labels.")
@click.option(
    "--unblind",
    is_flag=True,
    help="Name the examinees in the labels although responses still wait for theirs.",
)
@json_option
@scoring_options
def command(
    folder: Path,
    journal: Path | None,
    of: str,
    per_examinee: int | None,
    by: str,
    quota: str | None,
    seed: int,
    output: Path | None,
    unblind: bool,
    as_json: bool,
    scoring: Scoring,
) -> None:
    """Take a sample of answers into the project, or write the labels they were given.

    The journal's answers are scored as by gfactor score; several conditions need --condition. Who
    labels is shown neither examinee nor condition, and responses come in an order drawn by lot. The
    file of labels names both when nothing waits for a label by one who has begun, or with
    --unblind.

    \b
    Example:
      gfactor annotate responses workspace/ --from c.db --by paradigm --quota 10,Math=20
      gfactor annotate responses workspace/ --from c.db --per-examinee 90 --by paradigm
      gfactor annotate responses workspace/ --from c.db --of all --per-examinee 100
      gfactor annotate responses workspace/ -o labels.csv

    Python: gfactor.annotate.responses("workspace/", journal), gfactor.annotate.labels("workspace/")
    """
    from gfactor.api.annotate.exchange import add_sampled_responses
    from gfactor.items.files import check_writable
    from gfactor.scoring.exporting import write_csv
    from gfactor.studies.annotation import Project

    project = Project.open(folder)
    if journal is None and output is None:
        raise ParameterError("say where responses come from (--from) or labels go to (-o)")
    if output is not None:
        check_writable(output)
    if journal is None and scoring.named:
        raise ParameterError(f"{scoring.named[0]} is for --from JOURNAL; name the journal")
    if quota is not None and (not by or per_examinee is not None):
        raise ParameterError(
            "--quota says how many of each value of --by LABEL of each examinee; name the label, "
            "and leave out --per-examinee"
        )
    done: dict[str, Any] = {}
    if journal is not None:
        taken = add_sampled_responses(project, journal, scoring, per_examinee, by, quota, seed, of)
        done["added"], done["short"] = taken.added, list(taken.short)
    if output is not None:
        table, waiting = annotate.labels(folder, unblind=unblind)
        write_csv(table, output)
        done |= {"labels": len(table), "waiting": waiting, "blind": bool(waiting) and not unblind}
    if as_json:
        put_json(done)
        return
    if "added" in done:
        say(f"{done['added']:,} responses to label")
        for line in done["short"]:
            say(f"fewer than their quota: {line}")
    if "labels" in done:
        say(f"{output}: {done['labels']:,} labels")
        if done["blind"]:
            say(
                f"{done['waiting']:,} labels are still to come, so examinee and condition are left "
                "out; --unblind names them"
            )
