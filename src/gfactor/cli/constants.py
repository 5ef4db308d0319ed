"""Constants of modules that load slowly, read in their files: `--help` stays quick."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import gfactor


def declared(module: str, name: str) -> Any:
    """Return a constant of a module of gfactor, without running the module.

    Parameters
    ----------
    module: its dotted name.
    name: of the constant: a word or number, or a tuple, mapping or `Literal` of words.

    Returns the word or number, or the words as a tuple; of a mapping its keys. Raises LookupError
    if the file declares no such thing.
    """
    source, value = _assigned(module, name)
    return value_of(value, source)


def _assigned(module: str, name: str) -> tuple[str, ast.expr]:
    """Return the module that assigns a name, and the expression that it assigns."""
    source, statement = located(module, name)
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            return source, values[[ast.unparse(one) for one in names].index(name)]
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return source, value
    raise LookupError(f"{module} declares no constant {name}")


def located(module: str, name: str) -> tuple[str, ast.stmt]:
    """Return the module that defines a name, and the statement that does.

    Parameters
    ----------
    module : str
        Dotted name of a module that defines or imports the name.
    name : str
        The name; "study.close" is `close` in the module that `study` names.

    Raises
    ------
    LookupError
        If the module neither defines nor imports it.
    """
    first, _, rest = name.partition(".")
    for node in _statements(parsed(module).body):
        match node:
            case ast.FunctionDef(name=given) | ast.ClassDef(name=given) if given == first:
                return module, node
            case ast.Assign(targets=[ast.Name(id=given)]) if given == first:
                return module, node
            case ast.Assign(targets=[ast.Tuple(elts=names)]) if first in map(ast.unparse, names):
                return module, node
            case ast.AnnAssign(target=ast.Name(id=given), value=ast.expr()) if given == first:
                return module, node
            case ast.ImportFrom(module=str(source), names=names):
                for alias in names:
                    if first == (alias.asname or alias.name) and source.startswith("gfactor"):
                        if rest:
                            return located(f"{source}.{alias.name}", rest)
                        return located(source, alias.name)
            case _:
                pass
    raise LookupError(f"{module} declares no {name}")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, also those under `if TYPE_CHECKING`."""
    for node in body:
        if isinstance(node, ast.If):
            yield from node.body
        else:
            yield node


@cache
def parsed(module: str) -> ast.Module:
    """Return the source of a module of gfactor, as a tree."""
    path = Path(gfactor.__file__).parent.joinpath(*module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def value_of(node: ast.expr, module: str) -> Any:
    """Return the value of an expression in a module: a constant, a name of one, or words."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Name(id=name):
            return declared(module, name)
        case ast.Tuple(elts=parts):
            return tuple(
                word
                for part in parts
                for word in (
                    value_of(part.value, module)
                    if isinstance(part, ast.Starred)
                    else (value_of(part, module),)
                )
            )
        case ast.Dict(keys=keys):
            return tuple(value_of(key, module) for key in keys if key is not None)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            return value_of(words, module)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
            source, entries = _assigned(module, name)
            if isinstance(entries, ast.Dict):
                for one, value in zip(entries.keys, entries.values, strict=True):
                    if isinstance(one, ast.Constant) and one.value == key:
                        return value_of(value, source)
        case ast.JoinedStr(values=parts):
            return "".join(str(value_of(part, module)) for part in parts)
        case ast.FormattedValue(value=part, conversion=-1, format_spec=None):
            return value_of(part, module)
        case ast.Call(func=ast.Name(id="get_args"), args=[words]):
            return value_of(words, module)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(comma)), attr="join"),
                      args=[words]):  # fmt: skip
            return comma.join(value_of(words, module))
    raise LookupError(f"{module}: {ast.unparse(node)} is not a constant")
