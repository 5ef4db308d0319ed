"""Calls of commands: functions name options in messages as they are typed, and a command learns
whether the judge that a function asked failed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from gfactor.errors import UnknownNameError

if TYPE_CHECKING:
    from gfactor.api.inputs.scoring import Scoring


_Given = ParamSpec("_Given")
_Returned = TypeVar("_Returned")


def names_checked(function: Callable[_Given, _Returned]) -> Callable[_Given, _Returned]:
    """Return the function, made to raise a ParameterError for an unknown parameter, which suggests
    the closest name."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @functools.wraps(function)
    def checked(*args: _Given.args, **given: _Given.kwargs) -> _Returned:
        for name in given:
            if name not in names:
                raise UnknownNameError(f"parameter of {function.__name__}", name, names)
        return function(*args, **given)

    return checked


def as_flag(name: str) -> str:
    """Return an option as it is typed on the command line."""
    return f"--{name.replace('_', '-')}"


@dataclass
class CommandCall:
    """A call of a command.

    Parameters
    ----------
    spelled: function that turns the name of an option in Python into its name on the command line.
    scorings: settings of every scoring of a journal since the call began.
    """

    spelled: Callable[[str], str]
    scorings: list[Scoring] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code: 1 if asking the judge failed for some replies."""
        return max((one.code for one in self.scorings), default=0)

    @property
    def judge_lines(self) -> list[str]:
        """Lines about the questions to the judge: asked, answered before, failed, and cost."""
        return [one.judge_line() for one in self.scorings if one.judged]


_CURRENT: ContextVar[CommandCall | None] = ContextVar("gfactor_call", default=None)


@contextmanager
def command_call(spelled: Callable[[str], str] = as_flag) -> Iterator[CommandCall]:
    """Let messages name options as they are typed on the command line, until the block ends."""
    call = CommandCall(spelled)
    token = _CURRENT.set(call)
    try:
        yield call
    finally:
        _CURRENT.reset(token)


def current_call() -> CommandCall:
    """Return the call of the running command; a new call if none is running."""
    return _CURRENT.get() or CommandCall(str)


def in_command() -> bool:
    """Return True while a command is running, which prints the messages of functions."""
    return _CURRENT.get() is not None


def option(name: str) -> str:
    """Return the name of an option as the caller writes it: "--max-cost" or "max_cost"."""
    return current_call().spelled(name)
