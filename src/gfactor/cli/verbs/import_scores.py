"""gfactor import-scores: join the score tables of other programs into one table.

gfactor import-scores GPT4o/GPT4o_MMBench_DEV_EN_acc.csv arena.csv -o scores.csv
gfactor import-scores answers.csv --tasks "validation_([A-Za-z_]+)_[0-9]+" -o scores.csv
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

HEADING = "Results"

_LISTED = 10


@derived(
    __doc__,
    "import_scores",
    {
        "files": "FILE...",
        "format_name": "--format FORMAT",
        "model": "--model NAME",
        "index": "--index COLUMN",
        "by": "--by LABEL",
        "condition": "--condition KEY",
        "tasks": "--tasks FILE|PATTERN",
        "path": "-o FILE",
    },
    reads={"tasks": str},
)
def command(
    files: tuple[str, ...],
    format_name: str,
    names: Path | None,
    tasks: str | None,
    common: bool,
    path: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    from gfactor.api.importing import imported_scores

    joined = imported_scores(list(files), format_name, names, options, tasks, common, path)
    if as_json:
        put_json(joined.to_dict())
        return
    say(joined.summary())
    if path is not None:
        say(f"written to {path}")
    else:
        say(joined.scores.iloc[:_LISTED, :6].to_string(float_format="{:z.2f}".format, na_rep="-"))
