"""Names of pages for owners: what the study file calls them, the same for every condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires.order.allocation import Step, from_json
from gfactor.studies.questionnaires.storing.page_loads import page_of, position_of
from gfactor.studies.questionnaires.study.definition import Study

BEFORE, AFTER = "instructions", ("results", "done")
"""Pages that are in no form: before the first question, and after the last one."""


@dataclass(frozen=True, order=True)
class PageName:
    """The name of a page for owners, sorted in the order of the study file.

    `part` is the position of the page among the study's pages, `number` that of the question in its
    block, from 1; both are 0 if a study has no pages.
    """

    part: int
    number: int
    text: str


def names_of(study: Study, form: Sequence[Step]) -> list[PageName]:
    """Return the name of every step of a form, by position.

    Parameters
    ----------
    study: study with pages or without.
    form: the participant's form; orders and pages differ between people.
    """
    if study.pages is None:
        return [PageName(0, k, page_of(k)) for k in range(len(form))]
    titles = page_titles(study)
    numbers: Counter[int] = Counter()
    names = []
    for step in form:
        part = -1 if step.page is None else step.page
        title = titles[part]
        if step.kind == "page":
            text = f"{title}: text" if study.pages[part].kind == "block" else title
            names.append(PageName(part, 0, text))
        else:
            numbers[part] += 1
            names.append(PageName(part, numbers[part], f"{title}: question {numbers[part]}"))
    return names


def by_person(study: Study, participants: pd.DataFrame) -> dict[str, list[PageName]]:
    """Return the names of the steps of everybody's form, by code."""
    forms = zip(participants["code"], participants["form"], strict=True)
    return {str(code): names_of(study, from_json(form)) for code, form in forms}


def name_of(page: str, names: Sequence[PageName]) -> PageName:
    """Return the name of a stored page ("question-3", "results") for a participant whose steps have
    these names."""
    position = position_of(page)
    if 0 <= position < len(names):
        return names[position]
    if position >= 0 or page not in (BEFORE, *AFTER):
        return PageName(10**6, position, page)
    return PageName(-1, 0, page) if page == BEFORE else PageName(10**7, AFTER.index(page), page)


def dropout_rows(
    names: Mapping[str, Sequence[PageName]],
    loads: pd.DataFrame,
    answers: pd.DataFrame,
    ended: Mapping[str, int],
) -> list[dict[str, Any]]:
    """Return a row per page, in the order of the study file.

    Everybody has reached the pages of their own form up to the last one that they were shown.

    Parameters
    ----------
    names: names of the steps of everybody's form, by code.
    loads: pages that were shown, a row per participant and page.
    answers: answers with `seconds`.
    ended: position of the last question of those who were screened out, or whose quota was full, by
        code.

    Returns
    -------
    `page`, `reached`, `left` (of those, who went no further by themselves), `sent_away` (of those,
    who were screened out there, or whose quota was full), and `seconds`, the median of the answers
    given there (None if none).
    """
    reached: Counter[PageName] = Counter()
    left: Counter[PageName] = Counter()
    sent_away: Counter[PageName] = Counter()
    for code, part in loads.groupby("code"):
        shown_pages = names[str(code)]
        stored = set(part["page"])
        last = max((position_of(page) for page in stored), default=-1)
        last = len(shown_pages) - 1 if stored & set(AFTER) else last
        way = [name_of(BEFORE, shown_pages)] if BEFORE in stored else []
        way += shown_pages[: last + 1]
        way += [name_of(page, shown_pages) for page in AFTER if page in stored]
        reached.update(set(way))
        if str(code) in ended:
            sent_away[shown_pages[ended[str(code)]]] += 1
        elif way and AFTER[-1] not in stored:
            left[way[-1]] += 1
    seconds: dict[PageName, list[float]] = {}
    for row in answers.dropna(subset=["seconds"]).to_dict("records"):
        shown_pages = names[row["code"]]
        seconds.setdefault(shown_pages[row["position"]], []).append(row["seconds"])
    return [
        {
            "page": name.text,
            "reached": reached[name],
            "left": left[name],
            "sent_away": sent_away[name],
            "seconds": float(pd.Series(seconds[name]).median()) if name in seconds else None,
        }
        for name in sorted(reached)
    ]


def page_titles(study: Study) -> list[str]:
    """Return the title of each page of a study: its name, or its kind; numbered if several pages
    have it.
    """
    plain = [page.name or page.kind.replace("_", " ") for page in study.pages or ()]
    seen: Counter[str] = Counter()
    titles = []
    for text in plain:
        seen[text] += 1
        titles.append(f"{text} {seen[text]}" if plain.count(text) > 1 else text)
    return titles
