"""gfactor analyze adequacy: is there anything for a factor analysis to find?"""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import data_argument, persons_option


@click.command("adequacy")
@data_argument
@persons_option
@click.option("--anti-image", is_flag=True, help="Also print the anti-image correlations.")
@json_option
def command(data: Path, n: int | None, anti_image: bool, as_json: bool) -> None:
    """Kaiser-Meyer-Olkin measure and Bartlett's test of sphericity of a table of scores.

    Rows are persons or models, columns indicators; a first column of names is left out. Diagnostics
    are printed first.

    \b
    Example:
      gfactor analyze adequacy scores.csv
      gfactor analyze adequacy correlations.csv --n 301 --json

    Python: gfactor.adequacy(data)
    """
    from gfactor.api.matrix_files import read_scores
    from gfactor.psychometrics.factor.suitability import adequacy

    result = adequacy(read_scores(data), n)
    if as_json:
        put_json({"data": str(data), **result.to_dict()})
        return
    say(result.summary())
    if anti_image:
        say("\nanti-image correlations, KMO on the diagonal")
        say(result.anti_image.round(3).to_string(na_rep="-"))
