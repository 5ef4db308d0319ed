"""Values of parameters from the text of a command line, by the type of each."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import click

from gfactor import parameters
from gfactor.cli.constants import located, value_of
from gfactor.cli.declarations import DeclaredParameter

_PLAIN = {"int": click.INT, "float": click.FLOAT, "str": click.STRING}
_MANY = ("Sequence", "Iterable", "list", "tuple")
_PARAMETERS = parameters.__name__


class _Named(click.Path):
    """A path with a name: "" is what a shell makes of a variable without a value."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if value == "":
            self.fail("it is empty; give the name of a file or folder", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Named(path_type=Path)
"""A file or folder, as a Path."""

NAME = _Named()
"""A file, as the text on the command line; a text with a scheme is an address."""


class Numbers(click.ParamType):
    """Numbers separated by commas, as a list."""

    name = "numbers"

    def __init__(self, whole: bool) -> None:
        self._kind = int if whole else float

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return [self._kind(part) for part in value.split(",")]
        except ValueError:
            kind = "whole numbers" if self._kind is int else "numbers"
            return self.fail(f"it is a list of {kind} such as -1,0,1; got {value!r}", param, ctx)


class WordList(click.ParamType):
    """Words separated by commas, as a tuple without empty ones."""

    name = "words"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str):
            return value
        return tuple(word.strip() for word in value.split(",") if word.strip())


class NamedValue(click.ParamType):
    """A name and its value, such as NAME=VALUE.

    Parameters
    ----------
    form : str
        Spelling of an entry: NAME=VALUE, or FACET:FACET; in [NAME=]VALUE the name may be missing,
        and is "" then.
    value : click.ParamType
        The type of the value.
    last : bool
        True if the last sign divides the two: names may hold it.
    """

    name = "pair"

    def __init__(
        self, form: str, value: click.ParamType = click.STRING, *, last: bool = False
    ) -> None:
        self._form, self._value, self._last = form, value, last

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        sign = "=" if "=" in self._form else ":"
        divide = value.rpartition if self._last else value.partition
        optional = self._form.startswith("[")
        parts = ("", "", value) if optional and sign not in value else divide(sign)
        name, _, text = (part.strip() for part in parts)
        if not text or not (name or optional):
            self.fail(f"it is written {self._form}, got {value!r}", param, ctx)
        return name, self._value.convert(text, param, ctx)


SYNONYMS = {"ml": "fiml", "direct": "fiml"}
"""Words of other programs to ours."""


class OneOf(click.Choice[str]):
    """Choice of one word from a list; synonyms that other programs use are accepted, too."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the choice that the given word, or its synonym, names."""
        word = SYNONYMS.get(str(value), value)
        return super().convert(word if word in self.choices else value, param, ctx)


class NumberOrWord(click.ParamType):
    """A whole number from 0 on, or one of some words."""

    name = "number"

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str) or value in self._words:
            return value
        if not value.isdecimal():
            words = " or ".join(map(repr, self._words))
            self.fail(f"it is a number or {words}, not {value!r}", param, ctx)
        return int(value)


class Finite(click.FloatRange):
    """A finite number in a range; "nan" and "inf" are refused, because no value would reach such a
    limit."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no limit; leave the option out for none", param, ctx)
        return number


@dataclass(frozen=True)
class ValueForm:
    """The form in which a value is given on a command line.

    Parameters
    ----------
    type : click.ParamType
        Type that turns text into a value.
    metavar : str
        Word for the value in help, "" for click's own.
    flag : bool
        True if the option is given without a value.
    many : bool
        True if it may be given several times.
    """

    type: click.ParamType
    metavar: str = ""
    flag: bool = False
    many: bool = False


def pair_for(parameter: DeclaredParameter, form: str) -> ValueForm | None:
    """Return the form in which the entries of a mapping are given, one at a time; None for other
    types.

    Parameters
    ----------
    parameter : DeclaredParameter
        As its function declares it.
    form : str
        Spelling of an entry: NAME=VALUE.
    """
    for node in ast.walk(parameter.annotation):
        match node:
            case ast.Subscript(value=ast.Name("Mapping"), slice=ast.Tuple([_, entry])):
                names = {one.id for one in ast.walk(entry) if isinstance(one, ast.Name)}
                inner = replace(parameter, annotation=entry, choices=())
                kind = click.STRING if names & {"str", "object"} else value_for(inner).type
                return ValueForm(NamedValue(form, kind), f"{form}...", many=True)
            case _:
                pass
    return None


def is_mapping(parameter: DeclaredParameter) -> bool:
    """Return True if a parameter may be a mapping."""
    nodes = ast.walk(parameter.annotation)
    return any(isinstance(one, ast.Name) and one.id == "Mapping" for one in nodes)


def value_for(parameter: DeclaredParameter) -> ValueForm:
    """Return the form in which the value of a parameter is given, by its type.

    Parameters
    ----------
    parameter : DeclaredParameter
        As its function declares it.

    Raises
    ------
    LookupError
        If no text can become such a value; the command has to say how.
    """
    kinds = list(_kinds(parameter.annotation, parameter.module))
    names = {name for name, _, _ in kinds}
    for name, node, module in kinds:
        if name == "many" and any(_kinds(node, module)):
            inner = value_for(
                DeclaredParameter(parameter.name, node, module, None, "", keyword=True)
            )
            if inner.type in (click.INT, click.FLOAT):
                return ValueForm(Numbers(whole=inner.type is click.INT), "X,...")
            return ValueForm(inner.type, inner.metavar, many=True)
    if "bool" in names:
        return ValueForm(click.BOOL, flag=True)
    words = tuple(
        word for name, node, module in kinds if name == "Literal" for word in _words(node, module)
    )
    if names & {"Path", "File"}:
        return ValueForm(PATH if "Path" in names else NAME, "FILE")
    words = words or parameter.choices
    if words and "int" in names:
        return ValueForm(NumberOrWord(words), "N")
    if words:
        return ValueForm(OneOf(words))
    for name, node, module in kinds:
        if name == "Range":
            assert isinstance(node, ast.Name), module
            limits = get_args(getattr(parameters, node.id))[1]
            return ValueForm(range_of(node.id), limits.letter)
    for name in ("float", "int", "str"):
        if name in names:
            return ValueForm(_PLAIN[name], {"float": "X", "int": "N", "str": "TEXT"}[name])
    raise LookupError(
        f"{parameter.module}: no text becomes the {parameter.name} of "
        f"{ast.unparse(parameter.annotation)}"
    )


def _words(node: ast.expr, module: str) -> tuple[str, ...]:
    words = value_of(node, module)
    return words if isinstance(words, tuple) else (words,)


@cache
def range_of(name: str) -> click.ParamType:
    """Return the range of numbers that a type of `gfactor.parameters` allows."""
    kind, limits = get_args(getattr(parameters, name))
    if kind is int:
        return click.IntRange(limits.least, limits.most)
    return Finite(
        limits.least,
        limits.most,
        min_open=limits.within and limits.least is not None,
        max_open=(limits.within or limits.below) and limits.most is not None,
    )


def _members(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the members of a union."""
    if isinstance(node, ast.BinOp):
        yield from _members(node.left)
        yield from _members(node.right)
    else:
        yield node


def _is_many(node: ast.Subscript) -> bool:
    """Return True if a type holds several values."""
    return isinstance(node.value, ast.Name) and node.value.id in _MANY


def _kinds(node: ast.expr, module: str) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield the kinds of values that a type allows, each with its node and its module."""
    match node:
        case ast.BinOp(op=ast.BitOr()):
            members = list(_members(node))
            # A file says it all: what else there may be has no text, and is not looked up.
            files = [one for one in members if isinstance(one, ast.Name) and one.id == "Path"]
            many = any(isinstance(one, ast.Subscript) and _is_many(one) for one in members)
            for member in files if files and not many else members:
                yield from _kinds(member, module)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            yield "Literal", words, module
        case ast.Subscript(slice=inner) if _is_many(node):
            first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            yield "many", first, module
        case ast.Name(id=name) if name in _PLAIN or name in ("bool", "Path"):
            yield name, node, module
        case ast.Name(id=name):
            try:
                home, statement = located(module, name)
            except LookupError:
                return
            if home == _PARAMETERS:
                yield "Range", ast.Name(name), home
            elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
                for kind, inner, source in _kinds(statement.value, home):
                    # What a name stands for may have an address in the place of a file.
                    yield "File" if kind == "Path" else kind, inner, source
        case _:
            return
