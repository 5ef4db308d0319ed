"""gfactor transform: change the items of a bank, or undo such a change."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api.banks import transform, undo
from gfactor.benchmarks.postprocess import TRANSFORMATIONS
from gfactor.benchmarks.selection.parsing import words
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import bank_argument, bank_option, jobs_option, seed_option
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

HEADING = "Banks"

_HELP = """Change the items of a bank, or change them back.

Every changed item keeps in its provenance what was done and what it was before; --undo brings the
original items back.

\b
{transformations}

\b
Example:
  gfactor transform multi.parquet -o harder.parquet --do html-to-markdown,combination-to-choices
  gfactor transform multi.parquet -o blanks.parquet --do choice-to-blank --share 0.5 --seed 7
  gfactor transform blanks.parquet -o multi.parquet --undo

Python: gfactor.transform(bank, ["choice-to-blank"], path="blanks.parquet"), gfactor.undo(bank,
path="multi.parquet")
"""

_LIST = "\n".join(f"{t.name}: {t.about}" for t in TRANSFORMATIONS.values())


@click.command("transform", help=_HELP.format(transformations=_LIST))
@bank_argument
@bank_option
@click.option("--do", "names", metavar="A,B", help="Transformations, in this order.")
@click.option("--undo", "undo_all", is_flag=True, help="Bring the original items back.")
@click.option("--undo-last", is_flag=True, help="Take the last transformation of each item back.")
@click.option(
    "--share", default="1", show_default=True, metavar="X", help="Of the items, drawn at random."
)
@seed_option("Of the draw.")
@jobs_option()
@json_option
def command(
    bank: Path,
    output: Path,
    names: str | None,
    undo_all: bool,
    undo_last: bool,
    share: str,
    seed: int,
    jobs: int,
    as_json: bool,
) -> None:
    if sum(map(bool, (names, undo_all, undo_last))) != 1:
        raise ParameterError("give one of --do, --undo and --undo-last")
    opened = ItemBank.open(bank)
    if names:
        done = transform(opened, words(names), path=output, share=share, seed=seed, jobs=jobs)
    else:
        done = undo(opened, path=output, last_only=undo_last, jobs=jobs)
    if as_json:
        put_json(done.to_dict())
        return
    say(f"{done.built.path}: {done.built.items:,} items, of {len(opened):,}")
    for name, n in done.items.items():
        say(f"  {name}: {n:,} items {'changed' if names else 'changed back'}")
