"""Pages that screen sight: plates for color vision, rings of falling contrast. They define the
questions, the scoring, and who is screened out. The participant's screen is not calibrated, so a
result is a reason to examine a person's answers separately, and not a diagnosis.

References
----------
Pelli, D. G., Robson, J. G., & Wilkins, A. J. (1988). The design of a new letter chart for measuring
    contrast sensitivity. Clinical Vision Sciences 2, 187-199.
Watson, A. B., & Pelli, D. G. (1983). QUEST: A Bayesian adaptive psychometric method. Perception &
    Psychophysics 33, 113-120.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from gfactor.imaging.cones import AXES
from gfactor.imaging.plates import GAPS, Gap, PlateKind, low_contrast, plate
from gfactor.imaging.png import encode_png
from gfactor.items import ItemRandom
from gfactor.studies.answers.fields import Fields
from gfactor.studies.questionnaires.pages.question_pages import NotAnsweredError
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.questionnaires.translations import Words

KINDS = ("color_vision", "contrast")
"""Kinds of pages that screen sight."""

CONTROLS = 2
"""Control plates of a page: the first and one among the others."""

SLIPS = 1
"""Number of plates of an axis that may be answered wrong. Of four, somebody who guesses among the
four sides answers three or more right with probability 0.05; somebody who sees them and slips once
in fifty answers two or more wrong with probability 0.002."""

UNSEEN = "unseen"
"""The answer to a plate on which no ring is seen."""

CONTRAST_STEP = 0.25
"""Step between two levels, in log10 contrast; the first level is one step below 1."""

SLOPE, GUESS, LAPSE = 3.5, 0.25, 0.02
"""Parameters of the Weibull function of log10 contrast: Watson and Pelli's slope, four sides,
slips.
"""

_GRID = np.linspace(-3.5, 0.5, 801)

PLATES: Mapping[str, str] = {
    "page": "name of the page of the study",
    "plate": "number of the picture on the page, from 1",
    "kind": "protan, deutan, tritan: dots of colors that differ in the L, M or S cones alone; "
    "control: everybody sees it; contrast: a gray ring",
    "contrast": "Weber contrast of a gray ring, as sRGB screens show it; empty for plates",
    "gap": "side on which the gap is",
    "answer": "side that was chosen; unseen: no ring was seen",
    "right": "whether the side is right",
    "seed": "of the drawing (gfactor.imaging.plates)",
}
SIGHT: Mapping[str, str] = {
    "page": "name of the page of the study",
    "kind": "color_vision, contrast",
    "result": f"of plates: normal; red_green, blue_yellow, both: more than {SLIPS} of an axis "
    "wrong (protan or deutan; tritan); unclear: a control plate wrong. A screening on a screen "
    "that was not calibrated, no diagnosis",
    "n": "pictures that were answered",
    "right": "how many of them right",
    **{f"{axis}_right": f"right answers to plates of the {axis} axis" for axis in AXES},
    "per_axis": "plates of each axis",
    "control_right": "right answers to control plates",
    "log_sensitivity": "minus log10 of the contrast at which (1 - 1/e) of the way from guessing to "
    "certainty is reached: the mean of the posterior with a flat prior, slope 3.5 "
    "(Watson & Pelli, 1983), guessing 0.25, slips 0.02; sRGB taken for granted",
    "log_sensitivity_se": "its standard error (posterior standard deviation)",
    "screened_out": "whether the participant was screened out for it",
}


@dataclass(frozen=True)
class Plate:
    """A picture of a sight-screening page: its kind ("contrast" for a gray ring), the side of the
    gap, the seed of the drawing, and the contrast of a gray ring (0 for plates)."""

    kind: PlateKind | str
    gap: Gap
    seed: int
    contrast: float = 0.0


def plates_of(study: Study, k: int, number: int) -> tuple[Plate, ...]:
    """Return the pictures on a page, given by its position among the study's, for the participant
    with a number."""
    page = (study.pages or ())[k]
    random = ItemRandom({"study": study.id, "seed": study.seed, "use": "sight", "page": k}, number)
    if page.kind == "contrast":
        levels = [
            10 ** (-CONTRAST_STEP * (1 + j // page.rings)) for j in range(page.levels * page.rings)
        ]
        levels_of_plates: list[tuple[str, float]] = [("contrast", level) for level in levels]
    else:
        kinds = random.shuffled(["control"] * (CONTROLS - 1) + [*AXES] * page.plates)
        levels_of_plates = [("control", 0.0), *((kind, 0.0) for kind in kinds)]
    gaps: list[Gap] = random.shuffled([GAPS[j % len(GAPS)] for j in range(len(levels_of_plates))])
    return tuple(
        Plate(kind, gap, random.integer(0, 2**31 - 1), contrast)
        for (kind, contrast), gap in zip(levels_of_plates, gaps, strict=True)
    )


@lru_cache(maxsize=256)
def drawn(plate_spec: Plate) -> bytes:
    """Return a picture as a PNG file."""
    if plate_spec.kind == "contrast":
        return encode_png(low_contrast(plate_spec.gap, plate_spec.contrast, plate_spec.seed))
    return encode_png(plate(plate_spec.kind, plate_spec.gap, plate_spec.seed))  # pyright: ignore[reportArgumentType]


def read_sight(
    page: Page, plates: Sequence[Plate], fields: Fields, say: Words
) -> dict[str, list[dict[str, Any]]]:
    """Return the scored answers in the fields `gap-0`, `gap-1` ...

    Raises NotAnsweredError if one is missing.
    """
    rows = []
    for k, plate_spec in enumerate(plates):
        answer = next(iter(fields.get(f"gap-{k}", ())), "")
        if answer not in answers_of(page):
            raise NotAnsweredError(say("question_missing", question=say("picture", number=k + 1)))
        rows.append({
            "plate": k + 1, "kind": plate_spec.kind, "contrast": plate_spec.contrast or None,
            "gap": plate_spec.gap, "answer": answer, "right": answer == plate_spec.gap,
            "seed": plate_spec.seed,
        })  # fmt: skip
    return {"plates": rows}


def answers_of(page: Page) -> tuple[str, ...]:
    """Return the possible answers: rings of low contrast are guessed if none is seen."""
    return GAPS if page.kind == "contrast" else (*GAPS, UNSEEN)


def sight(page: Page, plates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Summarize the scored answers to a page's pictures, as columns of `SIGHT`."""
    n, right = len(plates), sum(row["right"] for row in plates)
    result: dict[str, Any] = {"kind": page.kind, "n": n, "right": right}
    if page.kind == "contrast":
        mean, deviation = threshold(
            [row["contrast"] for row in plates], [row["right"] for row in plates]
        )
        result |= {"log_sensitivity": -mean, "log_sensitivity_se": deviation}
        failed = -mean < page.least_sensitivity
    else:
        of = {
            kind: sum(row["right"] for row in plates if row["kind"] == kind)
            for kind in (*AXES, "control")
        }
        result |= {f"{kind}_right": count for kind, count in of.items()}
        result |= {"per_axis": page.plates, "result": _result(of, page.plates)}
        failed = result["result"] != "normal"
    return {**result, "screened_out": bool(failed and page.screen_out)}


def threshold(contrasts: ArrayLike, right: ArrayLike) -> tuple[float, float]:
    """Return posterior mean and standard deviation of the threshold, in log10 contrast.

    Parameters
    ----------
    contrasts: contrasts of the rings that were answered.
    right: True for each right answer.
    """
    level = np.log10(np.asarray(contrasts, np.float64))[:, None]
    rise = 1 - np.exp(-(10 ** (SLOPE * (level - _GRID))))
    chance = GUESS + (1 - GUESS - LAPSE) * rise
    likelihoods = np.where(np.asarray(right, bool)[:, None], chance, 1 - chance)
    logs = np.log(likelihoods).sum(axis=0)
    weight = np.exp(logs - logs.max())
    weight /= weight.sum()
    mean = float(weight @ _GRID)
    return mean, float(np.sqrt(weight @ (_GRID - mean) ** 2))


def screened_out(page: Page, text: str) -> bool:
    """Return True if the stored answers to a page screen a participant out."""
    if page.kind not in KINDS or not page.screen_out:
        return False
    return bool(sight(page, json.loads(text)["plates"])["screened_out"])


def fill_sight(page: Page, gaps: Sequence[str], source: random.Random) -> list[tuple[str, str]]:
    """Return the fields that a bot posts, which knows the gaps but guesses at the two faintest
    levels of contrast and errs once in fifty."""
    seen = (page.levels - 2) * page.rings if page.kind == "contrast" else len(gaps)
    fields = []
    for k, gap in enumerate(gaps):
        guesses = k >= seen or source.random() < 0.02
        fields.append((f"gap-{k}", source.choice(GAPS) if guesses else gap))
    return fields


def sight_tables(pages: Mapping[str, Page], answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables `plates`, a row per picture, and `sight`, a row per participant and page;
    nothing if the study has no such page.

    Parameters
    ----------
    pages: pages of the study, by the names of their steps.
    answers: to pages.
    """
    names = {name for name, page in pages.items() if page.kind in KINDS}
    if not names:
        return {}
    rows: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for row in answers.loc[answers["item"].isin(list(names))].to_dict("records"):
        plates = json.loads(row["text"])["plates"]
        who = {"code": row["code"], "page": row["item"]}
        rows += [{**who, **one} for one in plates]
        results.append({**who, **sight(pages[row["item"]], plates)})
    return {
        "plates": pd.DataFrame(rows, columns=["code", *PLATES]),
        "sight": pd.DataFrame(results, columns=["code", *SIGHT]),
    }


def _result(right: Mapping[str, int], per_axis: int) -> str:
    if right["control"] < CONTROLS:
        return "unclear"
    red_green = min(right["protan"], right["deutan"]) < per_axis - SLIPS
    blue_yellow = right["tritan"] < per_axis - SLIPS
    if red_green and blue_yellow:
        return "both"
    return "red_green" if red_green else "blue_yellow" if blue_yellow else "normal"
