"""A campaign's progress: bars on a terminal, plain lines where that is redirected."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tqdm import tqdm

from gfactor.administration import Response
from gfactor.api.campaign.reporting import CampaignStatus
from gfactor.api.inputs.progress_bars import counter, tell

LINE_SECONDS = 10.0
"""Between two plain lines, at least."""

_MOST_BARS = 12
"""Models that have a bar each; more have one together."""


class Watch:
    """Display of the progress of a campaign.

    Parameters
    ----------
    status: the campaign's status at the start.
    """

    def __init__(self, status: CampaignStatus) -> None:
        by_model: Any = status.cells.groupby("model", sort=False)
        wanted, done = by_model["wanted"].sum(), by_model["done"].sum()
        self.failed = dict.fromkeys(wanted.index, 0)
        self._reasons: dict[str, Counter[str]] = {}
        self._done = {name: int(n) for name, n in done.items()}
        self._wanted, self._before = int(wanted.sum()), int(done.sum())
        self._started = self._told_at = time.monotonic()
        self._at_first = status.facts["cost_in_all"]
        self._bars: dict[str, tqdm[Any]] = {}
        names = list(wanted.index) if len(wanted) <= _MOST_BARS else []
        for name in names:
            self._bars[name] = _bar(int(wanted[name]), name, self._done[name])
        self._all = _bar(self._wanted, "all", self._before)
        self._lines = self._all.disable
        self.show(status, first=True)

    def count(self, model: str, answers: int) -> None:
        """Count new answers, of this process or of others."""
        self._done[model] += answers
        for bar in (self._bars.get(model), self._all):
            if bar is not None:
                bar.update(answers)

    def note(self, model: str, responses: Sequence[Response]) -> None:
        """Count the failures among responses."""
        for response in responses:
            if response.failed:
                self.failed[model] += 1
                reason = response.reply.detail or response.reply.outcome
                self._reasons.setdefault(model, Counter())[reason] += 1

    def failures(self) -> dict[str, Counter[str]]:
        """Return the reasons of the failed attempts of each model that had any, with counts."""
        return dict(self._reasons)

    def show(self, status: CampaignStatus, *, first: bool = False, last: bool = False) -> None:
        """Show money, failures and time left, if the last display is old enough."""
        spent = dict(zip(status.accounts["model"], status.accounts["spent"], strict=True))
        for name, bar in self._bars.items():
            bar.set_postfix_str(_postfix(self.failed[name], spent[name]), refresh=False)
        if not self._lines:
            self._all.set_postfix_str(_postfix(sum(self.failed.values()), sum(spent.values())))
            return
        now = time.monotonic()
        if first or last or now - self._told_at >= LINE_SECONDS:
            self._told_at = now
            tell(self._line(status, now - self._started))

    def _line(self, status: CampaignStatus, seconds: float) -> str:
        facts = status.facts
        done = facts["done"]
        rate = (sum(self._done.values()) - self._before) / seconds if seconds > 1 else 0.0
        parts = [f"{done:,} of {self._wanted:,} ({done / max(1, self._wanted):.1%})"]
        if rate:
            parts.append(f"{rate:.1f}/s")
        parts.append(f"{sum(self.failed.values()):,} failed")
        if facts["cost_in_all"]:
            cap = "" if status.budget is None else f" of {status.budget:g}"
            before = self._at_first
            parts.append(f"{facts['spent']:.4g} spent{cap}")
            parts.append(f"{facts['cost_in_all']:.4g} expected in all (at the start {before:.4g})")
        if facts["hours"] is not None and facts["left"]:
            parts.append(f"{timedelta(seconds=round(3600 * facts['hours']))} left")
        if status.processes > 1:
            parts.append(f"{status.processes} processes")
        return f"{datetime.now():%H:%M:%S} {', '.join(parts)}"

    def close(self) -> None:
        """End the bars."""
        for bar in (*self._bars.values(), self._all):
            bar.close()


def _bar(total: int, name: str, done: int) -> tqdm[Any]:
    bar = counter(total, name, "answer")
    bar.initial = bar.n = done
    return bar


def _postfix(failed: int, spent: float) -> str:
    return f"{failed:,} failed" + (f", {spent:.4g} spent" if spent else "")
