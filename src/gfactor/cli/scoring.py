"""The options of the verbs that score a journal: whose answers, which judge, which policy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gfactor.cli.constants import declared
from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import options_of
from gfactor.cli.endpoints import REACH, endpoint_options

if TYPE_CHECKING:
    from gfactor.api.reach import Reach

_WHOSE = ("examinees", "condition", "judge", "policy")

SCORED = (*_WHOSE, *REACH)
"""Parameters of functions that score a journal; `scoring_options` are their options."""

BENCHMARKS_POLICY = declared("gfactor.scoring.policies", "BENCHMARKS_POLICY")

_OPTIONS = options_of(
    [one for one in declaration("score").parameters if one.name in _WHOSE],
    {"examinees": "--examinee SPEC", "condition": "--condition KEY", "judge": "--judge SPEC"},
)


def scoring_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb, which gets them as one argument, `scoring`."""

    @endpoint_options
    @functools.wraps(command)
    def with_scoring(reach: Reach, **values: Any) -> Any:
        from gfactor.api.scoring import Scoring

        options = {name: values.pop(name) for name in _WHOSE}
        given = {"--examinee": options["examinees"], "--condition": options["condition"],
                 "--judge": options["judge"], "--policy": options["policy"] != BENCHMARKS_POLICY,
        }  # fmt: skip
        named = tuple(name for name, value in given.items() if value)
        options["names"] = options.pop("examinees")
        return command(scoring=Scoring.checked(**options, reach=reach, named=named), **values)

    return _OPTIONS(with_scoring)
