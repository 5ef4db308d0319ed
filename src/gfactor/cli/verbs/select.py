"""gfactor select: choose items of a bank by a method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.api.banks import selected
from gfactor.api.scoring import Scoring
from gfactor.benchmarks.selection import METHODS
from gfactor.cli.backends import jobs_option
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import bank_argument, bank_option, decisions_option, seed_option, together
from gfactor.cli.scoring import scoring_options
from gfactor.cli.values import NAME
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

HEADING = "Banks"

_HELP = """Choose items of a bank by a method, and write them as a bank.

The same seed and options give the same file. What was done is kept in the bank's metadata
(`derived`).

\b
{methods}

\b
Example:
  gfactor select multi.parquet -o chosen.parquet --method appendix-d --seed 7
  gfactor select multi.parquet -o hard.parquet --method elite --by level,subject --errors c.db
  gfactor select multi.parquet -o few.parquet --method stratified --by type,level --n 200
  gfactor select mm_iq.parquet -o ninety.parquet --method quota --by paradigm --quota 10,Math=20
  gfactor select multi.parquet -o clean.parquet --method all --decisions decisions.csv

Python: gfactor.select(bank, "stratified", by=["type", "level"], n=200, path="few.parquet")
"""


def _method_options(command: Any) -> Any:
    """Add the options of all methods; where several share a name, each says what it takes."""
    told: dict[str, list[str]] = {}
    for method in METHODS.values():
        for option in method.options:
            default = f" [default: {option.default}]" if option.default else ""
            told.setdefault(option.name, []).append(f"{method.name}: {option.help}{default}")
    shapes = {o.name: o.metavar for m in METHODS.values() for o in m.options}
    options = (
        click.option(f"--{name}", name, metavar=shapes[name], help=" ".join(texts))
        for name, texts in told.items()
    )
    return together(*options)(command)


@click.command(
    "select",
    help=_HELP.format(methods="\n".join(f"{m.name}: {m.about}" for m in METHODS.values())),
)
@bank_argument
@bank_option
@click.option("--method", required=True, metavar="NAME", help=f"One of {', '.join(METHODS)}.")
@_method_options
@seed_option("Of every draw.")
@click.option(
    "--errors",
    "journal",
    type=NAME,
    metavar="JOURNAL",
    help="elite: answers of examinees to the bank's items; --examinee, --condition, --judge and "
    "--policy say whose and how they are scored, as in gfactor score.",
)
@decisions_option("Drop first what people decided to drop, as in gfactor audit.")
@jobs_option()
@json_option
@scoring_options
def command(
    bank: Path,
    output: Path,
    method: str,
    seed: int,
    journal: str | None,
    decisions: Path | None,
    jobs: int,
    as_json: bool,
    scoring: Scoring,
    **typed: str | None,
) -> None:
    if scoring.named and not journal:
        raise ParameterError(f"{scoring.named[0]} is for --errors JOURNAL; name the journal")
    options = {name: text for name, text in typed.items() if text is not None}
    done = selected(
        ItemBank.open(bank), output, method, scoring, journal, seed, decisions, options, jobs
    )
    if as_json:
        put_json(done.to_dict())
        return
    say(f"{done.built.path}: {done.step['what']} (seed {seed})")
    for warning in done.step["warnings"]:
        say(f"warning: {warning}")
