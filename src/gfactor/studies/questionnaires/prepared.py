"""Questions as they are sent one after the other: made once, what differs filled in."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from gfactor.studies.questionnaires.allocation import Step
from gfactor.studies.questionnaires.views import OptionView, View
from gfactor.studies.web import Pages, to_html
from gfactor.studies.web.bounded import Bounded
from gfactor.studies.web.gaps import Gaps, Pieces, filled

QUESTION, RESULT = "question.html.j2", "result.html.j2"

PLAIN = ("form_token", "position", "number", "done", "count", "elapsed")
FILLED = (*PLAIN, "ahead", "images")
"""Values that differ from one sending of a question to the next; `PLAIN` are numbers and a token of
ours, none of which has a sign that HTML escapes.
"""

OF_RESULT = ("form_token", "position", "number", "count", "images")
"""Values that differ from one participant's result of a question to another's; HTML escapes no sign
of them, as it does of the answer.
"""


class Prepared:
    """Parts of pages with a question, as text around what is filled in.

    A question is made once for all orders of its options: their texts are filled in. Where options
    are pictures, all orders have the same text.

    Parameters
    ----------
    pages: pages of the study.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._gaps = Gaps()
        self._prepared: dict[Hashable, Pieces] = Bounded()
        self._options: dict[View, tuple[Any, tuple[str, ...]]] = Bounded()

    def text(self, step: Step, values: Mapping[str, Any]) -> str:
        """The part for the values of its template, in which nothing was typed yet."""
        alike, options = self._options_of(values["view"])
        key = step.kind, step.item, step.page, alike, values["turn"], values["begun"]
        pieces = self._prepared.get(key)
        if pieces is None:
            plain = {"problem": "", "typed": {}, "step": ""}
            pieces = self._prepared[key] = self._pieces(QUESTION, FILLED, {**values, **plain})
        gaps = [str(values[name]) for name in PLAIN]
        gaps += [escape(values["ahead"]), escape(values["images"]), *options]
        return filled(pieces, gaps)

    def result(self, step: Step, values: Mapping[str, Any]) -> str:
        """The question with the answer that was given, on the page of results; nothing in it tells
        what was right."""
        alike, options = self._options_of(values["view"])
        key = RESULT, step.item, alike, values["challenged"], values["open"]
        pieces = self._prepared.get(key)
        if pieces is None:
            pieces = self._prepared[key] = self._pieces(RESULT, (*OF_RESULT, "answer"), values)
        gaps = [str(values[name]) for name in OF_RESULT]
        return filled(pieces, [*gaps, escape(values["answer"]), *options])

    def _options_of(self, view: View) -> tuple[Any, tuple[str, ...]]:
        options = self._options.get(view)
        if options is None:
            options = self._options[view] = _options(view)
        return options

    def _pieces(self, part: str, names: Sequence[str], values: Mapping[str, Any]) -> Pieces:
        """Render a part with gaps for these values and for the texts of options."""
        view = values["view"]
        options = tuple(
            OptionView(option.label, self._gaps.mark(len(names) + k)) if option.text else option
            for k, option in enumerate(view.options)
        )
        marks = {name: self._gaps.mark(k) for k, name in enumerate(names)}
        filling = {**values, **marks, "view": replace(view, options=options)}
        return self._gaps.pieces(self._pages.text(part, **filling))


def _options(view: View) -> tuple[Any, tuple[str, ...]]:
    """Return what orders of the options have in common that are made from one text (the view itself
    if some options are texts and others pictures, or labels alone), and the options' texts as HTML.
    """
    kinds = {(option.picture == "", option.text == "") for option in view.options}
    alike = view if len(kinds) > 1 else next(iter(kinds), None)
    return alike, tuple(to_html(option.text, inline=True) for option in view.options)
