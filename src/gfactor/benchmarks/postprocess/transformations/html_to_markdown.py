"""HTML in the texts of an item to Markdown and LaTeX (MULTI, appendix E.1)."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.postprocess.html import markdown
from gfactor.benchmarks.postprocess.transformation import register, revised
from gfactor.items import Answer, Choice, Image, Item, Segment


@register(
    "html-to-markdown", "Turn HTML in texts, options and written answers into Markdown, LaTeX."
)
def html_to_markdown(item: Item) -> Sequence[Item]:
    """Return the item with its texts converted; none if no text has a tag or an entity."""
    written = item.answer_type in ("blanks", "open")
    changes = {
        "content": tuple(map(_segment, item.content)),
        "choices": tuple(Choice(c.label, _segment(c.content)) for c in item.choices),
        "target": _answer(item.target) if written and item.target is not None else item.target,
        "accepted": tuple(map(_answer, item.accepted)) if written else item.accepted,
    }
    if all(getattr(item, name) == value for name, value in changes.items()):
        return ()
    return (revised(item, **changes),)


def _segment(segment: Segment) -> Segment:
    return segment if isinstance(segment, Image) else markdown(segment)


def _answer(answer: Answer) -> Answer:
    if isinstance(answer, tuple):
        return tuple(markdown(a) if isinstance(a, str) else a for a in answer)
    return markdown(answer) if isinstance(answer, str) else answer
