"""gfactor import-scores: join the score tables of other programs into one table."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, PATH
from gfactor.cli.task_tables import journal_condition_option, tasks_option

HEADING = "Results"

_SHOWN = 10


@click.command("import-scores")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=NAME)
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="FILE",
    help="Write the joined table, .csv or .parquet.",
)
@click.option(
    "--format",
    "format_name",
    default="",
    metavar="FORMAT",
    help="Of all files; by default each file's name and content tell.",
)
@click.option(
    "--names",
    "map_file",
    type=PATH,
    metavar="FILE",
    help="A name map: a CSV with the columns model (as a source has it) and as (as it shall be).",
)
@click.option(
    "--model",
    metavar="NAME",
    help="Whose results a file of one model holds (vlmevalkit, lmms-eval).",
)
@click.option("--index", metavar="COLUMN", help="The column with the models' names (table).")
@click.option(
    "--by", metavar="LABEL", help="What the columns made of a journal are.  [default: domain]"
)
@journal_condition_option
@tasks_option
@click.option("--common", is_flag=True, help="Keep only models that have every column.")
@json_option
def command(
    files: tuple[str, ...],
    output: Path | None,
    format_name: str,
    map_file: Path | None,
    model: str | None,
    index: str | None,
    by: str | None,
    condition: str | None,
    tasks: str | None,
    common: bool,
    as_json: bool,
) -> None:
    """Join score tables: a row per model, a column per task.

    FORMAT is table (.csv, .tsv, .parquet with a row per model), vlmevalkit (MODEL_DATASET_acc or
    _score, .csv or .json), openvlm (the leaderboard's JSON), lmms-eval (DATE_results.json) or
    journal (of gfactor). Models are matched by name; names that differ are never guessed: those
    without a partner are listed, close ones beside them, and --names joins them. Where two files
    give the same cell, the first file's value stays, and the difference is listed.

    \b
    Example:
      gfactor import-scores GPT4o/GPT4o_MMBench_DEV_EN_acc.csv arena.csv -o scores.csv
      gfactor import-scores answers.csv --tasks "validation_([A-Za-z_]+)_[0-9]+" -o scores.csv

    Python: gfactor.import_scores(files, path="scores.csv")
    """
    from gfactor.api.importing import imported_scores

    told = {"model": model, "index": index, "by": by, "condition": condition}
    built = imported_scores(list(files), format_name, map_file, told, tasks, common, output)
    if as_json:
        put_json(built.to_dict())
        return
    say(built.summary())
    if output is not None:
        say(f"written to {output}")
    else:
        say(built.scores.iloc[:_SHOWN, :6].to_string(float_format="{:.2f}".format, na_rep="-"))
