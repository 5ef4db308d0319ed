"""gfactor annotate consensus: what annotators agree on, by how reliable each of them is.

gfactor annotate consensus workspace/ -o consensus.csv
gfactor annotate consensus workspace/ --of quality --json
"""

from pathlib import Path
from typing import Any

from gfactor.api import annotate
from gfactor.cli.common import put_json, say, write_table
from gfactor.cli.deriving import derived


@derived(
    __doc__, "annotate.consensus", {"what": "--of", "n_bootstrap": "--draws N", "output": "-o CSV"}
)
def command(folder: Path, output: Path | None = None, *, as_json: bool, **given: Any) -> None:
    """Print the consensus, or write it.

    Parameters
    ----------
    output : path, optional
        The file to write a row per unit to.
    """
    from gfactor.results import rounded

    result = annotate.consensus(folder, **given)
    write_table(result.units.reset_index(), output)
    if as_json:
        put_json(result.to_dict())
        return
    for line in (
        *result.diagnostics,
        result.title,
        rounded(result.raters, 3).to_string(index=False),
    ):
        say(str(line))
    if output is not None:
        say(f"wrote {output}")
