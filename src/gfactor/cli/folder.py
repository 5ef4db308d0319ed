"""A group of commands that is a folder: one file per command, found by itself."""

from __future__ import annotations

import ast
import importlib
import importlib.resources
import pkgutil
from typing import Any

import click

from gfactor.errors import UnknownNameError


class Folder(click.Group):
    """Loads a command's module only when the command is called, so that `--help` stays quick.

    The line of a command in the group's help is the one that its file begins with: "gfactor audit:
    what is wrong with an item bank."

    Parameters
    ----------
    kind: what a command of this group is, in words, for messages ("verb", "analysis").
    home: dotted name of the package with the modules; each has the command as `command`.
    """

    def __init__(self, *args: Any, kind: str, home: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._kind = kind
        self._home = home

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._modules())

    def _modules(self) -> dict[str, str]:
        """Command to module; a module ends in an underscore where its command is a keyword."""
        package = importlib.import_module(self._home)
        names = [m.name for m in pkgutil.iter_modules(package.__path__)]
        return {name.removesuffix("_").replace("_", "-"): name for name in names}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self._modules().get(cmd_name)
        if name is None:
            return None
        return importlib.import_module(f"{self._home}.{name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(n, self._line(m)) for n, m in sorted(self._modules().items())])

    def _line(self, module: str) -> str:
        """What a command does, read in its file and not by running it."""
        file = importlib.resources.files(self._home).joinpath(f"{module}.py")
        told = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
        line = told.partition("\n")[0].partition(": ")[2]
        return line[:1].upper() + line[1:]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.list_commands(ctx):
            raise UnknownNameError(self._kind, name, self.list_commands(ctx))
        return super().resolve_command(ctx, args)
