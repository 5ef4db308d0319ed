"""Profiles: abilities of one examinee on calibrated scales, and the order of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result, number_of, shown

ABILITY_COLUMNS = (
    "ability", "name", "theta", "se", "ci_lower", "ci_upper", "theta_logits", "se_logits", "items",
    "stop", "claim",
)  # fmt: skip
"""Columns about abilities, in the document for machines."""
WEIGHTED_COLUMNS = ("wle", "wle_lower", "wle_upper")
"""Columns about abilities, without the prior."""
THRESHOLD_COLUMNS = ("family", "radical", "threshold", "ci_lower", "ci_upper", "supported")
"""Columns about thresholds, in the document for machines."""


@dataclass(frozen=True, repr=False)
class Profile(Result):
    """Profile of an examinee, ability by ability.

    Parameters
    ----------
    examinee, condition : str
        Examinee and condition of the answers.
    abilities : DataFrame
        A row per ability, with its code and `name`. Estimate: `theta`, `se` and the 95 % interval
        `ci_lower`, `ci_upper`, in standard deviations of the calibrated population from its mean;
        the same in logits (`theta_logits`, `se_logits`, `ci_lower_logits`, `ci_upper_logits`); the
        parts `se_measurement` and `se_calibration` of the standard error; `items` (number
        answered) and `stop` (reason why no more were asked). Fit: `zh`, `p_fit` and `outfit` say
        how well one ability explains the answers. `p_families` is the p value of the test of
        whether families differ more than the calibration says. `power` is the probability that
        this test finds a difference if half of the families lie `difference` above the ability and
        half below it, or half of the narrow abilities 0.6 times as far; `p_apart` is the
        probability of answers that fit as well as these in that case. `claim_items` answers, of
        those tried, lead `claim_share` of the examinees who fit to a claim (0 and NaN where these
        answers exclude misfit; `psychometrics.irt.checks.claim_lengths`). `claim` is True if a
        conclusion about the ability is supported; else `withheld` gives the reason: "unread" (half
        or more of the replies hold no answer, or decline to give one), "guessing" (guesses would
        give answers as good with the probability `p_guessing`), "misfit" (answers contradict the
        calibration) or "power" (answers do not exclude that families lie so far apart). `wle` with
        `wle_lower`, `wle_upper` is the estimate from the answers alone, for abilities far from the
        mean of the calibrated population (`adaptive.precision.weighted_likelihood`).
    thresholds : DataFrame
        A row per family with enough answers: the level of its `radical` at which accuracy has
        fallen halfway to chance, with its 95 % interval (NaN if it lies outside the levels asked);
        `n`; `p_falls`, the p value of the test that accuracy falls with the level, adjusted for
        the number of families; `supported`, True if the interval lies within the levels asked and
        accuracy falls; and `says`, a sentence that the answers support, or "".
    families : DataFrame
        A row per family: number of answers, of right ones, and of right ones expected from the
        other families; `p_adjusted`; and `detectable`, the smallest shift of this family, in
        standard deviations of the population, that its test finds with a power of 80 % (NaN if it
        finds none).
    answers : DataFrame
        A row per question: step, ability, family, cell, level, item, score, the probability of a
        right answer by the calibration, reply, `status` of the reply (`gfactor.scoring.STATUSES`,
        or "off_format" if only the lenient reading finds its answer), tokens and cost.
    calibration : mapping
        `population`, `digest`, and `simulated` (True if the calibrated population is simulated).
    items : int
        Number of answered questions; with text twins each item counts twice.
    tokens : int or None
        Number of input and output tokens; None if they were not counted.
    cost : float or None
        Cost in the currency of the prices; None if no prices are known.
    curves : DataFrame
        A row per family and level: the fitted accuracy.
    twins : DataFrame
        A row per ability: the shares right on pictures and on the same scenes in words, their
        difference and its 95 % interval; empty if no twins were asked.
    others : DataFrame
        Abilities of other examinees on the same scales, with their `kind`; empty if none.
    pictures : mapping of item to list
        Texts and images (PNG) of the items whose answers are the least expected.
    settings : mapping
        Settings that determine the sequence of questions.
    key : str
        Key under which the journal stores the steps.
    diagnostics : tuple of Diagnostic
    norms : DataFrame
        A row per ability and group of people: percentile and T score among them
        (`gfactor.psychometrics.norms`); empty without norms.
    name : str
        Name of the examinee for titles; `examinee` if empty.
    not_measured : DataFrame
        Families of these abilities that the calibration does not have: `ability`, `family`,
        `reason`.
    """

    examinee: str
    condition: str
    abilities: pd.DataFrame
    thresholds: pd.DataFrame
    families: pd.DataFrame
    answers: pd.DataFrame
    calibration: Mapping[str, Any]
    items: int
    tokens: int | None
    cost: float | None
    curves: pd.DataFrame
    twins: pd.DataFrame
    others: pd.DataFrame
    pictures: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    norms: pd.DataFrame = field(default_factory=pd.DataFrame)
    name: str = ""
    not_measured: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def title(self) -> str:
        count = len(self.abilities)
        abilities = str(self.abilities["name"].iloc[0]) if count == 1 else f"{count} abilities"
        what = f"Profile of {self.name or self.examinee}: {abilities}, {self.items:,} items"
        # The full sentence is among the facts.
        who = str(self.calibration["population"] or "an unnamed population").split(":")[0]
        if self.calibration["simulated"]:
            return f"SIMULATED CALIBRATION ({who}). {what}"
        return f"{what}; calibrated on {who}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "examinee": self.examinee, "condition": self.condition, "items": self.items,
            "tokens": self.tokens, "cost": self.cost,
            "calibration": self.calibration["population"], "digest": self.calibration["digest"],
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "abilities": self.abilities, "thresholds": self.thresholds, "families": self.families,
            **({"twins": self.twins} if len(self.twins) else {}),
            **({"others": self.others} if len(self.others) else {}),
            **({"norms": self.norms} if len(self.norms) else {}),
            **({"not_measured": self.not_measured} if len(self.not_measured) else {}),
        }  # fmt: skip

    def _document(self) -> Mapping[str, Any]:
        return {
            "examinee": self.examinee,
            "abilities": self.abilities[list(ABILITY_COLUMNS)],
            "thresholds": self.thresholds[list(THRESHOLD_COLUMNS)],
            "calibration": {name: self.calibration[name] for name in ("population", "digest")},
            "items": self.items,
            "tokens": self.tokens,
            "cost": self.cost,
            "not_measured": self.not_measured,
            **({"norms": self.norms} if len(self.norms) else {}),
            "diagnostics": self.diagnostics,
        }

    @property
    def code(self) -> int:
        """Return the exit code of the command: 1 if asking was stopped, else 0."""
        return _exit_code(self.diagnostics)

    def stop_in_words(self, row: Mapping[Any, Any]) -> str:
        """Return the reason why no more questions were asked for an ability. The stopping rule uses
        the error of the answers alone. If the calibration's part raises the standard error above
        the requested one, both parts are named.

        Parameters
        ----------
        row : mapping
            Row of `abilities`.
        """
        target = (self.settings.get("stop") or {}).get("se")
        if row["stop"] == "se" and target is not None and row["se"] > target:
            return (
                f"standard error of the answers alone reached ({row['se_measurement']:.2f}; "
                f"calibration {row['se_calibration']:.2f})"
            )
        return STOPS.get(str(row["stop"]), str(row["stop"]))

    def _above(self) -> list[str]:
        # The title says whether the calibration is simulated.
        return [self.title]

    def _lines(self) -> list[str]:
        lines = ["", "Abilities in standard deviations of the calibrated population:"]
        rows = self.abilities.to_dict("records")
        width = max((len(str(row["name"])) for row in rows), default=0)
        for row in rows:
            lines.append(
                f"{row['name']:<{width}} {row['theta']:z6.2f}  [{row['ci_lower']:z.2f}, "
                f"{row['ci_upper']:z.2f}]  se {row['se']:.2f}  {row['items']} items, "
                f"{self.stop_in_words(row)}"
                + ("" if row["claim"] else f"  (no claim: {WITHHELD[str(row['withheld'])]})")
            )
        lines += [
            f"{row['scale']:<5} among people ({row['group']}, n {row['n']}): percentile "
            f"{row['percentile']:.0f} [{row['percentile_low']:z.0f}, {row['percentile_high']:z.0f}]"
            f", T {shown(row['t_area'])}"
            for row in self.norms.to_dict("records")
        ]
        sentences = [str(text) for text in self.thresholds["says"] if text]
        spent = "" if self.cost is None else f", {self.cost:.4g} spent"
        counted = "" if self.tokens is None else f", {self.tokens:,} tokens"
        return [*lines, "", *sentences, *([""] if sentences else []),
                f"{self.items:,} items{counted}{spent}"]  # fmt: skip


STOPS = {
    "se": "standard error reached", "se_change": "standard error falls no more",
    "se_unreachable": "standard error out of reach, more items would hardly lower it",
    "cut": "on one side of the cut", "items": "number of items reached",
    "cost": "money spent", "exhausted": "no more items", "stopped": "run was stopped",
    "ranking": "order decided",
}  # fmt: skip
"""Reasons why no more questions were asked for an ability, in words."""

WITHHELD = {
    "": "",
    "unread": "half or more of the replies hold no answer or decline",
    "guessing": "the answers are no better than guesses",
    "misfit": "the answers contradict the calibration",
    "power": "too few answers to exclude misfit",
}
"""Reasons why no conclusion about an ability is drawn, in words."""


@dataclass(frozen=True, repr=False)
class Ranking(Result):
    """Order of examinees in each ability, from questions that were asked until the order was
    decided.

    Parameters
    ----------
    table : DataFrame
        A row per ability and examinee, the best first: `rank`, `theta` and `se` in standard
        deviations of the calibrated population (`se` leaves out the error of the calibration,
        which all examinees share), `items`, `apart` (True if the examinee differs from the next
        one below), and the estimates in logits (`theta_logits`, `se_logits`).
    undecided : DataFrame
        Pairs whose order is open: `ability`, `first`, `second`.
    level : float
        Probability that the whole order of an ability is right, over all looks at the answers.
    asked, everything : int
        Number of questions asked, and number that would have been asked without early stopping.
    calibration : mapping
        Facts about the calibration, as in `Profile`.
    diagnostics : tuple of Diagnostic
    """

    table: pd.DataFrame
    undecided: pd.DataFrame
    level: float
    asked: int
    everything: int
    calibration: Mapping[str, Any]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def saved(self) -> float:
        """Share of the questions that were not needed."""
        return 1 - self.asked / self.everything if self.everything else 0.0

    @property
    def title(self) -> str:
        start = "SIMULATED CALIBRATION. " if self.calibration["simulated"] else ""
        open_ = f", {len(self.undecided)} undecided" if len(self.undecided) else ""
        abilities = number_of(len(set(self.table["ability"])), "ability", "abilities")
        return (
            f"{start}Order of {self.table['examinee'].nunique()} examinees in "
            f"{abilities}{open_}: {self.asked:,} of "
            f"{self.everything:,} questions asked, {100 * self.saved:.0f} % saved"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "level": self.level, "asked": self.asked, "everything": self.everything,
            "saved": self.saved, "calibration": self.calibration["population"],
            "digest": self.calibration["digest"],
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"ranking": self.table, "undecided": self.undecided}

    @property
    def code(self) -> int:
        """Return the exit code of the command: 1 if asking was stopped, else 0."""
        return _exit_code(self.diagnostics)

    def _lines(self) -> list[str]:
        return super()._lines()[1:]

    def _above(self) -> list[str]:
        # The title says whether the calibration is simulated.
        return [self.title]


def _exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """Return 1 if a diagnostic says that asking was stopped, else 0."""
    return int(any(one.code == "stopped" for one in diagnostics))
