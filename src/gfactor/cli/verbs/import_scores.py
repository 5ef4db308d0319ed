"""gfactor import-scores: join the score tables of other programs to one."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api.progress import progress
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, PATH
from gfactor.cli.task_tables import journal_condition_option, naming_of, tasks_option
from gfactor.errors import ParameterError
from gfactor.items.files import check_writable, replacing
from gfactor.scoring.exporting import write_csv
from gfactor.scoring.tables import (
    Joined,
    by_task,
    format_of,
    join_scores,
    read_names,
    read_scores,
    read_tasks,
)

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
    """
    if output is not None and output.suffix not in (".csv", ".parquet"):
        raise ParameterError(f"scores are written to NAME.csv or NAME.parquet, not {output.name!r}")
    formats = [format_name or format_of(file) for file in files]
    told = {"model": model, "index": index, "by": by, "condition": condition}
    naming = naming_of(told, formats)
    names = read_names(map_file).names if map_file else {}
    read = progress(zip(files, formats, strict=True), len(files), "reading", "file")
    tables = [read_scores(file, known, naming) for file, known in read]
    if tasks:
        given = read_tasks(tasks)
        tables = [by_task(table, given) for table in tables]
    joined = join_scores(tables, names)
    if not joined.scores.size:
        raise ParameterError(
            f"no score in {', '.join(map(str, files))}: no column holds nothing but numbers"
        )
    scores = joined.scores.dropna() if common else joined.scores
    if output is not None:
        _write(joined, scores.index.tolist(), output)
    if as_json:
        cells = scores.astype(object).where(scores.notna(), None)
        put_json(
            {
                "models": list(scores.index),
                "columns": list(scores.columns),
                "facts": list(joined.facts.columns),
                "scores": cells.to_numpy().tolist(),
                "sources": {c: list(s) for c, s in joined.sources.items()},
                "unmatched": {s: list(m) for s, m in joined.unmatched.items()},
                "close": joined.close,
                "unused_names": list(joined.unused),
                "conflicts": list(joined.conflicts),
                "flaws": list(joined.flaws),
            }
        )
        return
    missing = int(scores.isna().to_numpy().sum())
    say(f"{len(scores)} models x {scores.shape[1]} columns, {missing:,} cells missing")
    if joined.facts.shape[1]:
        say(f"no scores but facts: {_some(tuple(map(str, joined.facts.columns)))}")
    _say_findings(joined)
    if output is not None:
        say(f"written to {output}")
    else:
        say(scores.iloc[:_SHOWN, :6].to_string(float_format="{:.2f}".format, na_rep="-"))


def _write(joined: Joined, models: list[str], path: Path) -> None:
    table = joined.scores.loc[models]
    facts = joined.facts.loc[models]
    whole = facts.join(table) if facts.shape[1] else table
    whole.index.name = "model"
    if path.suffix == ".csv":
        write_csv(whole, path, index=True)
        return
    check_writable(path)
    with replacing(path) as temporary:
        whole.to_parquet(temporary)


def _say_findings(joined: Joined) -> None:
    for source, models in joined.unmatched.items():
        if models:
            say(f"only in {source}: {len(models)} models ({_some(models)})")
    for model, other in list(joined.close.items())[:_SHOWN]:
        say(f"  {model!r} may be {other!r}; if so, put it into the name map")
    if joined.unused:
        say(f"in the name map but in no file: {_some(joined.unused)}")
    for kind, lines in (("conflict", joined.conflicts), ("not taken over", joined.flaws)):
        for line in lines[:_SHOWN]:
            say(f"{kind}: {line}")
        if len(lines) > _SHOWN:
            say(f"{kind}: {len(lines) - _SHOWN:,} more; --json lists all")


def _some(names: tuple[str, ...]) -> str:
    more = f", ... {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
