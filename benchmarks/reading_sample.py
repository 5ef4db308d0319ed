"""Draw docstrings, error messages and help texts for a reader who did not write them.

A room is a package of `gfactor`; packages of psychometrics, of benchmarks and of studies are rooms
of their own if they are large enough. Each room gives public functions, classes and methods with
their docstrings, and the sentences of its errors; each heading of `gfactor --help` gives texts of
commands and options. Texts are shuffled by seed and room, and a second draw takes those that follow
the first, so that no text is drawn twice.

    python benchmarks/reading_sample.py --seed 20261129
    python benchmarks/reading_sample.py --seed 20261129 --draw 2 --rooms api cli --help-of People

The reader notes each text that needs a second reading; docs/evidence/procedures.md has the shares.
"""

from __future__ import annotations

import argparse
import ast
import random
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gfactor.cli import cli
from gfactor.cli.folder import HEADINGS, Folder

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "gfactor"
DIVIDED = ("psychometrics", "benchmarks", "studies")
"""Packages whose own packages are rooms."""


def main(argv: Sequence[str] | None = None) -> None:
    """Print the texts of one draw, with their files and lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True, help="seed of the shuffled texts")
    parser.add_argument("--draw", type=int, default=1, help="number of the draw, from 1")
    parser.add_argument("--size", type=int, default=10, help="texts of each kind per room")
    parser.add_argument("--rooms", nargs="*", help="rooms to draw from (default: all)")
    parser.add_argument("--help-of", nargs="*", help="headings of the help (default: all)")
    options = parser.parse_args(argv)
    start = options.size * (options.draw - 1)

    def drawn(kind: str, room: str, texts: list[str]) -> list[str]:
        random.Random(f"{options.seed}/{kind}/{room}").shuffle(texts)
        return texts[start : start + options.size]

    for room, paths in rooms().items():
        if options.rooms is not None and room not in options.rooms:
            continue
        trees = [(path, ast.parse(path.read_text("utf-8"))) for path in paths]
        docstrings = [text for path, tree in trees for text in docstrings_of(path, tree, "")]
        messages = [text for path, tree in trees for text in messages_of(path, tree)]
        for kind, texts in (("docstring", docstrings), ("message", messages)):
            print_texts(f"{room}: {kind}s", len(texts), drawn(kind, room, texts))
    for heading in HEADINGS:
        if options.help_of is None or heading in options.help_of:
            texts = list(help_texts(heading))
            print_texts(f"{heading}: help", len(texts), drawn("help", heading, texts))


def print_texts(title: str, number: int, texts: Sequence[str]) -> None:
    """Print one room's texts of one kind below their title and the number drawn from."""
    print(f"\n===== {title} ({len(texts)} of {number})")
    for count, text in enumerate(texts, 1):
        print(f"\n[{count}] {text}")


def rooms() -> dict[str, list[Path]]:
    """Return the files of each room."""
    files: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        folders = path.relative_to(PACKAGE).parts[:-1]
        if "scaffolds" not in folders:
            depth = 2 if folders[:1] and folders[0] in DIVIDED else 1
            files["/".join(folders[:depth]) or "gfactor"].append(path)
    return dict(files)


def docstrings_of(path: Path, tree: ast.Module | ast.ClassDef, owner: str) -> Iterator[str]:
    """Yield every public function, class and method of a file with its docstring."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        docstring = ast.get_docstring(node)
        if docstring and not node.name.startswith("_"):
            head = f"{owner}{node.name}"
            if not isinstance(node, ast.ClassDef):
                head += f"({ast.unparse(node.args)})"
            indented = textwrap.indent(docstring, "    ")
            yield f"{path.relative_to(PACKAGE)}:{node.lineno} {head}\n{indented}"
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from docstrings_of(path, node, f"{node.name}.")


def messages_of(path: Path, tree: ast.Module) -> Iterator[str]:
    """Yield every error that a file raises with a sentence of its own."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.Call(func=function, args=[_, *_]) as call):
                if ast.unparse(function).endswith("Error"):
                    yield f"{path.relative_to(PACKAGE)}:{node.lineno} {ast.unparse(call)}"


def help_texts(heading: str) -> Iterator[str]:
    """Yield the texts of all commands below a heading, and of their options."""
    assert isinstance(cli, Folder)
    context = click.Context(cli, info_name="gfactor")
    for entry in cli.entries():
        command = cli.get_command(context, entry.name)
        if (entry.heading or HEADINGS[-1]) == heading and command is not None:
            yield from command_texts(f"gfactor {entry.name}", command, context)


def command_texts(called: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    """Yield the text of a command, and the help of its options or of its own commands."""
    context = click.Context(command, info_name=called.rpartition(" ")[2], parent=parent)
    yield f"{called}\n{textwrap.indent((command.help or '').strip(), '    ')}"
    if isinstance(command, Folder):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from command_texts(f"{called} {name}", inner, context)
        return
    for option in command.get_params(context):
        if isinstance(option, click.Option) and option.help:
            yield f"{called} {'/'.join(option.opts)} {option.metavar or ''}: {option.help}"


if __name__ == "__main__":
    main()
