"""Spellings of parameters on a command line: their names, values and help."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

import click

from gfactor.cli.declarations import REQUIRED, Declaration, DeclaredParameter, declaration, group_of
from gfactor.cli.options import Decorator, together
from gfactor.cli.values import PATH, ValueForm, WordList, is_mapping, pair_for, value_for
from gfactor.errors import ParameterError

Read: TypeAlias = Callable[[Any], Any] | click.ParamType

OUTPUT = "-o"
"""The short name of the option that says where a result is written."""

USUAL = {
    "folder": "FOLDER", "host": "--host ADDRESS", "public_url": "--public-url URL",
    "proxies": "--proxy ADDRESS", "benchmark": "--benchmark NAME", "condition": "--condition KEY",
    "domain_label": "--domain-label LABEL", "base_url": "--base-url URL",
    "key_env": "--key-env NAME", "image_limit": "--image-limit LIMIT",
    "examinees": "--examinee SPEC", "judge": "--judge SPEC", "path": "-o FOLDER",
    "journal": "JOURNAL", "bank": "BANK", "by": "--by LABEL", "file": "FILE",
    "group": "--group COLUMN", "tasks": "--tasks FILE|PATTERN", "cluster": "--cluster LABEL",
    "abilities": "--abilities A,...", "answers": "ANSWERS", "estimator": "--estimator NAME",
    "facets": "--facets A,...", "fixed": "--fixed FACET", "files": "FILE...",
    "design": "--design FORMULA", "guess": "--guess N", "log": "--log FILE", "se": "--se SE",
    "service": "--service NAME", "below": "--path PATH", "domain": "--domain NAME",
    "without": "--without MODEL",
}  # fmt: skip
"""Spellings of parameters that many functions have, as in `Verb`; a command may have others."""

PRESENTATION = {
    "condition": "--condition NAME=VALUE,...", "packs": "--pack FILE",
    "captions_by": "--captions-by SPEC", "shots_from": "--shots-from BANK",
}  # fmt: skip
"""Spellings of parameters of functions that ask items: how these are presented."""

TABLE_OPTIONS = {
    "columns": "--columns NAMES", "drop": "--drop NAMES", "identifier": "--id COLUMN",
    "where": "--where CONDITION",
}  # fmt: skip
"""Spellings of the rows and columns of a table."""

ITEMS_OF_BANK = {"bank": "--bank FILE"}
"""Spelling of the bank whose items count, in commands whose positional argument is a journal."""

_NONE = re.compile(r"\b([wW]here|[iI]f) (?:None|\"\")(?!\w)")

_PAIR = re.compile(r"\{\"([\w-]+)\": (?:\"?([\w.-]+)\"?|\[([\d, ]+)\])\}")
"""A mapping of one name as Python has it: {"language": "en"}, {"occasion": [1, 2]}."""

_CODE = re.compile(r"`+([^`]+)`+")


@dataclass(frozen=True)
class Verb:
    """The spelling of a function's parameters on a command line.

    Parameters
    ----------
    function : Declaration
        The function with its parameters.
    spelled : mapping of str to str
        Parameter to its name on the command line and what stands for its value: "--draws N",
        "-o FOLDER", "--groups,--group COLUMN"; "BANK", "FILE..." and "[TABLE]" are positional.
        "--cell LABEL,..." takes one text with commas, "--with LABEL=VALUE..." may be given several
        times, "--ideal/--no-ideal" has a word for either value.
    reads : mapping of str to function or click.ParamType
        Parameter to how its text becomes a value, where its type does not say.
    helps : mapping of str to str
        Parameter to its help, where a shell needs other words than the docstring's.
    """

    function: Declaration
    spelled: Mapping[str, str]
    reads: Mapping[str, Read]
    helps: Mapping[str, str]

    def name_of(self, parameter: str) -> str:
        """Return a parameter as it is typed: "--seed", "BANK"."""
        first = self.spelled.get(parameter, "").partition(" ")[0]
        if first == OUTPUT:
            return "--output"
        return first.partition(",")[0].strip("[].") or f"--{parameter.replace('_', '-')}"

    def is_positional(self, parameter: str) -> bool:
        """Return True if a parameter is positional."""
        return parameter in self.spelled and not self.spelled[parameter].startswith("-")

    def option(self, parameter: DeclaredParameter) -> Decorator:
        """Return the option or the argument of a parameter."""
        first, _, metavar = self.spelled.get(parameter.name, "").partition(" ")
        value = self._value(parameter, metavar)
        required = parameter.default is REQUIRED
        # A default of None would count as a value that is there.
        more: dict[str, Any] = {} if required else {"default": parameter.default}
        if self.is_positional(parameter.name):
            if first.endswith("..."):
                more = {"nargs": -1}
            return click.argument(
                parameter.name, metavar=first, type=value.type, required=required, **more
            )
        metavar = metavar.removesuffix("...") if _repeats(metavar) else metavar
        names = [OUTPUT, "--output"] if first == OUTPUT else first.split(",")
        if not first:
            names = [self.name_of(parameter.name)]
        if value.flag:
            both = "/" in first
            more = {"is_flag": True, "default": both and parameter.default}
        else:
            more |= {"type": value.type, "metavar": metavar or value.metavar or None}
        if "default" in more and value.many:
            more["default"] = ()
        elif isinstance(parameter.default, tuple) and isinstance(value.type, WordList):
            more["default"] = ",".join(parameter.default)
        return click.option(
            *names,
            parameter.name,
            show_default=str(more.get("default")) not in ("None", "False", "", "()"),
            required=required,
            multiple=value.many,
            help=self.words(self._described(parameter, metavar))
            + " May be given several times." * value.many,
            **more,
        )

    def _described(self, parameter: DeclaredParameter, metavar: str) -> str:
        """Return the description of an option, with NAME=VALUE in the place of mappings."""
        text = self.helps.get(parameter.name) or _without_default(parameter)
        if "=" not in metavar:
            return text
        return _PAIR.sub(lambda m: f"{m[1]}={m[2] or m[3].replace(' ', '')}", text)

    def _value(self, parameter: DeclaredParameter, metavar: str) -> ValueForm:
        if parameter.name in self.reads:
            read = self.reads[parameter.name]
            kind = read if isinstance(read, click.ParamType) else click.STRING
            fallback = "" if isinstance(kind, click.Choice) else "TEXT"
            return ValueForm(kind, metavar or fallback, many=_repeats(metavar))
        if _repeats(metavar) and (pair := pair_for(parameter, metavar.removesuffix("..."))):
            return pair
        value = value_for(parameter)
        if _repeats(metavar):
            return ValueForm(value.type, metavar, many=True)
        if self.spelled.get(parameter.name, "").startswith(OUTPUT):
            return ValueForm(PATH, metavar)
        if value.many and metavar.endswith(",..."):
            return ValueForm(WordList(), metavar)
        return value

    def _mapping(self, name: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        """Return pairs as a mapping; ParameterError if a name is given twice."""
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            twice = next(one for one in mapping if [n for n, _ in pairs].count(one) > 1)
            raise ParameterError(f"{self.name_of(name)} has {twice} twice")
        return mapping

    def words(self, text: str) -> str:
        """Return a sentence of a docstring for help, with options spelled as typed."""
        names = {one.name for one in self.function.parameters}

        def typed(match: re.Match[str]) -> str:
            return self.name_of(match[1]) if match[1] in names else match[1]

        plain = _NONE.sub(lambda m: "By default" if m[1][0].isupper() else "by default", text)
        return _CODE.sub(typed, plain)

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the function."""
        called: dict[str, Any] = {}
        for one in self.function.parameters:
            if one.name not in given:
                continue
            value, read = given[one.name], self.reads.get(one.name)
            if value == () and one.default is None:
                value = None
            elif callable(read) and not isinstance(read, click.ParamType):
                value = value if value in (None, ()) else read(value)
            elif value and isinstance(value, tuple) and is_mapping(one):
                value = self._mapping(one.name, value)
            elif one.default is True and "/" not in self.spelled.get(one.name, ""):
                value = not value
            called[one.name] = value
        return called


@functools.cache
def reach_names() -> tuple[str, ...]:
    """Return the parameters of functions that ask models over HTTP."""
    return tuple(one.name for one in group_of("gfactor.api.inputs.reach", "ReachOptions"))


def scored_names() -> tuple[str, ...]:
    """Return the parameters of functions that score a journal: examinees, judge and access to the
    judge."""
    return ("examinees", "condition", "judge", "policy", *reach_names())


def options_of(
    parameters: Sequence[DeclaredParameter],
    spelled: Mapping[str, str] = MappingProxyType({}),
    reads: Mapping[str, Read] = MappingProxyType({}),
) -> Decorator:
    """Return the options of a group of parameters, for several commands.

    Parameters
    ----------
    parameters : sequence of DeclaredParameter
        Parameters of a function, or fields of a class.
    spelled, reads : mapping
        As in `Verb`.
    """
    verb = Verb(Declaration("", "", "", tuple(parameters)), USUAL | dict(spelled), reads, {})
    return together(*map(verb.option, parameters))


def options_with(
    case: str,
    function: str,
    names: Sequence[str],
    spelled: Mapping[str, str] = MappingProxyType({}),
    reads: Mapping[str, Read] = MappingProxyType({}),
) -> Decorator:
    """Return the options of another function that a command may call.

    Parameters
    ----------
    case : str
        The case, with which the help of each option begins: "With --plan".
    function : str
        The function that the command calls then.
    names : sequence of str
        Its parameters that the command has; none is required.
    spelled, reads : mapping
        As in `Verb`.
    """
    return options_of(
        [
            replace(
                one,
                default=None if one.default is REQUIRED else one.default,
                text=f"{case}: {one.text[0].lower()}{one.text[1:]}",
            )
            for one in declaration(function).parameters
            if one.name in names
        ],
        spelled,
        reads,
    )


def _without_default(parameter: DeclaredParameter) -> str:
    """Return the description of a parameter without its default, which help shows behind it."""
    default = str(parameter.default)
    spellings = (default, f'"{default}"', default.lstrip("0"))
    value = "|".join(re.escape(one) for one in spellings if one)
    phrase = rf"by default (?:{value})|\(default (?:{value})\)|\((?:the )?default\)"
    default_pattern = rf",? (?:{phrase})(?=[.;,:]|$)"
    return re.sub(default_pattern, "", parameter.text)


def _repeats(metavar: str) -> bool:
    """Return True if an option may be given several times."""
    return metavar.endswith("...") and not metavar.endswith(",...")
