"""gfactor matrix: write the score matrix of a journal, for analysis.

gfactor matrix c.db --by domain -o scores.csv
gfactor matrix m3gia.db --count --where test_language=en -o en.csv

If the rules could not read all replies, a note gives the shares of replies that were read by
rules, read by a judge, replaced by a random draw, left without an answer, or missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import say
from gfactor.cli.deriving import derived
from gfactor.cli.printing import exit_code, function_of, put

HEADING = "Results"


@derived(
    __doc__,
    "matrix",
    {
        "where": "--where LABEL=VALUE...",
        "path": "-o FILE",
    },
)
def command(by: str, path: Path | None = None, *, as_json: bool, **given: Any) -> int:
    """Print the score matrix of a journal, or write it.

    Parameters
    ----------
    path : path, optional
        CSV file for the scores. The numbers of items are written beside it as NAME.n.csv.
    """
    scores = function_of("matrix")(by=by, **given)
    paths = scores.to_csv(path) if path else ()
    if as_json or not paths:
        return put(scores, as_json)
    several = f"{by[:-1]}ies" if by.endswith("y") else f"{by}s"
    say(f"{paths[0]}: {scores.scores.shape[0]} examinees x {scores.scores.shape[1]} {several}")
    say("\n".join([f"{paths[1]}: items behind each cell", *scores.notes()]))
    return exit_code(scores)
