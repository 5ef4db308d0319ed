"""gfactor annotate responses: take wrong answers of models in to be labeled; write the labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.administration import Journal
from gfactor.api.scoring import Scoring
from gfactor.benchmarks.selection.parsing import quotas
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument, seed_option
from gfactor.cli.scoring import scoring_options
from gfactor.errors import ParameterError
from gfactor.items.files import check_writable
from gfactor.scoring.exporting import write_csv
from gfactor.studies.annotation import (
    Project,
    add_responses,
    labels_table,
    sampled,
    wrong_responses,
)

PER_EXAMINEE = 90
"""As many responses of each model as MM-IQ labeled (section 4.3)."""


@click.command("responses")
@folder_argument
@click.option("--from", "journal", type=PATH, metavar="JOURNAL", help="Take from.")
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
    per_examinee: int | None,
    by: str,
    quota: str | None,
    seed: int,
    output: Path | None,
    unblind: bool,
    as_json: bool,
    scoring: Scoring,
) -> None:
    """Take a sample of wrong answers into the project, or write the labels they were given.

    The journal's answers are scored as by gfactor score; several conditions need --condition. Who
    labels is shown neither examinee nor condition, and responses come in an order drawn by lot. The
    file of labels names both when nothing waits for a label by one who has begun, or with
    --unblind.

    \b
    Example:
      gfactor annotate responses workspace/ --from c.db --by paradigm --quota 10,Math=20
      gfactor annotate responses workspace/ --from c.db --per-examinee 90 --by paradigm
      gfactor annotate responses workspace/ -o labels.csv
    """
    project = Project.open(folder)
    if journal is None and output is None:
        raise ParameterError("say where responses come from (--from) or labels go to (-o)")
    if output is not None:
        check_writable(output)
    if journal is None and scoring.named:
        raise ParameterError(f"{scoring.named[0]} is for --from JOURNAL; name the journal")
    if quota is not None and (not by or per_examinee is not None):
        raise ParameterError("--quota says how many of each value of --by LABEL of each examinee; "
                             "name the label, and leave out --per-examinee")  # fmt: skip
    done: dict[str, Any] = {}
    if journal is not None:
        with Journal.open(journal, create=False) as opened:
            wrong = wrong_responses(project, scoring.one_condition(opened), by)
        sample = sampled(
            wrong, per_examinee or PER_EXAMINEE, seed, by, quotas(quota) if quota else None
        )
        done["added"] = add_responses(project, sample.rows, seed)
        done["short"] = list(sample.short)
    if output is not None:
        table, waiting = labels_table(project, unblind=unblind)
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
