"""gfactor annotate responses: take wrong answers of models in to be labeled; write the labels."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument, seed_option
from gfactor.errors import ParameterError
from gfactor.items.files import check_writable
from gfactor.scoring.exporting import write_csv
from gfactor.studies.annotation import Project, add_wrong_responses, labels_table


@click.command("responses")
@folder_argument
@click.option("--from", "journal", type=PATH, metavar="JOURNAL", help="Take from.")
@click.option(
    "--per-examinee",
    type=click.IntRange(min=1),
    default=90,
    show_default=True,
    help="As many of each at most.",
)
@click.option("--by", default="", metavar="LABEL", help="Equally many of each value of a label.")
@seed_option("Of the sample.")
@click.option("-o", "--output", type=PATH, metavar="CSV", help="Write the labels.")
@json_option
def command(
    folder: Path,
    journal: Path | None,
    per_examinee: int,
    by: str,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Take a sample of wrong answers into the project, or write the labels they were given.

    \b
    Example:
      gfactor annotate responses desk/ --from c.db --per-examinee 90 --by paradigm
      gfactor annotate responses desk/ -o labels.csv
    """
    project = Project.open(folder)
    if journal is None and output is None:
        raise ParameterError("say where responses come from (--from) or labels go to (-o)")
    if output is not None:
        check_writable(output)
    done: dict[str, int] = {}
    if journal is not None:
        done["added"] = add_wrong_responses(project, journal, per_examinee, seed, by)
    if output is not None:
        table = labels_table(project)
        write_csv(table, output)
        done["labels"] = len(table)
    if as_json:
        put_json(done)
        return
    if "added" in done:
        say(f"{done['added']:,} responses to label")
    if "labels" in done:
        say(f"{output}: {done['labels']:,} labels")
