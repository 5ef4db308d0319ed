"""Questions that are rendered once, with gaps that are filled in for each participant."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gfactor.studies.questionnaires.pages.views import OptionView, View
from gfactor.studies.web import Pages, to_html
from gfactor.studies.web.bounded import Bounded
from gfactor.studies.web.gaps import Gaps, Pieces, filled

QUESTION, RESULT = "question.html.j2", "result.html.j2"

FILLED: Mapping[str, Sequence[str]] = {
    QUESTION: (
        "form_token", "position", "number", "done", "count", "elapsed", "ahead", "images",
    ),
    RESULT: ("form_token", "position", "number", "count", "images", "answer"),
}  # fmt: skip
"""Values that differ from one sending of a part to the next, in the order in which they are given;
the texts of options follow.
"""

Values = Callable[[], Mapping[str, Any]]
"""Function that returns the values of a template: called if a part is not prepared."""


class Prepared:
    """Parts of pages with a question, as text around gaps to be filled in.

    A question is rendered once for all orders of its options, whose texts are filled in. If options
    are pictures, all orders have the same text.

    Parameters
    ----------
    pages: pages of the study.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._gaps = Gaps()
        self._parts: dict[Hashable, tuple[Pieces, tuple[str, ...]]] = Bounded()

    def text(
        self,
        part: str,
        key: tuple[Hashable, ...],
        gaps: Sequence[str],
        order: Sequence[int],
        values: Values,
    ) -> str:
        """Return a part of a page with empty fields.

        Parameters
        ----------
        part: name of its template, one of `FILLED`.
        key: what tells its question from others, and the order of options that do not move as
            texts.
        gaps: HTML of what `FILLED` names.
        order: for each place the number of the option of the view there whose text is filled in.
        values: values of the template; its `view` has the options in their own order, or in one
            that `key` has.
        """
        pieces, options = self._parts.get((part, key)) or self.make(part, key, values)
        texts = [options[k] for k in order] if options else ()
        return filled(pieces, [*gaps, *texts])

    def make(
        self, part: str, key: tuple[Hashable, ...], values: Values
    ) -> tuple[Pieces, tuple[str, ...]]:
        """Prepare a part, see `text`; return it with the HTML of the texts of its options."""
        prepared = self._parts[part, key] = self._render(part, values())
        return prepared

    def _render(self, part: str, values: Mapping[str, Any]) -> tuple[Pieces, tuple[str, ...]]:
        """Render a part with gaps for the values of `FILLED` and for the texts of options, which
        are given beside it as HTML."""
        view: View = values["view"]
        marks = {name: self._gaps.mark(k) for k, name in enumerate(FILLED[part])}
        options = tuple(
            OptionView(option.label, self._gaps.mark(len(marks) + k)) if option.text else option
            for k, option in enumerate(view.options)
        )
        filling = {**values, **marks, "view": replace(view, options=options)}
        pieces = self._gaps.pieces(self._pages.text(part, **filling))
        return pieces, tuple(to_html(option.text, inline=True) for option in view.options)
