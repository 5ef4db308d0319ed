"""The order of examinees in each ability, asked until it is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from gfactor.administration import Condition, Journal
from gfactor.administration.adaptive import AdaptiveRun
from gfactor.api.asking.administering import given_of
from gfactor.api.asking.profile_diagnostics import population_of, simulated
from gfactor.api.asking.profile_replies import unread_of_each
from gfactor.api.asking.profiling import ProfilePlan, calibrations_of, digest_of, window_of
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.reach import ReachOptions, reach_of
from gfactor.api.inputs.taking import JournalLike
from gfactor.errors import ParameterError
from gfactor.parameters import Level
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.adaptive import StopRule, undecided_pairs
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scores.profiles import Ranking

FIRST_LOOK = 8
"""Questions of an ability before its order is looked at."""
_GROWTH = 1.5


def rank_abilities(
    examinees: Sequence[str],
    *,
    journal: JournalLike = "profile.db",
    abilities: Sequence[str] = (),
    level: Level = 0.95,
    max_items: int = 400,
    calibration: Calibration | Mapping[str, Calibration] | Path | str | None = None,
    seed: int = 0,
    language: str = "en",
    condition: Condition | str = "default",
    packs: Sequence[Path | str] = (),
    jobs: int | None = None,
    **reach: Unpack[ReachOptions],
) -> Ranking:
    """Rank examinees in each ability, and stop asking as soon as their order is decided.

    All examinees get the first questions. An examinee that differs from all others in an ability
    gets no more questions on it. The answers are compared at planned times, each after 50 % more
    questions than the one before, and the significance level is divided among these times, so that
    repeated comparisons do not inflate the error rate.

    Parameters
    ----------
    examinees : list of str
        Two or more examinees, as "SCHEME:NAME?key=value".
    journal : path or URL
        Journal of the answers, as in `profile`.
    abilities : list of str
        Abilities to measure, as in `profile`.
    level : float
        Probability with which the whole order of an ability is right.
    max_items : int
        Largest number of items for each examinee; the abilities share it equally.
    calibration : mapping, Calibration or path, optional
        Calibrations of the abilities, as in `profile`.
    seed : int
        Seed of the items, as in `profile`.
    language : str
        Language of the items, as in `profile`.
    condition : str or Condition
        Condition under which items are presented, as in `profile`.
    packs : list of paths
        Prompt packs, as in `profile`.
    jobs : int, optional
        Number of processes for examinees that run on this machine, as in `profile`.
    **reach : any
        Options for models over HTTP, as in `profile`. `max_cost` is the largest sum for all
        examinees together.

    Returns
    -------
    Ranking
        `table` (ranks by ability), `undecided` (pairs), `asked` (number of questions asked),
        `everything` (number without early stopping) and `saved` (share of questions saved).

    Raises
    ------
    GfactorError
        As `profile` does.

    Examples
    --------
    >>> import gfactor as gf
    >>> weak = "observer:limited?acuity=0.2&contrast=0.05&capacity=1"
    >>> order = gf.rank_abilities([weak, "observer:ideal"], abilities=["Gwm"], max_items=60)
    >>> order.table["examinee"].iloc[0]
    'observer:ideal'
    """
    window, for_judge = window_of(reach_of(reach))
    plan = ProfilePlan(
        calibrations_of(calibration, abilities), StopRule(max_items=max_items), for_judge, window,
        seed, False, language, given_of(condition, packs), jobs,
    )  # fmt: skip
    check_ranked(plan, examinees, level)
    with journal_to_write(journal, make_folder=True) as open_journal:
        return ranking_of(plan, examinees, open_journal, level)


def check_ranked(plan: ProfilePlan, examinees: Sequence[str], level: float) -> None:
    """Raise GfactorError if the examinees cannot be ranked, before any is asked."""
    if len(set(examinees)) < 2:
        raise ParameterError("an order needs at least two different examinees")
    if not 0 < level < 1:
        raise ParameterError(f"a level must lie between 0 and 1, not {level}")
    most = plan.rule.max_items or 0
    if most < len(plan.calibrations):
        raise ParameterError(
            f"the largest number of items, {most}, is less than a question for each of the "
            f"{len(plan.calibrations)} abilities ({', '.join(plan.calibrations)}): raise "
            f"{option('max_items')}, or rank fewer abilities ({option('abilities')})"
        )
    plan.check(examinees)


def looks(most: int) -> list[int]:
    """Return the numbers of questions after which answers are compared; the last one is `most`.

    Examples
    --------
    >>> looks(40)
    [8, 12, 18, 27, 40]
    """
    at = [min(FIRST_LOOK, most)]
    while at[-1] < most:
        at.append(min(most, int(at[-1] * _GROWTH)))
    return at


def ranking_of(
    plan: ProfilePlan, examinees: Sequence[str], journal: Journal, level: float
) -> Ranking:
    """Ask until every ability's order is decided."""
    specs = list(dict.fromkeys(examinees))
    each = max(1, (plan.rule.max_items or 1) // len(plan.calibrations))
    rows: list[dict[str, Any]] = []
    left: list[dict[str, Any]] = []
    items: dict[str, set[str]] = {}
    questions, stopped = 0, ""
    for ability, calibration in plan.calibrations.items():
        part = replace(plan, calibrations={ability: calibration}, rule=StopRule(max_items=each))
        runs, pairs = _ask_in_turn(part, specs, journal, each, level)
        stopped = next((run.stopped for run in runs if run.stopped), stopped)
        questions += sum(len(run.steps) for run in runs)
        for run in runs:
            items.setdefault(run.examinee, set()).update(row.items[0] for row in run.stored)
        left += [{"ability": ability, "first": runs[a].examinee, "second": runs[b].examinee}
                 for a, b in pairs]  # fmt: skip
        rows += _rows(ability, runs, pairs, calibration)
    population = population_of(plan.calibrations, digest_of(plan.calibrations))
    undecided = pd.DataFrame(left, columns=["ability", "first", "second"])
    unread = unread_of_each(journal, items, plan.put[0].key, plan.calibrations)
    diagnostics = [*unread, *simulated(population)]
    if stopped:
        diagnostics.append(
            Diagnostic("stopped", "warning", stopped, "Run the same command to go on.")
        )
    elif left:
        diagnostics.append(Diagnostic(
            "order_open", "warning",
            f"The order of {len(left)} pair{'s' * (len(left) > 1)} is open after all questions "
            "that were allowed.",
            "Allow more items (--max-items), or take them as equal.", values={"pairs": len(left)},
        ))  # fmt: skip
    everything = each * len(specs) * len(plan.calibrations)
    return Ranking(pd.DataFrame(rows), undecided, level, questions, everything, population,
                   by_severity(diagnostics))  # fmt: skip


def _ask_in_turn(
    part: ProfilePlan, specs: Sequence[str], journal: Journal, most: int, level: float
) -> tuple[list[AdaptiveRun], list[tuple[int, int]]]:
    """The runs of one ability, and the pairs that stay open."""
    runs: dict[str, AdaptiveRun] = {}
    pairs: list[tuple[int, int]] = []
    waiting, planned = set(specs), looks(most)
    for number in planned:
        for spec in specs:
            if spec in waiting:
                runs[spec] = part.ask(spec, journal, StopRule(max_items=number))
        now = [next(iter(runs[spec].posteriors.values())) for spec in specs]
        pairs = undecided_pairs(
            [one.theta for one in now], [one.se for one in now],
            level=1 - (1 - level) / len(planned),
        )  # fmt: skip
        waiting = {specs[k] for pair in pairs for k in pair}
        if not waiting or any(run.stopped for run in runs.values()):
            break
    return [runs[spec] for spec in specs], pairs


def _rows(
    ability: str, runs: Sequence[AdaptiveRun], pairs: Sequence[tuple[int, int]],
    calibration: Calibration,
) -> list[dict[str, Any]]:  # fmt: skip
    theta = [run.posteriors[ability].theta for run in runs]
    order = sorted(range(len(runs)), key=lambda k: -theta[k])
    unit = calibration.variance**0.5
    rows = []
    for rank, k in enumerate(order, 1):
        below = order[rank] if rank < len(order) else None
        rows.append({
            "ability": ability, "rank": rank, "examinee": runs[k].examinee,
            "theta": (theta[k] - calibration.mean) / unit,
            "se": runs[k].posteriors[ability].se / unit, "items": len(runs[k].steps),
            "apart": below is None or tuple(sorted((k, below))) not in set(pairs),
            "theta_logits": theta[k], "se_logits": runs[k].posteriors[ability].se,
        })  # fmt: skip
    return rows
