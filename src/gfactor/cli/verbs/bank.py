"""gfactor bank: publish a bank on the Hugging Face hub."""

from __future__ import annotations

import click

from gfactor.cli.folder import HelpfulGroup
from gfactor.cli.printing import printed

HEADING = "Banks"


@click.group("bank", cls=HelpfulGroup)
def command() -> None:
    """Publish a bank on a hub.

    \b
    Example:
      gfactor bank push percept_v.parquet an-institute/percept-v

    Python: gfactor.push_bank(bank, "an-institute/percept-v")
    """


PUSH = """gfactor bank push: put a bank on the Hugging Face hub.

gfactor bank push percept_v.parquet an-institute/percept-v
gfactor bank push percept_v.parquet an-institute/percept-v -o hub/ --write-only
"""
SPELLED = {"repo": "ORGANIZATION/NAME", "private": "--public",
           "endpoint": "--endpoint URL"}  # fmt: skip
PUBLIC = "Make a public repository; keys can then be learned."

command.add_command(printed(PUSH, "push_bank", SPELLED, helps={"private": PUBLIC}))
