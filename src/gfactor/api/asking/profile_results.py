"""From an adaptive run to a profile: abilities, thresholds, what fits and what does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.adaptive import AdaptiveRun, Steps
from gfactor.api.asking.profile_diagnostics import (
    extremes,
    guesses,
    misfits,
    not_measured,
    other_kind,
    population_of,
    shortfalls,
    simulated,
    untested,
)
from gfactor.api.asking.profile_people import people_beside
from gfactor.api.asking.profile_replies import replies_of, unread_answers, unread_groups
from gfactor.api.asking.profile_thresholds import thresholds_of
from gfactor.api.inputs.scoring import Scoring, scoring_of
from gfactor.api.inputs.taking import opened
from gfactor.api.scales.calibrated import abilities_of
from gfactor.api.scores.answer_warnings import readings
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Reply
from gfactor.examinees.token_usage import read_and_written
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.inference.paired import newcombe
from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.precision import curve_information, weighted_likelihood
from gfactor.psychometrics.irt.checks.claim_lengths import ClaimLength, claim_length
from gfactor.psychometrics.irt.checks.misfit_power import (
    EXCLUDED,
    detectable_shift,
    family_differences,
)
from gfactor.psychometrics.irt.checks.profile_fit import (
    DRIFT,
    GUESSED,
    adjusted,
    after_others,
    family_fit,
    guessing_p,
    person_fit,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses
from gfactor.psychometrics.irt.scores.profiles import WEIGHTED_COLUMNS, Profile
from gfactor.reports.answers.results import ability_title, examinee_title, role_of
from gfactor.scoring.policies import BENCHMARKS_POLICY

LISTED = 6
"""Answers that fit least and are shown with their pictures."""
_SURPRISING = 0.15
"""An answer whose chance was above this fits."""
_LEVEL = 1.96


class PopulationScale(NamedTuple):
    """Standard deviations of the calibrated population, in logits."""

    middle: float
    unit: float

    def at(self, logits: float) -> float:
        """Return an ability in standard deviations from the middle."""
        return float((logits - self.middle) / self.unit)


@dataclass(frozen=True)
class ProfileData:
    """Data from which a profile is made.

    Parameters
    ----------
    run: the steps and their scores.
    calibrations: calibrations by ability.
    replies: replies by item hash.
    readings: answers that the scoring rules read in the replies (`readings`), by item hash.
    """

    run: AdaptiveRun
    calibrations: Mapping[str, Calibration]
    replies: Mapping[str, Reply]
    readings: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Design cells by the names that steps have."""
        return {
            f"{ability}: {entry.name}": entry
            for ability, calibration in self.calibrations.items()
            for entry in calibration.entries
        }

    @cached_property
    def curves(self) -> dict[str, Any]:
        """Probability of a right answer at the nodes of the ability's posterior, by cell."""
        chances = {}
        for ability, calibration in self.calibrations.items():
            rows = calibration.probabilities(self.run.posteriors[ability].nodes)
            names = (f"{ability}: {entry.name}" for entry in calibration.entries)
            chances |= dict(zip(names, rows, strict=True))
        return chances

    def scale(self, ability: str) -> PopulationScale:
        """Return the unit that abilities are reported in."""
        calibration = self.calibrations[ability]
        return PopulationScale(calibration.mean, calibration.variance**0.5)

    def answered(self, ability: str) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Return, by family of an ability, the probabilities of right answers at the nodes, and the
        scores."""
        curves, scores = {}, {}
        for family, rows in self.of("ability", ability).groupby("family", sort=True):
            curves[str(family)] = np.array([self.curves[cell] for cell in rows["cell"]])
            scores[str(family)] = rows["score"].to_numpy(float)
        return curves, scores

    def prior(self, ability: str) -> AbilityPosterior:
        """Return the distribution of an ability before the first answer."""
        calibration = self.calibrations[ability]
        return AbilityPosterior(
            self.run.posteriors[ability].nodes, calibration.mean, calibration.variance,
            testlet_variance=calibration.testlet_variance,
        )  # fmt: skip

    def testlet(self, ability: str, cell: str) -> str:
        """Return the testlet of a cell."""
        return self.calibrations[ability].testlet_of(self.entries[cell])

    @cached_property
    def answers(self) -> pd.DataFrame:
        """A row for every step whose answers are complete."""
        rows = []
        for step, stored in zip(self.run.steps, self.run.stored, strict=True):
            if not step.settled:
                continue
            labels = self.entries[stored.cell].facts["labels"]
            now = self.run.posteriors[stored.ability]
            replies = [self.replies[name] for name in stored.items if name in self.replies]
            rows.append({
                "step": step.number, "ability": stored.ability, "family": labels["family"],
                "cell": stored.cell, "number": stored.number, "item_hash": stored.items[0],
                "score": np.nan if step.score is None else step.score,
                "chance": float(now.density @ now.chances(
                    self.curves[stored.cell][None],
                    [self.testlet(stored.ability, stored.cell)])[0]),
                "theta_before": self.scale(stored.ability).at(stored.theta),
                "se_before": stored.se / self.scale(stored.ability).unit,
                "reply": replies[0].text if replies else "",
                "status": self.readings.get(stored.items[0], ""), "asked": len(replies),
                "tokens": sum(sum(read_and_written(one.usage)) for one in replies),
                "counted": any(one.usage for one in replies),
                "cost": sum(one.cost or 0.0 for one in replies),
                "priced": any(one.cost is not None for one in replies),
                "twin": next((t for t in step.twins if t is not None), np.nan),
            })  # fmt: skip
        columns = (
            "step", "ability", "family", "cell", "number", "item_hash", "score", "chance",
            "theta_before", "se_before", "reply", "status", "asked", "tokens", "counted", "cost",
            "priced", "twin",
        )  # fmt: skip
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def scored(self) -> pd.DataFrame:
        """Answers with a score."""
        return self.answers.loc[self.answers["score"].notna().to_numpy()]

    def of(self, column: str, value: str) -> pd.DataFrame:
        """Return the scored answers with a value."""
        return self.scored.loc[(self.scored[column] == value).to_numpy()]


def profile_of(
    run: AdaptiveRun,
    calibrations: Mapping[str, Calibration],
    journal: Journal,
    condition: str,
    settings: Mapping[str, Any],
    people: Path | str | None,
    pictures: Callable[[str, int], tuple[Any, ...]],
) -> Profile:
    """Return the profile of an adaptive run.

    Parameters
    ----------
    run: questions and answers of the run.
    calibrations: calibrations by ability.
    journal: opened journal; its other examinees are shown for comparison.
    condition: key of the condition under which items were presented.
    settings: settings that determine the sequence.
    people: another journal with people or models.
    pictures: function that makes the content of an item of a cell again.
    """
    steps = Steps(journal, run.examinee, condition, settings)
    names = [name for row in run.stored for name in row.items]
    replies = replies_of(journal, run.examinee, condition, calibrations)
    read = dict(zip(replies["item_hash"], readings(replies), strict=True))
    data = ProfileData(run, calibrations, steps.replies(names) if names else {}, read)
    abilities, families = tables_of_fit(data)
    # How many replies are wrong tells no threshold if nobody could read them, or they decline.
    unread = unread_groups(run.examinee, data.scored, "family")
    readable = pick(data.scored, ~data.scored["family"].isin(unread).to_numpy(bool))
    thresholds, curves = thresholds_of(readable, data.entries)
    answers: Any = data.answers
    others = _others(data, journal, condition, people)
    answered = {} if people is None else answers_of_people(people)
    notes = [] if people is None else people_beside(others, abilities, answered)
    calibration = population_of(calibrations, str(settings["calibration"]))
    missing = len(data.answers) - len(data.scored)
    diagnostics = [
        *unread_answers(run.examinee, data.scored, replies, journal),
        *simulated(calibration), *other_kind(calibrations, run.examinee),
        *misfits(abilities, families), *guesses(abilities), *untested(abilities, calibrations),
        *shortfalls(data.run, data.calibrations, missing, settings["stop"]["se"]),
        *extremes(abilities), *notes,
    ]  # fmt: skip
    return Profile(
        run.examinee, condition, abilities, thresholds, families, answers, calibration,
        items=int(answers["asked"].sum()),
        tokens=int(answers["tokens"].sum()) if answers["counted"].any() else None,
        cost=float(answers["cost"].sum()) if answers["priced"].any() else None,
        curves=curves, twins=_twins(data), others=others,
        pictures={row["item_hash"]: pictures(row["cell"], row["number"])
                  for row in surprising(answers).to_dict("records")},
        settings=settings, key=run.key, diagnostics=by_severity(diagnostics),
        name=examinee_title(run.examinee), not_measured=not_measured(calibrations),
    )  # fmt: skip


def surprising(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers that the calibration expected least, the least first."""
    of_score = np.where(answers["score"] == 1, answers["chance"], 1 - answers["chance"])
    with_chance = answers.assign(chance_of_score=of_score)
    odd = (answers["score"].notna() & (of_score < _SURPRISING)).to_numpy()
    return with_chance.loc[odd].sort_values(["chance_of_score", "step"]).head(LISTED)


def tables_of_fit(data: ProfileData) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the abilities and the families of a profile, with how well they fit."""
    families = _families(data)
    return _abilities(data, families), families


def _abilities(data: ProfileData, families: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for ability, calibration in data.calibrations.items():
        here = data.of("ability", ability)
        now: AbilityPosterior = data.run.posteriors[ability]
        theta, measured, carried = now.theta, now.se, 0.0
        fit, guessed = dict.fromkeys(("zh", "p", "outfit"), np.nan), np.nan
        alone: Mapping[str, float] = dict.fromkeys(WEIGHTED_COLUMNS, np.nan)
        scale = data.scale(ability)
        # Families that differ by what the calibration calls usual are no misfit.
        apart = max(1.0, 2 * calibration.testlet_variance**0.5 / scale.unit)
        prior = data.prior(ability)
        kinds = {name: family.ability for name, family in FAMILIES.items()}
        answered = data.answered(ability)
        differ = family_differences(*answered, prior, difference=apart * scale.unit, kinds=kinds)
        longer = ClaimLength(0, np.nan)
        if differ.p_apart >= EXCLUDED and len(answered[0]) > 1:
            longer = claim_length(*answered, prior, difference=apart * scale.unit, kinds=kinds)
        if len(here):
            columns = here["item_hash"].tolist()
            scores = pd.DataFrame([here["score"].to_numpy()], [data.run.examinee], columns)
            entry = {n: data.entries[c].name for n, c in zip(columns, here["cell"], strict=True)}
            scored = score_responses(calibration, scores, entry).table.iloc[0]
            theta, carried = float(scored["theta"]), float(scored["se_calibration"])
            p = np.array([data.curves[cell] for cell in here["cell"]])
            testlets = [data.testlet(ability, cell) for cell in here["cell"]]
            fit = person_fit(p, here["score"], now, testlets)
            chances: Any = calibration.table.set_index("entry")["c"]
            guessed = guessing_p(chances.loc[list(entry.values())], here["score"] == 1)
            alone = without_prior(now, p, testlets, carried)
        se = float(np.hypot(measured, carried))
        ends = theta - _LEVEL * se, theta + _LEVEL * se
        drifting = families.loc[(families["ability"] == ability).to_numpy()]
        rows.append({
            "ability": ability, "name": ability_title(ability),
            "theta": scale.at(theta), "se": se / scale.unit,
            "ci_lower": scale.at(ends[0]), "ci_upper": scale.at(ends[1]),
            "theta_logits": theta, "se_logits": se,
            "ci_lower_logits": ends[0], "ci_upper_logits": ends[1], "items": len(here),
            "stop": data.run.stops[ability] or ("stopped" if data.run.stopped else "exhausted"),
            "se_measurement": measured / scale.unit, "se_calibration": carried / scale.unit,
            "zh": fit["zh"], "p_fit": fit["p"], "outfit": fit["outfit"],
            **{name: scale.at(value) for name, value in alone.items()},
            "p_families": differ.p, "power": differ.power, "p_apart": differ.p_apart,
            "difference": apart, "claim_items": longer.answers, "claim_share": longer.share,
            "p_guessing": guessed,
            "drift": bool((drifting["p_adjusted"] < DRIFT).any()),
        })  # fmt: skip
    table = pd.DataFrame(rows)
    misfit = table["drift"] | (table["p_families"] < DRIFT)
    misfit |= adjusted(table["p_fit"].tolist()) < DRIFT
    withheld = np.where(misfit, "misfit", np.where(table["p_apart"] >= EXCLUDED, "power", ""))
    withheld = np.where(table["p_guessing"] >= GUESSED, "guessing", withheld)
    unread = unread_groups(data.run.examinee, data.scored, "ability")
    withheld = np.where(table["ability"].isin(unread), "unread", withheld)
    return table.drop(columns="drift").assign(claim=withheld == "", withheld=withheld)


def without_prior(
    posterior: AbilityPosterior, p: Floats, testlets: Sequence[str], carried: float
) -> dict[str, float]:
    """Return Warm's weighted likelihood estimate, which no prior shrinks, and its interval, widened
    by the errors of the calibration."""
    likelihoods: dict[str, Floats] = {}
    for name, row in zip(testlets, curve_information(p, posterior.nodes), strict=True):
        likelihoods[name] = likelihoods.get(name, 0.0) + row
    theta, low, high = weighted_likelihood(posterior, likelihoods)
    information = 1 - posterior.se**2 / posterior.variance
    spread = _LEVEL * carried / information if information > 0 else np.inf
    ends = theta - np.hypot(theta - low, spread), theta + np.hypot(high - theta, spread)
    return dict(zip(WEIGHTED_COLUMNS, map(float, (theta, *ends)), strict=True))


def _families(data: ProfileData) -> pd.DataFrame:
    tables = []
    for ability in data.calibrations:
        curves, scores = data.answered(ability)
        prior = data.prior(ability)
        table = family_fit(curves, scores, prior)
        tested = table["p"].notna().to_numpy(bool)
        shifts = [
            detectable_shift(
                curves[family], after_others(curves, scores, prior, family),
                unit=data.scale(ability).unit, level=DRIFT / max(1, tested.sum()), flat=True,
            ) if tests else np.nan
            for family, tests in zip(table["family"], tested, strict=True)
        ]  # fmt: skip
        tables.append(table.assign(ability=ability, detectable=shifts))
    table = pd.concat(tables, ignore_index=True)
    table = table.assign(p_adjusted=adjusted(table["p"].tolist()))
    return pick(
        table, ["ability", "family", "n", "right", "expected", "p", "p_adjusted", "detectable"]
    )


def _twins(data: ProfileData) -> pd.DataFrame:
    """Pictures against the same scenes in words, by ability and in all."""
    both = data.scored.loc[data.scored["twin"].notna().to_numpy()]
    rows = []
    for ability in [*data.calibrations, "all"]:
        here = both if ability == "all" else both.loc[(both["ability"] == ability).to_numpy()]
        if not len(here):
            continue
        image, text = here["score"].to_numpy(), here["twin"].to_numpy()
        cells = [float(((image == a) & (text == b)).sum()) for a, b in
                 ((1, 1), (1, 0), (0, 1), (0, 0))]  # fmt: skip
        low, high = newcombe(*cells)
        rows.append({
            "ability": ability, "n": len(here), "image": float(image.mean()),
            "text": float(text.mean()), "difference": float(image.mean() - text.mean()),
            "ci_lower": low, "ci_upper": high,
        })  # fmt: skip
    columns = ("ability", "n", "image", "text", "difference", "ci_lower", "ci_upper")
    return pd.DataFrame(rows, columns=columns)


def _others(
    data: ProfileData, journal: Journal, condition: str, people: Path | str | None
) -> pd.DataFrame:
    """Other examinees' abilities on the same scales: of this journal, and of one of people."""
    rows: list[dict[str, Any]] = []
    for source, how in ((journal, condition), *([(people, None)] if people else [])):
        with opened(source) as open_journal:
            for ability, calibration in data.calibrations.items():
                try:
                    abilities = abilities_of(open_journal, _scoring(how), calibration).table
                except (ParameterError, UnknownNameError):
                    # Nothing was asked yet: the wanted precision may be that of the population.
                    continue
                abilities = abilities.loc[(abilities["n"] > 0).to_numpy()]
                rows += [
                    {"examinee": row["examinee"], "kind": role_of(str(row["examinee"])),
                     "ability": ability, "theta": data.scale(ability).at(row["theta"]),
                     "se": row["se"] / data.scale(ability).unit, "n": row["n"],
                     "theta_logits": row["theta"], "se_logits": row["se"]}
                    for row in abilities.to_dict("records")
                    if row["examinee"] != data.run.examinee or source is not journal
                ]  # fmt: skip
    columns = ("examinee", "kind", "ability", "theta", "se", "n", "theta_logits", "se_logits")
    return pd.DataFrame(rows, columns=columns)


def answers_of_people(people: Path | str) -> dict[str, int]:
    """Return the number of items that each person of a journal answered.

    Raises GfactorError if the journal cannot be read.
    """
    with opened(people) as journal:
        table = _scoring(None).table(journal)
    counts = table.loc[~table["missing"].to_numpy(bool)].groupby("examinee")["item_hash"].nunique()
    return {str(who): int(n) for who, n in counts.items() if role_of(str(who)) == "person"}


def _scoring(condition: str | None) -> Scoring:
    return scoring_of((), condition, None, BENCHMARKS_POLICY, {})
