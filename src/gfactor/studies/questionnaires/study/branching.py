"""Pages that are shown only to participants who gave a certain answer before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.study.groups import can_be, is_value
from gfactor.studies.questionnaires.study.page_definitions import Page, PageQuestion


def answered_values(pages: Sequence[Page], answers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the answers to questions of a study's pages, by variable.

    Parameters
    ----------
    answers: rows of the table of answers.
    """
    asking = {page.name for page in pages if page.questions}
    values: dict[str, Any] = {}
    for row in answers:
        if row["kind"] == "page" and row["item"] in asking:
            values |= json.loads(row["text"] or "{}")
    return values


def is_shown(page: Page, values: Mapping[str, Any]) -> bool:
    """Return True if a page is shown to a person who gave these answers. A page is not shown to
    people who were not asked, or did not answer, the question on which it depends.
    """
    alternatives = [one.partition(":")[::2] for one in page.show_if]
    return not alternatives or any(
        name in values and is_value(values[name], value) for name, value in alternatives
    )


def waits_for(page: Page, ahead: Iterable[Page]) -> bool:
    """Return True if a page depends on a question of a later page."""
    needed = {one.partition(":")[0] for one in page.show_if}
    return any(needed.intersection(q.variables) for other in ahead for q in other.questions)


def check_branches(pages: Sequence[Page], where: str) -> None:
    """Raise ParameterError if a page depends on a question that is not asked before it, or on an
    impossible value."""
    questions: dict[str, PageQuestion] = {}
    for k, page in enumerate(pages, 1):
        for one in page.show_if:
            name, colon, value = one.partition(":")
            here = f"{where}: pages[{k}].show_if names {one!r}"
            if not colon or not value:
                raise ParameterError(f'{here}; write "QUESTION:VALUE", as "devices:touch"')
            if name not in questions:
                earlier = ", ".join(questions) or "none"
                raise ParameterError(
                    f"{here}, and no page before it asks {name!r}; questions before it: {earlier}"
                )
            if not can_be(questions[name], value):
                raise ParameterError(
                    f"{here}, but no answer to {name!r} can be that; give the value of an option, "
                    "or, if the question asks for a number, a range such as 18-29"
                )
        questions |= {name: q for q in page.questions for name in q.variables}


def not_shown(
    pages: Sequence[Page], order: Sequence[int], form: Sequence[int | None], finished: bool
) -> list[int]:
    """Return the numbers of the pages that were not shown to a person because of the answers.

    Parameters
    ----------
    pages: pages of the study.
    order: numbers of the pages of this person's condition, in their order.
    form: number of the page of each step of their form, as far as it has grown.
    finished: True if they have answered all of it; else later pages are not decided yet.
    """
    if not finished and form and form[-1] is not None:
        order = order[: order.index(form[-1])]
    return [k for k in order if pages[k].show_if and k not in form]


def branch_lines(
    pages: Sequence[Page],
) -> list[tuple[str, Literal["ok", "missing", "note"], str, str]]:
    """Return a line of the checklist, with name, state, text and remedy, if pages depend on
    answers; an empty list if none does.
    """
    phrases, lost = _phrases(pages), _without_block(pages)
    text = f"shown: {'; '.join(phrases)}"
    if lost:
        text += f"; whoever answers {', '.join(lost)} is asked no item"
        return [("branches", "note", text, "add a block for them, or screen them out by a quota")]
    return [("branches", "ok", text, "")] if phrases else []


def _phrases(pages: Sequence[Page]) -> list[str]:
    """Return which pages are shown to whom, a phrase for each page that depends on an answer."""
    phrases = []
    for k, page in enumerate(pages, 1):
        if page.show_if:
            title = page.name or f"pages[{k}] ({page.kind.replace('_', ' ')})"
            whom = " or ".join(one.replace(":", " = ", 1) for one in page.show_if)
            phrases.append(f"{title} if {whom}")
    return phrases


def _without_block(pages: Sequence[Page]) -> list[str]:
    """Return the answers to a choice of one option with which nobody is asked an item."""
    blocks = [page for page in pages if page.kind == "block"]
    single = [q for page in pages for q in page.questions if q.kind == "single"]
    return [
        f"{question.name} = {option.value}"
        for question in single
        for option in question.options
        if all(_needs_another(block, question.name, option.value) for block in blocks)
    ]


def _needs_another(block: Page, variable: str, value: str) -> bool:
    """Return True if a block depends on this variable alone, and on other values of it."""
    named = [one.partition(":")[::2] for one in block.show_if]
    return bool(named) and all(name == variable and one != value for name, one in named)
