"""The answer to a mistyped command: names that are near, and words that people use elsewhere."""

from __future__ import annotations

import difflib
import importlib.resources
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache


@cache
def words_of(table: str) -> Mapping[str, str]:
    """Return a table of suggestions.toml, which is read only when a word is not known."""
    text = importlib.resources.files("gfactor.cli").joinpath("suggestions.toml").read_text("utf-8")
    return tomllib.loads(text)[table]


def suggest_option(name: str, options: Sequence[str], command: str) -> str:
    """Return the end of a message about an unknown option, which suggests a known one.

    Parameters
    ----------
    name : str
        The unknown option as it was typed.
    options : sequence of str
        Options of the command, as they are typed.
    command : str
        The command as it is called: "gfactor run".

    Returns
    -------
    str
        A question that names options, what the command has instead, or the call that lists them.

    Examples
    --------
    >>> suggest_option("--model", ["--detail", "--examinee"], "gfactor run")
    "did you mean '--examinee'?"
    >>> suggest_option("--baseurl", ["--base-url", "--se"], "gfactor run")
    "did you mean '--base-url'?"
    """
    word = name.lstrip("-").casefold().replace("_", "-")
    if explained := words_of("explained").get(f"{command.rsplit(maxsplit=1)[-1]} {word}"):
        return explained
    same_letters = [one for one in options if _letters(one) == _letters(word)]
    named = words_of("options").items()
    meant = [one for one, words in named if word in words.split() and one in options]
    near = difflib.get_close_matches(name, sorted(options), n=2, cutoff=0.7)
    if calls := same_letters or meant or near:
        return _question(calls)
    return f"'{command} --help' lists the options"


def _letters(option: str) -> str:
    """Return an option without its dashes."""
    return option.replace("-", "").casefold()


def suggest(name: str, siblings: Iterable[str], paths: Sequence[str], help_call: str) -> str:
    """Return the end of a message about an unknown command, which suggests a known one.

    Parameters
    ----------
    name : str
        The unknown command as it was typed.
    siblings : iterable of str
        Commands that could stand in its place.
    paths : sequence of str
        All commands of the program, as they are typed.
    help_call : str
        The call that lists the commands that could stand in its place.

    Returns
    -------
    str
        A question that names commands, or the call that lists them.

    Examples
    --------
    >>> suggest("bild", ["audit", "build"], [], "gfactor --help")
    "did you mean 'build'?"
    >>> suggest("KMO", [], [], "gfactor --help")
    "did you mean 'gfactor analyze adequacy'?"
    """
    word = name.casefold().replace("_", "-").replace(".", "-")
    same_name = [path for path in paths if path.split()[-1] == word]
    by_word = {word: call for call, words in words_of("commands").items() for word in words.split()}
    if word in by_word:
        return _question([by_word[word]])
    if same_name:
        return _question(same_name)
    if near := difflib.get_close_matches(word, sorted(siblings), n=1, cutoff=0.6):
        return _question(near)
    last_words = sorted({path.split()[-1] for path in paths} | set(by_word))
    if near := difflib.get_close_matches(word, last_words, n=1, cutoff=0.75):
        same_name = [path for path in paths if path.split()[-1] == near[0]]
        return _question(same_name or [by_word[near[0]]])
    return f"{help_call!r} lists the commands"


def _question(calls: Sequence[str]) -> str:
    """Ask whether one of these calls was meant."""
    *others, last = map(repr, calls)
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"
