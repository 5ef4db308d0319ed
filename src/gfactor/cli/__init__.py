"""The command line: one file per verb in `verbs/`, found by itself."""

from __future__ import annotations

import sys

import click

from gfactor import __version__
from gfactor.cli.folder import Folder
from gfactor.errors import GfactorError
from gfactor.escaping import visible


@click.group(
    cls=Folder,
    kind="verb",
    home="gfactor.cli.verbs",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gfactor")
def cli() -> None:
    """A psychometric laboratory for multimodal LLMs.

    Build a test, audit it, administer it, score the answers, report what was measured:

    \b
      gfactor build percept-v --seed 7 -o percept_v.parquet
      gfactor audit percept_v.parquet
      gfactor run percept_v.parquet --examinee observer:ideal --journal c.db
      gfactor report c.db -o report/
    """


def main() -> None:
    """Run the command line; a user's mistake is one sentence and exit code 2."""
    try:
        status = cli.main(standalone_mode=False)
    except GfactorError as error:
        click.echo(f"gfactor: {visible(str(error))}", err=True)
        status = 2
    except click.ClickException as error:
        click.echo(f"gfactor: {visible(error.format_message())}", err=True)
        status = 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("gfactor: stopped; run the same command again to go on", err=True)
        status = 130
    sys.exit(status if isinstance(status, int) else 0)
