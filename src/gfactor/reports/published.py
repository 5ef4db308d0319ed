"""What others measured: published accuracies that ours can be compared with."""

from __future__ import annotations

from importlib.resources import files

import pandas as pd

from gfactor.scoring.frames import pick

SOURCE = (
    "Published figures: project page of Percept-V (data file of 2026), arXiv 2508.21143; zero-shot "
    "accuracies in per cent of 200 items per domain (printed without intervals; those here are "
    "Wilson's for n = 200)."
)

OUR_PROMPTS = (
    "The published figures were obtained with the authors' prompts; the items here were asked with "
    "prompts written by gfactor, which may be easier or harder. `gfactor build percept-v --edition "
    "paper --prompts FILE` asks those of a file."
)
FILE_PROMPTS = (
    "The published figures were obtained with the authors' prompts; the items here were asked with "
    "prompts from a file (SHA-256 {files})."
)

PUBLISHED_N = 200
"""Items per domain of the published benchmark (20 sizes x 10)."""


def percept_v() -> pd.DataFrame:
    """The published figures: columns level, name, model, percent, valid (bool), note."""
    frame = _read("percept_v_published.csv")
    return frame.assign(
        valid=frame["valid"] == "yes", name=frame["name"].fillna(""), note=frame["note"].fillna("")
    )


def percept_v_level(level: str) -> pd.DataFrame:
    """The figures of one level (`domain`, `skill`, `overall`, `human_study`)."""
    frame = percept_v()
    return pick(frame, frame["level"] == level).reset_index(drop=True)


def percept_v_skills() -> pd.DataFrame:
    """Which domain the published skill means count for which skill: columns domain, skill."""
    return _read("percept_v_page_skills.csv")


def _read(name: str) -> pd.DataFrame:
    with files("gfactor.reports").joinpath("data", name).open(encoding="utf-8") as file:
        return pd.read_csv(file)
