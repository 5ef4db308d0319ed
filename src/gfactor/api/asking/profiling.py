"""A profile: an examinee's abilities, by items made on the spot where each tells most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import joblib
import numpy as np

from gfactor.administration import Condition, Journal, Materials, Packs
from gfactor.administration.adaptive import (
    AdaptiveRun,
    Score,
    SequenceDesign,
    Steps,
    run_adaptively,
)
from gfactor.administration.adaptive.calibrated import prior_of
from gfactor.administration.asking.questions import check_accepted
from gfactor.administration.presenting.condition import DESCRIBED
from gfactor.administration.presenting.unchanged import changes_item, changes_nothing, unconditional
from gfactor.api.asking.administering import Presentation, given_of
from gfactor.api.asking.profile_lengths import answers_for_claims, check_counts
from gfactor.api.asking.profile_norms import Among
from gfactor.api.asking.profile_replies import counts_leniently
from gfactor.api.asking.profile_results import answers_of_people, profile_of
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.progress_bars import counter, tell
from gfactor.api.inputs.reach import Reach, ReachOptions, reach_of
from gfactor.api.inputs.taking import JournalLike
from gfactor.benchmarks.chc.build import VERSION
from gfactor.benchmarks.chc.cells import CellItems, DesignCell
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Examinee, Reply
from gfactor.examinees.http import HttpExaminee
from gfactor.items import Item, canonical_json, text_hash
from gfactor.parameters import Count, Jobs, Seed, StandardError, Whole
from gfactor.psychometrics.irt.adaptive import Candidates, StopRule
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import (
    calibration_digest,
    read_calibrations,
)
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.psychometrics.norms import Norms
from gfactor.reports.answers.results import ability_title
from gfactor.scoring.judgment import Attempt, judge_reply
from gfactor.scoring.questions import question_about, question_of

IN_FLIGHT = 8
"""Questions asked at once if nobody says."""
DEFAULT_SE = 0.4
"""Standard error, in standard deviations of the calibrated population, that a profile of 400 items
reaches in reasoning and visual-spatial processing (docs/evidence/benchmarks.md)."""


def profile(
    examinee: str,
    *,
    journal: JournalLike = "profile.db",
    abilities: Sequence[str] = (),
    se: StandardError | None = DEFAULT_SE,
    max_items: Count = 400,
    min_items: Whole | None = None,
    se_change: StandardError | None = None,
    cut: float | None = None,
    calibration: Calibration | Mapping[str, Calibration] | Path | str | None = None,
    people: Path | str | None = None,
    norms: Norms | Path | str | None = None,
    seed: Seed = 0,
    twin: bool = False,
    language: str = "en",
    condition: Condition | str = "default",
    packs: Sequence[Path | str] = (),
    jobs: Jobs | None = None,
    **reach: Unpack[ReachOptions],
) -> Profile:
    """Measure an examinee's abilities with items that are generated during the test.

    The next question comes from the design cell that is expected to reduce the posterior variance
    of ability most. The expectation averages over the items that the cell can produce, and allows
    for questions whose answers are still awaited. The item is then generated from the seed, and
    its answer key is proven. The sequence depends only on the settings and the answers. A profile
    that was stopped continues when the function is called again; answered questions are not asked
    again.

    Parameters
    ----------
    examinee : str
        Examinee to be measured, as "SCHEME:NAME?key=value".
    journal : path or URL
        Journal that stores items, steps and answers; it is created if missing. Several examinees
        can be profiled into one journal at once.
    abilities : list of str
        Abilities of the calibration to measure, such as "Gf"; by default all.
    se : float, optional
        Stop measuring an ability when the standard error of its answers is at most this value, in
        standard deviations of the calibrated population. The standard error that is reported also
        holds the error of the calibration, and can be larger.
    max_items : int
        Largest number of items, over all abilities.
    min_items : int, optional
        Smallest number of answers for an ability before its standard error may stop the test. By
        default 80, as many as a claim of fit takes, or an equal share of `max_items` if that is
        less; 0 with `cut` or `se_change`.
    se_change : float, optional
        Stop measuring an ability when its last five answers reduced its standard error by less than
        this value, in standard deviations.
    cut : float, optional
        Stop measuring an ability when its 95 % interval excludes this value, in standard deviations
        from the mean of the calibrated population.
    calibration : mapping, Calibration or path, optional
        Calibrations by design, one per ability, or the folder or file that `calibrate` wrote. By
        default the calibrations that come with gfactor.
    people : path or URL, optional
        Journal of people (and models) who answered items of the same cells; the profile is
        compared with them.
    norms : Norms or path, optional
        Norms of abilities, made by `gfactor.norms` with the same calibration. They add percentiles
        and T scores.
    seed : int
        Seed of the items. Examinees with the same seed get the same items from a cell.
    twin : bool
        Ask each question a second time with its image described in words, to measure the
        difference between image and text.
    language : str
        Language of the items.
    condition : str or Condition
        Condition under which items are presented, as in `run`; conditions that need files, such as
        captions, are not possible here.
    packs : list of paths
        Prompt packs (TOML files) whose sentences replace those of the packs that come with
        gfactor.
    jobs : int, optional
        Number of processes for examinees that run on this machine, such as observers; by default
        one per core, at most four.
    **reach : any
        Options for models over HTTP, as in `run`. `max_in_flight` (default 8) is the number of
        questions that any examinee is asked at the same time, and `max_cost` the largest sum that
        the profile may cost.

    Returns
    -------
    Profile
        `abilities` (a row for each, with standard error and interval), `thresholds`, `answers`,
        and `report(folder)`, which writes a page.

    Raises
    ------
    GfactorError
        If the examinee cannot be asked, or if the sequence of questions in the journal does not
        follow from its answers.

    References
    ----------
    Glas, C. A. W., van der Linden, W. J. (2003). Computerized adaptive testing with item cloning.
    Applied Psychological Measurement 27, 247-261.

    Examples
    --------
    >>> import gfactor as gf
    >>> profile = gf.profile("observer:ideal", abilities=["EF"], max_items=6, journal="p.db")
    >>> profile.items, profile.abilities["ability"].to_list()
    (6, ['EF'])
    """
    return profile_each(
        [examinee], journal=journal, abilities=abilities, se=se, max_items=max_items,
        min_items=min_items, se_change=se_change, cut=cut, calibration=calibration, people=people,
        norms=norms, seed=seed, twin=twin, language=language, condition=condition, packs=packs,
        jobs=jobs, **reach,
    )[examinee]  # fmt: skip


def profile_each(
    examinees: Sequence[str],
    *,
    journal: JournalLike = "profile.db",
    abilities: Sequence[str] = (),
    se: StandardError | None = DEFAULT_SE,
    max_items: Count = 400,
    min_items: Whole | None = None,
    se_change: StandardError | None = None,
    cut: float | None = None,
    calibration: Calibration | Mapping[str, Calibration] | Path | str | None = None,
    people: Path | str | None = None,
    norms: Norms | Path | str | None = None,
    seed: Seed = 0,
    twin: bool = False,
    language: str = "en",
    condition: Condition | str = "default",
    packs: Sequence[Path | str] = (),
    jobs: Jobs | None = None,
    **reach: Unpack[ReachOptions],
) -> dict[str, Profile]:
    """Measure the abilities of several examinees, one after the other, with one journal.

    All examinees are checked before the first is asked.

    Parameters
    ----------
    examinees : list of str
        Examinees to be measured, as "SCHEME:NAME?key=value".
    journal : path or URL
        Journal of the answers, as in `profile`.
    abilities : list of str
        Abilities to measure, as in `profile`.
    se : float, optional
        Standard error that is small enough to stop, as in `profile`.
    max_items : int
        Largest number of items for each examinee.
    min_items : int, optional
        Smallest number of answers for an ability, as in `profile`.
    se_change : float, optional
        Smallest decrease of the standard error, as in `profile`.
    cut : float, optional
        Value that the interval of an ability has to exclude, as in `profile`.
    calibration : mapping, Calibration or path, optional
        Calibrations of the abilities, as in `profile`.
    people : path or URL, optional
        Journal of people for comparison, as in `profile`.
    norms : Norms or path, optional
        Norms of abilities, as in `profile`.
    seed : int
        Seed of the items, as in `profile`.
    twin : bool
        Ask each question also in words, as in `profile`.
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
    dict of str to Profile
        The profile of each examinee, in the order of `examinees`.

    Raises
    ------
    GfactorError
        As `profile` does.

    Examples
    --------
    >>> import gfactor as gf
    >>> who = ["observer:ideal", "observer:limited?acuity=0.3&capacity=2&seed=1"]
    >>> profiles = gf.profile_each(who, abilities=["EF"], max_items=4, journal="p.db")
    >>> [one.items for one in profiles.values()]
    [4, 4]
    """
    window, for_judge = window_of(reach_of(reach))
    wanted = calibrations_of(calibration, abilities)
    check_counts(min_items or 0, max_items, list(wanted))
    rule = StopRule(se=se, se_change=se_change, cut=cut, max_items=max_items,
                    max_cost=for_judge.max_cost, min_items=min_items or 0)  # fmt: skip
    plan = ProfilePlan(
        wanted, rule, for_judge, window, seed, twin, language, given_of(condition, packs), jobs,
        answers_for_claims(wanted, rule) if min_items is None else {},
    )  # fmt: skip
    plan.check(examinees)
    among = None if norms is None else Among.of(norms, plan.calibrations)
    if people is not None:
        # A journal that cannot be read is refused before questions cost money.
        answers_of_people(people)
    with journal_to_write(journal, make_folder=True) as open_journal:
        profiles = {spec: plan.profile(spec, open_journal, people) for spec in examinees}
    if among is None:
        return profiles
    return {spec: among.placed(one) for spec, one in profiles.items()}


def window_of(reach: Reach) -> tuple[int, Reach]:
    """Return the number of questions in flight, and the reach without that option. Every examinee
    of a profile can have several questions in flight, so the option does not imply a model over
    HTTP.
    """
    flag = next((n for n in reach.named if n in ("--max-in-flight", "max_in_flight")), None)
    if flag is None:
        return IN_FLIGHT, replace(reach, endpoint=replace(reach.endpoint, max_in_flight=IN_FLIGHT))
    named = tuple(name for name in reach.named if name != flag)
    return reach.endpoint.max_in_flight, replace(reach, named=named)


def calibrations_of(
    given: Calibration | Mapping[str, Calibration] | Path | str | None, abilities: Sequence[str]
) -> dict[str, Calibration]:
    """Return the calibrations of the abilities that are wanted, by ability.

    Raises ParameterError or UnknownNameError for one that a profile cannot use.
    """
    available = _read(given)
    for name in abilities:
        if name not in available:
            titles = [ability_title(one) for one in available]
            raise UnknownNameError("calibrated ability", name, titles)
    wanted = {name: available[name] for name in (dict.fromkeys(abilities) or available)}
    for name, calibration in wanted.items():
        if calibration.by != "design":
            raise ParameterError(
                f"the calibration of {name} is by item, but a profile needs one by design, "
                "because it makes new items: gfactor calibrate JOURNAL --by design"
            )
        if any(entry.scores != (0.0, 1.0) for entry in calibration.entries):
            raise ParameterError(
                f"the calibration of {name} has cells whose items are not scored as right or wrong"
            )
    return wanted


@dataclass(frozen=True)
class ProfilePlan:
    """All settings of a profile, without the examinee.

    Parameters
    ----------
    calibrations: calibrations by ability.
    rule: rule for stopping.
    reach: access to models over HTTP.
    window: questions in flight.
    seed, twin, language: settings of the items.
    given: presentation of the items.
    jobs: processes for examinees that compute; None for one per core.
    least: smallest number of answers of each ability, by default the rule's `min_items`.
    """

    calibrations: Mapping[str, Calibration]
    rule: StopRule
    reach: Reach
    window: int
    seed: int
    twin: bool
    language: str
    given: Presentation
    jobs: int | None
    least: Mapping[str, int] = field(default_factory=dict)

    def check(self, specs: Sequence[str]) -> None:
        """Raise GfactorError if a setting does not fit, before anything is made. An option of
        models over HTTP needs at least one such model among the examinees.
        """
        self.reach.check(tuple(specs))
        for spec in specs:
            check_accepted(self.reach.make(spec, jobs=1), self.given.condition)
        how = self.given.condition
        if how.images in DESCRIBED or how.knowledge or how.shots:
            raise ParameterError(
                "descriptions, knowledge and examples need a bank (gfactor build, then gfactor "
                "run); a profile makes its items while it asks"
            )
        for maker in self._makers:
            maker.item(next(iter(self.cells)), next(iter(self.cells.values())), 0)
        self._check_changes()
        _ = self.design

    def _check_changes(self) -> None:
        """Raise ParameterError if the condition changes no item of any family."""
        condition, materials = self.put
        if condition.key == unconditional(condition).key:
            return
        first = {cell.family: name for name, cell in reversed(self.cells.items())}
        items = (item for name in first.values() for item in self.make(name, 0))
        if not any(changes_item(item, condition, materials) for item in items):
            raise changes_nothing(condition, "all items of a profile", True)

    def profile(self, spec: str, journal: Journal, people: Path | str | None = None) -> Profile:
        """Ask the examinee, and return its profile."""
        plan = self._as_begun(spec, journal)
        run = plan.ask(spec, journal)
        return profile_of(run, plan.calibrations, journal, plan.put[0].key, plan.settings, people,
                          plan.pictures)  # fmt: skip

    def _as_begun(self, spec: str, journal: Journal) -> ProfilePlan:
        """Return this plan, or the one without least numbers of answers if the journal holds a
        profile by that one and none by this: to go on must not cost more than was agreed to.
        """
        if not self.least:
            return self
        earlier = replace(self, least={})
        name, condition = self.reach.make(spec, jobs=1).name, self.put[0].key
        now, before = (Steps(journal, name, condition, p.settings) for p in (self, earlier))
        return earlier if before.begun() and not now.begun() else self

    def ask(self, spec: str, journal: Journal, rule: StopRule | None = None) -> AdaptiveRun:
        """Ask an examinee until its stopping rule, or an earlier one that is given, ends the
        test."""
        condition, materials = self.put
        examinee = self.reach.make(spec, jobs=self.jobs or min(joblib.cpu_count(), 4))
        design = self.design if rule is None else replace(self.design, rule=rule)
        if isinstance(examinee, HttpExaminee) and examinee.budget.cap is not None:
            for _, key, usage in journal.usage(examinee.name):
                if key == condition.key:
                    examinee.budget.learn(usage)

        score = scoring_for(examinee, condition, self.calibrations.values())

        def work() -> AdaptiveRun:
            with counter(self.rule.max_items or 0, examinee.name) as bar:
                return run_adaptively(
                    design, examinee, journal, self.make, score,
                    self.settings, condition, materials, bar.update, tell,
                )  # fmt: skip

        return self.reach.ask(examinee, work)

    @cached_property
    def put(self) -> tuple[Condition, Materials]:
        """The condition and its materials."""
        materials = Materials(packs=Packs.of(self.given.files.packs))
        return materials.stamped(self.given.scaled_to(self.reach.scaled_to).condition), materials

    @cached_property
    def cells(self) -> dict[str, DesignCell]:
        """The design cells by name."""
        return {
            cell_name(ability, entry.name): DesignCell.of_labels(
                entry.facts.get("labels") or {}, f"calibration of {ability}, cell {entry.name!r}"
            )
            for ability, calibration in self.calibrations.items()
            for entry in calibration.entries
        }

    @cached_property
    def design(self) -> SequenceDesign:
        """Return the adaptive design, which chooses the questions."""
        names, measured, testlets, curves, priors = [], [], [], [], {}
        for ability, calibration in self.calibrations.items():
            priors[ability] = prior_of(calibration)
            names += [cell_name(ability, entry.name) for entry in calibration.entries]
            measured += [ability] * len(calibration.entries)
            testlets += [calibration.testlet_of(entry) for entry in calibration.entries]
            curves.append(calibration.probabilities(priors[ability].nodes))
        families = [self.cells[name].family for name in names]
        candidates = Candidates(
            names, measured, np.concatenate(curves), families=families, testlets=testlets
        )
        return SequenceDesign(
            candidates, priors, self.rule, self.window, standardized=True, least=self.least
        )

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Return the settings that, together with the answers, determine the sequence, in JSON
        types."""
        rule = self.rule
        return {
            "seed": self.seed,
            "calibration": digest_of(self.calibrations),
            "abilities": list(self.calibrations),
            "unit": "standard deviations of the calibrated population",
            "stop": {"se": rule.se, "se_change": rule.se_change, "cut": rule.cut,
                     "max_items": rule.max_items, "max_cost": rule.max_cost,
                     "least_fall": rule.least_fall,
                     "min_items": dict(self.least) or rule.min_items},
            "in_flight": self.window,
            "criterion": self.design.criterion,
            "ahead": self.design.ahead,
            "twin": self.twin,
            "language": self.language,
            "benchmark": VERSION,
            "families": {c.family: FAMILIES[c.family].version for c in self.cells.values()},
        }  # fmt: skip

    @cached_property
    def _makers(self) -> tuple[CellItems, ...]:
        twins = ("picture", "text") if self.twin else ("picture",)
        return tuple(CellItems(self.seed, self.language, twin) for twin in twins)

    def make(self, name: str, number: int) -> list[Item]:
        """Return the item of a cell, and its twin; none if the cell has no more items."""
        try:
            return [maker.item(name, self.cells[name], number) for maker in self._makers]
        except ParameterError:
            return []

    def pictures(self, name: str, number: int) -> tuple[Any, ...]:
        """Return the texts and images of an item."""
        return self.make(name, number)[0].content


def scoring_for(
    examinee: Examinee, condition: Condition, calibrations: Iterable[Calibration]
) -> Score:
    """Return a function that scores a reply as the answers behind the calibrations were scored."""
    lenient = counts_leniently(calibrations)

    def score(item: Item | Mapping[Any, Any], reply: Reply) -> float | None:
        put = question_about if isinstance(item, Item) else question_of
        question = put(item, condition.key)  # pyright: ignore[reportArgumentType]
        attempt = Attempt(examinee.name, condition.key)
        judged = judge_reply(question, reply.text, reply.outcome, attempt)
        if judged.missing:
            return None
        return judged.correct_lenient if lenient else judged.correct

    return score


def cell_name(ability: str, entry: str) -> str:
    """Return the name of a cell among those of all abilities."""
    return f"{ability}: {entry}"


def digest_of(calibrations: Mapping[str, Calibration]) -> str:
    """Return one hash over calibrations."""
    digests = {name: calibration_digest(one) for name, one in calibrations.items()}
    return text_hash(canonical_json(digests))


def _read(
    given: Calibration | Mapping[str, Calibration] | Path | str | None,
) -> dict[str, Calibration]:
    if given is None:
        return shipped_calibrations()
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, Calibration):
        ability = given.about.get("ability")
        if not ability:
            raise ParameterError(
                "the calibration does not name its ability; give a mapping {ability: calibration}"
            )
        return {str(ability): given}
    return read_calibrations(given)
