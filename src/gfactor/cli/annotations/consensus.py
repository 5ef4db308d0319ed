"""gfactor annotate consensus: what annotators agree on, by how reliable each of them is."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import DRAWS, PATH, folder_argument, seed_option

ASKED = declared("gfactor.studies.annotation.quality", "ASKED")


@click.command("consensus")
@folder_argument
@click.option(
    "--of",
    "what",
    type=click.Choice(ASKED),
    default="category",
    show_default=True,
    help="Of responses their category, or what drafts say of items.",
)
@click.option(
    "--prior",
    type=click.FloatRange(min=0),
    default=0.5,
    show_default=True,
    metavar="N",
    help="Pseudo-counts of every category; 0 for maximum likelihood.",
)
@click.option(
    "--draws",
    "n_bootstrap",
    type=DRAWS,
    default=200,
    show_default=True,
    help="Resamples behind intervals.",
)
@seed_option("Of the resamples.")
@click.option("-o", "--output", type=PATH, metavar="CSV", help="Write a row per response or item.")
@json_option
def command(
    folder: Path,
    what: str,
    prior: float,
    n_bootstrap: int,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """The reliability-aware consensus of annotators (Dawid and Skene) beside the majority.

    \b
    Example:
      gfactor annotate consensus workspace/ -o consensus.csv
      gfactor annotate consensus workspace/ --of quality --json

    Python: gfactor.annotate.consensus("workspace/")
    """
    from gfactor.items.files import check_writable
    from gfactor.scoring.exporting import write_csv

    result = annotate.consensus(folder, what, prior=prior, n_bootstrap=n_bootstrap, seed=seed)
    if output is not None:
        check_writable(output)
        write_csv(result.units.reset_index(), output)
    if as_json:
        put_json(result.to_dict())
        return
    for entry in result.diagnostics:
        say(str(entry))
    say(result.title)
    say(result.raters.round(3).to_string(index=False))
    if output is not None:
        say(f"wrote {output}")
