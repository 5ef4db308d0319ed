"""The options of commands that ask examinees over HTTP: address, key, limits, money."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gfactor.cli.declarations import group_of
from gfactor.cli.deriving import options_of

_GROUP = group_of("gfactor.api.reach", "ReachOptions")
_OPTIONS = options_of(
    _GROUP,
    {
        "base_url": "--base-url URL",
        "key_env": "--key-env NAME",
        "image_limit": "--image-limit LIMIT",
    },
)

REACH = tuple(one.name for one in _GROUP)
"""The names of these options in Python."""


def endpoint_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to a verb, which gets them as one argument, `reach`
    (`gfactor.api.reach.Reach`)."""

    @functools.wraps(command)
    def with_reach(**values: Any) -> int:
        from gfactor.api.reach import reach_of

        options = {name: values.pop(name) for name in REACH}
        return command(reach=reach_of(options), **values)

    return _OPTIONS(with_reach)
