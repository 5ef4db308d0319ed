"""gfactor leaderboard: make a website of journals: scores, rank sets, profiles, every reply.

gfactor leaderboard c.db -o site/ --bank bank.parquet
gfactor leaderboard c.db --serve
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of, put
from gfactor.errors import ParameterError

HEADING = "Results"


@derived(
    __doc__,
    "leaderboard",
    {
        "journals": "JOURNAL...",
        "folder": "-o FOLDER",
        "banks": "--bank FILE",
        "judge": "--judge NAME",
    },
    without=["ready"],
)
def command(
    journals: tuple[str, ...], folder: Path | None, serve: bool, as_json: bool, **given: Any
) -> None:
    if folder is None and not serve:
        raise ParameterError("name the folder of the site with -o, or --serve it")

    def ready(address: str) -> None:
        if as_json:
            put_json({"address": address})
        else:
            say(f"{', '.join(journals)}: {address}")

    done = function_of("leaderboard")(journals, folder, serve=serve, ready=ready, **given)
    if not serve:
        put(done, as_json)
