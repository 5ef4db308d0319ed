"""Questions as they are sent one after the other: made once, what differs filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from secrets import token_hex
from typing import Any

from gfactor.studies.questionnaires.allocation import Step
from gfactor.studies.questionnaires.views import OptionView, View
from gfactor.studies.web import Pages, to_html
from gfactor.studies.web.bounded import Bounded

PART = "question.html.j2"

PLAIN = ("form_token", "position", "number", "done", "count", "elapsed")
FILLED = (*PLAIN, "ahead", "images")
"""Values that differ from one sending of a question to the next; `PLAIN` are numbers and a token of
ours, none of which has a sign that HTML escapes.
"""


class Prepared:
    """The part of a page with a question, as text around what is filled in.

    A question is made once for all orders of its options: their texts are filled in. Where options
    are pictures, all orders have the same text.

    Parameters
    ----------
    pages: pages of the study.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._secret = token_hex(16)
        self._split = re.compile(f"{self._secret}([0-9]+)x")
        self._prepared: dict[Any, tuple[list[str], list[int]]] = Bounded()
        self._options: dict[View, tuple[Any, tuple[str, ...]]] = Bounded()

    def text(self, step: Step, values: Mapping[str, Any]) -> str:
        """The part for the values of its template, in which nothing was typed yet."""
        view = values["view"]
        if view not in self._options:
            self._options[view] = _options(view)
        alike, options = self._options[view]
        key = step.kind, step.item, step.page, alike, values["turn"], values["begun"]
        if key not in self._prepared:
            self._prepared[key] = self._pieces(view, values)
        pieces, numbers = self._prepared[key]
        filled = [str(values[name]) for name in PLAIN]
        filled += [escape(values["ahead"]), escape(values["images"]), *options]
        pieces = pieces.copy()
        pieces[1::2] = [filled[number] for number in numbers]
        return "".join(pieces)

    def _pieces(self, view: View, values: Mapping[str, Any]) -> tuple[list[str], list[int]]:
        """Return texts with gaps between them, and the numbers of the values that fill the gaps."""
        options = tuple(
            OptionView(option.label, self._mark(len(FILLED) + k)) if option.text else option
            for k, option in enumerate(view.options)
        )
        marks = {name: self._mark(k) for k, name in enumerate(FILLED)}
        plain = {"problem": "", "typed": {}, "step": ""}
        filled = {**values, **marks, **plain, "view": replace(view, options=options)}
        text = self._pages.text(PART, **filled)
        pieces = self._split.split(text)
        return pieces, [int(number) for number in pieces[1::2]]

    def _mark(self, number: int) -> str:
        return f"{self._secret}{number}x"


def _options(view: View) -> tuple[Any, tuple[str, ...]]:
    """Return what orders of the options have in common that are made from one text (the view itself
    if some options are texts and others pictures, or labels alone), and the options' texts as HTML.
    """
    kinds = {(option.picture == "", option.text == "") for option in view.options}
    alike = view if len(kinds) > 1 else next(iter(kinds), None)
    return alike, tuple(to_html(option.text, inline=True) for option in view.options)
