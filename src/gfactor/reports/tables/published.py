"""The published models' accuracies beside ours, where the paper's edition was administered."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pandas as pd

from gfactor.frames import distinct, pick
from gfactor.psychometrics import cluster_t, wilson
from gfactor.reports.answers.accuracy import accuracies, rows_without_baselines
from gfactor.reports.answers.group_rates import PEOPLE_NOTE, RATE_NOTE
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

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
    """Return the published figures: columns level, name, model, percent, valid (bool), note."""
    frame = _read("percept_v_published.csv")
    return frame.assign(
        valid=frame["valid"] == "yes", name=frame["name"].fillna(""), note=frame["note"].fillna("")
    )


def percept_v_level(level: str) -> pd.DataFrame:
    """Return the figures of one level (`domain`, `skill`, `overall`, `human_study`)."""
    frame = percept_v()
    return pick(frame, frame["level"] == level).reset_index(drop=True)


def percept_v_skills() -> pd.DataFrame:
    """Return the domains that count for each published skill mean: columns domain, skill."""
    return _read("percept_v_page_skills.csv")


def _read(name: str) -> pd.DataFrame:
    with files("gfactor.reports").joinpath("data", name).open(encoding="utf-8") as file:
        return pd.read_csv(file)


HERE = " (here)"
"""Behind the names of examinees that answered here."""

INVALID = (
    "colours_present: the published figures are not valid. The order of the right answer depended "
    "on Python's hash seed and disagreed with the prompt, so that hardly more than 5 % could be "
    "counted right."
)
N_NOTE = (
    f"Here, n is items; every examinee answered each, the pooled population as often as it has "
    f"observers. {RATE_NOTE}"
)
CELL = ("accuracy", "accuracy_low", "accuracy_high")


def comparable(results: Results) -> Results | None:
    """Return the results on items of the paper's edition of Percept-V; None if there are none."""
    answers = results.answers
    if not {"domain", "edition", "benchmark"} <= set(answers):
        return None
    paper = (answers["edition"] == "paper") & (answers["benchmark"] == "percept-v")
    return replace(results, answers=pick(answers, paper)) if np.any(paper) else None


def _prompts_note(results: Results) -> str:
    """Return a note about the source of the compared items' prompts."""
    ours = comparable(results)
    answers = results.answers if ours is None else ours.answers
    files = distinct(answers, "prompts") if "prompts" in answers else []
    if not files:
        return OUR_PROMPTS
    file_prompts = FILE_PROMPTS.format(files=", ".join(map(str, files)))
    return f"{file_prompts} {OUR_PROMPTS}" if np.any(answers["prompts"].isna()) else file_prompts


@table("published_by_domain", section="published", order=70, needs=("domain", "edition"))
def by_domain(results: Results) -> Table | None:
    """Tabulate accuracy by domain of eight published models and of the examinees here."""
    both = _by_domain(results)
    if both is None:
        return None
    frame = _side_by_side(both, "domain")
    pooled = (PEOPLE_NOTE,) if results.labels("population") else ()
    items = results.answers.pivot_table("item_id", "domain", aggfunc="nunique")
    frame.insert(1, "n", items["item_id"].reindex(frame["domain"]).to_numpy())
    theirs = percept_v_level("domain")
    invalid = set(pick(theirs, ~theirs["valid"])["name"])
    frame["published_valid"] = ["no" if name in invalid else "yes" for name in frame["domain"]]
    return Table(
        "Published accuracies beside ours, by domain",
        frame,
        percent=_percent(both),
        headings={"n": "n (items here)", "published_valid": "published figures valid"},
        notes=(SOURCE, _prompts_note(results), N_NOTE, *pooled, INVALID),
    )


@table("published_by_skill", section="published", order=71, needs=("domain", "edition"))
def by_skill(results: Results) -> Table | None:
    """Tabulate published means over the domains of a skill, with those of the examinees here."""
    both = _by_domain(results)
    if both is None:
        return None
    cells = both.merge(percept_v_skills(), on="domain")
    rows = []
    for skill, of_skill in cells.groupby("skill"):
        for label, group in of_skill.groupby("label", sort=False):
            rows.append({"skill": skill, "label": label, **_mean(group, results.level)})
    means = pd.DataFrame(rows)
    frame = _side_by_side(means, "skill")
    domains = means.pivot_table("domains", "skill", aggfunc="max")
    frame.insert(1, "domains", domains["domains"].reindex(frame["skill"]).to_numpy())
    return Table(
        "Published accuracies beside ours, by skill",
        frame,
        percent=_percent(both),
        notes=(
            SOURCE,
            _prompts_note(results),
            "Unweighted means over the domains asked here that the project page counts for a "
            "skill (it differs from the paper's table for two domains). Intervals: t over these "
            "domains; they are wide because domains differ.",
            INVALID,
        ),
        folded=True,
    )


@table("published_human_study", section="published", order=72, needs=("domain", "edition"))
def human_study(results: Results) -> Table | None:
    """Tabulate the published comparison with people."""
    if comparable(results) is None:
        return None
    frame = percept_v_level("human_study").rename(columns={"name": "domain", "model": "label"})
    frame = frame.assign(
        domain=frame["domain"].replace("", "all"), published=frame["percent"] / 100
    )
    return Table(
        "The published human study",
        pick(frame, ["label", "domain", "published", "note"]),
        percent=("published",),
        headings={"label": "examinee", "published": "accuracy"},
        notes=(
            SOURCE,
            _prompts_note(results),
            "The study's number of items is not published: no interval can be given.",
        ),
        folded=True,
    )


def _by_domain(results: Results) -> pd.DataFrame | None:
    """Return a row per source (ours, published) and domain: label, n, accuracy and interval."""
    ours = comparable(results)
    answers = rows_without_baselines(ours) if ours is not None else None
    if ours is None or answers is None or answers.empty:
        return None
    measured = accuracies(ours, answers, ["domain", "label"])
    measured = measured.assign(source="here", label=measured["label"] + HERE)
    theirs = percept_v_level("domain").rename(columns={"name": "domain", "model": "label"})
    right = (theirs["percent"] / 100 * PUBLISHED_N).round()
    low, high = wilson(right, PUBLISHED_N, results.level)
    theirs = theirs.assign(
        n=PUBLISHED_N,
        accuracy=theirs["percent"] / 100,
        accuracy_low=low,
        accuracy_high=high,
        source="published",
    )
    theirs = pick(theirs, theirs["domain"].isin(measured["domain"]))
    names = ["domain", "source", "label", "n", *CELL]
    return pd.concat([pick(measured, names), pick(theirs, names)], ignore_index=True)


def _side_by_side(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    """One row per value of `by`; per examinee its accuracy and the ends of its interval."""
    labels = rows.drop_duplicates("label")["label"]
    columns = {
        f"{label}{name.removeprefix('accuracy')}": of_label[name]
        for label in labels
        for of_label in [pick(rows, rows["label"] == label).set_index(by)]
        for name in CELL
    }
    return pd.DataFrame(columns).sort_index().rename_axis(by).reset_index()


def _percent(rows: pd.DataFrame) -> tuple[str, ...]:
    return tuple(str(label) for label in rows["label"].unique())


def _mean(rows: pd.DataFrame, level: float) -> dict[str, object]:
    over = cluster_t(rows["accuracy"].to_numpy(float), rows["domain"].to_numpy(), level)
    low, high = np.clip([over.low, over.high], 0, 1)
    return {"domains": over.n, "accuracy": over.mean, "accuracy_low": low, "accuracy_high": high}
