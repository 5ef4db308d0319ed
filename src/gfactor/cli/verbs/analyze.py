"""gfactor analyze: fit a measurement model (CFA, SEM, EFA, IRT, PLS) to a table of scores."""

from __future__ import annotations

import click

from gfactor.cli.folder import Folder

HEADING = "Statistics"


@click.group("analyze", cls=Folder, kind="analysis", home="gfactor.cli.analyses")
def command() -> None:
    """Fit a model to a table of scores; the output begins with diagnostics.

    \b
    Example:
      gfactor analyze cfa scores.csv --model m.lav --estimator MLR
      gfactor analyze pls scores.csv --model m.pls

    Python: gfactor.sem(model, data), gfactor.pls(model, data), gfactor.efa(data) ...
    """
