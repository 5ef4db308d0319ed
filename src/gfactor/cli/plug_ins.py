"""Declarations of plug-ins, read from their source files: help lists plug-ins without importing."""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import gfactor
from gfactor.cli.constants import located, parsed, value_of

_REGISTERS = ("register", "register_variant")
_SENTENCES = ("about", "description")


@dataclass(frozen=True)
class Plugin:
    """A plug-in in the help of a command.

    Parameters
    ----------
    name : str
        Its name.
    about : str
        One sentence on it.
    options : tuple of tuple of str
        Name, default, word for the value and help of each of its options.
    """

    name: str
    about: str
    options: tuple[tuple[str, ...], ...] = ()


@cache
def plugged(module: str, registry: str) -> tuple[Plugin, ...]:
    """Return the plug-ins of a registry, sorted by name, if possible without importing them.

    If another package has plug-ins for the registry, all are imported, because its files may
    register in any way. Otherwise the files of gfactor are parsed and not imported.

    Parameters
    ----------
    module : str
        Dotted name of the module that declares the registry.
    registry : str
        Its name: "BENCHMARKS".
    """
    declaration = located(module, registry)[1]
    assert isinstance(declaration, ast.AnnAssign), registry
    assert isinstance(declaration.value, ast.Call), registry
    where = {one.arg: ast.literal_eval(one.value) for one in declaration.value.keywords}
    if _others(where["group"]):
        plugins: Iterator[Plugin] = itertools.starmap(
            _loaded, getattr(import_module(module), registry).items()
        )
    else:
        plugins = _declared(where["home"])
    return tuple(sorted(plugins, key=lambda one: one.name))


def lines_of(module: str, registry: str) -> str:
    """Return a line for each plug-in of a registry, as help shows it.

    Parameters
    ----------
    module, registry : str
        As in `plugged`.
    """
    return "\n".join(["\b", *(f"{one.name}: {one.about}" for one in plugged(module, registry))])


def _others(group: str) -> bool:
    """Return True if another package has an entry point of a group.

    Its files are looked up here, as `importlib.metadata` loads for .03 s.
    """
    files = (file for folder in sys.path for file in Path(folder).glob("*-info/entry_points.txt"))
    return any(f"[{group}]" in file.read_text("utf-8") for file in files)


def _loaded(name: str, thing: Any) -> Plugin:
    texts = (getattr(thing, word) for word in _SENTENCES if hasattr(thing, word))
    options = getattr(thing, "options", ())
    return Plugin(
        name,
        next(texts, _first_line(thing.__doc__)),
        tuple((o.name, o.default, o.metavar, o.help) for o in options),
    )


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]


def _declared(home: str) -> Iterator[Plugin]:
    """Yield what the files of a folder register."""
    folder = Path(gfactor.__file__).parent.joinpath(*home.split(".")[1:])
    for file in (*folder.glob("*.py"), *folder.glob("*/__init__.py")):
        if file.parent == folder and file.stem == "__init__":
            continue
        # Most files beside plug-ins register nothing, and parsing takes longer than reading.
        if "register" not in file.read_text("utf-8"):
            continue
        module = f"{home}.{file.stem if file.parent == folder else file.parent.name}"
        for call, docstring in _calls(parsed(module)):
            match call.func, call.args:
                case (ast.Name(id=name) | ast.Attribute(attr=name), [first, *others]) if (
                    name in _REGISTERS
                ):
                    yield _of_call(first, [*others, ast.Constant(_first_line(docstring))], module)
                case _:
                    pass


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str | None]]:
    """Yield the calls that the import of a module makes; of a decorator with its docstring."""
    for node in tree.body:
        match node:
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                yield call, None
            case ast.FunctionDef(decorator_list=calls):
                yield from (
                    (call, ast.get_docstring(node)) for call in calls if isinstance(call, ast.Call)
                )
            case _:
                pass


def _of_call(first: ast.expr, others: list[ast.expr], module: str) -> Plugin:
    """Return what `register(Method(name=..., about=...))` or `@register(name, about)` declares.

    A decorator without a sentence has the first line of the docstring.
    """
    if not isinstance(first, ast.Call):
        return Plugin(value_of(first, module), value_of(others[0], module))
    given = {one.arg: one.value for one in first.keywords}
    options = given.get("options")
    return Plugin(
        value_of(given["name"], module),
        value_of(next(given[word] for word in _SENTENCES if word in given), module),
        tuple(
            tuple(value_of(part, module) for part in option.args[:4])
            for option in (options.elts if isinstance(options, ast.Tuple) else ())
            if isinstance(option, ast.Call)
        ),
    )
