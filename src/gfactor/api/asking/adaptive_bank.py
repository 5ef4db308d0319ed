"""Adaptive testing over a stored bank: each examinee is asked the most informative items."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from gfactor.administration import Condition, Journal
from gfactor.administration.adaptive import AdaptiveRun, SequenceDesign, run_adaptively
from gfactor.administration.adaptive.calibrated import (
    candidates_of,
    items_left_out,
    items_of_entries,
    prior_of,
)
from gfactor.api.asking.administering import Campaign, given_of
from gfactor.api.asking.profile_replies import unread_of_each
from gfactor.api.asking.profiling import IN_FLIGHT, scoring_for
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.progress_bars import counter, tell
from gfactor.api.inputs.reach import ReachOptions, options_by_name, reach_of
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank
from gfactor.api.scales.calibrated import abilities_of
from gfactor.examinees import Examinee
from gfactor.items import Item
from gfactor.parameters import Count, Jobs, StandardError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.irt.adaptive import StopRule
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import calibration_digest, read_calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import CalibratedScores
from gfactor.scoring.policies import BENCHMARKS_POLICY


def run_adaptive(
    bank: BankLike,
    examinees: Sequence[str] | str,
    *,
    journal: JournalLike,
    calibration: Calibration | Path | str,
    se: StandardError = 0.3,
    max_items: Count | None = None,
    sample: Count | None = None,
    condition: Condition | str = "default",
    packs: Sequence[Path | str] = (),
    captions: Path | str | None = None,
    captions_by: str | None = None,
    shots_from: Path | str | None = None,
    knowledge: Path | str | None = None,
    jobs: Jobs | None = None,
    **reach: Unpack[ReachOptions],
) -> AdaptiveScores:
    """Ask the most informative items of a calibrated bank, until standard errors are small enough.

    The next item is the one with the smallest expected posterior variance of ability; eight
    questions are asked at the same time. A run that was stopped continues when the function is
    called again.

    Parameters
    ----------
    bank : ItemBank or path
        Item bank from which items are chosen.
    examinees : list of str
        Names of the examinees, as in `run`.
    journal : path or URL
        Journal that stores items, steps and answers; it is created if missing.
    calibration : Calibration or path
        Calibration of the bank's items, or of the cells of their design.
    se : float
        Stop when the standard error of ability is at most this value, in logits of the
        calibration.
    max_items : int, optional
        Largest number of items for each examinee; if None, all items of the calibration.
    sample : int, optional
        Number of items of every domain and size from which items are chosen, as in `run`.
    condition : str or Condition
        Condition under which items are presented, as in `run`.
    packs : list of paths
        Prompt packs, as in `run`.
    captions : path, optional
        Texts of images, as in `run`.
    captions_by : str, optional
        Examinee that describes images, as in `run`.
    shots_from : path, optional
        Bank of the examples, as in `run`.
    knowledge : path, optional
        Pieces of knowledge, as in `run`.
    jobs : int, optional
        Number of processes for examinees that run on this machine, as in `run`.
    **reach : any
        Options for models over HTTP, as in `run`.

    Returns
    -------
    AdaptiveScores
        Ability, standard error and number of items of every examinee of the journal.

    Raises
    ------
    GfactorError
        If an examinee cannot be asked, or the calibration has none of the items.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[2, 6], path="pv.parquet")
    >>> who = [f"observer:limited?acuity=0.{a}&capacity={a}&seed={a}" for a in (1, 2, 3, 4)]
    >>> known = gf.calibrate(gf.run(bank, who, journal="c.db"), by="design")
    >>> new = "observer:limited?acuity=0.3&capacity=2&seed=9"
    >>> abilities = gf.run_adaptive(bank, new, journal="a.db", calibration=known, max_items=7)
    >>> abilities.table["n"].to_list()
    [7]
    """
    whole = as_bank(bank)
    specs = (examinees,) if isinstance(examinees, str) else tuple(examinees)
    given = given_of(condition, packs, captions, captions_by, shots_from, knowledge)
    reached = reach_of(reach, options_by_name(run_adaptive))
    campaign = Campaign.plan(whole, specs, given, reached, sample, jobs=jobs)
    loaded = calibration if isinstance(calibration, Calibration) else read_calibration(calibration)
    with journal_to_write(journal) as open_journal:
        return _ask_adaptively(campaign, open_journal, loaded, StopRule(se=se, max_items=max_items))


@dataclass(frozen=True, repr=False)
class AdaptiveScores(CalibratedScores):
    """Result of an adaptive run: abilities on the scale of the calibration, and the questions
    asked.

    `table` has a row per examinee of the journal. Its column `run` is "this" for examinees of this
    call and "earlier" for those of earlier calls, if there are any.

    Parameters
    ----------
    journal : str
        Name of the journal.
    runs : sequence of AdaptiveRun
        Counts of the questions to each examinee of the call.
    """

    journal: str = ""
    runs: Sequence[AdaptiveRun] = ()

    @property
    def stopped(self) -> list[str]:
        """Reasons why runs were stopped before their rule."""
        return [run.stopped for run in self.runs if run.stopped]

    @property
    def code(self) -> int:
        """Return the exit code of the command: 1 if a run was stopped, else 0."""
        return 1 if self.stopped else 0

    def _rows(self) -> list[dict[str, Any]]:
        stopped = self.stopped
        rows = []
        for run in self.runs:
            posterior, why = run.posteriors["ability"], run.stops["ability"] or "exhausted"
            rows.append({
                "examinee": run.examinee, "theta": posterior.theta,
                "se_measurement": posterior.se, "items": len(run.steps), "asked": run.asked,
                "stop": "stopped" if stopped else why,
            })  # fmt: skip
        return rows

    def _document(self) -> Mapping[str, Any]:
        return {"journal": self.journal, "examinees": self._rows(), **super()._document()}

    def summary(self) -> str:
        """Return a line for each examinee, then the abilities, as text.

        The standard error in a line comes from the answers alone, and is the one that ends a run.
        `se` of the abilities also includes the error of the calibration.
        """
        lines = [
            f"{row['examinee']}: {row['theta']:.2f} (se_measurement {row['se_measurement']:.2f}), "
            f"{row['items']:,} items, {row['asked']:,} asked now; stopped by {row['stop']}"
            for row in self._rows()
        ]
        lines += [f"  {sentence}" for sentence in self.stopped]
        return "\n".join([*lines, super().summary()])


def _ask_adaptively(
    campaign: Campaign, journal: Journal, calibration: Calibration, rule: StopRule
) -> AdaptiveScores:
    """Ask every examinee of a campaign; return the counts of questions, and the abilities."""
    cells = items_of_entries(campaign.administered, calibration)
    condition, materials = campaign.prepared(journal.name, journal)
    prior = prior_of(calibration)
    candidates = candidates_of(calibration, list(cells), prior)
    every = sum(map(len, cells.values()))
    rule = replace(rule, max_items=min(rule.max_items or every, every))
    design = SequenceDesign(candidates, {"ability": prior}, rule, IN_FLIGHT)
    settings = {
        "bank": campaign.administered.scene_digest, "calibration": calibration_digest(calibration),
        "se": rule.se, "max_items": rule.max_items, "in_flight": IN_FLIGHT,
        "least_fall": rule.least_fall,
    }  # fmt: skip

    def make(name: str, number: int) -> list[Item]:
        ids = cells[name]
        return [campaign.administered.item(ids[number])] if number < len(ids) else []

    def ask(examinee: Examinee) -> AdaptiveRun:
        with counter(rule.max_items or 0, examinee.name) as bar:
            return run_adaptively(
                design, examinee, journal, make, scoring_for(examinee, condition, [calibration]),
                settings, condition, materials, bar.update, tell,
            )  # fmt: skip

    runs = [
        campaign.reach.ask(examinee, functools.partial(ask, examinee))
        for examinee in campaign.examinees
    ]
    scoring = scoring_of((), condition.key, None, BENCHMARKS_POLICY, {})
    scores = abilities_of(journal, scoring, calibration)
    hashes = {run.examinee: {row.items[0] for row in run.stored} for run in runs}
    unread = unread_of_each(journal, hashes, condition.key, {"ability": calibration})
    left_out = items_left_out(campaign.administered, calibration)
    scores = replace(scores, diagnostics=by_severity([*unread, *left_out, *scores.diagnostics]))
    of_this_call = scores.table["examinee"].isin([run.examinee for run in runs]).to_numpy(bool)
    if not of_this_call.all():
        table = scores.table.copy()
        table.insert(2, "run", np.where(of_this_call, "this", "earlier"))
        scores = replace(scores, table=table)
    return AdaptiveScores(**vars(scores), journal=journal.name, runs=runs)
