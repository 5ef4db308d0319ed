"""gfactor matrix: the score matrix of a journal, for analysis."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.administration import Journal
from gfactor.cli.common import json_option, put_json, say
from gfactor.scoring import choose, matrix, scored


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
    help="Write the scores as CSV, and the counts beside them as NAME.n.csv.",
)
@click.option("--lenient", is_flag=True, help="Use the lenient reading, not the benchmark's rule.")
@click.option("--examinee", "names", multiple=True, metavar="SPEC", help="As in gfactor score.")
@click.option("--condition", metavar="KEY", help="Only this condition.")
@json_option
def command(
    journal: str,
    by: str,
    output: Path | None,
    lenient: bool,
    names: tuple[str, ...],
    condition: str | None,
    as_json: bool,
) -> None:
    """Mean scores, examinees by indicators, with the number of responses behind each.

    \b
    Example:
      gfactor matrix c.db --by domain -o scores.csv
    """
    with Journal.open(journal, create=False) as opened:
        made = matrix(choose(scored(opened), names, condition), by, lenient=lenient)
    paths = made.to_csv(output) if output else ()
    if as_json:
        put_json(made.to_dict())
    elif paths:
        say(f"{paths[0]}: {made.scores.shape[0]} examinees x {made.scores.shape[1]} {by}s")
        say(f"{paths[1]}: responses behind each cell")
    else:
        say(made.scores.T.to_string(float_format="{:.3f}".format, na_rep="-"))
