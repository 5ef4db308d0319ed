"""gfactor export: write the results of a journal in the format of another program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import PATH, journal_argument
from gfactor.cli.scoring import scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Results"

RELATIONSHIPS = declared("gfactor.reports.exchange.base", "RELATIONSHIPS")


@click.command("export")
@journal_argument
@click.option(
    "--to", required=True, metavar="FORMAT", help="eee, hf, measurement-db or psych-ds; see above."
)
@click.option(
    "-o", "--output", type=PATH, required=True, metavar="DIR", help="The folder to write to."
)
@click.option("--organization", default="", metavar="NAME", help="Who evaluated; eee asks for it.")
@click.option(
    "--relationship",
    type=click.Choice(RELATIONSHIPS),
    default="other",
    show_default=True,
    help="Of the evaluator to the models' makers.",
)
@click.option(
    "--developer",
    "developers",
    multiple=True,
    metavar="MODEL=NAME",
    help="Who made a model; by default what stands before the slash of its name, else unknown.",
)
@click.option(
    "--dataset",
    default="",
    metavar="ORGANIZATION/NAME",
    help="The bank's id on the Hugging Face hub; hf asks for it.",
)
@click.option("--people", is_flag=True, help="Write the answers of persons too.")
@click.option(
    "--bank",
    "banks",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="A bank of the items, for hashes and types of pictures, which journals do not keep.",
)
@json_option
@scoring_options
def command(
    journal: str,
    to: str,
    output: Path,
    developers: tuple[str, ...],
    banks: tuple[Path, ...],
    as_json: bool,
    scoring: Scoring,
    **facts: Any,
) -> int:
    """Write the results of JOURNAL in a format of the field.

    FORMAT is eee (Every Eval Ever 0.3.0: an aggregate file for every examinee, benchmark and
    condition, and a line per answer), hf (.eval_results/*.yaml for model repositories of the
    Hugging Face hub), measurement-db (long Parquet tables with registries) or psych-ds (a Psych-DS
    data set: CSV files whose columns are defined in dataset_description.json). Accuracies are by
    the benchmark's own rule, with n and 95 % intervals. What a format has no field for stands in
    its free text fields (docs/exchange.md).

    \b
    Example:
      gfactor export c.db --to eee --organization "An institute" -o eee/
      gfactor export c.db --to hf --dataset org/percept-v -o results/

    Python: gfactor.export(journal, "eee", "eee/", organization="An institute")
    """
    from gfactor.api.exporting import exported
    from gfactor.api.taking import opened as opened_journal
    from gfactor.items import ItemBank
    from gfactor.reports.exchange import EXCHANGES, Facts

    _ = EXCHANGES[to]
    told = Facts(
        developers=dict(_pair(text) for text in developers),
        banks=tuple(ItemBank.open(bank) for bank in banks),
        **facts,
    )
    with opened_journal(journal) as opened:
        done = exported(opened, to, output, told, scoring)
    if as_json:
        put_json(done.to_dict())
        return scoring.code
    say(f"{done.answers:,} answers in {len(done.files):,} files below {output}")
    for line in done.left_out:
        say(f"left out: {line}")
    return scoring.code


def _pair(text: str) -> tuple[str, str]:
    model, equals, name = text.rpartition("=")
    if not equals or not model or not name:
        raise ParameterError(f"--developer {text!r}: write MODEL=NAME, as in gpt-5=OpenAI")
    return model, name
