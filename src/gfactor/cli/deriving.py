"""Commands made of functions: an option is declared once, by a parameter and its docstring.

`derived` reads the signature and the docstring of a function of the public face, and makes the
command's options, help and example of them. The file of a command adds what only a shell needs:
which parameters are positional, other spellings, how a text becomes a value, and where the result
goes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

import click

from gfactor.cli.backends import BACKEND_OPTIONS, computing
from gfactor.cli.common import json_option
from gfactor.cli.declarations import REQUIRED, DeclaredParameter, declaration
from gfactor.cli.once import OnceCommand
from gfactor.cli.options import Decorator
from gfactor.cli.spelling import USUAL, Read, Verb, scored_names

Body: TypeAlias = Callable[..., Any]


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
    defaults: Mapping[str, Any] = MappingProxyType({}),
    options: Sequence[Decorator] = (),
    twins: Sequence[str] = (),
    about: str = "",
    says: str = "",
) -> Callable[[Body], OnceCommand]:
    """Make a command of a function of the public face.

    Parameters
    ----------
    text : str
        The docstring of the command's file: "gfactor place: one sentence.", then lines that are
        examples of calls, then what only a shell needs, about exit codes and the like, which
        follows the description of the function.
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
    defaults : mapping
        Defaults of the command that the function has not.
    options : sequence of decorators
        Options that the command has and the function has not; they stand last.
    twins : sequence of str
        Other functions that the help names.
    about : str
        Sentences that are made when the command is loaded, such as names of plug-ins.
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
    first, _, rest = (text or "").partition("\n")
    calls, _, needed = rest.strip("\n").partition("\n\n")
    name = first.partition(":")[0].split()[-1]

    def make(body: Body) -> OnceCommand:
        declared, of_body = declaration(function), _own_parameters(body)
        of_function = [one for one in declared.parameters if one.name not in without]
        declared = replace(declared, parameters=(*declared.parameters, *of_body))
        verb = Verb(declared, USUAL | dict(spelled or {}), reads or {}, helps or {})
        others = dict.fromkeys(required, REQUIRED) | dict.fromkeys(optional) | dict(defaults)
        unknown = {*(spelled or ()), *verb.reads, *verb.helps, *others} - {
            one.name for one in declared.parameters
        }
        if unknown:
            raise LookupError(f"gf.{function} has no parameter {', '.join(sorted(unknown))}")
        parameters = [
            replace(one, default=others.get(one.name, one.default)) for one in of_function
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
        sentences = [says or verb.words(declared.text), *filter(None, [needed.strip(), about])]
        text_of_help = _help(verb, sentences, calls, (function, *twins))
        derived_command = click.command(name, cls=OnceCommand, help=text_of_help)(command)
        derived_command.spelled = verb.name_of
        return derived_command

    return make


def _own_parameters(body: Body) -> tuple[DeclaredParameter, ...]:
    """Return the parameters that the docstring of a command's body describes."""
    if not body.__doc__:
        return ()
    declared = declaration(body.__name__, body.__module__)
    return tuple(one for one in declared.parameters if one.text)


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
