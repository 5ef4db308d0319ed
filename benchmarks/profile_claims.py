"""What a profile says where there is nothing to say, and what its default reaches.

    python benchmarks/profile_claims.py findings --persons 200 --write docs/evidence/benchmarks.md
    python benchmarks/profile_claims.py claims --persons 40 --write docs/evidence/benchmarks.md
    python benchmarks/profile_claims.py default --persons 20 --write docs/evidence/benchmarks.md

findings    examinees whose accuracy does not depend on the level: how many get a sentence about
            where it falls. Adaptive tests of all abilities by the shipped calibrations.
claims      examinees of the calibrated population, and one with .97 in number and logic families
            and .45 in all others: how many get a claim in reasoning, by the number of answers, by
            the three checks of fit and the power that a profile asks for.
default     drawn examinees profiled with the defaults: how many reach the standard error.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from adaptive import _profiled, section
from pages import replace_section

from gfactor.administration import Condition, Files
from gfactor.administration.adaptive import SequenceDesign
from gfactor.administration.adaptive.sequence import CellSequence
from gfactor.api.asking.administering import Presentation
from gfactor.api.asking.profile_thresholds import thresholds_of
from gfactor.api.asking.profiling import DEFAULT_SE, IN_FLIGHT, ProfilePlan, window_of
from gfactor.api.inputs.reach import reach_of
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, StopRule
from gfactor.psychometrics.irt.checks.misfit_power import EXCLUDED, family_differences
from gfactor.psychometrics.irt.checks.profile_fit import DRIFT, adjusted, family_fit, person_fit

NUMBER_AND_LOGIC = (
    "number_grids", "number_series", "balance_puzzles", "bills_and_plans", "if_then", "syllogisms",
    "transitive_relations",
)  # fmt: skip
TITLES = {
    "findings": "Profiles: sentences where accuracy is the same at all levels",
    "claims": "Profiles: claims need power",
    "default": "Profiles: what the default standard error takes",
}


def design_of(rule: StopRule, abilities: Sequence[str] = ()) -> SequenceDesign:
    """What chooses the questions of a profile."""
    return ProfilePlan(
        shipped_calibrations(abilities), rule, window_of(reach_of({}))[1], IN_FLIGHT, 0,
        False, "en", Presentation(Condition(), Files(()), None), 1,
    ).design  # fmt: skip


def findings(persons: int, seed: int, most: Sequence[int]) -> list[str]:
    """Rows by the number of items: how many examinees of flat accuracy get a sentence."""
    entries = {
        f"{ability}: {entry.name}": entry
        for ability, known in shipped_calibrations().items() for entry in known.entries
    }  # fmt: skip
    lines = ["| items | accuracy | examinees | with a sentence about where accuracy falls |",
             "|---:|---:|---:|---:|"]  # fmt: skip
    for items in most:
        design = design_of(StopRule(max_items=items))
        cells = design.candidates
        for accuracy in (0.5, 0.8):
            rng, told = np.random.default_rng((seed, items, round(10 * accuracy))), 0
            for _ in range(persons):
                sequence, rows = CellSequence(design), []
                while (step := sequence.next()) is not None:
                    step.score, step.settled = float(rng.random() < accuracy), True
                    sequence.steps.append(step)
                    rows.append((cells.groups[step.cell], cells.names[step.cell], step.score))
                answers = pd.DataFrame(rows, columns=["family", "cell", "score"])
                told += bool(thresholds_of(answers, entries)[0]["supported"].any())
            got = np.arange(persons) < told
            lines.append(f"| {items} | {accuracy} | {persons} | {share(got)} |")
    return lines


def checked(
    answers: Sequence[tuple[str, np.ndarray, float]], prior: AbilityPosterior, unit: float
) -> tuple[float, bool, bool]:
    """Power of the families' test, and whether a profile would say misfit, and make a claim.

    An answer is its family, its chances at the prior's nodes and its score."""
    curves: dict[str, list[np.ndarray]] = {}
    scores: dict[str, list[float]] = {}
    posterior = prior
    for family, curve, score in answers:
        curves.setdefault(family, []).append(curve)
        scores.setdefault(family, []).append(score)
        p = np.clip(curve if score else 1 - curve, 1e-12, 1.0)
        posterior = posterior.updated(np.log(p), family)
    rows = {family: np.array(curve) for family, curve in curves.items()}
    apart = max(1.0, 2 * prior.testlet_variance**0.5 / unit)
    kinds = {name: family.ability for name, family in FAMILIES.items()}
    differ = family_differences(rows, scores, prior, difference=apart * unit, kinds=kinds)
    families = adjusted(family_fit(rows, scores, prior)["p"].tolist())
    whole = person_fit(
        np.array([curve for _, curve, _ in answers]), [score for *_, score in answers], posterior,
        [family for family, *_ in answers],
    )["p"]  # fmt: skip
    misfit = bool((families < DRIFT).any() or differ.p < DRIFT or whole < DRIFT)
    return differ.power, misfit, not misfit and differ.p_apart < EXCLUDED


def claims(persons: int, seed: int) -> list[str]:
    """Rows by the number of answers: power, misfit found and claims."""
    known = shipped_calibrations(["Gf"])["Gf"]
    unit, looks = known.variance**0.5, (20, 40, 60, 80)
    design = design_of(StopRule(max_items=max(looks)), ["Gf"])
    cells, prior = design.candidates, design.priors["Gf"]
    lines = [f"{persons} examinees of each kind.", "",
             "| examinee | answers | mean power | misfit found (95 %) | claims (95 %) |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    for name in ("calibrated population", ".97 in number and logic, .45 in all others"):
        found: dict[int, list[tuple[float, bool, bool]]] = {n: [] for n in looks}
        for person in range(persons):
            rng = np.random.default_rng((seed, person, len(name)))
            theta = rng.normal(prior.mean, unit)
            effects = {f: rng.normal(0, known.testlet_variance**0.5)
                       for f in sorted(set(map(str, cells.groups)))}  # fmt: skip
            sequence = CellSequence(design)
            answers: list[tuple[str, np.ndarray, float]] = []
            while (step := sequence.next()) is not None:
                family = str(cells.groups[step.cell])
                curve = cells.probabilities[step.cell]
                p = float(np.interp(theta + effects[family], prior.nodes, curve))
                if name.startswith(".97"):
                    p = 0.97 if family in NUMBER_AND_LOGIC else 0.45
                step.score, step.settled = float(rng.random() < p), True
                sequence.steps.append(step)
                answers.append((family, curve, step.score))
                if len(answers) in looks:
                    found[len(answers)].append(checked(answers, prior, unit))
        for n, rows in found.items():
            power, misfit, claimed = np.array(rows, float).T
            lines.append(
                f"| {name} | {n} | {power.mean():.2f} | {share(misfit)} | {share(claimed)} |"
            )
    return lines


def share(of: np.ndarray) -> str:
    """Percentage of the true ones, with its 95 % interval (Wilson)."""
    low, high = map(float, wilson(int(of.sum()), len(of)))
    return f"{100 * of.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def default(persons: int, seed: int) -> list[str]:
    """Rows by ability: how many reach the default standard error, with how many answers."""
    design = design_of(StopRule(se=DEFAULT_SE, max_items=400))
    ran = [_profiled(design, np.random.default_rng((seed, k))) for k in range(persons)]
    lines = [f"{persons} drawn examinees, `--se {DEFAULT_SE}`, `--max-items 400`.", "",
             "| ability | reach it | answers, mean | error, mean (SD) |",
             "|---|---:|---:|---:|"]  # fmt: skip
    for ability, prior in design.priors.items():
        reached = Counter(one[1][ability] for one in ran)["se"]
        answers = np.mean([one[2][ability] for one in ran])
        error = np.mean([one[0][ability].se for one in ran]) / prior.variance**0.5
        lines.append(f"| {ability} | {reached} of {persons} | {answers:.0f} | {error:.2f} |")
    total = np.mean([sum(one[2].values()) for one in ran])
    return [*lines, "", f"{total:.0f} answers in all on average."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=list(TITLES))
    parser.add_argument("--persons", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--items", type=int, nargs="*", default=(120, 400), help="for findings")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.step == "findings":
        lines = findings(given.persons, given.seed, given.items)
    else:
        lines = (claims if given.step == "claims" else default)(given.persons, given.seed)
    command = (
        f"python benchmarks/profile_claims.py {given.step} --persons {given.persons} "
        f"--seed {given.seed}"
        + (f" --items {' '.join(map(str, given.items))}" if given.step == "findings" else "")
    )
    text = section(TITLES[given.step], command, [*lines, ""])
    if given.write:
        replace_section(given.write, f"## {TITLES[given.step]}", text)
    print(text)


if __name__ == "__main__":
    main()
