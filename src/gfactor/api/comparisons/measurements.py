"""One of two measurements whose scores are to be explained: its answers, settings and images."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration import Condition, Journal
from gfactor.administration.imports import IMPORTS, Answered, Naming, import_file
from gfactor.administration.imports.base import harness_of_pack, states_prompt
from gfactor.administration.imports.figures import decoding_of_log, format_of_log, harness_scores
from gfactor.administration.presenting.condition_text import condition_named, read_key
from gfactor.administration.presenting.shown_images import images_under
from gfactor.administration.storing.opening import is_journal
from gfactor.administration.storing.who_answered import answering_models
from gfactor.api.comparisons.measurement_journal import (
    RekeyedJournal,
    benchmark_of_run,
    came_from_log,
    noted_source,
)
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Image, ItemBank
from gfactor.scoring import POLICIES, scored
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.summaries import fitting

READINGS = ("strict", "lenient", "vlmevalkit", "harness")
SETTINGS = (
    "examinee", "condition", "benchmark", "reading", "judge", "policy", "points", "bank",
    "reported",
)  # fmt: skip
"""Settings that a user can state about a measurement."""


@dataclass(frozen=True)
class PointsRule:
    """Rule by which replies are scored.

    Parameters
    ----------
    reading: "strict", "lenient", "vlmevalkit" (its rules), "harness" (verdicts in the log).
    judge: name of the judge whose verdicts in the journal stand for answers that rules missed.
    policy: rule for a reply without an answer.
    points: True if parts of an item's points count.
    """

    reading: str = "strict"
    judge: str = ""
    policy: str = BENCHMARKS_POLICY
    points: bool = False

    def __post_init__(self) -> None:
        if self.reading not in READINGS:
            raise UnknownNameError("reading", self.reading, READINGS)
        if self.policy not in (BENCHMARKS_POLICY, *POLICIES):
            raise UnknownNameError("policy", self.policy, (BENCHMARKS_POLICY, *POLICIES))
        if self.points and self.reading == "lenient":
            raise ParameterError(
                "points are given by the benchmark's own rule, not reading=lenient"
            )

    @property
    def rule_text(self) -> str:
        """The scoring rule beside reading and judge, in words."""
        return f"{'points' if self.points else 'all or nothing'}, no answer: {self.policy}"


@dataclass(frozen=True)
class Measurement:
    """The answers of one examinee under one condition, and how they are scored.

    Parameters
    ----------
    name: name in messages.
    journal: open.
    examinee, key: examinee and condition of the answers.
    rule: rule by which replies become points.
    source: the bank or the log of a harness with the images; None if there is none.
    log: the log that was given in the place of a journal.
    reported: the published score; None if the score of the journal is used.
    benchmark: the benchmark whose items are compared.
    """

    name: str
    journal: Journal
    examinee: str
    key: str
    rule: PointsRule
    source: Path | None = None
    log: Path | None = None
    reported: float | None = None
    benchmark: str = ""
    _tables: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @functools.cached_property
    def condition(self) -> Condition:
        condition = read_key(self.key)
        if self.log is not None and not condition.decoding:
            condition = replace(condition, decoding=tuple(decoding_of_log(self.log).items()))
        return condition

    @functools.cached_property
    def foreign(self) -> bool:
        """True if another harness asked the items; the journal then lacks some settings."""
        run = self.journal, self.examinee, self.key
        return bool(harness_of_pack(self._pack)) or came_from_log(*run)

    @property
    def _pack(self) -> str:
        return str(dict(self.condition.sources).get("pack", ""))

    @functools.cached_property
    def unstated(self) -> frozenset[str]:
        """The settings of asking (`prompt`, `images`, `decoding`) that no log states."""
        stated = {"prompt": states_prompt(self._pack), "images": self.images is not None,
                  "decoding": bool(self.condition.decoding)} if self.foreign else {}  # fmt: skip
        return frozenset(name for name in stated if not stated[name])

    @functools.cached_property
    def answered_by(self) -> tuple[str, ...]:
        """The models that the server named in the answers; nothing if it named none."""
        rows = answering_models(self.journal)
        of_run = (rows["examinee"] == self.examinee) & (rows["condition"] == self.key)
        return tuple(sorted(set(rows.loc[of_run, "answered_by"])))

    def conditions(self) -> list[str]:
        """Return all conditions under which the journal holds answers of the examinee."""
        given: Any = self.journal.administered()
        return sorted(set(given.loc[given["examinee"] == self.examinee, "condition"]))

    @functools.cached_property
    def items(self) -> pd.DataFrame:
        """The administered items, as in `Journal.items`, indexed by id."""
        given: Any = self.journal.administered()
        rows_of_run = given.loc[
            (given["examinee"] == self.examinee) & (given["condition"] == self.key)
        ]
        items: Any = self.journal.items()
        rows_of_run = rows_of_run.loc[rows_of_run["benchmark"] == self.benchmark]
        pairs = set(zip(rows_of_run["content_hash"], rows_of_run["id"], strict=True))
        matched = [
            benchmark == self.benchmark and (content, name) in pairs
            for benchmark, content, name in zip(
                items["benchmark"], items["content_hash"], items["id"], strict=True
            )
        ]
        return items.loc[matched].drop_duplicates("id").set_index("id")

    def points(
        self, rule: PointsRule, key: str | None = None, answers: Mapping[Any, Any] | None = None
    ) -> pd.DataFrame:
        """Return a row per item id: points `earned` and `possible`, the number of `answers`, and
        the variance `within` the item. `earned` is NaN if every attempt failed.

        `key` is the condition, by default that of the measurement. `answers` replaces the answer
        keys in the journal: target and accepted answers by hash and id of the item.
        """
        if rule.reading == "harness":
            return self._of_harness()
        rows = self.rows(rule, self.key if key is None else key, answers)
        column = "correct_lenient" if rule.reading == "lenient" else "correct"
        earned = rows["points"] if rule.points else rows[column].where(~rows["missing"])
        possible = rows["points_possible"] if rule.points else 1.0
        table = rows.assign(earned=earned.astype(float), possible=possible)
        return _by_item(table)

    def rows(self, rule: PointsRule, key: str, answers: Mapping[Any, Any] | None = None) -> Any:
        """Return the scored rows of the run under a condition."""
        policy = "vlmevalkit" if rule.reading == "vlmevalkit" else rule.policy
        about = policy, rule.judge, answers is not None
        if about not in self._tables:
            journal: Any = (
                self.journal if answers is None else RekeyedJournal(self.journal, answers)
            )
            self._tables[about] = scored(journal, policy=policy, judge=rule.judge)
        table = self._tables[about]
        return table.loc[
            (table["examinee"] == self.examinee)
            & (table["condition"] == key)
            & (table["benchmark"] == self.benchmark)
        ]

    def _of_harness(self) -> pd.DataFrame:
        if self.log is None:
            raise ParameterError(
                f"{self.name}: reading=harness needs the log file in the place of the journal"
            )
        scores = harness_scores(self.log)
        rows = self.rows(PointsRule(), self.key, None)
        names = [str(item).rpartition("/")[2] for item in rows["item_id"]]
        given = [scores.get(k, np.nan) for k in zip(names, rows["occasion"], strict=True)]
        return _by_item(rows.assign(earned=given, possible=1.0))

    @functools.cached_property
    def images(self) -> dict[str, tuple[Image, ...]] | None:
        """The images of every item as they were shown, by item id; None if they are unknown."""
        if self.source is None or not self.source.is_file():
            return None
        kind = format_of_log(self.source)
        if not kind:
            bank = ItemBank.open(self.source)
            images_by_id = {
                name: bank.item(name).images for name in self.items.index if name in bank
            }
        elif kind == "vlmevalkit":
            return None
        else:
            read = IMPORTS[kind](self.source, Naming())
            images_by_id = {
                part.item.id: part.item.images for part in read if isinstance(part, Answered)
            }
        if not images_by_id:
            return None
        return {name: images_under(some, self.condition) for name, some in images_by_id.items()}


def _by_item(rows: Any) -> pd.DataFrame:
    groups = rows.groupby("item_id")
    return pd.DataFrame(
        {
            "earned": groups["earned"].mean(),
            "possible": groups["possible"].mean(),
            "answers": groups["earned"].count(),
            "within": groups["earned"].var(),
        }
    )


@contextmanager
def measured(name: str, data: JournalLike, settings: Mapping[str, Any]) -> Iterator[Measurement]:
    """Yield a measurement from a journal or the log of a harness, with the facts stated about
    it."""
    unknown = sorted(set(settings) - set(SETTINGS))
    if unknown:
        raise UnknownNameError(f"setting of the {name} measurement", unknown[0], SETTINGS)
    rule = PointsRule(
        str(settings.get("reading", "strict")),
        str(settings.get("judge", "")),
        str(settings.get("policy", BENCHMARKS_POLICY)),
        str(settings.get("points", "off")).casefold() in ("on", "true", "yes", "1"),
    )
    log = Path(data) if isinstance(data, str | Path) and "://" not in str(data) else None
    if log is None or is_journal(log) or not format_of_log(log):
        with opened(data) as journal:
            yield _of(name, journal, settings, rule, None)
    else:
        with (
            TemporaryDirectory() as folder,
            Journal.open(Path(folder) / "imported.db") as journal,
        ):
            done = import_file(format_of_log(log), log, journal)
            if done.left_out or not done.items:
                why = done.left_out or (done.flaws or ("it holds no answered item",))[0]
                raise ParameterError(f"the log {str(log)!r} cannot be used: {why}")
            yield _of(name, journal, settings, rule, log)


def _of(
    name: str, journal: Journal, settings: Mapping[str, Any], rule: PointsRule, log: Path | None
) -> Measurement:
    given: Any = journal.administered()
    runs = sorted(set(zip(given["examinee"], given["condition"], strict=True)))
    if who := settings.get("examinee"):
        names = set(fitting(str(who), sorted({one for one, _ in runs})))
        runs = [run for run in runs if run[0] in names]
    if how := settings.get("condition"):
        key = condition_named(str(how), {one for _, one in runs})
        runs = [run for run in runs if run[1] == key]
    if len(runs) != 1:
        listed = "; ".join(f"examinee={who} condition={how}" for who, how in runs) or "none fits"
        raise ParameterError(
            f"the {name} measurement is one examinee under one condition, and there are "
            f"{len(runs)} ({listed}); name one with --{name} examinee=NAME and --{name} "
            f"condition=KEY (in Python: {name}_settings=...)"
        )
    (examinee, key) = runs[0]
    benchmark = benchmark_of_run(name, given, runs[0], settings.get("benchmark"))
    source = settings.get("bank") or log or noted_source(journal, examinee, key)
    reported = settings.get("reported")
    try:
        reported = None if reported is None else float(reported)
    except ValueError as error:
        raise ParameterError(f"reported must be a score from 0 to 1, not {reported!r}") from error
    if reported is not None and not 0 <= reported <= 1:
        raise ParameterError(f"reported must be a score from 0 to 1, not {reported:g}")
    path = Path(source) if source else None
    if settings.get("bank") and path is not None and not path.is_file():
        raise ParameterError(f"there is no file {str(path)!r}")
    return Measurement(name, journal, examinee, key, rule, path, log, reported, benchmark)
