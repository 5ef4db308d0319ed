"""The fitted psychometric functions of accuracy against size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gfactor.benchmarks import BENCHMARKS
from gfactor.frames import column, distinct, pick
from gfactor.psychometrics import fit_curves
from gfactor.psychometrics.psychophysics.curves import LAPSE_MAX, LAPSE_PRIOR
from gfactor.reports.answers.accuracy import in_order
from gfactor.reports.answers.group_rates import own_rows
from gfactor.reports.answers.results import POOLED, Results
from gfactor.reports.table_registry import Table, table

NOTES = (
    "Accuracy at size s is guess + (1 - guess - lapse) / (1 + exp(slope (s - threshold))). The "
    "guess rate is fixed at chance, for Percept-V at the chance of a guesser who knows the size "
    "(the column holds its mean), which is above the chance in the tables of accuracy: there the "
    "guesser knows the domain alone. The lapse rate is sought from 0 to "
    f"{100 * LAPSE_MAX:.0f} % with a beta prior ({LAPSE_PRIOR[0]:g}, {LAPSE_PRIOR[1]:g}); a weak "
    "prior holds the slope. At the threshold accuracy is halfway between its ceiling and chance.",
    "Brackets: 95 % profile likelihood intervals; for the "
    f"{POOLED}, percentiles of {{n_bootstrap}} resamples of the observers. With < or > a threshold "
    "lies outside the sizes given; an end of an interval that equals the smallest or largest size "
    "means: there or outside.",
    "p fit: bootstrap p-value of the deviance. Below 0.05 (flag: poor fit) the points scatter more "
    "than independent answers would, as they do where items of one size differ or observers do.",
)


MOST_GUESSED = 0.6
"""Sizes at which chance lies above this are left out of a fit."""


@table("psychometric_functions", section="curves", order=41, needs=("domain", "size"))
def psychometric_functions(results: Results) -> Table | None:
    """Tabulate threshold, slope and lapse rate in every domain: ideal, models, pooled
    population."""
    sizes = np.array(distinct(results.answers, "size"), float)
    if len(sizes) < 2:
        return None
    parts = [_fits(results, ["ideal", "model"], sizes), _fits(results, ["population"], sizes)]
    parts = [part for part in parts if part is not None]
    if not parts:
        return None
    frame = in_order(results, pd.concat(parts, ignore_index=True), ["domain"])
    return Table(
        "Psychometric functions by domain",
        frame,
        percent=("guess", "lapse"),
        headings={"label": "examinee", "p_fit": "p fit", "guess": "guess rate"},
        censored={"threshold": "censored"},
        notes=tuple(note.replace("{n_bootstrap}", str(results.n_bootstrap)) for note in NOTES),
    )


def _fits(results: Results, roles: list[str], sizes: np.ndarray) -> pd.DataFrame | None:
    """Fits by domain and examinee; the population's with its members as people."""
    counted = own_rows(results)
    rows = pick(counted, counted["role"].isin(roles)).dropna(subset=["size"])
    if rows.empty:
        return None
    pooled = roles == ["population"]
    person = rows["label"]
    conditions = len(distinct(rows, "condition")) > 1
    name = POOLED + (" [" + rows["condition"].astype(str) + "]" if conditions else "")
    rows = rows.assign(person=person, label=name if pooled else person)
    fitted = []
    for label, group in rows.groupby("label", sort=True):
        people = distinct(group, "person")
        domains = distinct(group, "domain")
        right, answers = _counts(group, domains, people, sizes)
        guess = guesses(group, domains, sizes)
        # If nearly everything is right by chance, answers say nothing of the examinee.
        below_most_guessed = (guess <= MOST_GUESSED)[:, None, :]
        fits = fit_curves(
            right * below_most_guessed, answers * below_most_guessed, sizes,
            np.minimum(guess, MOST_GUESSED),
            n_bootstrap=results.n_bootstrap, level=results.level, seed=results.seed,
        )  # fmt: skip
        fitted.append(fits.table.drop(columns="sizes").assign(domain=domains, label=label))
    frame = pd.concat(fitted, ignore_index=True)
    return pick(frame, ["domain", "label", *frame.columns[:-2]])


def guesses(rows: pd.DataFrame, domains: list[str], sizes: np.ndarray) -> np.ndarray:
    """Return chance levels as domains x sizes: the benchmark's own, or else the domain's."""
    means: Any = rows.groupby("domain")["chance"].mean()
    levels = means.reindex(domains).fillna(0.0)
    guess = np.tile(levels.to_numpy(float)[:, None], len(sizes))
    names = set(map(str, distinct(rows, "benchmark"))) if "benchmark" in rows else set()
    chances = {name: BENCHMARKS[name].chance for name in names if name in BENCHMARKS}
    if not any(chances.values()):
        return guess
    benchmarks: Any = rows.groupby("domain")["benchmark"].first()
    for i, domain in enumerate(domains):
        chance_of = chances.get(str(benchmarks.get(domain, "")))
        for j, size in enumerate(sizes):
            level = chance_of(domain, float(size)) if chance_of else None
            guess[i, j] = guess[i, j] if level is None else level
    return guess


def guess_at(domain: str, sizes: np.ndarray, level: float) -> np.ndarray:
    """Return the chance level at each size, interpolated between whole sizes; `level` if the
    benchmark does not define it."""
    whole = np.arange(np.floor(sizes.min()), np.ceil(sizes.max()) + 1)
    for benchmark in BENCHMARKS.values():
        if benchmark.chance is not None:
            levels = [benchmark.chance(domain, float(size)) for size in whole]
            if None not in levels:
                return np.interp(sizes, whole, np.minimum(np.array(levels, float), MOST_GUESSED))
    return np.full(sizes.shape, level)


def _counts(
    rows: pd.DataFrame, domains: list[str], people: list[str], sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of right and of all answers, as domains x people x sizes."""
    shape = len(domains), len(people), len(sizes)
    names = {"domain": domains, "person": people, "size": sizes}
    at = [pd.Index(values).get_indexer(column(rows, name)) for name, values in names.items()]
    correct = column(rows, "correct").to_numpy(float)
    there = np.isfinite(correct) & (np.min(at, axis=0) >= 0)
    cells = np.ravel_multi_index([codes[there] for codes in at], shape)
    right = np.bincount(cells, correct[there], int(np.prod(shape)))
    return right.reshape(shape), np.bincount(cells, minlength=right.size).reshape(shape)
