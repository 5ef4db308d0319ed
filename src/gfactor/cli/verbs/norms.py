"""gfactor norms: make norms: percentiles and T scores of people by group.

gfactor norms people/ --by age=18,30,45,60 --by gender --sample "volunteers" -o norms.json
gfactor norms people/ --calibration g.calibration.json -o abilities.norms.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of, put

HEADING = "People"


@derived(
    __doc__,
    "norms",
    {
        "people": "PEOPLE...",
        "by": "--by COLUMN[=CUTS]",
        "output": "-o FILE",
        "labels": "--label LABEL",
    },
)
def command(output: Path | str = "norms.json", *, as_json: bool, **given: Any) -> None:
    """Make norms and write them.

    Parameters
    ----------
    output : path
        The file of norms to write; gfactor profile --norms and gfactor leaderboard --norms read it.
    """
    from gfactor.psychometrics.norms import write_norms

    result = function_of("norms")(**given)
    write_norms(result, output)
    put(result, as_json, last=f"wrote {output}")
