"""The engine of adaptive testing: questions in flight, the price of clones, time per choice.

    OMP_NUM_THREADS=1 python benchmarks/adaptive_engine.py [--seed 1] \
        [--write docs/evidence/benchmarks.md]

All examinees are drawn from the prior and answer by the model, so that what differs is the engine:
how many questions are in flight when the next one is chosen, and whether the curve of a cell is
that of its mean difficulty or the integral over its clones.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from pages import replace_section
from scipy import special

from gfactor.administration import Condition, Materials
from gfactor.administration.presenting.rendering import render
from gfactor.benchmarks import chc
from gfactor.benchmarks.chc.cells import CellItems, DesignCell
from gfactor.benchmarks.chc.main_radicals import main_cells
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates, choose, in_flight
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry

MARKER = "## Adaptive testing: the engine"
NODES = np.linspace(-6, 6, 121)
FAMILIES, CELLS, IN_FLIGHT = 6, 15, 8
STOPS = (10, 20, 40)
SPREADS = (0.0, 0.5, 1.0, 1.5)


def calibration(slope: float, clone_sd: float, families: int = FAMILIES) -> Calibration:
    """Cells of equal difficulties in every family."""
    entries = tuple(
        Entry(
            f"family={f},size={k}", "2pl", (0.0, 1.0), (slope, -slope * float(b)), clone_sd,
            {"labels": {"family": f"f{f}", "size": k}},
        )
        for f in range(families)
        for k, b in enumerate(np.linspace(-3, 3, CELLS))
    )  # fmt: skip
    return Calibration("design", "rasch", entries, (), np.zeros((0, 0)))


def candidates(known: Calibration) -> Candidates:
    """All cells measure one ability."""
    families = [str(entry.facts["labels"]["family"]) for entry in known.entries]
    names = [entry.name for entry in known.entries]
    return Candidates(
        names, ["g"] * len(names), known.probabilities(NODES), families=families
    )  # fmt: skip


def administered(
    known: Calibration, cells: Candidates, curves: np.ndarray, theta: float,
    flight: Callable[[int], int], rng: np.random.Generator,
) -> list[AbilityPosterior]:  # fmt: skip
    """The posterior after every answer; `curves` are those that score, clones those that answer."""
    posterior, posteriors = AbilityPosterior(NODES), []
    targets = dict.fromkeys(cells.groups, 1.0)
    counts = dict.fromkeys(targets, 0)
    flying: list[int] = []
    for answered in range(STOPS[-1]):
        while len(flying) < flight(answered):
            cell = choose(
                cells, {"g": posterior}, pending=flying, counts=counts, targets=targets
            )  # fmt: skip
            counts[cells.groups[cell]] += 1
            flying.append(cell)
        # Replies come back in any order.
        cell = flying.pop(int(rng.integers(len(flying))))
        entry = known.entries[cell]
        z = entry.values[0] * (theta - entry.clone_sd * rng.normal()) + entry.values[1]
        p = curves[cell] if rng.uniform() < special.expit(z) else 1 - curves[cell]
        posterior = posterior.updated(np.log(p))
        posteriors.append(posterior)
    return posteriors


def batches(seed: int, examinees: int) -> list[str]:
    """Standard errors at equal n: one at a time, growing to eight in flight, and always eight."""
    lines = [
        "| slope | answers | one at a time | growing to 8 | ratio (95 % interval) | always 8 "
        "| ratio (95 % interval) |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for slope in (1.0, 2.0):
        known = calibration(slope, 0.3)
        cells = candidates(known)
        errors = np.zeros((3, examinees, len(STOPS)))
        for person in range(examinees):
            theta = float(np.random.default_rng([seed, person]).normal())
            for k, flight in enumerate((lambda n: 1, in_flight, lambda n: IN_FLIGHT)):
                rng = np.random.default_rng([seed, person, k])
                steps = administered(known, cells, cells.probabilities, theta, flight, rng)
                errors[k, person] = [steps[n - 1].se for n in STOPS]
        for s, n in enumerate(STOPS):
            one, growing, always = errors[:, :, s].mean(axis=1)
            lines.append(
                f"| {slope:g} | {n} | {one:.3f} | {growing:.3f} | {_ratio(errors[:2, :, s])} | "
                f"{always:.3f} | {_ratio(errors[::2, :, s])} |"
            )
    return lines


def _latencies(answers: int) -> float:
    return sum(1 / in_flight(n) for n in range(answers))


def _ratio(errors: np.ndarray) -> str:
    """The second mean over the first, with the interval of the paired difference."""
    one = errors[0].mean()
    away = errors[1] - errors[0]
    half = 1.96 * away.std(ddof=1) / np.sqrt(len(away)) / one
    ratio = errors[1].mean() / one
    return f"{ratio:.3f} ({ratio - half:.3f} to {ratio + half:.3f})"


def clones(seed: int, examinees: int) -> list[str]:
    """Coverage of 95 % intervals by the curve that scores."""
    lines = [
        "| clone SD, logits | curve | coverage of 95 % intervals | SE | RMSE |",
        "|---:|---|---:|---:|---:|",
    ]
    plain = candidates(calibration(1.0, 0.0))
    for spread in SPREADS:
        known = calibration(1.0, spread)
        for name, cells in (("at the mean difficulty", plain), ("integrated", candidates(known))):
            if not spread and name != "integrated":
                continue
            inside, errors, away = 0, [], []
            for person in range(examinees):
                theta = float(np.random.default_rng([seed, person]).normal())
                rng = np.random.default_rng([seed, person, 9])
                last = administered(known, cells, cells.probabilities, theta, lambda n: 1, rng)[-1]
                low, high = last.interval()
                inside += low <= theta <= high
                errors.append(last.se)
                away.append(last.theta - theta)
            low, high = (float(x) for x in wilson(inside, examinees))
            lines.append(
                f"| {spread:g} | {name} | {inside / examinees:.3f} ({low:.3f} to {high:.3f}) | "
                f"{np.mean(errors):.3f} | {np.sqrt(np.mean(np.square(away))):.3f} |"
            )
    return lines


def chosen(calls: int) -> np.ndarray:
    """CPU time, in ms, of choices among 24 families x 50 cells, 8 in flight, answers to a family
    sharing an effect."""
    rng = np.random.default_rng(0)
    b = np.tile(np.linspace(-3, 3, 50), 24)
    curves = special.expit(NODES - b[:, None])
    families = [f"f{k // 50}" for k in range(1200)]
    cells = Candidates([str(k) for k in range(1200)], ["g"] * 1200, curves, families=families)
    targets = dict.fromkeys(families, 1.0)
    posterior = AbilityPosterior(NODES, testlet_variance=1.0)
    for k in (600, 100, 1100):
        posterior = posterior.updated(np.log(curves[k]), families[k])
    taken = []
    for _ in range(calls):
        pending = rng.integers(0, 1200, 7).tolist()
        start = time.process_time()
        choose(cells, {"g": posterior}, pending=pending, counts={}, targets=targets)
        taken.append(1000 * (time.process_time() - start))
    return np.array(taken)


def overhead(calls: int, each: int) -> list[str]:
    """CPU time of a choice, and of making the item: generated, drawn, encoded and put to the
    examinee as a question."""
    choice = chosen(calls)
    middle, high = np.quantile(choice, [0.5, 0.95])
    lines = [
        "**Time.** One choice among 24 families x 50 cells with 7 in flight, content balance and "
        f"effects on families: {middle:.1f} ms of CPU (95 % of {calls} choices below {high:.1f} "
        "ms); at most 20 ms are allowed. With the item generated, drawn, encoded and put as a "
        f"question ({each} items of every family's main cells, the first of each family left out; "
        "at most 40 ms are wanted):", "",
        "| ability | families | items | choice and item, ms of CPU (median) | 95 % below | "
        "above 40 ms | slowest family (median) |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]  # fmt: skip
    taken: dict[str, dict[str, list[float]]] = {}
    materials, condition = Materials(), Condition()
    for name, family in chc.FAMILIES.items():
        maker = CellItems(1, "en", "picture")
        levels = main_cells(family)
        for number in range(each + 1):
            cell = DesignCell(name, {k: (v,) for k, v in levels[number % len(levels)].items()},
                        family.answer_types[0])  # fmt: skip
            start = time.process_time()
            render(maker.item(f"{name} {number % len(levels)}", cell, number // len(levels)),
                   condition, materials)  # fmt: skip
            spent = 1000 * (time.process_time() - start) + middle
            if number:
                taken.setdefault(family.broad, {}).setdefault(name, []).append(spent)
    for ability in [*sorted(taken), "all"]:
        parts = taken.get(ability) or {k: v for one in taken.values() for k, v in one.items()}
        every = np.concatenate([np.array(v) for v in parts.values()])
        slow = max(parts, key=lambda name: float(np.median(parts[name])))
        median, top = np.quantile(every, [0.5, 0.95])
        lines.append(
            f"| {ability} | {len(parts)} | {len(every)} | {median:.1f} | {top:.1f} | "
            f"{100 * np.mean(every > 40):.1f} % | {slow} ({np.median(parts[slow]):.1f}) |"
        )
    return lines


def text(seed: int, examinees: int) -> str:
    """The section of docs/evidence/benchmarks.md."""
    day = datetime.now(UTC).date().isoformat()
    return "\n".join([
        MARKER, "",
        f"`python benchmarks/adaptive_engine.py --seed {seed}`, {day}. Simulated: {FAMILIES} "
        f"families of {CELLS} cells, equal targets, abilities from the standard normal prior, "
        "minimum expected posterior variance, answers by clones of the cells.", "",
        f"**Questions in flight** ({examinees} examinees, clone SD 0.3). Mean standard error at "
        "equal numbers of answers; replies come back in any order; intervals are paired. "
        "`adaptive.in_flight` lets one more question be in flight for every two answers, up to "
        f"eight: {_latencies(40):.1f} latencies for 40 answers, {_latencies(400):.0f} for 400.", "",
        *batches(seed, examinees), "",
        f"**Clones** ({4 * examinees} examinees, {STOPS[-1]} answers, slope 1). The curve at the "
        "mean difficulty of a cell claims more than its items hold; the integral over clones does "
        "not.", "",
        *clones(seed, 4 * examinees), "",
        *overhead(200, 12), "",
    ])  # fmt: skip


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examinees", type=int, default=150)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    written = text(given.seed, given.examinees)
    print(written)
    if given.write:
        replace_section(given.write, MARKER, written)


if __name__ == "__main__":
    main()
