"""The options of the verbs that score a journal: whose answers, which judge, which policy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import say
from gfactor.cli.constants import declared
from gfactor.cli.endpoints import endpoint_options
from gfactor.cli.options import condition_option, examinees_option, together

if TYPE_CHECKING:
    from gfactor.api.reach import Reach

BENCHMARKS_POLICY = declared("gfactor.scoring.policies", "BENCHMARKS_POLICY")
POLICIES = declared("gfactor.scoring", "POLICIES")

_OPTIONS = together(
    examinees_option,
    condition_option,
    click.option(
        "--judge",
        metavar="SPEC",
        help="An examinee that reads the replies in which the rules found no answer; its verdicts "
        "are kept in the journal, so that none is asked for twice.",
    ),
    click.option(
        "--policy",
        type=click.Choice([BENCHMARKS_POLICY, *POLICIES]),
        default=BENCHMARKS_POLICY,
        show_default=True,
        help="Rule for replies without an answer: what its benchmark says, or one for all; "
        "none leaves it out, vlmevalkit rules on every reply as VLMEvalKit does.",
    ),
)

policy_option = click.option(
    "--policy",
    type=click.Choice([BENCHMARKS_POLICY, *POLICIES]),
    default=BENCHMARKS_POLICY,
    show_default=True,
    help="Rule for replies without an answer, as in gfactor score.",
)
"""For commands without a judge."""

_READERS = {
    "rule": "rule",
    "judge": "judge",
    "draw": "random draw",
    "none": "no answer",
    "missing": "missing",
}


def say_shares(read: Mapping[str, Mapping[str, float]]) -> None:
    """Who found the answers (`gfactor.scoring.shares`), a line per examinee; nothing where the
    rules found all."""
    import pandas as pd

    if any(shares.get("rule", 1.0) < 1 for shares in read.values()):
        rows = [
            {_READERS[name]: f"{share:.1%}" for name, share in shares.items()} | {"examinee": who}
            for who, shares in read.items()
        ]
        say(f"responses by who found their answer\n{pd.DataFrame(rows).to_string(index=False)}\n")


def scoring_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb, which gets them as one argument, `scoring`."""

    @endpoint_options
    @functools.wraps(command)
    def with_scoring(reach: Reach, **values: Any) -> Any:
        from gfactor.api.scoring import Scoring

        said = {name: values.pop(name) for name in ("names", "condition", "judge", "policy")}
        given = {"--examinee": said["names"], "--condition": said["condition"],
                 "--judge": said["judge"], "--policy": said["policy"] != BENCHMARKS_POLICY,
        }  # fmt: skip
        named = tuple(name for name, value in given.items() if value)
        return command(scoring=Scoring.checked(**said, reach=reach, named=named), **values)

    return _OPTIONS(with_scoring)
