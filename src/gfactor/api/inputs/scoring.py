"""Settings of scoring a journal: examinees, judge, policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from gfactor.administration import Condition, Journal, RunResult
from gfactor.api.inputs.calls import current_call, option
from gfactor.api.inputs.progress_bars import counter, tell
from gfactor.api.inputs.reach import CURRENCY, Reach, reach_of
from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick, row_tuples
from gfactor.items import ItemBank
from gfactor.scoring import POLICIES, ask_judge, choose, scored, shares
from gfactor.scoring.judging import left_open
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.score import ScoredJournal, scored_with_sources
from gfactor.scoring.summaries import label_column, require_one_condition


@dataclass
class Scoring:
    """A user's settings of scoring, and the result of asking the judge.

    Parameters
    ----------
    names, condition: examinees and condition whose answers count; all if none is named.
    judge: specification of the judge, None for no judge.
    policy: rule for replies without an answer.
    reach: access to a judge over HTTP.
    bank: bank whose items count; None for all items.
    named: names of these options that were given, for messages.
    judged: result of the judge, None before it was asked.
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
    bank: ItemBank | None = None

    @classmethod
    def checked(
        cls,
        names: tuple[str, ...],
        condition: str | None,
        judge: str | None,
        policy: str,
        reach: Reach,
        named: tuple[str, ...] = (),
    ) -> Scoring:
        """Return these settings; raise ParameterError for options of a judge without a judge."""
        if policy not in (BENCHMARKS_POLICY, *POLICIES):
            raise UnknownNameError("policy", policy, (BENCHMARKS_POLICY, *POLICIES))
        if reach.named and not judge:
            judge_option = option("judge")
            raise ParameterError(f"{reach.named[0]} is for a judge; name one with {judge_option}")
        if judge:
            reach.check((judge,))
        scoring = cls(names, condition, judge, policy, reach, named)
        current_call().scorings.append(scoring)
        return scoring

    @property
    def code(self) -> int:
        """The command's exit code: 1 if asking the judge failed for some replies."""
        return 1 if self.judged and self.judged.failed else 0

    def judge_line(self) -> str:
        """Return one line about the questions to the judge: asked, answered before, failed, and
        cost."""
        assert self.judged is not None
        return text_of_judge(self.judged, self.reach.spent if self.reach.prices else None)

    def table(self, journal: Journal) -> pd.DataFrame:
        """Return the scored rows that were chosen; the judge is asked first, if there is one."""
        return self.with_sources(journal).responses

    def with_sources(self, journal: Journal) -> ScoredJournal:
        """Return the rows of `table` with the items of the journal and those given to each
        examinee."""
        if self.judge:
            examinee = self.reach.make(self.judge)
            self.judge_name = examinee.name
            # What our rules left open, whatever the policy makes of it.
            chosen = self._chosen(scored(journal), journal)
            with counter(len(left_open(chosen)), f"{self.judge_name} judges", "reply") as bar:
                self.judged = self.reach.ask(
                    examinee, lambda: ask_judge(journal, examinee, chosen, bar.update, tell)
                )
        read = scored_with_sources(journal, policy=self.policy, judge=self.judge_name)
        restricted = replace(read, responses=self._chosen(read.responses, journal))
        if self.bank is None:
            return restricted
        columns, keys = ("id", "content_hash"), self._items_of_bank
        items, administered = (
            pick(table, [key in keys for key in row_tuples(table, columns)])
            for table in (read.items, read.administered)
        )
        return replace(restricted, items=items, administered=administered)

    def one_condition(self, journal: Journal) -> pd.DataFrame:
        """Return the scored answers; raise ParameterError, which lists the conditions, if there are
        several."""
        table = self.table(journal)
        require_one_condition(table)
        return table

    def _chosen(self, table: pd.DataFrame, journal: Journal) -> pd.DataFrame:
        if self.bank is not None:
            answered = row_tuples(table, ("item_id", "item_hash"))
            table = pick(table, [key in self._items_of_bank for key in answered])
            if table.empty:
                raise ParameterError(
                    f"journal {journal.name!r} holds no answer to an item of the bank "
                    f"{str(self.bank.path)!r}; name the bank that was asked, or have this one "
                    "asked into the journal, with `gfactor run`"
                )
        return choose(table, self.names, self.condition)

    @cached_property
    def _items_of_bank(self) -> set[tuple[Any, ...]]:
        """Ids and contents of the items that count, since an id may have had other contents."""
        assert self.bank is not None
        return set(row_tuples(self.bank.frame(), ("id", "content_hash")))


def scoring_of(
    examinees: Sequence[str],
    condition: str | None,
    judge: str | None,
    policy: str,
    reach: Mapping[str, Any],
    bank: BankLike | None = None,
) -> Scoring:
    """Return the settings of scoring of a caller in Python."""
    names = (examinees,) if isinstance(examinees, str) else tuple(examinees)
    if isinstance(condition, Condition):
        condition = condition.key
    if condition is not None and not isinstance(condition, str):
        raise ParameterError(
            f"condition is one condition, such as 'images=blank', not {condition!r}; leave it out "
            "for all, or call the function once for each"
        )
    given = {"examinees": names, "condition": condition, "judge": judge,
             "policy": policy != BENCHMARKS_POLICY}  # fmt: skip
    judge_options = reach_of(reach, given)
    named = tuple(option(name) for name, value in given.items() if value)
    scoring = Scoring.checked(names, condition, judge, policy, judge_options, named)
    scoring.bank = None if bank is None else as_bank(bank)
    return scoring


def nothing_counts(journal: Journal, table: pd.DataFrame) -> ParameterError:
    """Return the error for a journal without an answer that counts; `table` has the scored rows."""
    what = f"no answer that counts ({len(table):,} are missing)" if len(table) else "no answers"
    return ParameterError(
        f"journal {journal.name!r} holds {what}; have the items asked first, with `gfactor run`"
    )


def shares_of(table: pd.DataFrame, by: str = "examinee") -> dict[str, dict[str, float]]:
    """Return `gfactor.scoring.shares` of every value of a column of a scored table."""
    return {str(name): shares(rows) for name, rows in table.groupby(by, sort=True)}


def with_labels(table: pd.DataFrame, where: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows of the items with these values of labels."""
    for label, value in where.items():
        name = label if label in table else label_column(label, table.columns)
        if name not in table:
            raise UnknownNameError("label", name, map(str, table.columns))
        values = [str(v) for v in table[name]]
        if str(value) not in values:
            raise UnknownNameError(f"value of {name}", str(value), set(values))
        table = pick(table, [v == str(value) for v in values])
    return table


def one_benchmark(table: pd.DataFrame, benchmark: str | None) -> pd.DataFrame:
    """Return the rows of one benchmark; raise ParameterError if several are there and none is
    named."""
    names = sorted(set(map(str, table["benchmark"]))) if "benchmark" in table else []
    if benchmark is not None and benchmark not in names:
        raise UnknownNameError("benchmark", benchmark, names)
    if benchmark is None and len(names) > 1:
        raise ParameterError(
            f"the journal holds the benchmarks {', '.join(names)}, which are different "
            "measurements; choose one with --benchmark (in Python: benchmark=...)"
        )
    return table if len(names) < 2 else pick(table, table["benchmark"] == benchmark)


def text_of_judge(judged: RunResult, spent: float | None) -> str:
    """Return the numbers of questions to the judge: asked, answered before, failed, and their
    cost."""
    stored = f", {judged.known:,} known already" if judged.known else ""
    failed = f"; {judged.failed:,} failed, the last with: {judged.detail}" * bool(judged.failed)
    money = "" if spent is None else f"; spent {spent:.4f}, {CURRENCY}"
    notes = "".join(f"\n  {note}" for note in judged.notes)
    return f"judge {judged.examinee}: {judged.asked:,} asked{stored}{failed}{money}{notes}"
