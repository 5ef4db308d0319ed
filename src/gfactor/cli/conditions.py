"""The options of `gfactor run` that say how items are put."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import options_of

CONDITIONS = ("condition", "packs", "captions", "captions_by", "shots_from", "knowledge")
"""Parameters of functions that ask items; `condition_options` are their options."""

_OPTIONS = options_of(
    [one for one in declaration("run").parameters if one.name in CONDITIONS],
    {
        "condition": "--condition NAME=VALUE,...",
        "packs": "--pack FILE",
        "captions_by": "--captions-by SPEC",
        "shots_from": "--shots-from BANK",
    },
)


def condition_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to a verb, which gets them as one argument, `given`."""

    @functools.wraps(command)
    def with_given(**values: Any) -> int:
        from gfactor.administration.condition_text import read_condition
        from gfactor.administration.preparing import Files
        from gfactor.api.administering import Given

        options = {name: values.pop(name) for name in CONDITIONS}
        files = Files(
            options["packs"], options["captions"], None, options["knowledge"], options["shots_from"]
        )
        given = Given(read_condition(options["condition"]), files, options["captions_by"])
        return command(given=given, **values)

    return _OPTIONS(with_given)
