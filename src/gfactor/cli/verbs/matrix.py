"""gfactor matrix: write the score matrix of a journal, for analysis.

gfactor matrix c.db --by domain -o scores.csv
gfactor matrix m3gia.db --count --where test_language=en -o en.csv
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.scoring import SCORED, scoring_options
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring
    from gfactor.scoring import ScoreMatrix

HEADING = "Results"


def _pairs(texts: tuple[str, ...]) -> dict[str, str]:
    """Labels and their values; one that is said twice has to fit both, which nothing does."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise ParameterError(f"--where is LABEL=VALUE, not {text!r}")
        if pairs.setdefault(name, value) != value:
            raise UnknownNameError(f"value of {name}", value, {pairs[name]})
    return pairs


OUTPUT = click.option(
    "-o",
    "--output",
    "path",
    type=PATH,
    metavar="FILE",
    help="Write the scores as CSV, and the counts of items beside them as NAME.n.csv.",
)
ABOUT = """Below stand the shares of responses that were read by rules, by a judge, answered by a
random draw, without answer, missing, unless the rules read all."""


@derived(
    __doc__,
    "matrix",
    {"journal": "JOURNAL", "by": "--by LABEL", "where": "--where LABEL=VALUE..."},
    reads={"where": _pairs},
    without=SCORED,
    options=[OUTPUT, scoring_options],
    about=ABOUT,
)
def command(
    journal: str,
    by: str,
    lenient: bool,
    ratio: bool,
    count: bool,
    where: dict[str, str] | tuple[()],
    path: Path | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    from gfactor.api.results import matrix_of
    from gfactor.api.score_texts import text_of_readers
    from gfactor.api.scoring import shares_of
    from gfactor.api.taking import opened as opened_journal

    if count and ratio:
        raise ParameterError("--count counts right answers, --ratio shares points; give one")
    with opened_journal(journal) as opened:
        scores, table = matrix_of(opened, scoring, by, lenient, ratio, count, dict(where or {}))
    paths = scores.to_csv(path) if path else ()
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
    if not as_json and (readers := text_of_readers(read)):
        say(readers + "\n")
    return scoring.code


def _say_empty(scores: ScoreMatrix) -> None:
    empty = scores.scores.isna()
    for who in scores.scores.index[empty.any(axis=1)]:
        first = str(scores.scores.columns[empty.loc[who].to_numpy(bool)][0])
        say(
            f"{who}: {int(empty.loc[who].sum())} cells are empty, since not every item was "
            f"answered ({first})"
        )
