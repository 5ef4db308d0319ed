"""Calibrations of a few cheap families, as a calibration of real examinees would give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import special

from gfactor.benchmarks.chc import FAMILIES
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.items import pixel_hash
from gfactor.psychometrics.irt.calibration import VARIANCE, Calibration, Entry
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
