"""Commands that print the result of a function: its text, its document, its page."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from gfactor.cli.common import put_json, refuse_typed, say
from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import derived
from gfactor.cli.options import Decorator
from gfactor.cli.spelling import OUTPUT, Read
from gfactor.cli.values import PATH


def printed(
    text: str | None,
    function: str,
    spelled: Mapping[str, str] | None = None,
    *,
    page: bool = False,
    judged: bool = False,
    data: str = "",
    wrote: str = "",
    texts: str = "",
    **how: Any,
) -> click.Command:
    """Make a command that calls a function and prints its result: its text, or with --json its
    document.

    Parameters
    ----------
    text, function, spelled
        As in `derived`.
    page : bool
        True if -o FOLDER writes the result's page.
    judged : bool
        True if the text ends with a summary of the judge's calls, if there is a judge.
    data : str
        Parameter that the document names first, as "data".
    wrote : str
        Parameter whose file the text names last, if it was written.
    texts : str
        Function of `gfactor.api` that returns the text and the document of a result that has no
        `summary` and `to_dict`, such as a path or a number: "study.texts.closed". It is called with
        the result and the parameters by name.
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
        if texts:
            return put_texts(texts, result, as_json, **given)
        facts = {"data": str(given[data])} if data else {}
        last = f"wrote {given[wrote]}" if wrote and given[wrote] else ""
        return put(result, as_json, folder, facts, judged=judged, last=last)

    return command


def put_texts(texts: str, result: Any, as_json: bool, **given: Any) -> int:
    """Print a result by a function of its text and document; see `printed`."""
    module, _, name = texts.rpartition(".")
    lines, document = getattr(importlib.import_module(f"gfactor.api.{module}"), name)(
        result, **given
    )
    if as_json:
        put_json(document)
    elif lines:
        say(lines)
    return 0


def served(
    text: str | None,
    function: str,
    sentences: str,
    spelled: Mapping[str, str] | None = None,
    reads: Mapping[str, Read] | None = None,
    **document: str,
) -> click.Command:
    """Make a command that calls a function which serves a site until it is interrupted.

    If the function returns a result instead of serving, it is printed.

    Parameters
    ----------
    text, function, spelled, reads
        As in `derived`.
    sentences : str
        Sentence that is printed when the site answers, with the parameters and the {address} in
        braces.
    **document : str
        Further entries of the --json document besides the address, with fields in braces like
        `sentences`.
    """

    @derived(text, function, spelled, reads=reads, without=["ready"])
    def command(as_json: bool, **given: Any) -> None:
        addresses: list[str] = []

        def ready(address: str) -> None:
            addresses.append(address)
            if as_json:
                facts = {name: one.format(address=address) for name, one in document.items()}
                put_json({"address": address, **facts})
            else:
                words = {k: ", ".join(v) if isinstance(v, tuple) else v for k, v in given.items()}
                say(sentences.format(address=address, **words))

        result = function_of(function)(**given, ready=ready)
        if not addresses:
            put(result, as_json)

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
    """Print a result, write its page if a folder is given, and return the exit code.

    Parameters
    ----------
    result : Result
        The result of a function of the public face.
    as_json : bool
        True to print the document in place of the text.
    page : path, optional
        The folder for the page.
    facts : mapping
        Entries that only the command knows; the document begins with them.
    judged : bool
        True if the text ends with a summary of the judge's calls, if there is a judge.
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


def put_each(name: str, results: Mapping[Path, Any], as_json: bool) -> int:
    """Print results of one kind, and write the page of each into its folder.

    Parameters
    ----------
    name : str
        Name of several results in the document.
    results : mapping of path to Result
        One result or more, by the folder of the page.
    as_json : bool
        True to print a document in place of the texts.

    Returns
    -------
    int
        The exit code, the highest of those of the results.
    """
    if len(results) == 1:
        ((folder, alone),) = results.items()
        return put(alone, as_json, folder)
    for folder, one in results.items():
        written = one.report(folder)
        if not as_json:
            put_parts({}, [one.summary()], as_json, written)
    if as_json:
        put_json({name: [one.to_dict() for one in results.values()]})
    return max(map(exit_code, results.values()))


def put_parts(
    document: Mapping[str, Any], parts: Sequence[str], as_json: bool, written: Any = None
) -> None:
    """Print a document, or the parts of a text and the path of its page.

    Parameters
    ----------
    document : mapping
        What --json prints.
    parts : sequence of str
        Texts with an empty line between them.
    as_json : bool
        True to print the document in place of the text.
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
    """Return the exit code of a command: that of its result, or 1 if asking a judge failed.

    Parameters
    ----------
    result : Result
        The result that the command printed.
    judged : bool
        True to print a summary of the judge's calls, if there is a judge.
    """
    from gfactor.api.inputs.calls import current_call

    for line in current_call().judge_lines if judged else ():
        say(line)
    return getattr(result, "code", 0) or current_call().code


def called(
    function: str, given: Mapping[str, Any], reason: str = "", *, beside: Collection[str] = ()
) -> Any:
    """Call a public function with those options of a command that it accepts.

    Parameters
    ----------
    function : str
        As in `derived`.
    given : mapping
        Options by the names of the function's parameters; others are left out.
    reason : str
        Reason why the function has no use for other options: the end of a message that begins with
        the option that was typed.
    beside : collection of str
        Options of the command that the function takes under another name, or that the command
        itself reads.

    Raises
    ------
    ParameterError
        For an option that was typed and that is neither the function's nor `beside`.
    """
    names = {one.name for one in declaration(function).parameters}
    refuse_typed(reason, beside={*names, *beside, "as_json", "backend", "backend_options"})
    return function_of(function)(**{name: one for name, one in given.items() if name in names})


def function_of(name: str) -> Any:
    """Return a function of the public face."""
    import gfactor

    return functools.reduce(getattr, name.split("."), gfactor)
