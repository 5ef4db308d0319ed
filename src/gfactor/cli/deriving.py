"""Commands made of functions: an option is declared once, by a parameter and its docstring.

`derived` reads the signature and the docstring of a function of the public face, and makes the
command's options, help and example of them. The file of a command adds what only a shell needs:
which parameters are positional, other spellings, how a text becomes a value, and where the result
goes.
"""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import click

from gfactor.cli.backends import BACKEND_OPTIONS, computing
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.declarations import REQUIRED, Declaration, Parameter, declaration, group_of
from gfactor.cli.once import OnceCommand
from gfactor.cli.options import Decorator, together
from gfactor.cli.values import PATH, Value, Words, is_mapping, pair_for, value_for
from gfactor.errors import ParameterError

Body: TypeAlias = Callable[..., Any]

Read: TypeAlias = Callable[[Any], Any] | click.ParamType

OUTPUT = "-o"
"""The short name of the option that says where a result is written."""

USUAL = {
    "folder": "FOLDER", "host": "--host ADDRESS", "public_url": "--public-url URL",
    "proxies": "--proxy ADDRESS", "benchmark": "--benchmark NAME", "condition": "--condition KEY",
    "domain_label": "--domain-label LABEL", "base_url": "--base-url URL",
    "key_env": "--key-env NAME", "image_limit": "--image-limit LIMIT",
    "examinees": "--examinee SPEC", "judge": "--judge SPEC",
}  # fmt: skip
"""Spellings of parameters that many functions have, as in `Verb`; a command may have others."""

_NONE = re.compile(r"\bwhere (?:None|\"\")(?!\w)")
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
        """Return whether a parameter is given by its place."""
        return parameter in self.spelled and not self.spelled[parameter].startswith("-")

    def option(self, parameter: Parameter) -> Decorator:
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
        elif isinstance(parameter.default, tuple) and isinstance(value.type, Words):
            more["default"] = ",".join(parameter.default)
        return click.option(
            *names,
            parameter.name,
            show_default=str(more.get("default")) not in ("None", "False", "", "()"),
            required=required,
            multiple=value.many,
            help=self.words(self.helps.get(parameter.name) or _without_default(parameter))
            + " May be given several times." * value.many,
            **more,
        )

    def _value(self, parameter: Parameter, metavar: str) -> Value:
        if parameter.name in self.reads:
            read = self.reads[parameter.name]
            kind = read if isinstance(read, click.ParamType) else click.STRING
            fallback = "" if isinstance(kind, click.Choice) else "TEXT"
            return Value(kind, metavar or fallback, many=_repeats(metavar))
        if _repeats(metavar) and (pair := pair_for(parameter, metavar.removesuffix("..."))):
            return pair
        value = value_for(parameter)
        if _repeats(metavar):
            return Value(value.type, metavar, many=True)
        if self.spelled.get(parameter.name, "").startswith(OUTPUT):
            return Value(PATH, metavar)
        if value.many and metavar.endswith(",..."):
            return Value(Words(), metavar)
        return value

    def _mapping(self, name: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        """Return pairs as a mapping; ParameterError if a name is given twice."""
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            twice = next(one for one in mapping if [n for n, _ in pairs].count(one) > 1)
            raise ParameterError(f"{self.name_of(name)} has {twice} twice")
        return mapping

    def words(self, text: str) -> str:
        """Return a sentence of a docstring as help says it: options are spelled as typed."""
        names = {one.name for one in self.function.parameters}

        def typed(match: re.Match[str]) -> str:
            return self.name_of(match[1]) if match[1] in names else match[1]

        return _CODE.sub(typed, _NONE.sub("by default", text))

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the function is called with."""
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
    return tuple(one.name for one in group_of("gfactor.api.reach", "ReachOptions"))


def scored_names() -> tuple[str, ...]:
    """Return the parameters of functions that score a journal: whose answers, which judge, how it
    is reached."""
    return ("examinees", "condition", "judge", "policy", *reach_names())


def options_of(
    parameters: Sequence[Parameter], spelled: Mapping[str, str] = MappingProxyType({})
) -> Decorator:
    """Return the options of a group of parameters, for several commands.

    Parameters
    ----------
    parameters : sequence of Parameter
        Parameters of a function, or fields of a class.
    spelled : mapping of str to str
        As in `Verb`.
    """
    verb = Verb(Declaration("", "", "", tuple(parameters)), USUAL | dict(spelled), {}, {})
    return together(*map(verb.option, parameters))


def options_with(
    flag: str, function: str, names: Sequence[str], spelled: Mapping[str, str]
) -> Decorator:
    """Return options of another function, for a command that calls it where a flag is given.

    Parameters
    ----------
    flag : str
        The flag, with which the help of each option begins.
    function : str
        The function that the command calls then.
    names : sequence of str
        Its parameters that the command has; none is required.
    spelled : mapping of str to str
        As in `Verb`.
    """
    return options_of(
        [
            replace(
                one,
                default=None if one.default is REQUIRED else one.default,
                text=f"With {flag}: {one.text[0].lower()}{one.text[1:]}",
            )
            for one in declaration(function).parameters
            if one.name in names
        ],
        spelled,
    )


def _without_default(parameter: Parameter) -> str:
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


def derived(
    text: str | None,
    function: str,
    spelled: Mapping[str, str] | None = None,
    *,
    reads: Mapping[str, Read] | None = None,
    helps: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
    required: Sequence[str] = (),
    optional: Sequence[str] = (),
    options: Sequence[Decorator] = (),
    twins: Sequence[str] = (),
    about: str = "",
    says: str = "",
) -> Callable[[Body], click.Command]:
    """Make a command of a function of the public face.

    Parameters
    ----------
    text : str
        The docstring of the command's file: "gfactor place: one sentence.", then lines that are
        examples of calls.
    function : str
        The function as a user of `gf` writes it: "place", "study.close".
    spelled, reads, helps : mapping, optional
        As in `Verb`.
    without : sequence of str
        Parameters that a shell cannot give.
    required : sequence of str
        Parameters that the function can do without and the command cannot.
    optional : sequence of str
        Parameters that the function needs and the command does not: they are None then.
    options : sequence of decorators
        Options that the command has and the function has not; they stand last.
    twins : sequence of str
        Other functions that the help names.
    about : str
        Sentences that only a shell needs, about exit codes and the like; they follow the
        description of the function.
    says : str
        Description of the command that replaces that of the function, if a function has several
        commands.

    Returns
    -------
    function
        A decorator for the command's body, which is called with the parameters and options by
        name and `as_json`. Parameters that the body's own docstring describes are options too:
        those that the command has and the function has not.
    """
    first, _, calls = (text or "").partition("\n")
    name = first.partition(":")[0].split()[-1]

    def make(body: Body) -> click.Command:
        declared, of_body = declaration(function), _own_parameters(body)
        of_function = [one for one in declared.parameters if one.name not in without]
        declared = replace(declared, parameters=(*declared.parameters, *of_body))
        verb = Verb(declared, USUAL | dict(spelled or {}), reads or {}, helps or {})
        defaults = dict.fromkeys(required, REQUIRED) | dict.fromkeys(optional)
        unknown = {*(spelled or ()), *verb.reads, *verb.helps, *defaults} - {
            one.name for one in declared.parameters
        }
        if unknown:
            raise LookupError(f"gf.{function} has no parameter {', '.join(sorted(unknown))}")
        parameters = [
            replace(one, default=defaults.get(one.name, one.default)) for one in of_function
        ]
        # Help shows what many commands have behind what this one has.
        asks = any(one.name == "base_url" for one in parameters)
        last = scored_names() if asks else ()
        shared = [one for one in parameters if one.name in last]
        parameters = [one for one in parameters if one.name not in last]
        computes = [one for one in parameters if one.name == "jobs"]

        def called(as_json: bool, **given: Any) -> Any:
            values = verb.values(given)
            others = {key: value for key, value in given.items() if key not in values}
            context = (
                computing(values["jobs"], computes[0].default, others.pop("backend"),
                          others.pop("backend_options"))
                if computes else nullcontext()
            )  # fmt: skip
            with context:
                return body(**values, **others, as_json=as_json)

        command: Any = json_option(called)
        for option in reversed([
            *map(verb.option, parameters), *(BACKEND_OPTIONS if computes else ()),
            *map(verb.option, of_body), *options, *map(verb.option, shared),
        ]):  # fmt: skip
            command = option(command)
        sentences = [says or verb.words(declared.text), *filter(None, [about])]
        text_of_help = _help(verb, sentences, calls, (function, *twins))
        derived_command = click.command(name, cls=OnceCommand, help=text_of_help)(command)
        derived_command.spelled = verb.name_of
        return derived_command

    return make


def _own_parameters(body: Body) -> tuple[Parameter, ...]:
    """Return the parameters that the docstring of a command's body describes."""
    if not body.__doc__:
        return ()
    declared = declaration(body.__name__, body.__module__)
    return tuple(one for one in declared.parameters if one.text)


def printed(
    text: str | None,
    function: str,
    spelled: Mapping[str, str] | None = None,
    *,
    page: bool = False,
    judged: bool = False,
    data: str = "",
    sentences: Callable[..., str] | None = None,
    document: Callable[..., Any] | str = "",
    **how: Any,
) -> click.Command:
    """Make a command that calls a function and prints its result: its text, or with --json its
    document.

    Parameters
    ----------
    text, function, spelled
        As in `derived`.
    page : bool
        Whether -o FOLDER writes the result's page.
    judged : bool
        Whether the text ends with what a judge was asked, where there was one.
    data : str
        Parameter that the document names first, as "data".
    sentences, document : function, optional
        The text and the document of a result that has no `summary` and `to_dict`, such as a path
        or a number; they are called with it and the parameters by name. A document with one entry
        is the name of this entry.
    **how
        The other parameters of `derived`.

    Returns
    -------
    click.Command
        Its exit code is the result's `code`, if it has one.
    """
    pages = [PAGE_OPTION] if page else []

    @derived(text, function, spelled, options=[*pages, *how.pop("options", ())], **how)
    def command(as_json: bool, **given: Any) -> Any:
        folder = given.pop("page", None)
        result = function_of(function)(**given)
        if sentences is None:
            facts = {"data": str(given[data])} if data else {}
            return put(result, as_json, folder, facts, judged=judged)
        if not as_json:
            if lines := sentences(result, **given):
                say(lines)
        elif isinstance(document, str):
            put_json({document: str(result) if isinstance(result, Path) else result})
        else:
            put_json(document(result, **given))
        return 0

    return command


def served(
    text: str | None,
    function: str,
    sentences: str,
    spelled: Mapping[str, str] | None = None,
    reads: Mapping[str, Read] | None = None,
    **document: str,
) -> click.Command:
    """Make a command that calls a function which serves a site until it is interrupted.

    Parameters
    ----------
    text, function, spelled, reads
        As in `derived`.
    sentences : str
        What is printed when the site answers, with the parameters and the {address} in braces.
    **document : str
        Entries that --json has beside the address, in the same way.
    """

    @derived(text, function, spelled, reads=reads, without=["ready"])
    def command(as_json: bool, **given: Any) -> None:
        def ready(address: str) -> None:
            facts = {name: one.format(address=address) for name, one in document.items()}
            if as_json:
                put_json({"address": address, **facts})
            else:
                say(sentences.format(address=address, **given))

        function_of(function)(**given, ready=ready)

    return command


PAGE_OPTION: Decorator = click.option(
    OUTPUT,
    "--output",
    "page",
    type=PATH,
    metavar="FOLDER",
    help="Write a page with tables and figures.",
)
"""The option for the page of a result; the command gets it as `page`."""


def put(
    result: Any,
    as_json: bool,
    page: Any = None,
    facts: Mapping[str, Any] = MappingProxyType({}),
    *,
    judged: bool = False,
    last: str = "",
) -> Any:
    """Print a result and write its page, if a folder for it is given; the exit code.

    Parameters
    ----------
    result : Result
        The result of a function of the public face.
    as_json : bool
        Whether to print the document in place of the text.
    page : path, optional
        The folder for the page.
    facts : mapping
        Entries that only the command knows; the document begins with them.
    judged : bool
        Whether the text ends with what a judge was asked, where there was one.
    last : str
        The end of the text: what only the command knows, such as the next command.
    """
    written = None if page is None else result.report(page)
    if as_json:
        document = result.to_dict()
        put_json({**facts, **document} if facts else document)
    else:
        put_parts({}, [result.summary()], as_json, written)
        if last:
            say(last)
    return exit_code(result, judged=judged and not as_json)


def put_parts(
    document: Mapping[str, Any], parts: Sequence[str], as_json: bool, written: Any = None
) -> None:
    """Print a document, or the parts of a text and where its page lies.

    Parameters
    ----------
    document : mapping
        What --json prints.
    parts : sequence of str
        Texts with an empty line between them.
    as_json : bool
        Whether to print the document in place of the text.
    written : Written, optional
        The page, if there is one.
    """
    if as_json:
        put_json(document)
        return
    say("\n\n".join(parts))
    if written is not None:
        say(f"open {written.path}")


def exit_code(result: Any, *, judged: bool = False) -> int:
    """Return the exit code of a command: that of its result, or 1 where asking a judge failed.

    Parameters
    ----------
    result : Result
        What the command printed.
    judged : bool
        Whether to print what the judge was asked, where there was one.
    """
    from gfactor.api.calls import current_call

    for line in current_call().judge_lines if judged else ():
        say(line)
    return getattr(result, "code", 0) or current_call().code


def function_of(name: str) -> Any:
    """Return a function of the public face."""
    import gfactor

    return functools.reduce(getattr, name.split("."), gfactor)


def _help(verb: Verb, sentences: Sequence[str], calls: str, twins: Sequence[str]) -> str:
    """Return what `--help` says: what the command does, calls of it, and its functions."""
    examples = textwrap.indent(textwrap.dedent(calls).strip("\n"), "  ")
    parts = [*sentences]
    parts += [
        verb.words(f"{verb.name_of(one.name)}: {verb.helps.get(one.name, one.text)}")
        for one in verb.function.parameters
        if one.text and verb.is_positional(one.name)
    ]
    if examples.strip():
        parts.append(f"\b\nExample:\n{examples}")
    calls_of = [_call(name) for name in twins]
    parts.append(f"Python: {', '.join(calls_of)}")
    return "\n\n".join(parts)


def _call(name: str) -> str:
    """Return a call of a function with the parameters that it requires."""
    required = [one for one in declaration(name).parameters if one.default is REQUIRED]
    arguments = [f"{one.name}=..." if one.keyword else one.name for one in required]
    return f"gfactor.{name}({', '.join(arguments)})"
