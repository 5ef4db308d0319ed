"""Declarations of functions: their parameters, and what their docstrings say of them.

Both are read in the source and the function's module is not imported, so that `--help` stays
quick.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from gfactor.cli.constants import located, value_of

REQUIRED = object()
"""The default of a parameter that has to be given."""

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \w+)*)(?: : (.*))?$")
_AS_IN = re.compile(r"^(?:[^;.:`]*, as|As) in `(?:gfactor\.)?(\w+)`(?=[.;:]|$)")
"""A description that another function has in full: "Judge of open answers, as in `score`."."""


@dataclass(frozen=True)
class DeclaredParameter:
    """A parameter of a function, or a field of a group of options.

    Parameters
    ----------
    name : str
        Its name in Python.
    annotation : ast.expr
        Its type, as it stands in the source.
    module : str
        Dotted name of the module in which the names of the type have their meaning.
    default : object
        Its default; `REQUIRED` if there is none.
    text : str
        Its description in the docstring.
    keyword : bool
        True if it is given by name only.
    choices : tuple of str
        The words that may be given, where the docstring has them as its type: {"one", "all"}.
    """

    name: str
    annotation: ast.expr
    module: str
    default: object
    text: str
    keyword: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declaration:
    """A function or a group of options, as its source declares it.

    Parameters
    ----------
    name : str
        Its name.
    module : str
        Dotted name of its module.
    text : str
        Its docstring before the list of parameters.
    parameters : tuple of DeclaredParameter
        In the order of the signature; those of a group (`**reach: Unpack[ReachOptions]`) follow.
    """

    name: str
    module: str
    text: str
    parameters: tuple[DeclaredParameter, ...]

    def parameter(self, name: str) -> DeclaredParameter:
        """Return the parameter of a name."""
        return next(one for one in self.parameters if one.name == name)


@cache
def declaration(name: str, home: str = "gfactor") -> Declaration:
    """Return the declaration of a public function, or of a function in another module.

    Parameters
    ----------
    name : str
        The function as a user of `gf` writes it: "place", "study.close".
    home : str
        Dotted name of the module.
    """
    module, node = located(home, name)
    assert isinstance(node, ast.FunctionDef), name
    text, described = _docstring(node)
    parameters: list[DeclaredParameter] = []
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [*arguments.defaults]
    for keyword, group in (
        (False, zip(positional, defaults, strict=True)),
        (True, zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)),
    ):
        for one, default in group:
            assert one.annotation is not None, (name, one.arg)
            description = described.get(one.arg, "")
            value = REQUIRED if default is None else value_of(default, module)
            parameters.append(
                DeclaredParameter(
                    one.arg, one.annotation, module, value, description, keyword=keyword
                )
            )
    choices = _choices(node)
    parameters = [
        _resolved(replace(one, choices=choices.get(one.name, ())), module) for one in parameters
    ]
    match arguments.kwarg:
        case ast.arg(
            annotation=ast.Subscript(value=ast.Name(id="Unpack"), slice=ast.Name(id=kind))
        ):
            parameters += group_of(module, kind)
        case _:
            pass
    return Declaration(name, module, text, tuple(parameters))


@cache
def group_of(module: str, name: str) -> tuple[DeclaredParameter, ...]:
    """Return the fields of a class (a TypedDict or a dataclass) that are options of many functions.

    Parameters
    ----------
    module : str
        Dotted name of a module that defines or imports the class.
    name : str
        The class.
    """
    home, node = located(module, name)
    assert isinstance(node, ast.ClassDef), name
    _, described = _docstring(node)
    choices = _choices(node)
    parents = [base.id for base in node.bases if isinstance(base, ast.Name)]
    fields = tuple(
        DeclaredParameter(
            field.target.id,
            field.annotation,
            home,
            None if field.value is None else value_of(field.value, home),
            described.get(field.target.id, ""),
            keyword=True,
            choices=choices.get(field.target.id, ()),
        )
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    )
    return sum((group_of(home, base) for base in parents if base != "TypedDict"), fields)


def _resolved(parameter: DeclaredParameter, module: str) -> DeclaredParameter:
    """Put the description that another function has in the place of "As in `score`"."""
    match = _AS_IN.match(parameter.text)
    if match is None:
        return parameter
    for home in (module, "gfactor"):
        try:
            _, node = located(home, match[1])
        except LookupError:
            continue
        assert isinstance(node, ast.FunctionDef), match[1]
        words = _docstring(node)[1].get(parameter.name, "").removesuffix(".")
        choices = parameter.choices or _choices(node).get(parameter.name, ())
        return replace(parameter, text=words + parameter.text[match.end() :], choices=choices)
    return parameter


def _choices(node: ast.FunctionDef | ast.ClassDef) -> dict[str, tuple[str, ...]]:
    """Return the words that parameters may be, of those whose type in the docstring lists them."""
    lines = (ast.get_docstring(node) or "").partition("\nReturns\n")[0].split("\n")
    listed = [match for line in lines if (match := _ENTRY.match(line)) and match[2]]
    return {
        name: tuple(re.findall(r'"([^"]+)"', match[2]))
        for match in listed
        if match[2].startswith("{")
        for name in match[1].split(", ")
    }


def _docstring(node: ast.stmt) -> tuple[str, Mapping[str, str]]:
    """Return what a docstring says before its first section, and what it says of parameters."""
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    text = inspect.cleandoc(ast.get_docstring(node) or "")
    parts = _SECTION.split(text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    described: dict[str, str] = {}
    names: list[str] = []
    for line in sections.get("Parameters", "").split("\n"):
        if match := _ENTRY.match(line):
            names = [name.strip("* ") for name in match[1].split(",")]
            described |= dict.fromkeys(names, "")
        elif line.strip():
            described |= {name: f"{described[name]} {line.strip()}".strip() for name in names}
    return parts[0].strip(), described
