"""Calibrations of a few cheap families, as a calibration of real examinees would give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.administration import Condition, Files
from gfactor.administration.adaptive import AdaptiveRun
from gfactor.administration.adaptive.sequence import CellSequence
from gfactor.administration.adaptive.stored import StoredStep
from gfactor.api.asking.administering import Presentation
from gfactor.api.asking.profile_results import ProfileData, tables_of_fit
from gfactor.api.asking.profiling import ProfilePlan, window_of
from gfactor.api.inputs.reach import reach_of
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.items import pixel_hash
from gfactor.psychometrics.irt.adaptive import StopRule
from gfactor.psychometrics.irt.scales.calibration import VARIANCE, Calibration, Entry
from support.chat_server import Body, pictures, texts

CHEAP: Mapping[str, tuple[str, str, tuple[float, ...]]] = {
    "running_span": ("Gwm", "last", (-1.5, -0.5, 0.5, 1.5)),
    "spatial_span": ("Gwm", "length", (-2.0, -1.0, 0.0, 1.0, 2.0)),
    "tower_planning": ("EF", "moves", (-1.5, -0.7, 0.0, 0.7, 1.5)),
    "number_series": ("Gf", "magnitude", (-0.7, 0.7)),
    "number_grids": ("Gf", "magnitude", (-0.5, 0.9)),
    "rotation_2d": ("Gv", "squares", (-0.8, 0.0, 0.8)),
}
"""Family: ability, the radical that its cells differ in, the difficulty of its levels."""


def calibrations(
    families: Sequence[str] = tuple(CHEAP), *, clone_sd: float = 0.3, real: bool = True
) -> dict[str, Calibration]:
    """A calibration by design for each ability of these families."""
    entries: dict[str, list[Entry]] = {}
    for name in families:
        ability, radical, difficulties = CHEAP[name]
        family = FAMILIES[name]
        low = 1 / family.options[0] if family.answer_types[0] == "choice" else 0.0
        for level, b in zip(family.radicals[radical], difficulties, strict=True):
            values = (1.0, -b, *((float(special.logit(low)), np.inf) if low else ()))
            facts: dict[str, Any] = {"labels": {"family": name, f"radical.{radical}": level}}
            entry = Entry(f"family={name},radical.{radical}={level}", "4pl" if low else "2pl",
                          (0.0, 1.0), values, clone_sd, facts)  # fmt: skip
            entries.setdefault(ability, []).append(entry)
    kind = "model" if real else "population"
    about = {
        "population": "60 open models" if real else "limited observers",
        "respondents": {"n": 60, "kinds": {kind: 60}},
    }
    return {
        ability: Calibration("design", "rasch", tuple(those), (VARIANCE,), np.array([[0.04]]),
                             about={**about, "ability": ability})
        for ability, those in entries.items()
    }  # fmt: skip


def solver_behind_a_server(mistakes: float = 0.4) -> Callable[[Body], str]:
    """Replies to questions of three families: right, but for a share that depends on the pictures.

    It finds the family by the words of the question, and the answer by looking.
    """
    found = {"numbers follow": "number_series", "three numbers": "number_grids",
             "same figure": "rotation_2d"}  # fmt: skip

    def reply(body: Body) -> str:
        said = "\n".join(texts(body))
        family = next(name for phrase, name in found.items() if phrase in said)
        seen = tuple(np.ascontiguousarray(picture) for picture in pictures(body))
        lot = int(pixel_hash(seen[0])[:8], 16) / 2**32
        return "ANSWER:999" if lot < mistakes else observe(family, seen, IdealPerception())

    return reply


def measured(
    ability: str, chance: Callable[[str, float], float], items: int, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The abilities and families of a profile by the shipped calibration, without any item.

    `chance` is that of a right answer, given the family and what the calibration expects of the
    middle of the population.
    """
    calibrations = shipped_calibrations([ability])
    plan = ProfilePlan(
        calibrations, StopRule(max_items=items), window_of(reach_of({}))[1], 1, 0, False, "en",
        Presentation(Condition(), Files(()), None), 1,
    )  # fmt: skip
    design, rng = plan.design, np.random.default_rng(seed)
    sequence, cells, stored = CellSequence(design), design.candidates, []
    middle = len(design.priors[ability].nodes) // 2
    while (step := sequence.next()) is not None:
        expected = float(cells.probabilities[step.cell][middle])
        p = chance(str(cells.groups[step.cell]), expected)
        step.score, step.settled = float(rng.random() < p), True
        sequence.steps.append(step)
        name = str(cells.names[step.cell])
        stored.append(
            StoredStep(step.number, ability, name, 0, (f"item-{step.number}",), step.theta, step.se)
        )
    run = AdaptiveRun("openai:n", "", tuple(sequence.steps), tuple(stored), *sequence.outcome(),
                      0, 0, 0, 0.0)  # fmt: skip
    return tables_of_fit(ProfileData(run, calibrations, {}))
