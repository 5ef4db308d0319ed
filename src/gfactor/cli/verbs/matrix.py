"""gfactor matrix: write the score matrix of a journal, for analysis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, journal_argument, lenient_option
from gfactor.cli.scoring import say_shares, scoring_options
from gfactor.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring
    from gfactor.scoring import ScoreMatrix

HEADING = "Results"


@click.command("matrix")
@journal_argument
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
    type=PATH,
    metavar="FILE",
    help="Write the scores as CSV, and the counts of items beside them as NAME.n.csv.",
)
@lenient_option
@click.option(
    "--ratio",
    is_flag=True,
    help="Points earned per possible point, not the share of items right as a whole.",
)
@click.option(
    "--count",
    is_flag=True,
    help="Right answers instead of shares; a cell is empty where not every item was answered.",
)
@click.option(
    "--where",
    "only",
    multiple=True,
    metavar="LABEL=VALUE",
    help="Only items with this value of a label; may be given several times.",
)
@json_option
@scoring_options
def command(
    journal: str,
    by: str,
    output: Path | None,
    lenient: bool,
    ratio: bool,
    count: bool,
    only: tuple[str, ...],
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Mean scores, examinees by indicators, with the number of items behind each.

    Several occasions of an item are averaged first. --judge and --policy are those of gfactor
    score. Below stand the shares of responses that were read by rules, by a judge, answered by a
    random draw, without answer, missing, unless the rules read all.

    \b
    Example:
      gfactor matrix c.db --by domain -o scores.csv
      gfactor matrix m3gia.db --count --where test_language=en -o en.csv

    Python: gfactor.matrix(journal, by="domain")
    """
    from gfactor.api.results import matrix_of
    from gfactor.api.scoring import shares_of
    from gfactor.api.taking import opened as opened_journal

    if count and ratio:
        raise ParameterError("--count counts right answers, --ratio shares points; give one")
    with opened_journal(journal) as opened:
        scores, table = matrix_of(opened, scoring, by, lenient, ratio, count, _pairs(only))
    paths = scores.to_csv(output) if output else ()
    read = shares_of(table)
    if as_json:
        put_json(scores.to_dict() | {"read": read})
    elif paths:
        several = f"{by[:-1]}ies" if by.endswith("y") else f"{by}s"
        say(f"{paths[0]}: {scores.scores.shape[0]} examinees x {scores.scores.shape[1]} {several}")
        say(f"{paths[1]}: items behind each cell")
    else:
        form = "{:g}" if count else "{:.3f}"
        say(scores.scores.T.to_string(float_format=form.format, na_rep="-"))
    if count and not as_json:
        _say_empty(scores)
    if not as_json:
        say_shares(read)
    return scoring.code


def _pairs(only: Sequence[str]) -> dict[str, str]:
    """Labels and their values; one that is said twice has to fit both, which nothing does."""
    pairs: dict[str, str] = {}
    for text in only:
        name, sign, value = text.partition("=")
        if not sign:
            raise ParameterError(f"--where is LABEL=VALUE, not {text!r}")
        if pairs.setdefault(name, value) != value:
            raise UnknownNameError(f"value of {name}", value, {pairs[name]})
    return pairs


def _say_empty(scores: ScoreMatrix) -> None:
    empty = scores.scores.isna()
    for who in scores.scores.index[empty.any(axis=1)]:
        first = str(scores.scores.columns[empty.loc[who].to_numpy(bool)][0])
        say(
            f"{who}: {int(empty.loc[who].sum())} cells are empty, since not every item was "
            f"answered ({first})"
        )
