"""The options of the verbs that score a journal: whose answers, which judge, which policy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click
import pandas as pd

from gfactor.administration import Journal, RunResult
from gfactor.cli.common import counter, say, tell
from gfactor.cli.endpoints import Reach, endpoint_options
from gfactor.cli.options import condition_option, examinees_option, together
from gfactor.errors import ParameterError
from gfactor.scoring import POLICIES, ask_judge, choose, scored, shares
from gfactor.scoring.judging import left_open
from gfactor.scoring.policies import OWN
from gfactor.scoring.summary import require_one_condition

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
        "none leaves it out, vlmevalkit rules on every reply as VLMEvalKit does.",
    ),
)


_READERS = {
    "rule": "rule",
    "judge": "judge",
    "draw": "random draw",
    "none": "no answer",
    "missing": "missing",
}


@dataclass
class Scoring:
    """How a user wants a journal to be scored, and what the judge did.

    Parameters
    ----------
    names, condition: whose answers, under which condition; all where none is named.
    judge: specification of the judge, None for no judge.
    policy: for replies without an answer.
    reach: how a judge over HTTP is reached.
    named: those of these options that were given, for messages.
    judged: what the judge did, None before it was asked.
    judge_name: its canonical name, "" before it was asked.
    """

    names: tuple[str, ...]
    condition: str | None
    judge: str | None
    policy: str
    reach: Reach
    named: tuple[str, ...] = ()
    judged: RunResult | None = None
    judge_name: str = ""

    @property
    def code(self) -> int:
        """The command's exit code: 1 where asking the judge failed for some replies."""
        return 1 if self.judged and self.judged.failed else 0

    def judge_line(self) -> str:
        """What asking the judge came to."""
        judged = self.judged
        assert judged is not None
        known = f", {judged.known:,} known already" if judged.known else ""
        failed = f"; {judged.failed:,} failed, the last with: {judged.detail}" * bool(judged.failed)
        spent = f"; spent {self.reach.spent:.4f}" if self.reach.prices else ""
        notes = "".join(f"\n  {note}" for note in judged.notes)
        return f"judge {judged.examinee}: {judged.asked:,} asked{known}{failed}{spent}{notes}"

    def table(self, journal: Journal) -> pd.DataFrame:
        """The scored rows that were chosen; the judge is asked first, where there is one."""
        if self.judge:
            examinee = self.reach.make(self.judge)
            self.judge_name = examinee.name
            # What our rules left open, whatever the policy makes of it.
            found = self._chosen(scored(journal))
            with counter(len(left_open(found)), f"{self.judge_name} judges", "reply") as bar:
                self.judged = self.reach.ask(
                    examinee, lambda: ask_judge(journal, examinee, found, bar.update, tell)
                )
        return self._chosen(scored(journal, policy=self.policy, judge=self.judge_name))

    def one_condition(self, journal: Journal) -> pd.DataFrame:
        """The same; ParameterError, which lists them, where they are of several conditions."""
        table = self.table(journal)
        require_one_condition(table)
        return table

    def _chosen(self, table: pd.DataFrame) -> pd.DataFrame:
        return choose(table, self.names, self.condition)


def say_shares(read: Mapping[str, Mapping[str, float]]) -> None:
    """Who found the answers (`gfactor.scoring.shares`), a line per examinee; nothing where the
    rules found all."""
    if any(own.get("rule", 1.0) < 1 for own in read.values()):
        rows = [
            {_READERS[name]: f"{share:.1%}" for name, share in own.items()} | {"examinee": who}
            for who, own in read.items()
        ]
        say(f"responses by who found their answer\n{pd.DataFrame(rows).to_string(index=False)}\n")


def shares_of(table: pd.DataFrame, by: str = "examinee") -> dict[str, dict[str, float]]:
    """`gfactor.scoring.shares` of every value of a column of a scored table."""
    return {str(name): shares(own) for name, own in table.groupby(by, sort=True)}


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
        given = {"--examinee": said["names"], "--condition": said["condition"],
                 "--judge": said["judge"], "--policy": said["policy"] != OWN}  # fmt: skip
        named = tuple(name for name, value in given.items() if value)
        return command(scoring=Scoring(**said, reach=reach, named=named), **values)

    return _OPTIONS(with_scoring)
