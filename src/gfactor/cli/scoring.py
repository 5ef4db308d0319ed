"""The options of the verbs that score a journal: whose answers, which judge, which policy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
import pandas as pd

from gfactor.administration import Journal, RunResult
from gfactor.cli.common import counter, tell
from gfactor.cli.endpoints import Reach, endpoint_options
from gfactor.cli.options import condition_option, examinees_option, together
from gfactor.errors import ParameterError
from gfactor.scoring import POLICIES, ask_judge, choose, scored
from gfactor.scoring.judging import left_open
from gfactor.scoring.policies import OWN

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
        type=click.Choice([OWN, *POLICIES]),
        default=OWN,
        show_default=True,
        help="What is made of a reply without an answer: what its benchmark says, or one for all; "
        "none leaves it out.",
    ),
)


@dataclass
class Scoring:
    """How a user wants a journal to be scored, and what the judge did.

    Parameters
    ----------
    names, condition: whose answers, under which condition; all where none is named.
    judge: specification of the judge, None for no judge.
    policy: for replies without an answer.
    reach: how a judge over HTTP is reached.
    judged: what the judge did, None before it was asked.
    """

    names: tuple[str, ...]
    condition: str | None
    judge: str | None
    policy: str
    reach: Reach
    judged: RunResult | None = None

    def table(self, journal: Journal) -> pd.DataFrame:
        """The scored rows that were chosen; the judge is asked first, where there is one."""
        name = ""
        if self.judge:
            examinee = self.reach.make(self.judge)
            name = examinee.name
            found = self._chosen(scored(journal, policy=self.policy))
            with counter(len(left_open(found)), f"{name} judges", "reply") as bar:
                self.judged = self.reach.ask(
                    examinee, lambda: ask_judge(journal, examinee, found, bar.update, tell)
                )
        return self._chosen(scored(journal, policy=self.policy, judge=name))

    def _chosen(self, table: pd.DataFrame) -> pd.DataFrame:
        return choose(table, self.names, self.condition)


def scoring_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb, which gets them as one argument, `scoring`."""

    @endpoint_options
    @functools.wraps(command)
    def with_scoring(reach: Reach, **values: Any) -> Any:
        said = {name: values.pop(name) for name in ("names", "condition", "judge", "policy")}
        if reach.named and not said["judge"]:
            raise ParameterError(f"{reach.named[0]} is for a judge; name one with --judge")
        if said["judge"]:
            reach.check((said["judge"],))
        return command(scoring=Scoring(**said, reach=reach), **values)

    return _OPTIONS(with_scoring)
