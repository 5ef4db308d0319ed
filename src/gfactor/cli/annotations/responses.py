"""gfactor annotate responses: wrong answers of models, to be labeled; and the labels."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.errors import ParameterError
from gfactor.scoring.exporting import as_cells
from gfactor.studies.annotation import Project, add_wrong_responses, labels_table


@click.command("responses")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option(
    "--from", "journal", type=click.Path(path_type=Path), metavar="JOURNAL", help="Take from."
)
@click.option("--per-examinee", default=90, show_default=True, help="As many of each at most.")
@click.option("--by", default="", metavar="LABEL", help="Equally many of each value of a label.")
@click.option("--seed", default=0, show_default=True, help="Of the sample.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="CSV", help="Write the labels."
)
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
    if journal is not None:
        added = add_wrong_responses(project, journal, per_examinee, seed, by)
        put_json({"added": added}) if as_json else say(f"{added:,} responses to label")
    if output is not None:
        table = labels_table(project)
        as_cells(table).to_csv(output, index=False, lineterminator="\n")
        put_json({"labels": len(table)}) if as_json else say(f"{output}: {len(table):,} labels")
