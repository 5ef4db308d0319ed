"""gfactor matrix: the score matrix of a journal, for analysis."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.administration import Journal
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.scoring import Scoring, scoring_options
from gfactor.scoring import matrix


@click.command("matrix")
@click.argument("journal", metavar="JOURNAL")
@click.option(
    "--by",
    default="domain",
    show_default=True,
    metavar="LABEL",
    help="What the columns are: domain, size, skill, another label of the items, or item.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the scores as CSV, and the counts of items beside them as NAME.n.csv.",
)
@click.option("--lenient", is_flag=True, help="Use the lenient reading, not the benchmark's rule.")
@click.option(
    "--ratio",
    is_flag=True,
    help="Points earned per possible point, not the share of items right as a whole.",
)
@json_option
@scoring_options
def command(
    journal: str,
    by: str,
    output: Path | None,
    lenient: bool,
    ratio: bool,
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Mean scores, examinees by indicators, with the number of items behind each.

    Several occasions of an item are averaged first. --judge and --policy are those of gfactor
    score.

    \b
    Example:
      gfactor matrix c.db --by domain -o scores.csv
    """
    with Journal.open(journal, create=False) as opened:
        made = matrix(scoring.table(opened), by, lenient=lenient, ratio=ratio)
    paths = made.to_csv(output) if output else ()
    if as_json:
        put_json(made.to_dict())
    elif paths:
        say(f"{paths[0]}: {made.scores.shape[0]} examinees x {made.scores.shape[1]} {by}s")
        say(f"{paths[1]}: items behind each cell")
    else:
        say(made.scores.T.to_string(float_format="{:.3f}".format, na_rep="-"))
    return 1 if scoring.judged and scoring.judged.failed else 0
