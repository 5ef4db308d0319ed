"""Playing of the sounds and films of pages, by the server's clock."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires.order.allocation import from_json
from gfactor.studies.questionnaires.storing.page_loads import page_of
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.page_definitions import Page, text_in
from gfactor.studies.web.database import Database

MEASURED: Mapping[str, tuple[float, float]] = {
    "duration_s": (0, 86_400), "played_s": (0, 86_400), "volume": (0, 1), "muted": (0, 1),
}  # fmt: skip
"""Quantities that the browser tells with an event, with their ranges."""

COLUMNS: Mapping[str, str] = {
    "page": "kind of the page, or its name where it has one",
    "media": "file that was played",
    "state": "ended: played to its end at least once; started: never to its end; not played, or "
    "played without scripts, which nobody is told of",
    "plays": "how often it was begun",
    "ends": "how often it was played to its end",
    "started_s": "seconds from the page being shown to the first beginning, by the server's clock: "
    "both with the way through the network",
    "ended_s": "seconds from the page being shown to its last end",
    "duration_s": "length in seconds, as the browser has it",
    "played_s": "seconds that were played the last time, when the last event was sent",
    "volume": "volume of the player, from 0 to 1; that of the device is not known",
    "muted": "whether the player was muted",
}


class Playbacks:
    """Table of the recordings that participants have begun."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, code: str, position: int, facts: str, *, once: bool) -> bool:
        """Record that a participant begins a recording; return False if it was begun before and may
        be played only once."""
        row = (code, position, time.time(), facts, code, once)
        return bool(self._database.write(_BEGIN, row))

    def end(self, code: str, position: int, facts: str) -> bool:
        """Record that a recording was played to its end; return False if it was not begun."""
        return bool(self._database.write(_END, (time.time(), facts, code, position)))

    def begun(self, code: str, position: int) -> bool:
        """Return True if a participant has begun the recording of a page."""
        return self._database.read(_BEGUN, (code, position)) is not None


_BEGIN = (
    "INSERT INTO playbacks (code, position, plays, started, ends, ended, measured) "
    "SELECT ?, ?, 1, ?, 0, 0, ? WHERE EXISTS (SELECT 1 FROM participants WHERE code = ?) "
    "ON CONFLICT (code, position) DO UPDATE SET plays = plays + 1, measured = excluded.measured "
    "WHERE NOT ?"
)
_END = (
    "UPDATE playbacks SET ends = ends + 1, ended = ?, measured = ? "
    "WHERE code = ? AND position = ? AND ends < plays"
)
_BEGUN = "SELECT 1 FROM playbacks WHERE code = ? AND position = ?"


def read_facts(text: str) -> str:
    """Return a browser's report on a player for the database, as JSON of `MEASURED` without
    impossible values.
    """
    try:
        sent = json.loads(text) if len(text) < 1_000 else None
    except (ValueError, RecursionError):
        sent = None
    facts: dict[str, float] = {}
    for name, (low, high) in MEASURED.items():
        value = sent.get(name) if isinstance(sent, dict) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if math.isfinite(value) and low <= value <= high:
            facts[name] = value
    return json.dumps(facts)


def playback_table(
    study: Study, people: pd.DataFrame, answers: pd.DataFrame, stored: pd.DataFrame,
    page_loads: pd.DataFrame,
) -> pd.DataFrame | None:  # fmt: skip
    """Return the table of recordings, a row per page with one that was answered; None if the study
    has none.

    Parameters
    ----------
    study: study with pages.
    people, answers, stored, page_loads: the tables of participants, answers, playbacks, and of
        when pages were shown.
    """
    pages: Sequence[Page] = study.pages or []
    if not any(page.media for page in pages):
        return None
    forms = {row["code"]: from_json(row["form"]) for row in people.to_dict("records")}
    languages = dict(zip(people["code"], people["language"], strict=True))
    stored_rows = {(row["code"], row["position"]): row for row in stored.to_dict("records")}
    loaded = zip(page_loads["code"], page_loads["page"], strict=True)
    first_shown = dict(zip(loaded, page_loads["at"], strict=True))
    rows = []
    for code, position in zip(answers["code"], answers["position"], strict=True):
        step = forms[code][position]
        page = pages[step.page] if step.kind == "page" and step.page is not None else None
        if page is None or not page.media:
            continue
        at = first_shown.get((code, page_of(position)))
        rows.append({
            "code": code, "position": position, "page": page.name or page.kind,
            "media": text_in(page.media, languages[code]),
            **_facts(stored_rows.get((code, position)), at),
        })  # fmt: skip
    return pd.DataFrame(rows, columns=["code", "position", *COLUMNS])


def _facts(row: Mapping[Any, Any] | None, at: float | None) -> dict[str, Any]:
    """Return the data of a recording on a page that was first shown `at` this time."""
    if row is None:
        return {"state": "not played", "plays": 0, "ends": 0}
    facts: dict[str, Any] = {**json.loads(row["measured"]), "plays": row["plays"]}
    if "muted" in facts:
        facts["muted"] = bool(facts["muted"])
    facts |= {"ends": row["ends"], "state": "ended" if row["ends"] else "started"}
    if at is not None:
        facts["started_s"] = round(row["started"] - at, 3)
        if row["ends"]:
            facts["ended_s"] = round(row["ended"] - at, 3)
    return facts
