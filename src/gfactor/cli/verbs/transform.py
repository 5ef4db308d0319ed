"""gfactor transform: change the items of a bank, or undo such a change."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api.banks import transform, undo, variants
from gfactor.benchmarks.postprocess import TRANSFORMATIONS, Variants
from gfactor.benchmarks.selection.parsing import words
from gfactor.cli.backends import jobs_option
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import bank_argument, bank_option, seed_option
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

HEADING = "Banks"

_HELP = """Change the items of a bank, or change them back.

Every changed item keeps in its provenance what was done and what it was before; --undo brings the
original items back. --variants random makes two variants of each item and draws by lot which of
them becomes public: OUTPUT holds these, NAME.fresh.parquet the others, NAME.draw.json the draw.

\b
{transformations}

\b
Example:
  gfactor transform multi.parquet -o harder.parquet --do html-to-markdown,combination-to-choices
  gfactor transform multi.parquet -o blanks.parquet --do choice-to-blank --share 0.5 --seed 7
  gfactor transform blanks.parquet -o multi.parquet --undo
  gfactor transform bank.parquet -o shown.parquet --do shuffle-options --variants random --seed 7

Python: gfactor.transform(bank, ["choice-to-blank"], path="blanks.parquet"), gfactor.undo(bank,
path="multi.parquet"), gfactor.variants(bank, "shuffle-options", path="shown.parquet")
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
@click.option(
    "--variants",
    "drawn",
    type=click.Choice(["random"]),
    help="Write two banks of variants; lot decides for each item which variant becomes public "
    "(for gfactor inflation).",
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
    drawn: str | None,
    seed: int,
    jobs: int,
    as_json: bool,
) -> None:
    if sum(map(bool, (names, undo_all, undo_last))) != 1:
        raise ParameterError("give one of --do, --undo and --undo-last")
    opened = ItemBank.open(bank)
    if drawn:
        if not names or share != "1":
            raise ParameterError("--variants goes with --do, and without --share")
        _say_variants(variants(opened, words(names), path=output, seed=seed, jobs=jobs), as_json)
        return
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


def _say_variants(variants: Variants, as_json: bool) -> None:
    if as_json:
        put_json(variants.to_dict())
        return
    say(f"{variants.public.path}: {variants.public.items:,} variants to publish")
    say(f"{variants.fresh.path}: {variants.fresh.items:,} variants to keep secret")
    say(f"{variants.record}: the record of the draw, {variants.draw[:12]}")
    if variants.left_out:
        say(f"{len(variants.left_out):,} items without two variants were left out")
