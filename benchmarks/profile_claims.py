"""What a profile says where there is nothing to say, and what its default reaches.

    python benchmarks/profile_claims.py findings --persons 200 --write docs/evidence/benchmarks.md
    python benchmarks/profile_claims.py claims --persons 40 --write docs/evidence/benchmarks.md
    python benchmarks/profile_claims.py default --persons 20 --write docs/evidence/benchmarks.md
    python benchmarks/profile_claims.py growth --persons 20 --write docs/evidence/benchmarks.md
    python benchmarks/profile_claims.py lengths --persons 20 --write docs/evidence/benchmarks.md

findings    examinees whose accuracy does not depend on the level: how many get a sentence about
            where it falls. Adaptive tests of all abilities by the shipped calibrations.
claims      examinees of the calibrated population, and one with .97 in number and logic families
            and .45 in all others: how many get a claim in reasoning, by the number of answers, by
            the three checks of fit and the power that a profile asks for.
default     drawn examinees profiled with the defaults: how many reach the standard error and get a
            claim; and how often one with .97 in number and logic families and .45 in all others
            gets a claim in reasoning, which should be 5 % at most.
growth      the calibrated population in every ability: claims by the number of answers, on which
            `CLAIM_ITEMS` rests.
lengths     the same examinees after 20 answers: the share of claims that a profile expects of more
            answers (`claim_lengths`), to be compared with `growth` of the same seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from adaptive import section
from pages import replace_section

from gfactor.administration import Condition, Files
from gfactor.administration.adaptive import SequenceDesign
from gfactor.administration.adaptive.sequence import CellSequence
from gfactor.api.asking.administering import Presentation
from gfactor.api.asking.profile_lengths import answers_for_claims
from gfactor.api.asking.profile_thresholds import thresholds_of
from gfactor.api.asking.profiling import DEFAULT_SE, IN_FLIGHT, ProfilePlan, window_of
from gfactor.api.inputs.reach import reach_of
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, StopRule
from gfactor.psychometrics.irt.checks.claim_lengths import TIMES, claim_shares
from gfactor.psychometrics.irt.checks.misfit_power import EXCLUDED, family_differences
from gfactor.psychometrics.irt.checks.profile_fit import DRIFT, adjusted, family_fit, person_fit

NUMBER_AND_LOGIC = (
    "number_grids", "number_series", "balance_puzzles", "bills_and_plans", "if_then", "syllogisms",
    "transitive_relations",
)  # fmt: skip
TITLES = {
    "findings": "Profiles: sentences where accuracy is the same at all levels",
    "claims": "Profiles: claims need power",
    "default": "Profiles: what a default run reaches",
    "growth": "Profiles: claims by the number of answers",
    "lengths": "Profiles: claims expected of more answers",
}
POPULATION = "calibrated population"
TWO_LEVELS = ".97 in number and logic, .45 in all others"
"""Kinds of examinees: those of the calibration, and one whom one ability does not explain."""
Answer = tuple[str, np.ndarray, float]
"""The family of a question, its chances at the prior's nodes, and its score."""


def design_of(
    rule: StopRule, abilities: Sequence[str] = (), *, for_claims: bool = False
) -> SequenceDesign:
    """What chooses the questions of a profile, `for_claims` with the least numbers of answers that
    a profile has by default."""
    known = shipped_calibrations(abilities)
    return ProfilePlan(
        known, rule, window_of(reach_of({}))[1], IN_FLIGHT, 0,
        False, "en", Presentation(Condition(), Files(()), None), 1,
        answers_for_claims(known, rule) if for_claims else {},
    ).design  # fmt: skip


def asked(
    design: SequenceDesign, rng: np.random.Generator, kind: str = POPULATION
) -> tuple[CellSequence, dict[str, list[Answer]]]:
    """The sequence of a drawn examinee, and its answers by ability."""
    cells, sequence = design.candidates, CellSequence(design)
    truth = {a: rng.normal(one.mean, one.variance**0.5) for a, one in design.priors.items()}
    effects = {
        family: rng.normal(0, design.priors[ability].testlet_variance ** 0.5)
        for family, ability in sorted(
            set(zip(map(str, cells.groups), cells.abilities, strict=True))
        )
    }
    answers: dict[str, list[Answer]] = {ability: [] for ability in design.priors}
    while (step := sequence.next()) is not None:
        ability, family = str(cells.abilities[step.cell]), str(cells.groups[step.cell])
        curve = cells.probabilities[step.cell]
        p = np.interp(truth[ability] + effects[family], design.priors[ability].nodes, curve)
        if kind == TWO_LEVELS:
            p = 0.97 if family in NUMBER_AND_LOGIC else 0.45
        step.score, step.settled = float(rng.random() < p), True
        sequence.steps.append(step)
        answers[ability].append((family, curve, step.score))
    return sequence, answers


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
    answers: Sequence[Answer], prior: AbilityPosterior, unit: float
) -> tuple[float, bool, bool]:
    """Power of the families' test, and whether a profile would say misfit, and make a claim."""
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
    looks = (20, 40, 60, 80)
    design = design_of(StopRule(max_items=max(looks)), ["Gf"])
    lines = [f"{persons} examinees of each kind.", "",
             "| examinee | answers | mean power | misfit found (95 %) | claims (95 %) |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    for kind in (POPULATION, TWO_LEVELS):
        for n, rows in looked(design, "Gf", looks, persons, seed, kind).items():
            power, misfit, claimed = np.array(rows, float).T
            lines.append(
                f"| {kind} | {n} | {power.mean():.2f} | {share(misfit)} | {share(claimed)} |"
            )
    return lines


def looked(
    design: SequenceDesign, ability: str, looks: Sequence[int], persons: int, seed: int,
    kind: str = POPULATION,
) -> dict[int, list[tuple[float, bool, bool]]]:  # fmt: skip
    """What `checked` says of the first answers of examinees, by the number of answers."""
    prior = design.priors[ability]
    found: dict[int, list[tuple[float, bool, bool]]] = {n: [] for n in looks}
    for person in range(persons):
        rng = np.random.default_rng((seed, person, len(kind)))
        answers = asked(design, rng, kind)[1][ability]
        for n, rows in found.items():
            rows.append(checked(answers[:n], prior, prior.variance**0.5))
    return found


def growth(persons: int, seed: int, looks: Sequence[int]) -> list[str]:
    """Rows by ability: power and claims of the calibrated population by the number of answers."""
    lines = [f"{persons} examinees of the calibrated population in each ability: mean power, and "
             "claims (95 %).", "",
             "| ability | " + " | ".join(f"{n} answers" for n in looks) + " |",
             "|---|" + "---|" * len(looks)]  # fmt: skip
    for ability in sorted(shipped_calibrations()):
        design = design_of(StopRule(max_items=max(looks)), [ability])
        told = [np.array(rows, float).T
                for rows in looked(design, ability, looks, persons, seed).values()]  # fmt: skip
        cells = [f"{power.mean():.2f}, {share(claimed)}" for power, _, claimed in told]
        lines.append(f"| {ability} | {' | '.join(cells)} |")
    return lines


def lengths(persons: int, seed: int) -> list[str]:
    """Rows by ability: the mean of the claims that are expected after 20 answers of more."""
    first = 20
    lines = [f"Means over the examinees of `growth`, from their first {first} answers.", "",
             "| ability | " + " | ".join(f"{first * k} answers" for k in TIMES) + " |",
             "|---|" + "---:|" * len(TIMES)]  # fmt: skip
    kinds = {name: family.ability for name, family in FAMILIES.items()}
    for ability in sorted(shipped_calibrations()):
        design = design_of(StopRule(max_items=first), [ability])
        prior = design.priors[ability]
        apart = max(prior.variance**0.5, 2 * prior.testlet_variance**0.5)
        shares = []
        for person in range(persons):
            rng = np.random.default_rng((seed, person, len(POPULATION)))
            curves: dict[str, list[np.ndarray]] = {}
            scores: dict[str, list[float]] = {}
            for family, curve, score in asked(design, rng)[1][ability]:
                curves.setdefault(family, []).append(curve)
                scores.setdefault(family, []).append(score)
            rows = {family: np.array(curve) for family, curve in curves.items()}
            expected = claim_shares(rows, scores, prior, difference=apart, kinds=kinds)
            shares.append([one.share for one in expected])
        means = " | ".join(f"{100 * mean:.0f} %" for mean in np.mean(shares, axis=0))
        lines.append(f"| {ability} | {means} |")
        print(lines[-1], flush=True)
    return lines


def share(of: np.ndarray) -> str:
    """Percentage of the true ones, with its 95 % interval (Wilson)."""
    low, high = map(float, wilson(int(of.sum()), len(of)))
    return f"{100 * of.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def default(persons: int, seed: int) -> list[str]:
    """Rows by ability: how many reach the default standard error and get a claim, with how many
    answers."""
    design = design_of(StopRule(se=DEFAULT_SE, max_items=400), for_claims=True)
    ran = [asked(design, np.random.default_rng((seed, k))) for k in range(persons)]
    ends = [sequence.outcome()[0] for sequence, _ in ran]
    lines = [f"{persons} drawn examinees, `--se {DEFAULT_SE}`, `--max-items 400`; answers, "
             "errors and power are means.", "",
             "| ability | reach it | answers | error (SD) | power | claims (95 %) |",
             "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    claimed = []
    for ability, prior in design.priors.items():
        unit = prior.variance**0.5
        error = np.array([one[ability].se for one in ends]) / unit
        told = np.array([checked(one[ability], prior, unit) for _, one in ran], float)
        claimed.append(told[:, 2])
        lines.append(
            f"| {ability} | {(error <= DEFAULT_SE).sum()} of {persons} | "
            f"{np.mean([len(one[ability]) for _, one in ran]):.0f} | {error.mean():.2f} | "
            f"{told[:, 0].mean():.2f} | {share(told[:, 2])} |"
        )
    total = np.mean([len(sequence.steps) for sequence, _ in ran])
    least = design.least["Gf"]
    alone = design_of(StopRule(max_items=least), ["Gf"])
    hidden = np.array(looked(alone, "Gf", [least], 2 * persons, seed, TWO_LEVELS)[least], float)
    return [*lines, "",
            f"{total:.0f} answers in all on average; claims in "
            f"{np.sum(claimed, axis=0).mean():.1f} of {len(claimed)} abilities.", "",
            f"{2 * persons} examinees of two levels ({TWO_LEVELS}), {least} answers in reasoning: "
            f"misfit found {share(hidden[:, 1])}, claims {share(hidden[:, 2])}."]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=list(TITLES))
    parser.add_argument("--persons", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--items", type=int, nargs="*", help="for findings and growth")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    usual = {"findings": (120, 400), "growth": (20, 40, 66, 80, 120)}
    items = given.items or usual.get(given.step, ())
    if given.step == "findings":
        lines = findings(given.persons, given.seed, items)
    elif given.step == "growth":
        lines = growth(given.persons, given.seed, items)
    else:
        steps = {"claims": claims, "default": default, "lengths": lengths}
        lines = steps[given.step](given.persons, given.seed)
    command = (
        f"python benchmarks/profile_claims.py {given.step} --persons {given.persons} "
        f"--seed {given.seed}" + (f" --items {' '.join(map(str, items))}" if items else "")
    )
    text = section(TITLES[given.step], command, [*lines, ""])
    if given.write:
        replace_section(given.write, f"## {TITLES[given.step]}", text)
    print(text)


if __name__ == "__main__":
    main()
