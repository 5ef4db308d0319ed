"""Checks of what a caller gives a public function: names of parameters, and paths."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from types import FunctionType
from typing import Any

from gfactor.errors import ParameterError, UnknownNameError

_NO_PATH = (dict, int, float, complex, list, tuple, set, frozenset, bytes)
"""Types of values that name no file; results that hold a path are for each function to take."""

_ALLOWED_BY = {
    "Mapping": (dict,), "dict": (dict,), "int": (int,), "float": (int, float), "bool": (bool,),
    "bytes": (bytes,),
    **dict.fromkeys(("Sequence", "Iterable", "Collection", "list"), (list, tuple, set, frozenset)),
    "tuple": (tuple,),
}  # fmt: skip
"""Types of values that an annotation allows beside paths, by its name."""

_PLAIN = ("None", "str", "Path")

_SEVERAL = "Sequence[Path | str]"
"""Annotation of a parameter that is a list of paths."""


def checked(thing: Any, options: Mapping[str, str]) -> Any:
    """Return a public function, made to refuse unknown names and values that are no path.

    Parameters
    ----------
    thing : any
        A public object. It stays unchanged if it is no function, or has neither a path among its
        parameters nor options of a group.
    options : mapping of str to str
        Options of the function's group, and the documentation of that group.

    Returns
    -------
    any
        The function, which raises UnknownNameError for a parameter that it does not have and
        ParameterError for a number, a list or a dict in the place of a path. It takes the place of
        the original in its module, so that it can be pickled.
    """
    if not isinstance(thing, FunctionType):
        return thing
    parameters = inspect.signature(thing).parameters
    paths = {name: refused for name, one in parameters.items() if (refused := _refused(one, thing))}
    if not paths and not options:
        return thing
    free = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    hears = bool(inspect.unwrap(thing).__code__.co_flags & inspect.CO_VARKEYWORDS)
    names = list(parameters)

    @functools.wraps(thing)
    def call(*args: Any, **given: Any) -> Any:
        unknown = min((name for name in given if name not in parameters), default="")
        # A function that takes all names may know better what a word means that is like none.
        if unknown and not free and (not hears or get_close_matches(unknown, names, cutoff=0.5)):
            raise UnknownNameError(f"option of {thing.__name__}", unknown, names)
        for name, value in (*zip(names, args, strict=False), *given.items()):
            if name in paths and isinstance(value, paths[name]):
                texts = (thing.__doc__, options.get(name))
                description = next(filter(None, (_description(name, one) for one in texts)), "")
                raise ParameterError(
                    f"{name} of {thing.__name__} is a path, not {_kind_of(value)}"
                    + f": {description}" * bool(description)
                )
        return thing(*args, **given)

    home = sys.modules[thing.__module__]
    if vars(home).get(thing.__name__) is thing:
        setattr(home, thing.__name__, call)
    return call


def _refused(parameter: inspect.Parameter, function: FunctionType) -> tuple[type, ...]:
    """Return the types that a parameter refuses; none if it is no path, or a name in its
    annotation stands for several types."""
    if str(parameter.annotation) == _SEVERAL:
        return tuple(one for one in _NO_PATH if one not in _ALLOWED_BY["Sequence"])
    words = [part.strip() for part in str(parameter.annotation).split("|")]
    if "Path" not in words and "path" not in words:
        return ()
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return ()
    namespace = inspect.unwrap(function).__globals__
    allowed: list[type] = []
    for word in words:
        name = word.partition("[")[0]
        if name in _ALLOWED_BY:
            allowed += _ALLOWED_BY[name]
        elif name not in _PLAIN and not isinstance(namespace.get(name, object), type):
            return ()
    return tuple(one for one in _NO_PATH if one not in allowed)


def _description(name: str, documentation: str | None) -> str:
    """Return what the documentation says of a parameter, on one line; "" if it says nothing."""
    described = re.search(
        rf"^( *){name} : .*\n((?:\1 +\S.*\n)+)", inspect.cleandoc(documentation or "") + "\n", re.M
    )
    return " ".join(described[2].split()).rstrip(".") if described else ""


def _kind_of(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
