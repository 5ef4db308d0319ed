"""Thresholds of a profile's families, and the sentences that the answers support."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.benchmarks.chc.cells import RADICAL
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.chc.main_radicals import harder_cells
from gfactor.psychometrics.irt.checks.profile_fit import FEW, Located, adjusted, falling_p, locate
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scales.calibration import Entry
from gfactor.psychometrics.irt.scores.profiles import THRESHOLD_COLUMNS

ALPHA = 0.05
"""Chance of any wrong sentence of a kind in a profile whose accuracy is the same at all levels."""
_NOWHERE = Located(np.nan, np.nan, np.nan, np.empty(0))


@dataclass(frozen=True)
class LevelAnswers:
    """The answers to a family by the level of its main radical.

    Parameters
    ----------
    family, radical: names.
    levels: levels that were asked, from easy to hard.
    right, n_answers: sum of the scores and number of answers at each.
    guess: share right of guessing.
    """

    family: str
    radical: str
    levels: tuple[float, ...]
    right: tuple[float, ...]
    n_answers: tuple[float, ...]
    guess: float

    @cached_property
    def located(self) -> Located:
        """The threshold within the administered levels; NaN if there was only one level."""
        if len(self.levels) < 2:
            return _NOWHERE
        return locate(self.levels, self.right, self.n_answers, self.guess)

    @property
    def halfway(self) -> float:
        """Accuracy halfway between a ceiling of 1 and chance."""
        return 0.5 * (1 + self.guess)


def thresholds_of(
    scored: pd.DataFrame, entries: Mapping[str, Entry]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the thresholds of families whose levels are numbers, and the curves behind them.

    Answers to a family's harder cells are left out, because these cells differ from the others in
    more than the main radical.

    Parameters
    ----------
    scored: answers with `family`, `cell` and `score`.
    entries: design cells by the names that answers give them.
    """
    given = []
    for family, here in scored.groupby("family", sort=True):
        cells = {
            name: entry for name, entry in entries.items()
            if entry.facts["labels"]["family"] == family and not _is_harder(entry)
        }  # fmt: skip
        answers = _by_level(str(family), here.loc[here["cell"].isin(cells).to_numpy()], cells)
        if answers is not None:
            given.append(answers)
    return _table(given), _curves(given)


def findings(given: Sequence[LevelAnswers]) -> list[tuple[float, bool, str]]:
    """Return, for each family, the adjusted p value of the fall, whether the threshold is
    supported, and a sentence.

    A threshold is supported if accuracy falls with the level (an exact test, adjusted for the
    number of families) and the 95 % interval lies within the administered levels. If it is not,
    a sentence says that accuracy is above halfway at the hardest level, or below at the easiest,
    if an exact test supports that. The sentence is "" otherwise.
    """
    falls = adjusted([falling_p(one.right, one.n_answers) for one in given])
    above = adjusted([_tail(one, -1, right=True) for one in given])
    below = adjusted([_tail(one, 0, right=False) for one in given])
    result = []
    for one, p, high, low in zip(given, falls, above, below, strict=True):
        supported = bool(p < ALPHA and np.isfinite(one.located[:3]).all())
        says = (
            _falls(one, one.located) if supported
            else _beyond(one, -1, "above", "hardest") if high < ALPHA
            else _beyond(one, 0, "below", "easiest") if low < ALPHA
            else ""
        )  # fmt: skip
        result.append((float(p), supported, says))
    return result


def main_radical(entries: Sequence[Entry]) -> tuple[str, list[Any]]:
    """Return the radical in which a family's cells differ most, and its levels from easy to hard;
    "" if they differ in none."""
    family = FAMILIES[entries[0].facts["labels"]["family"]]
    levels_of: dict[str, list[Any]] = {}
    for radical, levels in family.radicals.items():
        here = {entry.facts["labels"].get(f"{RADICAL}{radical}") for entry in entries}
        levels_of[radical] = [level for level in levels if level in here]
    best = max(levels_of, key=lambda name: len(levels_of[name]))
    return (best, levels_of[best]) if len(levels_of[best]) > 1 else ("", [])


def _is_harder(entry: Entry) -> bool:
    """Return True for a cell beyond the main ones of its family."""
    labels = dict(entry.facts["labels"])
    family = FAMILIES[labels.pop("family")]
    levels = {name.removeprefix(RADICAL): level for name, level in labels.items()}
    return any(levels == dict(cell) for _, cell in harder_cells(family))


def low_end(entry: Entry) -> float:
    """Return the lower asymptote of a cell."""
    return float(1 / (1 + np.exp(-entry.values[2]))) if entry.kind == "4pl" else 0.0


def _by_level(family: str, here: pd.DataFrame, cells: Mapping[str, Entry]) -> LevelAnswers | None:
    """The answers by level; None for few answers, or levels that are no numbers."""
    radical, levels = main_radical([*cells.values()]) if cells else ("", [])
    if len(here) < FEW or len(levels) < 2 or not all(isinstance(v, int | float) for v in levels):
        return None
    at = np.array([cells[cell].facts["labels"][f"{RADICAL}{radical}"] for cell in here["cell"]])
    score: Floats = here["score"].to_numpy(float)
    answered_levels = [level for level in levels if (at == level).any()]
    # The lower asymptote that the calibration gives: what the format gives away.
    guess = float(np.mean([low_end(entry) for entry in cells.values()]))
    return LevelAnswers(
        family, radical, tuple(map(float, answered_levels)),
        tuple(float(score[at == level].sum()) for level in answered_levels),
        tuple(float((at == level).sum()) for level in answered_levels), guess,
    )  # fmt: skip


def _table(given: Sequence[LevelAnswers]) -> pd.DataFrame:
    rows = []
    for one, (p, supported, says) in zip(given, findings(given), strict=True):
        at = one.located
        rows.append({
            "family": one.family, "radical": one.radical, "threshold": at.threshold,
            "ci_lower": at.low, "ci_upper": at.high, "supported": supported,
            "n": int(sum(one.n_answers)), "right": sum(one.right), "p_falls": p, "says": says,
        })  # fmt: skip
    return pd.DataFrame(rows, columns=(*THRESHOLD_COLUMNS, "n", "right", "p_falls", "says"))


def _curves(given: Sequence[LevelAnswers]) -> pd.DataFrame:
    rows = []
    for one in given:
        fitted = one.located.fitted if len(one.levels) > 1 else [np.nan]
        rows += [
            {"family": one.family, "radical": one.radical, "level": level, "right": right,
             "n": answers, "fitted": float(value)}
            for level, right, answers, value in zip(
                one.levels, one.right, one.n_answers, fitted, strict=True)
        ]  # fmt: skip
    return pd.DataFrame(rows, columns=("family", "radical", "level", "right", "n", "fitted"))


def _tail(one: LevelAnswers, at: int, *, right: bool) -> float:
    """The chance of as many right (or wrong) answers at a level where accuracy is halfway."""
    hits, n = round(one.right[at]), round(one.n_answers[at])
    if right:
        return float(stats.binom.sf(hits - 1, n, one.halfway))
    return float(stats.binom.cdf(hits, n, one.halfway))


def _falls(one: LevelAnswers, at: Located) -> str:
    return (
        f"{_name(one)}: accuracy falls to halfway between ceiling and chance at "
        f"{_level(one.radical, at.threshold)} (95 % interval {at.low:.1f} to {at.high:.1f}; "
        f"{sum(one.n_answers):.0f} answers)"
    )


def _beyond(one: LevelAnswers, at: int, side: str, end: str) -> str:
    return (
        f"{_name(one)}: accuracy is {side} halfway between ceiling and chance at the {end} level "
        f"asked, {_level(one.radical, one.levels[at], 0)} ({one.right[at]:.0f} of "
        f"{one.n_answers[at]:.0f} answers right)"
    )


def _name(one: LevelAnswers) -> str:
    return one.family.replace("_", " ").capitalize()


def _level(radical: str, value: float, digits: int = 1) -> str:
    """A level with its unit: "0.4 shifts", "length 5.2"."""
    unit = radical.replace("_", " ")
    if unit.endswith("s") and f"{value:.{digits}f}" == "1":
        return f"1 {unit.removesuffix('s')}"
    if unit == "back":
        return f"{value:.{digits}f} back"
    return f"{value:.{digits}f} {unit}" if unit.endswith("s") else f"{unit} {value:.{digits}f}"
