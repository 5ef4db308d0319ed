"""gfactor campaign: run many models, conditions and banks under one budget."""

from __future__ import annotations

import click

from gfactor.cli.folder import Folder

HEADING = "Asking models"


@click.group("campaign", cls=Folder, kind="command of campaign", home="gfactor.cli.campaigns")
def command() -> None:
    """Ask many models under many conditions about many banks, as a TOML file declares it.

    \b
    Example:
      gfactor campaign plan campaign.toml
      gfactor campaign run campaign.toml
      gfactor campaign status campaign.toml

    Python: gfactor.campaign.plan("campaign.toml"), gfactor.campaign.run("campaign.toml") ...
    """
