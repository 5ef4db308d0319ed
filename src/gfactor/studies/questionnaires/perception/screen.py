"""A participant's screen: the browser's data, its size measured by a card, and the viewing
distance.

A browser knows a screen in CSS pixels only. A card of a standard size held against the screen
says how many of them a centimeter has, and with the viewing distance how large a picture is in
degrees of visual angle.

References
----------
ISO/IEC 7810:2019, Identification cards - Physical characteristics. ID-1: 85.60 mm x 53.98 mm.
Li, Q., Joo, S. J., Yeatman, J. D., & Reinecke, K. (2020). Controlling for participants' viewing
    distance in large-scale, psychophysical online experiments using a virtual chinrest. Scientific
    Reports 10, 904.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from gfactor.studies.answers.fields import Fields
from gfactor.studies.questionnaires.pages.question_pages import NotAnsweredError
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.questionnaires.translations import Words

CARD_MM = (85.60, 53.98)
"""Width and height of a bank card (ISO/IEC 7810, ID-1)."""

MEASURED: Mapping[str, tuple[float, float]] = {
    "screen_width": (1, 100_000),
    "screen_height": (1, 100_000),
    "window_width": (1, 100_000),
    "window_height": (1, 100_000),
    "device_pixel_ratio": (0.1, 20),
    "full_screen": (0, 1),
    "touch": (0, 1),
    "frame_ms": (1, 1_000),
    "timer_ms": (0, 1_000),
    "card_first": (50, 5_000),
    "card_second": (50, 5_000),
    "screen_width_cm": (3, 500),
    "distance_cm": (5, 1_000),
}
"""Fields of the page with their possible values; other values count as not measured."""

TYPED = ("screen_width", "screen_height", "screen_width_cm", "distance_cm")
"""Fields that a person may have filled in; impossible values are asked for again."""

COLUMNS: Mapping[str, str] = {
    "page": "name of the page of the study",
    "screen_width": "width of the screen in CSS pixels",
    "screen_height": "height of the screen in CSS pixels",
    "window_width": "width of the browser's window (its content) in CSS pixels",
    "window_height": "height of the browser's window (its content) in CSS pixels",
    "device_pixel_ratio": "pixels of the screen per CSS pixel, with the browser's zoom",
    "screen_width_px": "width of the screen in its own pixels (CSS pixels times ratio)",
    "screen_height_px": "height of the screen in its own pixels",
    "full_screen": "whether the study filled the screen when the page was left",
    "touch": "whether the main pointing device is coarse, as a finger",
    "frame_ms": "milliseconds between two frames: the median of 30 on this page",
    "timer_ms": "resolution of the browser's clock in milliseconds: the smallest step seen",
    "card_first": "width of a card of 85.60 mm in CSS pixels, set from a start that is too small",
    "card_second": "the same, set from a start that is too large",
    "calibration": "how sizes are known: card; hand (the width of the screen, typed); else empty",
    "px_per_cm": "CSS pixels per centimeter; of a card the mean of both settings",
    "px_per_cm_se": "its standard error from two settings, half their difference; empty for hand",
    "screen_width_cm": "width of the screen in centimeters",
    "screen_height_cm": "height of the screen in centimeters",
    "distance_cm": "viewing distance in centimeters, as the participant says",
    "px_per_degree": "CSS pixels per degree of visual angle, at the middle of the screen",
}


def read_screen(page: Page, fields: Fields, say: Words) -> dict[str, float]:
    """Read the fields of a page about the screen; values that were not measured are empty.

    Raises NotAnsweredError with a sentence if a typed value is not a possible number.
    """
    required = {"card_first": page.card, "card_second": page.card, "distance_cm": page.distance}
    values: dict[str, float] = {}
    for name, (low, high) in MEASURED.items():
        text = " ".join(fields.get(name, ())).strip()
        if not text or not required.get(name, True):
            continue
        value = _number(text)
        if low <= value <= high:
            values[name] = value
        elif name in TYPED:
            limits = {"low": f"{low:g}", "high": f"{high:g}"}
            raise NotAnsweredError(
                say("number_out_of_range", question=say(f"screen_{name}"), **limits)
            )
    return values


def screen_row(values: Mapping[str, float]) -> dict[str, Any]:
    """Return a row of the table of screens: the measurements, and the sizes that follow from
    them."""
    row: dict[str, Any] = {**values, "calibration": ""}
    for name in ("full_screen", "touch"):
        if name in values:
            row[name] = bool(values[name])
    ratio = values.get("device_pixel_ratio")
    if ratio is not None:
        for side in ("screen_width", "screen_height"):
            if side in values:
                row[f"{side}_px"] = round(values[side] * ratio)
    cards = [values[name] for name in ("card_first", "card_second") if name in values]
    if cards:
        widths = [card * 10 / CARD_MM[0] for card in cards]
        row["calibration"], row["px_per_cm"] = "card", sum(widths) / len(widths)
        if len(widths) == 2:
            row["px_per_cm_se"] = abs(widths[0] - widths[1]) / 2
    elif {"screen_width", "screen_width_cm"} <= set(values):
        row["calibration"] = "hand"
        row["px_per_cm"] = values["screen_width"] / values["screen_width_cm"]
    if not row["calibration"]:
        return row
    for side in ("width", "height"):
        if f"screen_{side}" in values:
            row[f"screen_{side}_cm"] = values[f"screen_{side}"] / row["px_per_cm"]
    if "distance_cm" in values:
        row["px_per_degree"] = px_per_degree(row["px_per_cm"], values["distance_cm"])
    return row


def px_per_degree(px_per_cm: float, distance_cm: float) -> float:
    """Return the number of pixels per degree of visual angle, half on each side of the line of
    sight."""
    return px_per_cm * 2 * distance_cm * math.tan(math.radians(0.5))


def degrees(px: float, px_per_cm: float, distance_cm: float) -> float:
    """Return the visual angle of a length in pixels, seen from straight ahead of its middle."""
    return math.degrees(2 * math.atan(px / px_per_cm / 2 / distance_cm))


def screens(pages: Mapping[str, Page], answers: pd.DataFrame) -> pd.DataFrame | None:
    """Return the table of screens: a row per participant and page about the screen that was
    answered; None if the study has no such page.

    Parameters
    ----------
    pages: pages of the study, by the names of their steps.
    answers: to pages.
    """
    names = {name for name, page in pages.items() if page.kind == "screen"}
    if not names:
        return None
    rows = [
        {"code": row["code"], "page": row["item"], **screen_row(json.loads(row["text"]))}
        for row in answers.loc[answers["item"].isin(list(names))].to_dict("records")
    ]
    return pd.DataFrame(rows, columns=["code", *COLUMNS])


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan
