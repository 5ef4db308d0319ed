"""Constants of modules that load slowly, read in their files: `--help` stays quick."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import gfactor


def declared(module: str, name: str) -> Any:
    """A constant of a module of gfactor, without running the module.

    Parameters
    ----------
    module: its dotted name.
    name: of the constant: a word or number, or a tuple, mapping or `Literal` of words.

    Returns the word or number, or the words as a tuple; of a mapping its keys. Raises LookupError
    where the file declares no such thing.
    """
    tree = parsed(module)
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return value_of(value, module)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if (
                target == name
            ):
                return value_of(value, module)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for one, value in zip(names, values, strict=True):
                    if isinstance(one, ast.Name) and one.id == name:
                        return value_of(value, module)
            case ast.ImportFrom(module=str(source), names=names) if any(
                alias.name == name for alias in names
            ):
                return declared(source, name)
    raise LookupError(f"{module} declares no constant {name}")


@cache
def parsed(module: str) -> ast.Module:
    """The source of a module of gfactor, as a tree."""
    path = Path(gfactor.__file__).parent.joinpath(*module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def value_of(node: ast.expr, module: str) -> Any:
    """The value of an expression in a module: a constant, a name of one, or words."""
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
        case ast.Call(func=ast.Name(id="get_args"), args=[words]):
            return value_of(words, module)
    raise LookupError(f"{module}: {ast.unparse(node)} is no constant")
