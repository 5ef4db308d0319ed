"""Diagnostics of a profile: answers that do not fit, and what could not be asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from gfactor.administration.adaptive import AdaptiveRun
from gfactor.api.asking.profile_lengths import calibrated_families, lengths_in_words
from gfactor.api.scales.table_rows import UNKNOWN
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.chc.shipped import with_all_limits
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.checks.misfit_power import EXCLUDED, TOGETHER
from gfactor.psychometrics.irt.checks.profile_fit import DRIFT, adjusted
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.reports.answers.results import role_of
from gfactor.results import plain

_REAL = ("person", "model")
"""Kinds of examinees that are not simulated."""
EXTREME = 1.5
"""Standard deviations of ability beyond which posterior means are said to be drawn to the middle
(docs/evidence/benchmarks.md)."""


def population_of(calibrations: Mapping[str, Calibration], digest: str) -> dict[str, Any]:
    """Return the calibrated population, and whether all of it is simulated."""
    populations = {a: with_all_limits(str(c.about["population"])) for a, c in calibrations.items()
            if c.about.get("population")}  # fmt: skip
    kinds: dict[str, int] = {}
    for calibration in calibrations.values():
        for kind, n in ((calibration.about.get("respondents") or {}).get("kinds") or {}).items():
            kinds[kind] = kinds.get(kind, 0) + int(n)
    real = sum(n for kind, n in kinds.items() if kind in (*_REAL, UNKNOWN))
    population = _said_once(populations) or None
    simulated = real == 0 and (bool(kinds) or "observers" in (population or ""))
    return {"population": population, "digest": digest, "simulated": simulated}


def _said_once(sentences: Mapping[str, str]) -> str:
    """The clauses of several populations, each once, and whose they are if not of all."""
    clauses: dict[str, list[str]] = {}
    at: dict[str, int] = {}
    for ability, sentence in sentences.items():
        for number, clause in enumerate(dict.fromkeys(sentence.split("; "))):
            clauses.setdefault(clause, []).append(ability)
            at.setdefault(clause, number)
    return "; ".join(
        clause if len(clauses[clause]) == len(sentences) else
        f"{clause} ({', '.join(clauses[clause])})"
        for clause in sorted(clauses, key=lambda clause: at[clause])
    )  # fmt: skip


def misfits(abilities: pd.DataFrame, families: pd.DataFrame) -> list[Diagnostic]:
    """Return diagnostics of families and abilities whose answers the calibration does not
    explain."""
    diagnostics = []
    for row in families.loc[(families["p_adjusted"] < DRIFT).to_numpy()].to_dict("records"):
        diagnostics.append(Diagnostic(
            "family_drift", "error",
            f"{row['family']}: {row['right']:.0f} of {row['n']} right where the other families of "
            f"{row['ability']} predict {row['expected']:.1f} "
            f"(adjusted p {p_value(row['p_adjusted'], '= ')}); "
            f"the calibration does not explain this examinee, and {row['ability']} is no claim.",
            f"Calibrate {row['family']} on examinees of this kind (gfactor calibrate JOURNAL --by "
            "design --each ability), or profile without it.",
            (str(row["family"]),), plain(row),
        ))  # fmt: skip
    for row in abilities.loc[(abilities["p_families"] < DRIFT).to_numpy()].to_dict("records"):
        diagnostics.append(Diagnostic(
            "families_differ", "error",
            f"{row['name']}: the families of this examinee differ more than those of the "
            f"calibrated population (p {p_value(row['p_families'], '= ')}, {row['items']} "
            "answers); one ability does not explain them, and it is no claim.",
            "Read the table of families; calibrate on examinees of this kind.",
            (str(row["ability"]),), plain({k: row[k] for k in ("p_families", "power", "items")}),
        ))  # fmt: skip
    misfit = adjusted(abilities["p_fit"].tolist())
    for row in abilities.loc[misfit < DRIFT].to_dict("records"):
        diagnostics.append(Diagnostic(
            "person_misfit", "error",
            f"{row['ability']}: easy questions are wrong and hard ones right more often than one "
            f"ability explains (Zh {row['zh']:.2f}, outfit {row['outfit']:.2f}, {row['items']} "
            f"items); {row['ability']} is no claim.",
            "Read the answers that fit least, then calibrate on examinees of this kind.",
            (str(row["ability"]),), plain({k: row[k] for k in ("zh", "outfit", "items")}),
        ))  # fmt: skip
    return diagnostics


def not_measured(calibrations: Mapping[str, Calibration]) -> pd.DataFrame:
    """Return the families of the abilities for which the calibrations have no cell, and the
    reasons."""
    rows = []
    for ability, calibration in calibrations.items():
        there = calibrated_families(calibration)
        guessed = {
            cell.split(",")[0].removeprefix("family=")
            for one in calibration.diagnostics if one.code == "cells_at_chance"
            for cell in one.where
        }  # fmt: skip
        constant = {str(one["labels"].get("family")) for one in calibration.left_out}
        for name, family in FAMILIES.items():
            if family.broad == ability and name not in there:
                reason = (
                    "no difficulty: those who were calibrated answered each cell of it all right, "
                    "or all wrong" if name in constant
                    else f"not calibrated: {family.unobserved}" if family.unobserved
                    else "too hard for those who were calibrated, who answered it as by guessing"
                    if name in guessed else "the calibration has no cell of it"
                )  # fmt: skip
                rows.append({"ability": ability, "family": name, "reason": reason})
    return pd.DataFrame(rows, columns=["ability", "family", "reason"])


def guesses(abilities: pd.DataFrame) -> list[Diagnostic]:
    """Return diagnostics of abilities whose answers are no better than guesses."""
    rows = abilities.loc[(abilities["withheld"] == "guessing").to_numpy()].to_dict("records")
    return [
        Diagnostic(
            "no_better_than_guesses", "warning",
            f"{row['name']}: guesses alone give answers as good as these {row['items']} in "
            f"{100 * row['p_guessing']:.0f} % of cases. They set no lower bound to the ability: "
            "the lower end of its interval comes from the calibrated population.",
            "Read the replies; ask easier questions if there are any.",
            (str(row["ability"]),), plain({k: row[k] for k in ("p_guessing", "items")}),
        )
        for row in rows
    ]  # fmt: skip


def untested(abilities: pd.DataFrame, calibrations: Mapping[str, Calibration]) -> list[Diagnostic]:
    """Return diagnostics of abilities whose answers do not exclude misfit: too few were asked, or
    the calibration holds a single family.
    """
    open_ = abilities["withheld"].isin(("power", "guessing")) & (abilities["p_apart"] >= EXCLUDED)
    rows = abilities.loc[open_.to_numpy()].to_dict("records")
    testable = {name for name, one in calibrations.items() if len(calibrated_families(one)) > 1}
    return [
        *_too_few([row for row in rows if row["ability"] in testable]),
        *_untestable([row for row in rows if row["ability"] not in testable]),
    ]


def _too_few(rows: Sequence[Mapping[Any, Any]]) -> list[Diagnostic]:
    """The warning that more answers are needed for a claim."""
    if not rows:
        return []
    names = ", ".join(str(row["name"]) for row in rows)
    chances = sorted({f"{100 * row['power']:.0f}" for row in rows}, key=int)
    chance = chances[0] if len(chances) == 1 else f"{chances[0]} to {chances[-1]}"
    return [Diagnostic(
        "fit_not_tested", "warning",
        f"Too few answers for a claim: {names}. If half of the families of an ability lay far "
        f"above it and half far below, so few answers would show it in {chance} % of cases. A "
        f"claim needs p_apart below {EXCLUDED} (table fit). Families of one narrow ability that "
        f"lie apart together count from {TOGETHER} of that distance on.{lengths_in_words(rows)}",
        f"Ask more than {max(row['items'] for row in rows)} questions of each ability "
        "(--min-items with --max-items).",
        tuple(str(row["ability"]) for row in rows),
        plain({str(row["ability"]): row["p_apart"] for row in rows}),
    )]  # fmt: skip


def _untestable(rows: Sequence[Mapping[Any, Any]]) -> list[Diagnostic]:
    """The warning that no number of answers makes a claim."""
    if not rows:
        return []
    return [Diagnostic(
        "fit_not_testable", "warning",
        f"No claim is possible: the calibration holds a single family of "
        f"{', '.join(str(row['name']) for row in rows)}, and fit is tested by comparing families.",
        "Calibrate more families (gfactor calibrate JOURNAL --by design --each ability).",
        tuple(str(row["ability"]) for row in rows),
    )]  # fmt: skip


def shortfalls(
    run: AdaptiveRun, calibrations: Mapping[str, Calibration], missing: int, target: float | None
) -> list[Diagnostic]:
    """Return diagnostics of questions that were not asked or not answered, and of uncertain
    calibrations. `missing` is the number of questions without a scored answer; `target` is the
    requested standard error, in standard deviations of the calibrated population.
    """
    diagnostics = []
    if run.stopped:
        diagnostics.append(Diagnostic("stopped", "warning", _sentence(run.stopped),
                               "Run the same command to go on."))  # fmt: skip
    if missing:
        diagnostics.append(Diagnostic(
            "missing_answers", "note", f"{missing} questions have no answer that counts (failed "
            "attempts, content filters); they are missing, not wrong.", "Read them in answers.csv.",
        ))  # fmt: skip
    without = tuple(n for n, one in calibrations.items() if one.testlet is None)
    if without:
        diagnostics.append(Diagnostic(
            "no_testlet_variance", "note",
            f"The calibration of {', '.join(without)} does not say how much examinees differ in "
            "one family beyond their ability: standard errors take this as 0, and are too small "
            "where it is not; a family that the examinee is good or bad in may be called misfit.",
            "Calibrate by design with 10 or more respondents and two or more families.", without,
        ))  # fmt: skip
    wide = [ability for ability, stop in run.stops.items() if stop not in ("se", "cut")]
    if wide and not run.stopped:
        floors = {a: calibrations[a].least_se / calibrations[a].variance ** 0.5 for a in wide}
        least = ", ".join(f"{a} {floor:.2f}" for a, floor in floors.items() if floor)
        # Above the floor it was the number of questions that was too small.
        given_up = all(
            run.stops[a] == "se_unreachable" and floors[a] > (target or 0.0) for a in wide
        )
        diagnostics.append(Diagnostic(
            "not_reached", "note",
            f"{', '.join(wide)} ended before the standard error that was asked for."
            + (f" With the families that are calibrated it cannot fall below: {least}."
               if least else ""),
            "Ask for a larger error (--se), or calibrate more families." if given_up else
            "Allow more items (--max-items) or money"
            + (", or a larger error (--se); calibrate more families." if least else "."),
            tuple(wide), {"least_se": floors} if least else {},
        ))  # fmt: skip
    return diagnostics


def extremes(abilities: pd.DataFrame) -> list[Diagnostic]:
    """Return diagnostics of abilities so far from the mean of the population that their posterior
    mean is shrunk strongly."""
    far = []
    for row in abilities.loc[(abilities["items"] > 0).to_numpy()].to_dict("records"):
        if abs(row["theta"]) > EXTREME and row["withheld"] not in ("unread", "guessing"):
            far.append(row)
    if not far:
        return []
    estimates = "; ".join(
        f"{row['ability']} {row['wle']:.2f} {_interval(row['wle_lower'], row['wle_upper'])}"
        for row in far
    )
    return [Diagnostic(
        "extreme_ability", "note",
        f"More than {EXTREME} standard deviations from the middle of the calibrated population, "
        "where a posterior mean is drawn towards it and its interval covers too seldom. From the "
        f"answers alone (Warm's estimate, 95 % interval of the weighted likelihood): {estimates}.",
        "Take these where the examinee is no member of that population.",
        tuple(str(row["ability"]) for row in far),
    )]  # fmt: skip


def _interval(lower: float, upper: float) -> str:
    """The bounds of an interval; the finite one, if the other is none."""
    if math.isinf(lower) and math.isinf(upper):
        return "[no bounds]"
    if math.isinf(upper):
        return f"[{lower:z.2f} or more]"
    return f"[{upper:z.2f} or less]" if math.isinf(lower) else f"[{lower:z.2f}, {upper:z.2f}]"


def simulated(calibration: Mapping[str, Any]) -> list[Diagnostic]:
    """Return the warning that nobody real was calibrated."""
    if not calibration["simulated"]:
        return []
    who = str(calibration["population"] or "an unnamed population").split(":")[0]
    return [Diagnostic(
        "simulated_calibration", "warning",
        f"The calibration is simulated ({who}): abilities "
        "are distances from these observers, and no comparison with people.",
        "Replace it by one of real examinees: gfactor calibrate JOURNAL --by design --each "
        "ability, then --calibration.",
    )]  # fmt: skip


def other_kind(calibrations: Mapping[str, Calibration], examinee: str) -> list[Diagnostic]:
    """Return the warning that a calibration from real examinees has none of this examinee's kind
    (model, person)."""
    counts: dict[str, int] = {}
    for calibration in calibrations.values():
        for kind, n in ((calibration.about.get("respondents") or {}).get("kinds") or {}).items():
            counts[kind] = max(counts.get(kind, 0), int(n))
    real = {kind: n for kind, n in counts.items() if kind in _REAL and n}
    kind = role_of(examinee)
    if not real or kind not in _REAL or kind in real:
        return []
    rests_on = ", ".join(f"{n} {name}{'s' * (n != 1)}" for name, n in sorted(real.items()))
    return [Diagnostic(
        "other_kind_calibrated", "warning",
        f"The calibration rests on {rests_on} and on no {kind}: difficulties may be others for "
        "this examinee, and abilities are distances from those who were calibrated.",
        f"Calibrate on examinees of the kind {kind} too.",
        (examinee,), {"kinds": real},
    )]  # fmt: skip


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
