"""A run of a leaderboard: an examinee under a condition, and what became of its answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from gfactor.examinees.token_usage import read_and_written
from gfactor.reports.answers.results import Role, role_of
from gfactor.scoring.summaries import unread


@dataclass(frozen=True)
class RankedRun:
    """An examinee under a condition.

    Parameters
    ----------
    number : int
        Its column of `Answers.scores`.
    examinee, condition : str
        Examinee and condition of the answers.
    role : str
        "model", "ideal", "population" (a limited observer), "baseline".
    answers, failed, missing : int
        Numbers of answers that count, of failed attempts (also those repeated later), and of
        answers that do not count.
    statuses : mapping
        Numbers of answers with each status (`gfactor.scoring.STATUSES`).
    tokens : mapping
        Sums of the token counts that the journal has, by the server's names.
    tokens_each : float
        Tokens read and written per answer; NaN if nobody counted them.
    cost : float
        Money spent; NaN if the journal has no costs.
    latency : float
        Median seconds of an answer.
    unread : int
        Number of replies without a readable answer (`gfactor.scoring.summaries.unread`).
    parts : mapping
        The same data for every benchmark.
    """

    number: int
    examinee: str
    condition: str
    role: Role
    answers: int
    failed: int
    missing: int
    statuses: dict[str, int]
    tokens: dict[str, int]
    cost: float
    latency: float
    unread: int = 0
    tokens_each: float = float("nan")
    parts: Mapping[str, RankedRun] = field(default_factory=dict)

    def part(self, benchmark: str) -> RankedRun:
        """Return the answers to one benchmark; empty if the run has none."""
        nan = float("nan")
        return self.parts.get(benchmark) or RankedRun(
            self.number, self.examinee, self.condition, self.role, 0, 0, 0, {}, {}, nan, nan
        )


def run_of(
    number: int, name: str, condition: str, part: pd.DataFrame, failed: Mapping[str, int]
) -> RankedRun:
    """Return a run from its scored answers, a row each with the columns of the journal, and its
    failed attempts by benchmark."""
    parts = {
        str(benchmark): _run_of(number, name, condition, rows, failed.get(str(benchmark), 0))
        for benchmark, rows in part.groupby("benchmark", sort=True)
    }
    whole = _run_of(number, name, condition, part, sum(failed.values()))
    return replace(whole, parts=parts)


def _run_of(number: int, name: str, condition: str, part: pd.DataFrame, failed: int) -> RankedRun:
    tokens: dict[str, int] = {}
    once = part.drop_duplicates(["item_hash", "occasion"])
    each: list[int] = []
    for text in once["tokens"]:
        counted = json.loads(text)
        # A total that the server gives, or cached tokens, are no further tokens.
        each += [sum(read_and_written(counted))] * bool(counted)
        for key, count in counted.items():
            tokens[key] = tokens.get(key, 0) + int(count)
    costs = [float(one) for one in once["cost"] if pd.notna(one)]
    statuses = dict(sorted(Counter(map(str, part["status"])).items()))
    missing = int(np.count_nonzero(part["missing"].to_numpy(bool)))
    return RankedRun(
        number, name, condition, role_of(name), len(part) - missing, failed, missing, statuses,
        dict(sorted(tokens.items())), sum(costs) if costs else float("nan"),
        float(np.median(once["latency_s"].to_numpy(float))), unread(part),
        sum(each) / len(each) if each else float("nan"),
    )  # fmt: skip
