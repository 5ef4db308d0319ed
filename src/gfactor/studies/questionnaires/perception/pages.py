"""Pages without an item: reading the fields of each kind, filling them in for bots, and exporting
them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence

import pandas as pd

from gfactor.studies.answers.fields import Fields
from gfactor.studies.questionnaires.pages.question_pages import (
    Values,
    fill_questions,
    read_questions,
)
from gfactor.studies.questionnaires.perception.presentation import COLUMNS as PRESENTATION
from gfactor.studies.questionnaires.perception.screen import COLUMNS as SCREEN
from gfactor.studies.questionnaires.perception.screen import read_screen, screens
from gfactor.studies.questionnaires.perception.sight_screening import KINDS as SIGHT_KINDS
from gfactor.studies.questionnaires.perception.sight_screening import (
    PLATES,
    SIGHT,
    Plate,
    fill_sight,
    read_sight,
    sight_tables,
)
from gfactor.studies.questionnaires.storing.playbacks import COLUMNS as PLAYBACKS
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.questionnaires.translations import Words

TABLES: Mapping[str, Mapping[str, str]] = {
    "screens": SCREEN,
    "presentations": PRESENTATION,
    "plates": PLATES,
    "sight": SIGHT,
    "playbacks": PLAYBACKS,
}
"""Tables of exports, with what their columns hold."""


def read_page(page: Page, fields: Fields, say: Words, plates: Sequence[Plate]) -> Values:
    """Read the fields of a page; `plates` are its sight-screening pictures.

    Raises NotAnsweredError with a sentence if an answer is missing or impossible.
    """
    if page.kind == "screen":
        return read_screen(page, fields, say)
    if page.kind in SIGHT_KINDS:
        return read_sight(page, plates, fields, say)
    return read_questions(page, fields, say)


def fill_page(page: Page, source: random.Random, gaps: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return the fields that a bot posts. Its screen has 96 CSS pixels per inch and is about 60 cm
    away; `gaps` are the right answers to sight-screening pictures."""
    if page.kind in SIGHT_KINDS:
        return fill_sight(page, gaps, source)
    if page.kind == "screen":
        card = 85.6 / 25.4 * 96
        sizes = {
            "screen_width": 1920, "screen_height": 1080, "window_width": 1280,
            "window_height": 900, "device_pixel_ratio": 1, "full_screen": 0, "touch": 0,
            "frame_ms": 16.7, "timer_ms": 0.1, "distance_cm": source.randint(45, 75),
            "card_first": round(2 * source.uniform(0.98, 1.01) * card) / 2,
            "card_second": round(2 * source.uniform(0.99, 1.02) * card) / 2,
        }  # fmt: skip
        return [(name, str(value)) for name, value in sizes.items()]
    return fill_questions(page, source)


def simulated_presentation(page: Page, seconds: float) -> str:
    """Return the timing that a bot with 60 frames per second reports for a picture, given the time
    of its answer."""
    frame = 1000 / 60
    frames = max(1, round(page.exposure_ms / frame))
    onset = 1_000 + page.fixation_ms
    measured = {
        "fixation_ms": page.fixation_ms, "onset_ms": onset, "offset_ms": onset + frames * frame,
        "frame_ms": frame, "frames": frames, "dropped": 0, "response_ms": 1_000 * seconds,
        "response_by": "key", "timer_ms": 0.1, "full_screen": 0, "hidden": 0,
    }  # fmt: skip
    return json.dumps(measured)


def scripts_of(pages: Sequence[Page]) -> list[str]:
    """Return the scripts that the pages of a study need in addition to the one for all
    questions."""
    needed = any(page.kind == "screen" or page.exposure_ms for page in pages)
    plays = any(page.media for page in pages)
    wanted = {"fetching.js": needed or plays, "perception.js": needed, "recordings.js": plays}
    return [name for name, is_wanted in wanted.items() if is_wanted]


def perception_tables(pages: Sequence[Page], answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the export tables of the kinds of perception pages that a study has.

    Parameters
    ----------
    pages: pages of the study.
    answers: answers to pages.
    """
    by_name = {page.name or page.kind: page for page in pages}
    tables = {"screens": screens(by_name, answers), **sight_tables(by_name, answers)}
    return {name: table for name, table in tables.items() if table is not None}
