"""Options that several functions share, by name in the signatures that a notebook completes."""

from __future__ import annotations

import inspect
import re
from types import FunctionType
from typing import Any

from gfactor.checked_calls import checked

_GROUP = re.compile(r"Unpack\[(\w+)\]")


def spell_out(thing: Any) -> Any:
    """Return a function with a signature in which each option of its group stands by its own name.

    A function that takes `**reach: Unpack[ReachOptions]` is typed for a type checker, but a
    notebook offers the parameters of `inspect.signature` alone. The function also checks the names
    and paths of a call (`gfactor.checked_calls`).

    Parameters
    ----------
    thing : any
        A public object. An object that is no function, or takes no option group, stays unchanged.

    Returns
    -------
    any
        The function, or the same object if it is none. Options of the group have the default
        `...`, which means that the caller left the option out.

    Examples
    --------
    >>> import inspect
    >>> import gfactor as gf
    >>> "rpm" in inspect.signature(gf.score).parameters
    True
    """
    if not isinstance(thing, FunctionType):
        return thing
    signature = inspect.signature(thing)
    parameters = list(signature.parameters.values())
    group = _GROUP.fullmatch(str(parameters[-1].annotation)) if parameters else None
    if group is None:
        return checked(thing, {})
    declared = inspect.unwrap(thing).__globals__[group[1]]
    kinds = declared.__annotations__
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=...,
            annotation=getattr(kind, "__forward_arg__", kind),
        )
        for name, kind in kinds.items()
    ]
    vars(thing)["__signature__"] = signature.replace(parameters=[*parameters[:-1], *options])
    return checked(thing, dict.fromkeys(kinds, declared.__doc__ or ""))
