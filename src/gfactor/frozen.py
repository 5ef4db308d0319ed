"""Frozen dataclasses of which many are made, such as items and replies."""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import update_wrapper
from typing import Any, TypeVar

T = TypeVar("T")


def quickly_made(cls: type[T]) -> type[T]:
    """Give a frozen dataclass an `__init__` that takes a quarter of the time.

    The one that `dataclass` writes calls `object.__setattr__` for every field, which takes most of
    the time in which an object is made. This one puts the values straight into the object's
    dictionary. Everything else stays as it is: the fields, their defaults, `__post_init__`, and
    that the object is frozen. It is for classes without slots.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @quickly_made
    ... @dataclass(frozen=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(2)
    Point(x=2, y=0)
    """
    # The source is text, as in `dataclass`: no loop over the fields would be as quick.
    given: dict[str, Any] = {}
    parameters, lines = ["self"], ["held = self.__dict__"]
    for one in fields(cls):  # pyright: ignore[reportArgumentType]
        name, value = one.name, one.name
        if one.default is not MISSING:
            given[f"default_{name}"] = one.default
            parameters.append(f"{name}=default_{name}")
        elif one.default_factory is not MISSING:
            given[f"make_{name}"] = one.default_factory
            parameters.append(f"{name}=NONE")
            value = f"make_{name}() if {name} is NONE else {name}"
        else:
            parameters.append(name)
        lines.append(f"held[{name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    functions: dict[str, Any] = {}
    source = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines)
    exec(source, {"NONE": MISSING, **given}, functions)
    usual: Any = cls.__init__
    quick: Any = functions["__init__"]
    # Its signature is that of the usual one, for help and messages.
    setattr(cls, "__init__", update_wrapper(quick, usual))  # noqa: B010
    return cls
