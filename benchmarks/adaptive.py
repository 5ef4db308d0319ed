"""Adaptive against random selection at equal error, on observers and on stored items.

    python benchmarks/adaptive.py drawn --persons 1000 --write docs/evidence/benchmarks.md
    python benchmarks/adaptive.py stored FOLDER --write docs/evidence/benchmarks.md
    python benchmarks/adaptive.py extreme --persons 300 --write docs/evidence/benchmarks.md
    python benchmarks/adaptive.py spared --persons 10 --write docs/evidence/benchmarks.md
    python benchmarks/adaptive.py optimized --persons 120 --write docs/evidence/benchmarks.md

Adaptive is what `gfactor profile` does: the cell with the least expected posterior variance, of a
family that does not have its share yet. For observers see adaptive_observers.py.

drawn       answers drawn from the shipped calibrations, whose parameters, clones and effects of
            persons on families are drawn anew: the true ability is known, so that coverage and bias
            can be said.
stored      MMMU and MathVista from the responses of 24 models (M3IRT; FOLDER as in irt_m3irt.py):
            items calibrated on some model families, abilities of the left-out ones.
extreme     as drawn, adaptive only, abilities two standard deviations below and above the middle:
            what posterior means and Warm's estimates cover there.
spared      profiles of all abilities whose standard error is out of reach: what stopping there
            (`StopRule.least_fall`) spares, and what it costs.
optimized   as drawn, for every ability: adaptive tests against one fixed form of the same length,
            whose cells are chosen for the population (`best_form`).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from irt_m3irt import NAMES, read
from numpy.typing import NDArray
from pages import replace_section
from scipy import special

from gfactor.administration import Condition, Files
from gfactor.administration.adaptive import CellSequence, SequenceDesign
from gfactor.api.asking.administering import Presentation
from gfactor.api.asking.profile_results import without_prior
from gfactor.api.asking.profiling import IN_FLIGHT, ProfilePlan, window_of
from gfactor.api.inputs.reach import reach_of
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates, StopRule, choose
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses

Floats = NDArray[np.float64]
Step = tuple[float, float, int, int]
"""Estimate and standard error after an answer, the cell, and whether it was right."""
TARGET = 0.3
"""Standard error at which a test ends, in standard deviations of the calibrated population."""
DRAWN, MOST = 10, 100
"""Where answers are drawn: clones of each cell that can be asked, and most answers."""
ENOUGH = (0.2, 0.3, 0.4, 0.5, 0.6)
AHEAD = SequenceDesign.ahead
"""Questions that a family may have above its share in adaptive tests, as in a profile."""
WAYS = ("adaptive", "stratified", "random")


@dataclass(frozen=True)
class Bank:
    """Cells or items at the nodes of ability: expected shares (C, Q), the family of each, the
    population's mean 0 and standard deviation, and the variance of effects that answers to a family
    share."""

    p: Floats
    families: Sequence[str]
    nodes: Floats
    sd: float
    effects: float = 0.0

    def before(self) -> AbilityPosterior:
        """The prior."""
        return AbilityPosterior(self.nodes, 0.0, self.sd**2, testlet_variance=self.effects)


def bank_of(known: Calibration) -> Bank:
    """The cells of a calibration."""
    sd = float(np.sqrt(known.variance))
    nodes = np.linspace(-5, 5, 101) * float(np.hypot(sd, np.sqrt(known.testlet_variance)))
    families = [str(entry.facts["labels"]["family"]) for entry in known.entries]
    return Bank(known.probabilities(nodes), families, nodes, sd, known.testlet_variance)


def order_of(bank: Bank, left: NDArray[np.int_], rng: np.random.Generator) -> list[int]:
    """A stratified random order: every family once, in random order, before any comes again."""
    remaining = left.copy()
    found: list[int] = []
    groups = np.asarray(bank.families)
    while remaining.sum():
        for family in rng.permutation(sorted(set(groups[remaining > 0]))):
            here = np.flatnonzero((groups == family) & (remaining > 0))
            k = int(rng.choice(np.repeat(here, remaining[here])))
            remaining[k] -= 1
            found.append(k)
    return found


def best_form(bank: Bank, length: int) -> list[int]:
    """The cells of a fixed form: each next one lowers the posterior variance most that is expected
    over the population, of a family that does not have its share yet, as in an adaptive test.

    Answers to one family share an effect: n of them with information J are worth J / (1 + J v)
    with its variance v.
    """
    slope = np.gradient(bank.p, bank.nodes, axis=1)
    information = slope**2 / np.maximum(bank.p * (1 - bank.p), 1e-9)
    weights = np.exp(-((bank.nodes / bank.sd) ** 2) / 2)
    names = sorted(set(bank.families))
    home = np.array([names.index(name) for name in bank.families])
    gathered = np.zeros((len(names), len(bank.nodes)))
    left, counts = np.full(len(home), DRAWN), np.zeros(len(names), int)
    form: list[int] = []
    while len(form) < length and left.any():
        open_ = [n for n in range(len(names)) if left[home == n].any()]
        allowed = counts <= counts[open_].min() + AHEAD
        expected = np.full(len(home), np.inf)
        for k in np.flatnonzero((left > 0) & allowed[home]):
            tried = gathered.copy()
            tried[home[k]] += information[k]
            worth = (tried / (1 + bank.effects * tried)).sum(axis=0)
            expected[k] = (weights / (1 / bank.sd**2 + worth)).sum()
        best = int(expected.argmin())
        gathered[home[best]] += information[best]
        left[best] -= 1
        counts[home[best]] += 1
        form.append(best)
    return form


def optimized(ability: str, persons: int, lengths: Sequence[int], seed: int) -> list[str]:
    """Rows: errors at equal length, adaptive and of the best fixed form, and their difference."""
    known = shipped_calibrations([ability])[ability]
    bank, rng = bank_of(known), np.random.default_rng((seed, 3))
    answers, form = answering(known, bank), best_form(bank, max(lengths))
    truth = rng.normal(0, bank.sd, persons)
    estimates: dict[str, list[list[float]]] = {"adaptive": [], "fixed": []}
    for theta in truth:
        given = answers(theta, rng)
        for way, found in estimates.items():
            steps = run(bank, way, given, rng, len(form), order=form if way == "fixed" else ())
            found.append([steps[n - 1][0] for n in lengths])
    rows = []
    for k, n in enumerate(lengths):
        error = {
            way: ((np.array(found)[:, k] - truth) / bank.sd) ** 2
            for way, found in estimates.items()
        }
        gap = error["adaptive"] - error["fixed"]
        half = 1.96 * gap.std(ddof=1) / np.sqrt(persons)
        means = " | ".join(f"{np.sqrt(error[way].mean()):.3f}" for way in estimates)
        rows.append(
            f"| {ability} | {n} | {means} | {gap.mean():+.3f} "
            f"({gap.mean() - half:+.3f} to {gap.mean() + half:+.3f}) |"
        )
    return rows


def run(
    bank: Bank, way: str, answers: NDArray[np.int_], rng: np.random.Generator, most: int,
    until: float = 0.0, order: Sequence[int] = (),
) -> list[Step]:  # fmt: skip
    """Estimate and standard error after every answer, until one that small; `answers` (C, K) to the
    clones of each cell, which are asked in this order. `order` are the cells of a fixed form."""
    known, asked = bank.before(), np.zeros(len(answers), int)
    left = np.full(len(answers), answers.shape[1])
    fixed = list(order)
    if way == "stratified":
        fixed = order_of(bank, left, rng)
    elif way == "random":
        fixed = [int(k) for k in rng.permutation(np.repeat(np.arange(len(left)), left))]
    cells = Candidates(
        [str(k) for k in range(len(left))], ["theta"] * len(left), bank.p, families=bank.families
    )
    counts = dict.fromkeys(bank.families, 0)
    targets = dict.fromkeys(bank.families, 1.0) if way == "adaptive" else None
    steps = []
    for number in range(min(most, len(fixed) or answers.size)):
        if way in ("adaptive", "unbalanced"):
            k = choose(cells, {"theta": known}, allowed=asked < left, counts=counts,
                       targets=targets, ahead=AHEAD)  # fmt: skip
        else:
            k = fixed[number]
        right = int(answers[k, asked[k]])
        p = bank.p[k] if right else 1 - bank.p[k]
        asked[k] += 1
        counts[bank.families[k]] += 1
        known = known.updated(np.log(np.maximum(p, 1e-12)), bank.families[k])
        steps.append((known.theta, known.se, k, right))
        if known.se <= until:
            break
    return steps


def needed(steps: Sequence[Step], se: float) -> float:
    """Answers until the standard error is reached; NaN where it is not."""
    return next((k for k, (_, s, *_) in enumerate(steps, 1) if s <= se), float("nan"))


def ratio(first: Floats, second: Floats, seed: int = 1) -> str:
    """Share of answers saved, 1 - mean / mean, with a bootstrap interval over persons."""
    rng = np.random.default_rng(seed)
    lots = rng.integers(0, len(first), (2000, len(first)))
    spread = 1 - first[lots].mean(axis=1) / second[lots].mean(axis=1)
    low, high = np.quantile(spread, [0.025, 0.975])
    return f"{100 * (1 - first.mean() / second.mean()):.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def savings(paths: Mapping[str, list[list[Step]]], sd: float) -> list[str]:
    """Answers needed for several errors by every way, and what is saved; persons who do not reach
    an error with every way are left out of its row, and counted."""
    lines = [
        "| standard error (population SD) | persons who reach it | adaptive | stratified | random "
        "| saved against stratified (95 %) | against random (95 %) |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for error in ENOUGH:
        table = pd.DataFrame({w: [needed(s, error * sd) for s in paths[w]] for w in WAYS})
        both = table.dropna()
        if len(both) < 10:
            lines.append(f"| {error} | {len(both)} of {len(table)} | - | - | - | - | - |")
            continue
        n = {w: both[w].to_numpy(float) for w in WAYS}
        means = " | ".join(f"{n[w].mean():.1f}" for w in WAYS)
        lines.append(
            f"| {error} | {len(both)} of {len(table)} | {means} | "
            f"{ratio(n['adaptive'], n['stratified'])} | {ratio(n['adaptive'], n['random'])} |"
        )
    return lines


def equal_n(
    paths: Mapping[str, list[list[Step]]], truth: Floats, sd: float,
    counts: Sequence[int],
) -> list[str]:  # fmt: skip
    """Root mean squared difference from the truth (in SD) at equal n; paired differences."""
    lines = ["| answers | adaptive | stratified | random | adaptive - stratified, squared (95 %) |",
             "|---:|---:|---:|---:|---:|"]  # fmt: skip
    for n in counts:
        if any(len(s) < n for w in WAYS for s in paths[w]):
            continue
        error = {w: (np.array([s[n - 1][0] for s in paths[w]]) - truth) ** 2 / sd**2 for w in WAYS}
        gap = error["adaptive"] - error["stratified"]
        half = 1.96 * gap.std(ddof=1) / np.sqrt(len(gap))
        means = " | ".join(f"{np.sqrt(error[w].mean()):.3f}" for w in WAYS)
        lines.append(f"| {n} | {means} | {gap.mean():+.4f} ({gap.mean() - half:+.4f} to "
                     f"{gap.mean() + half:+.4f}) |")  # fmt: skip
    return lines


LEVELS = ((-9, -1.5), (-1.5, -0.5), (-0.5, 0.5), (0.5, 1.5), (1.5, 9), (-9, 9))
"""Of the true ability, in population SD; the last is everybody."""


def levels(truth: Floats) -> list[tuple[str, NDArray[np.bool_]]]:
    """Name and members of each level of the truth, in population SD, that has any."""
    names = {(-9, 9): "all", (-9, -1.5): "below -1.5", (1.5, 9): "1.5 and more"}
    groups = [
        (names.get((low, high), f"{low} to {high}"), (truth >= low) & (truth < high))
        for low, high in LEVELS
    ]
    return [(name, here) for name, here in groups if here.any()]


def coverage(estimate: Floats, se: Floats, truth: Floats, sd: float, other: Floats) -> list[str]:
    """Coverage of 95 % intervals, and bias, by level of the truth."""
    lines = ["| ability (SD) | persons | bias (SD) | mean SE (SD) | 95 % interval covers |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    inside = np.abs(estimate - truth) <= 1.96 * np.hypot(se, other)
    for name, here in levels(truth / sd):
        lines.append(
            f"| {name} | {here.sum()} | {_bias((estimate - truth)[here] / sd)} | "
            f"{se[here].mean() / sd:.3f} | {_share(inside[here])} |"
        )
    return lines


def both(
    estimate: Floats, se: Floats, alone: Floats, truth: Floats, sd: float
) -> list[str]:  # fmt: skip
    """Posterior means beside Warm's estimates and intervals, `alone` (P, 3), by level."""
    lines = ["| ability (SD) | persons | posterior mean: bias (SD) | covers | half its width (SD) "
             "| Warm: bias (SD) | covers | half its width (SD) |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    inside = np.abs(estimate - truth) <= 1.96 * se
    covers = (alone[:, 1] <= truth) & (truth <= alone[:, 2])
    half = (alone[:, 2] - alone[:, 1]) / 2 / sd
    for name, here in levels(truth / sd):
        lines.append(
            f"| {name} | {here.sum()} | {_bias((estimate - truth)[here] / sd)} | "
            f"{_share(inside[here])} | {1.96 * np.median(se[here]) / sd:.2f} | "
            f"{_bias((alone[:, 0] - truth)[here] / sd)} | {_share(covers[here])} | "
            f"{np.median(half[here]):.2f} |"
        )
    return lines


def _bias(away: Floats) -> str:
    return f"{away.mean():+.3f} ± {1.96 * away.std() / np.sqrt(len(away)):.3f}"


def ends(paths: list[list[Step]], target: float) -> tuple[Floats, Floats, NDArray[np.int_]]:
    """Estimate, standard error and number where each test ends."""
    last = [int(n) if np.isfinite(n := needed(s, target)) else len(s) for s in paths]
    at = np.array([s[n - 1][:2] for s, n in zip(paths, last, strict=True)])
    return at[:, 0], at[:, 1], np.array(last)


def reported(
    known: Calibration, bank: Bank, steps: Sequence[Step], n: int
) -> tuple[float, tuple[float, ...]]:  # fmt: skip
    """What the errors of the calibration add to the standard error of the first n answers; Warm's
    estimate from them with its interval."""
    names = [f"{number}" for number in range(n)]
    scores = pd.DataFrame([[float(right) for *_, right in steps[:n]]], columns=names)
    asked = [known.entries[k].name for *_, k, _ in steps[:n]]
    table = score_responses(known, scores, dict(zip(names, asked, strict=True))).table
    error = float(table["se_calibration"].iloc[0])
    cells = [k for *_, k, _ in steps[:n]]
    families, posterior = [bank.families[k] for k in cells], bank.before()
    for (*_, k, right), family in zip(steps[:n], families, strict=True):
        p = bank.p[k] if right else 1 - bank.p[k]
        posterior = posterior.updated(np.log(np.maximum(p, 1e-12)), family)
    return error, tuple(without_prior(posterior, bank.p[cells], families, error).values())


def answering(
    known: Calibration, bank: Bank
) -> Callable[[float, np.random.Generator], NDArray[np.int_]]:
    """Draws the answers of a person with an ability to `DRAWN` clones of every cell, (C, K).

    Every person meets other errors of the calibration and other clones.
    """
    values, vectors = np.linalg.eigh(known.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    guess = np.array([special.expit(e.values[2]) if e.kind == "4pl" else 0 for e in known.entries])
    row = {name: k for k, name in enumerate(known.labels) if name.endswith(".d")}
    sd = np.array([e.clone_sd for e in known.entries])
    names = sorted(set(bank.families))
    of_cell = np.array([names.index(name) for name in bank.families])

    def answers(theta: float, rng: np.random.Generator) -> NDArray[np.int_]:
        moved = root @ rng.normal(size=len(values))
        d = np.array([e.values[1] + moved[row[f"{e.name}.d"]] for e in known.entries])
        effects = rng.normal(0, np.sqrt(bank.effects), len(names))[of_cell]
        clones = -d[:, None] + sd[:, None] * rng.normal(size=(len(d), DRAWN))
        p = guess[:, None] + (1 - guess[:, None]) * special.expit(theta + effects[:, None] - clones)
        return (rng.random(p.shape) < p).astype(int)

    return answers


def extreme(ability: str, persons: int, seed: int) -> list[str]:
    """Rows of `both` for persons two standard deviations below and above the middle."""
    known = shipped_calibrations([ability])[ability]
    bank, rng = bank_of(known), np.random.default_rng((seed, 2))
    answers = answering(known, bank)
    truth = bank.sd * np.repeat([-2.0, 2.0], persons // 2)
    target = TARGET * bank.sd
    tests = [run(bank, "adaptive", answers(at, rng), rng, MOST, target) for at in truth]
    theta, se, n = ends(tests, target)
    said = [reported(known, bank, s, k) for s, k in zip(tests, n, strict=True)]
    more, alone = np.array([e for e, _ in said]), np.array([a for _, a in said])
    head, line, *rows = both(theta, np.hypot(se, more), alone, truth, bank.sd)
    names = (f"{ability}, -2", f"{ability}, +2")
    rows = [f"| {name} |{row.split('|', 2)[2]}" for name, row in zip(names, rows, strict=False)]
    return [head, line, *rows]


def drawn(ability: str, persons: int, compared: int, seed: int) -> list[str]:
    """Answers drawn from a shipped calibration, its errors, its clones and its effects.

    The first `compared` persons are asked in every way, the others adaptively until the target.
    """
    known = shipped_calibrations([ability])[ability]
    bank = bank_of(known)
    rng, answers = np.random.default_rng(seed), answering(known, bank)
    paths: dict[str, list[list[Step]]] = {way: [] for way in WAYS}
    truth = rng.normal(0, bank.sd, persons)
    last = []
    for person, theta in enumerate(truth):
        given = answers(theta, rng)
        if person >= compared:
            last.append(run(bank, "adaptive", given, rng, MOST, TARGET * bank.sd))
            continue
        for number, way in enumerate(WAYS):
            lots = np.random.default_rng((seed, person, number))
            paths[way].append(run(bank, way, given, lots, MOST))
    tests = [*paths["adaptive"], *last]
    theta, se, n = ends(tests, TARGET * bank.sd)
    said = [reported(known, bank, s, k) for s, k in zip(tests, n, strict=True)]
    more, alone = np.array([e for e, _ in said]), np.array([a for _, a in said])
    return [
        f"**{ability}.** {persons} abilities from the population of the shipped calibration "
        f"({len(bank.p)} cells, {len(set(bank.families))} families; standard deviation of ability "
        f"{bank.sd:.2f}, of effects on families {np.sqrt(bank.effects):.2f} logits); for each "
        "person the cells' difficulties are drawn with their joint error, clones of each cell "
        f"with its spread, and effects on families; tests of at most {MOST} answers. The first "
        f"{compared} persons were asked in every way.", "", *savings(paths, bank.sd), "",
        "Root mean squared error in population SD at equal n:", "",
        *equal_n(paths, truth[:compared], bank.sd, (10, 20, 40, 80)), "",
        f"Adaptive tests of all {persons} end at {TARGET} SD, or after {MOST} answers "
        f"({int((se > TARGET * bank.sd).sum())} persons); {n.mean():.1f} answers on average. Bias "
        "is that of a posterior mean, towards the population's mean. Given the parameters "
        f"{_share(np.abs(theta - truth) <= 1.96 * se)} of the intervals cover; with the errors of "
        "the calibration in the standard error, as `gfactor profile` gives it, and beside it "
        "Warm's estimate with the interval of the weighted likelihood (`wle` of a profile), in "
        "which the population has no part; widths are medians:", "",
        *both(theta, np.hypot(se, more), alone, truth, bank.sd), "",
    ]  # fmt: skip


def _share(inside: NDArray[np.bool_]) -> str:
    half = 1.96 * np.sqrt(inside.mean() * (1 - inside.mean()) / len(inside))
    return f"{100 * inside.mean():.1f} % ± {100 * half:.1f}"


FOLDS = (("gpt",), ("gemini",), ("haiku", "sonnet"), ("",))
"""How the names of the models of each left-out group begin; the last group is the rest."""


def fold_of(model: str) -> int:
    """The group of a model."""
    return next(k for k, starts in enumerate(FOLDS) if model.startswith(starts))


def calibrated(data: pd.DataFrame) -> tuple[pd.DataFrame, float]:
    """Rasch difficulties `b` with errors `se_b` of the items that vary, and the SD of ability.

    Responses are complete, so that items with equal sums have equal estimates: they are held equal,
    which leaves at most one parameter for each number of models.
    """
    sums: Any = data.sum(axis=0)
    inner = data.loc[:, ((sums > 0) & (sums < len(data))).to_numpy()]
    sums = inner.sum(axis=0)
    groups = [list(inner.columns[(sums == s).to_numpy()]) for s in sorted(set(sums))]
    equal = [[f"{item}.d" for item in group] for group in groups if len(group) > 1]
    fit = fit_irt("rasch", inner, constraints=equal)
    items: Any = fit.items.set_index("item")[["b", "se_b"]]
    # The error of an item's own difficulty, not that of its group's.
    size = {item: len(group) for group in groups for item in group}
    items["se_b"] *= np.sqrt([size[str(item)] for item in items.index])
    return items, float(np.sqrt(fit.optimum.x[-1]))


def stored(folder: Path, seed: int) -> list[str]:
    """Replay of stored responses of models whose family was left out of the calibration."""
    lines = []
    z, weights = np.polynomial.hermite_e.hermegauss(11)
    for name, title in NAMES.items():
        data: Any = read(folder, name)
        groups = np.array([fold_of(str(model)) for model in data.index])
        paths: dict[str, list[list[Step]]] = {way: [] for way in WAYS}
        truth, scale = [], []
        for fold in range(len(FOLDS)):
            items, sd = calibrated(data.loc[groups != fold])
            nodes = np.linspace(-5, 5, 101) * sd
            b = items["b"].to_numpy(float)[:, None] + items["se_b"].to_numpy(float)[:, None] * z
            p = special.expit(nodes[None, :, None] - b[:, None, :]) @ (weights / weights.sum())
            strata = [_stratum(str(item), row) for item, row in zip(items.index, b, strict=True)]
            bank, left_out = Bank(p, strata, nodes, sd), data.loc[groups == fold, items.index]
            for number, (_, row) in enumerate(left_out.iterrows()):
                right = row.to_numpy(int)
                whole = bank.before().updated(
                    np.where(right[:, None] == 1, np.log(p), np.log1p(-p)).sum(axis=0)
                )
                truth.append(whole.theta / sd)
                scale.append(sd)
                for way in WAYS:
                    lots = np.random.default_rng((seed, fold, number))
                    # A subject has too few items at a model's level to be held to its share.
                    chosen = "unbalanced" if way == "adaptive" else way
                    steps = run(bank, chosen, right[:, None], lots, 250)
                    paths[way].append([(t / sd, s / sd, k, x) for t, s, k, x in steps])
        lines += [
            f"**{title}.** {len(data)} models, {data.shape[1]} items; SD of ability "
            f"{np.mean(scale):.2f} logits.", "", *savings(paths, 1.0), "",
            "Root mean squared difference from the ability that all items give (SD):", "",
            *equal_n(paths, np.array(truth), 1.0, (25, 50, 100, 200)), "",
        ]  # fmt: skip
    return lines


def _stratum(item: str, difficulties: Floats) -> str:
    """The subject of an MMMU item; of MathVista, whose items have numbers only, the difficulty in
    whole logits."""
    subject = item.removeprefix("validation_").rsplit("_", 1)[0]
    return subject if not subject.isdecimal() else f"{np.mean(difficulties):.0f}"


def spared(persons: int, seed: int) -> list[str]:
    """Profiles that stop where the error is out of reach, against those that go on."""
    calibrations = shipped_calibrations()
    lines = [
        f"{persons} persons, abilities and effects on families from the shipped calibrations, the "
        "same persons in every row; `--se 0.25`. Answers and standard errors (SD) are means; "
        "in parentheses the answers to each ability.", "",
        "| most items | least fall over ten answers | answers | "
        + " | ".join(calibrations) + " | stopped out of reach |",
        "|---:|---:|---:|" + "---:|" * (len(calibrations) + 1),
    ]  # fmt: skip
    for most in (400, 1000):
        for fall in (0.0, StopRule.least_fall):
            plan = ProfilePlan(
                calibrations, StopRule(se=0.25, max_items=most, least_fall=fall),
                window_of(reach_of({}))[1], IN_FLIGHT, seed, False, "en",
                Presentation(Condition(), Files(()), None), 1,
            )  # fmt: skip
            ran = [_profiled(plan.design, np.random.default_rng((seed, k))) for k in range(persons)]
            each = [
                f"{np.mean([one[0][name].se for one in ran]) / known.variance**0.5:.2f} "
                f"({np.mean([one[2][name] for one in ran]):.0f})"
                for name, known in calibrations.items()
            ]  # fmt: skip
            total = np.mean([sum(one[2].values()) for one in ran])
            short = np.mean([why == "se_unreachable" for one in ran for why in one[1].values()])
            lines.append(f"| {most} | {100 * fall:.0f} % | {total:.0f} | " + " | ".join(each)
                         + f" | {100 * short:.0f} % |")  # fmt: skip
    return lines


def _profiled(
    design: SequenceDesign, rng: np.random.Generator
) -> tuple[Mapping[str, AbilityPosterior], Mapping[str, str], Counter[str]]:
    """Posteriors, reasons and answers of a profile of one drawn person."""
    cells, sequence = design.candidates, CellSequence(design)
    truth = {name: rng.normal(0, prior.variance**0.5) for name, prior in design.priors.items()}
    effects = {
        family: rng.normal(0, design.priors[ability].testlet_variance ** 0.5)
        for family, ability in sorted(set(zip(cells.groups, cells.abilities, strict=True)))
    }
    while (step := sequence.next()) is not None:
        ability, family = cells.abilities[step.cell], cells.groups[step.cell]
        nodes = design.priors[ability].nodes
        p = np.interp(truth[ability] + effects[family], nodes, cells.probabilities[step.cell])
        step.score, step.settled = float(rng.random() < p), True
        sequence.steps.append(step)
    return *sequence.outcome(), Counter(str(cells.abilities[s.cell]) for s in sequence.steps)


def section(title: str, command: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {title}", "", f"`{command}`.", "", *lines, ""])


TITLES = {
    "drawn": "Adaptive testing where the true ability is known",
    "stored": "Adaptive testing on stored items: MMMU and MathVista",
    "extreme": "Adaptive testing: intervals of extreme abilities",
    "spared": "Adaptive testing: errors that are out of reach",
    "optimized": "Adaptive testing against an optimized fixed form",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=list(TITLES))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--persons", type=int, default=1000)
    parser.add_argument("--compared", type=int, default=150, help="persons asked in every way")
    parser.add_argument("--abilities", nargs="*", default=("Gf", "Gv", "Gwm"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    command = f"python benchmarks/adaptive.py {given.step}"
    if given.step == "drawn":
        command += f" --persons {given.persons} --compared {given.compared}"
        lines = [
            line for name in given.abilities
            for line in drawn(name, given.persons, given.compared, given.seed)
        ]  # fmt: skip
    elif given.step == "extreme":
        command += f" --persons {given.persons}"
        parts = [extreme(name, given.persons, given.seed) for name in given.abilities]
        lines = [*parts[0][:2], *(row for part in parts for row in part[2:]), ""]
    elif given.step == "optimized":
        command += f" --persons {given.persons}"
        lines = [
            "| ability | answers | adaptive | fixed form | adaptive - fixed, squared (95 %) |",
            "|---|---:|---:|---:|---:|",
            *(
                row
                for name in sorted(shipped_calibrations())
                for row in optimized(name, given.persons, (15, 30), given.seed)
            ),
            "",
        ]
    elif given.step == "spared":
        command += f" --persons {given.persons}"
        lines = [*spared(given.persons, given.seed), ""]
    else:
        lines = stored(given.folder, given.seed)
    text = section(TITLES[given.step], command, lines)
    print(text)
    if given.write:
        replace_section(given.write, f"## {TITLES[given.step]}", text)


if __name__ == "__main__":
    main()
