"""gfactor analyze adequacy: is there anything for a factor analysis to find?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import by_group, json_option, put_json, say, say_group
from gfactor.cli.options import data_argument, group_option, persons_option, table_options

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection


@click.command("adequacy")
@data_argument
@persons_option
@click.option("--anti-image", is_flag=True, help="Also print the anti-image correlations.")
@table_options
@group_option
@json_option
def command(
    data: Path,
    selection: TableSelection,
    group: str | None,
    n: int | None,
    anti_image: bool,
    as_json: bool,
) -> None:
    """Kaiser-Meyer-Olkin measure and Bartlett's test of sphericity of a table of scores.

    Rows are persons or models, columns indicators; a first column of names is left out. Diagnostics
    are printed first.

    \b
    Example:
      gfactor analyze adequacy scores.csv
      gfactor analyze adequacy correlations.csv --n 301 --json
      gfactor analyze adequacy survey.sav --columns 'item*' --where 'age>=18' --group country

    Python: gfactor.adequacy(data)
    """
    from gfactor.api.table_selection import scores_by_group
    from gfactor.psychometrics.factor.suitability import adequacy

    results = [(name, adequacy(part, n)) for name, part in scores_by_group(data, selection, group)]
    if as_json:
        put_json(by_group(data, [(name, result.to_dict()) for name, result in results]))
        return
    for name, result in results:
        say_group(group, name)
        say(result.summary())
        if anti_image:
            say("\nanti-image correlations, KMO on the diagonal")
            say(result.anti_image.round(3).to_string(na_rep="-"))
