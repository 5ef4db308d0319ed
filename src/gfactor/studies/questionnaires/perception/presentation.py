"""Pictures that are shown for a short time: the timing that a study asks for, and the browser's
measurements. The picture of such a question is sent until the participant starts it, and not again
before the last question is answered: a reloaded page says that it was shown. A browser changes what
it shows at frames only; onset and offset are the times of the frames at which the picture was put
on the page and taken from it, by `requestAnimationFrame`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.imaging.masks import MaskKind, mask
from gfactor.imaging.png import encode_png
from gfactor.items import Image, Item, ItemBank, ItemRandom
from gfactor.studies.questionnaires.order.allocation import from_json
from gfactor.studies.questionnaires.perception.screen import degrees, screen_row
from gfactor.studies.questionnaires.storing.page_loads import page_of
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.web.database import Database

MEASURED: Mapping[str, tuple[float, float]] = {
    "fixation_ms": (0, 1e6),
    "onset_ms": (0, 1e10),
    "offset_ms": (0, 1e10),
    "mask_ms": (0, 1e7),
    "frame_ms": (0.5, 1_000),
    "frames": (0, 1e6),
    "dropped": (0, 1e6),
    "response_ms": (0, 1e7),
    "timer_ms": (0, 1_000),
    "width": (1, 1e5),
    "height": (1, 1e5),
    "full_screen": (0, 1),
    "hidden": (0, 1),
}
"""Quantities that the script measures for a question, with their ranges; other values count as not
measured.
"""

DEVICES = ("key", "mouse", "touch", "pen")

COLUMNS: Mapping[str, str] = {
    "item": "id of the item in the bank",
    "block": "block of the study; practice",
    "state": "timed: shown as asked; interrupted: started, and the page was left or loaded again "
    "before the answer was sent, so that nothing is known of its showing; untimed: without "
    "scripts, shown until answered; not shown",
    "requested_ms": "milliseconds for which the picture was to be shown",
    "exposure_ms": "milliseconds from onset to offset",
    "within_frame": "whether exposure_ms is within one frame of requested_ms",
    "onset_ms": "time of the frame at which the picture was put on the page, on the page's clock "
    "(milliseconds since it was loaded); the display lights up one to two frames later, and by a "
    "lag of its own that no browser knows, the same for onset and offset",
    "offset_ms": "time of the frame at which the picture was taken from the page",
    "frame_ms": "milliseconds between two frames: the median before the onset",
    "frames": "frames for which the picture was on the page",
    "dropped": "frames between onset and offset that did not come in time",
    "fixation_ms": "milliseconds for which the cross was shown before",
    "mask": "kind of the mask that followed; empty for none",
    "mask_seed": "seed of the mask of the first picture (gfactor.imaging.masks.mask)",
    "mask_ms": "milliseconds for which the mask was shown",
    "response_ms": "milliseconds from onset to the last choice or key before the answer was sent. "
    "Known error: the clock's steps (timer_ms), the scanning of keyboards and touch screens "
    "(typically up to 10 ms), and up to two frames by which the picture was seen after the onset",
    "response_by": "key, mouse, touch, pen",
    "timer_ms": "resolution of the browser's clock in milliseconds: the smallest step seen",
    "width": "width of the first picture as shown, in CSS pixels",
    "height": "height of the first picture as shown, in CSS pixels",
    "width_degrees": "width in degrees of visual angle, where the screen was calibrated and the "
    "viewing distance is known",
    "height_degrees": "height in degrees of visual angle",
    "full_screen": "whether the study filled the screen at the onset",
    "hidden": "whether the page was hidden between the start and the offset",
    "loads": "how often the page with the question was loaded",
    "sent": "how often the server sent the first picture before the answer",
}


@dataclass(frozen=True)
class Exposure:
    """Timing of the pictures of a block's questions.

    Parameters
    ----------
    exposure_ms: time for which a picture is shown.
    fixation_ms: time for which a cross is shown before the picture.
    mask: kind of the mask that follows; "" for none.
    mask_ms: time for which the mask is shown; 0 shows it until the answer.
    """

    exposure_ms: float
    fixation_ms: float = 500.0
    mask: MaskKind | str = ""
    mask_ms: float = 0.0


class Presentations:
    """Table of questions whose pictures are shown for a short time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sent(self, code: str, position: int) -> bool:
        """Count a request for a question's picture, and return True if it may be sent.

        After the participant has started the question, it may not be sent.
        """
        with self._database.direct() as connection:
            row = connection.execute(_SENT, (code, position)).fetchone()
        return row is not None

    def begin(self, code: str, position: int) -> bool:
        """Store that a participant starts a question; return False if it was started before."""
        return bool(self._database.write(_BEGIN, (code, position)))

    def begun(self, code: str, position: int) -> bool:
        """Return True if a participant has started a question."""
        row = self._database.read(_BEGUN, (code, position))
        return bool(row and row[0])


_SENT = (
    "INSERT INTO presentations (code, position, sent, begun, measured) VALUES (?, ?, 1, 0, '') "
    "ON CONFLICT (code, position) DO UPDATE SET sent = sent + 1 WHERE begun = 0 RETURNING sent"
)
_BEGIN = (
    "INSERT INTO presentations (code, position, sent, begun, measured) VALUES (?, ?, 0, 1, '') "
    "ON CONFLICT (code, position) DO UPDATE SET begun = 1 WHERE begun = 0"
)
_BEGUN = "SELECT begun FROM presentations WHERE code = ? AND position = ?"
MEASURE = (
    "INSERT INTO presentations (code, position, sent, begun, measured) VALUES (?, ?, 0, 0, ?) "
    "ON CONFLICT (code, position) DO UPDATE SET measured = excluded.measured"
)
"""Statement that stores the measurements, in the transaction of the answer."""


def exposure_of(page: Page) -> Exposure | None:
    """Return the timing of the pictures of a page's questions; None if they stay."""
    if not page.exposure_ms:
        return None
    return Exposure(page.exposure_ms, page.fixation_ms, page.mask, page.mask_ms)


def check_exposures(
    pages: Sequence[Page], pools: Mapping[int, Sequence[str]], bank: ItemBank
) -> None:
    """Raise ParameterError if a question whose pictures are shown for a short time has none, or is
    a conversation.

    Parameters
    ----------
    pools: items of blocks and practice, by the places of their pages.
    """
    if not any(page.exposure_ms for page in pages):
        return
    frame = bank.frame()
    kinds = dict(zip(frame["id"], frame["answer_type"], strict=True))
    pictures = dict(zip(frame["id"], frame["images"], strict=True))
    options = bank.choices()
    for k, pool in pools.items():
        for item in pool if pages[k].exposure_ms else ():
            among = sum(text is None for _, text in options.get(item, ()))
            if kinds[item] == "turns" or pictures[item] <= among:
                why = "is a conversation" if kinds[item] == "turns" else "has no picture to show"
                raise ParameterError(
                    f"pages[{k + 1}].exposure_ms: the item {item!r} {why}; leave it out of the "
                    "block, or leave out exposure_ms"
                )


def stem_pictures(item: Item) -> range:
    """Return the numbers of a stem's pictures among the question's (see `views.shown_images`)."""
    return range(sum(isinstance(segment, Image) for segment in item.content))


def mask_seed(study: str, seed: int, item: str, number: int) -> int:
    """Return the seed of the mask for a picture of an item, by the picture's number (from 0)."""
    key = {"study": study, "seed": seed, "use": "mask", "item": item}
    return ItemRandom(key, number).integer(0, 2**31 - 1)


@lru_cache(maxsize=256)
def mask_png(kind: str, width: int, height: int, seed: int) -> bytes:
    """Return a mask as a PNG file."""
    return encode_png(mask(cast("MaskKind", kind), width, height, seed))


def read_presentation(text: str) -> str:
    """Return the script's measurements of a question for the database, as JSON of `MEASURED` and
    `response_by` without impossible values; "" if nothing was measured.
    """
    try:
        sent = json.loads(text) if len(text) < 4_000 else None
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        return ""
    valid: dict[str, Any] = {}
    for name, (low, high) in MEASURED.items():
        value = sent.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if math.isfinite(value) and low <= value <= high:
            valid[name] = value
    if sent.get("response_by") in DEVICES:
        valid["response_by"] = sent["response_by"]
    return json.dumps(valid) if valid else ""


def presentations(
    study: Study, people: pd.DataFrame, answers: pd.DataFrame, stored: pd.DataFrame,
    page_loads: pd.DataFrame,
) -> pd.DataFrame | None:  # fmt: skip
    """Return the table of questions whose pictures are shown for a short time, a row per answer;
    None if the study has none.

    Parameters
    ----------
    study: study with pages.
    people, answers, stored, page_loads: the tables of participants, answers, presentations, and
        of how often pages were shown.
    """
    pages: Sequence[Page] = study.pages or []
    exposures = {k: exposure_of(page) for k, page in enumerate(pages)}
    if not any(exposures.values()):
        return None
    forms = {row["code"]: from_json(row["form"]) for row in people.to_dict("records")}
    stored_rows = {(row["code"], row["position"]): row for row in stored.to_dict("records")}
    loaded = zip(page_loads["code"], page_loads["page"], strict=True)
    loads = dict(zip(loaded, page_loads["times"], strict=True))
    sizes = _sizes(pages, answers)
    rows = []
    for row in answers.loc[answers["kind"].isin(["item", "practice"])].to_dict("records"):
        step = forms[row["code"]][row["position"]]
        exposure = None if step.page is None else exposures[step.page]
        if exposure is None or step.page is None:
            continue
        page = pages[step.page]
        seed = mask_seed(study.id, study.seed, step.item, 0) if exposure.mask else None
        rows.append({
            "code": row["code"], "position": row["position"], "item": step.item,
            "block": page.name or page.kind, "mask": exposure.mask, "mask_seed": seed,
            "requested_ms": exposure.exposure_ms,
            "loads": loads.get((row["code"], page_of(row["position"])), 0),
            **_facts(
                stored_rows.get((row["code"], row["position"])), exposure, sizes.get(row["code"])
            ),
        })  # fmt: skip
    table = pd.DataFrame(rows, columns=["code", "position", *COLUMNS])
    return table.astype({"mask_seed": "Int64"})


def _facts(
    row: Mapping[Any, Any] | None, exposure: Exposure, size: tuple[float, float] | None
) -> dict[str, Any]:
    """Return the data of a presentation; `size` are pixels per centimeter and the distance."""
    measured = json.loads(row["measured"]) if row and row["measured"] else {}
    facts: dict[str, Any] = {**measured, "sent": row["sent"] if row else 0}
    for name in ("full_screen", "hidden"):
        if name in measured:
            facts[name] = bool(measured[name])
    if not row or not (row["sent"] or row["begun"]):
        return {**facts, "state": "not shown"}
    if not row["begun"]:
        return {**facts, "state": "untimed"}
    if not {"onset_ms", "offset_ms", "frame_ms"} <= set(measured):
        return {**facts, "state": "interrupted"}
    facts["state"] = "timed"
    facts["exposure_ms"] = measured["offset_ms"] - measured["onset_ms"]
    off = abs(facts["exposure_ms"] - exposure.exposure_ms)
    facts["within_frame"] = off <= measured["frame_ms"]
    for side in ("width", "height"):
        if size is not None and side in measured:
            facts[f"{side}_degrees"] = degrees(measured[side], *size)
    return facts


def _sizes(pages: Sequence[Page], answers: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Pixels per centimeter and viewing distance of those who are known to have both."""
    names = {page.name or page.kind for page in pages if page.kind == "screen"}
    page_answers = answers.loc[(answers["kind"] == "page") & answers["item"].isin(list(names))]
    sizes = {}
    for code, text in zip(page_answers["code"], page_answers["text"], strict=True):
        row = screen_row(json.loads(text))
        if "px_per_degree" in row:
            sizes[code] = (row["px_per_cm"], row["distance_cm"])
    return sizes
