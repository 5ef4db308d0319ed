"""Groups of commands as folders: each file of a folder is a command."""

from __future__ import annotations

import ast
import importlib
import importlib.resources
import pkgutil
from dataclasses import dataclass
from typing import Any

import click

from gfactor.cli.suggestions import suggest
from gfactor.errors import ParameterError

HEADINGS = ("Banks", "Asking models", "Results", "Statistics", "People", "Tools")
"""Headings of a help page, in their order; a command without one stands under the last."""


@dataclass(frozen=True)
class CommandEntry:
    """A command in the help of its group.

    Parameters
    ----------
    name : str
        Name of the command.
    line : str
        One sentence on what it does.
    heading : str
        One of `HEADINGS`; "" if the file of the command names none.
    """

    name: str
    line: str
    heading: str


class HelpfulGroup(click.Group):
    """A group of commands that prints its help when it is called without a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)


class Folder(HelpfulGroup):
    """A group that loads a command's module only when the command is called, so that `--help` stays
    quick.

    The line of a command in the group's help is the one that its file begins with: "gfactor audit:
    find defects of an item bank." A file may name one of `HEADINGS` as `HEADING`.

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
        """Map commands to modules; a module's name ends in "_" if its command is a keyword."""
        package = importlib.import_module(self._home)
        names = [m.name for m in pkgutil.iter_modules(package.__path__)]
        return {name.removesuffix("_").replace("_", "-"): name for name in names}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self._modules().get(cmd_name)
        if name is None:
            return None
        return importlib.import_module(f"{self._home}.{name}").command

    def entries(self) -> list[CommandEntry]:
        """Return the commands with their lines and headings, read in their files and not run."""
        folder = importlib.resources.files(self._home)
        return [
            _read_entry(name, folder.joinpath(f"{module}.py").read_text("utf-8"))
            for name, module in sorted(self._modules().items())
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        entries = self.entries()
        if not any(entry.heading for entry in entries):
            with formatter.section("Commands"):
                formatter.write_dl([(entry.name, entry.line) for entry in entries])
            return
        # The columns of all sections begin at the same place.
        widest = max(len(entry.name) for entry in entries)
        for heading in HEADINGS:
            rows = [
                (entry.name.ljust(widest), entry.line)
                for entry in entries
                if (entry.heading or HEADINGS[-1]) == heading
            ]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def paths(self, called: str) -> list[str]:
        """Return the full call of every command below this group.

        Parameters
        ----------
        called : str
            This group as it is typed: "gfactor analyze".
        """
        calls = []
        for name, module in sorted(self._modules().items()):
            calls.append(f"{called} {name}")
            source = importlib.resources.files(self._home).joinpath(f"{module}.py")
            # Groups are loaded, other commands are not: they would load what they work with.
            if "cls=Folder" in source.read_text("utf-8"):
                group = importlib.import_module(f"{self._home}.{module}").command
                calls += group.paths(f"{called} {name}")
        return calls

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.list_commands(ctx):
            root = ctx.find_root()
            program = root.command
            assert isinstance(program, Folder)
            paths = program.paths(root.info_name or "gfactor")
            hint = suggest(name, self.list_commands(ctx), paths, f"{ctx.command_path} --help")
            raise ParameterError(f"unknown {self._kind} {name!r}; {hint}")
        return super().resolve_command(ctx, args)


def _read_entry(name: str, source: str) -> CommandEntry:
    """Read a command's line of help and its heading from the source of its module."""
    tree = ast.parse(source)
    first_line = (ast.get_docstring(tree) or "").partition("\n")[0]
    line = first_line.partition(": ")[2]
    headings = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HEADING"
    ]
    return CommandEntry(name, line[:1].upper() + line[1:], headings[0] if headings else "")
