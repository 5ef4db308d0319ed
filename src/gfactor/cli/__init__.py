"""The command line: one file per verb in `verbs/`, found by itself."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any

import click

from gfactor import __version__
from gfactor.cli import verbs
from gfactor.errors import GfactorError, UnknownNameError
from gfactor.escaping import visible


class _Verbs(click.Group):
    """Loads a verb's module only when the verb is called, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._modules())

    @staticmethod
    def _modules() -> dict[str, str]:
        """Verb to module; a module ends in an underscore where its verb is a Python keyword."""
        names = [m.name for m in pkgutil.iter_modules(verbs.__path__)]
        return {name.removesuffix("_").replace("_", "-"): name for name in names}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self._modules().get(cmd_name)
        if name is None:
            return None
        return importlib.import_module(f"gfactor.cli.verbs.{name}").command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.list_commands(ctx):
            raise UnknownNameError("verb", name, self.list_commands(ctx))
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
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
