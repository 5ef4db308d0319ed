"""gfactor annotate consensus: what annotators agree on, by how reliable each of them is.

gfactor annotate consensus workspace/ -o consensus.csv
gfactor annotate consensus workspace/ --of quality --json
"""

from pathlib import Path
from typing import Any

import click

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.values import PATH

OUTPUT = click.option(
    "-o", "--output", type=PATH, metavar="CSV", help="The file to write a row per unit to."
)
SPELLED = {"folder": "FOLDER", "what": "--of", "n_bootstrap": "--draws N"}


@derived(__doc__, "annotate.consensus", SPELLED, options=[OUTPUT])
def command(folder: Path, output: Path | None, as_json: bool, **given: Any) -> None:
    from gfactor.items.files import check_writable
    from gfactor.results import rounded
    from gfactor.scoring.exporting import write_csv

    result = annotate.consensus(folder, **given)
    if output is not None:
        check_writable(output)
        write_csv(result.units.reset_index(), output)
    if as_json:
        put_json(result.to_dict())
        return
    for entry in result.diagnostics:
        say(str(entry))
    say(result.title)
    say(rounded(result.raters, 3).to_string(index=False))
    if output is not None:
        say(f"wrote {output}")
