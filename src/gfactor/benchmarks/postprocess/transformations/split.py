"""An item with sub-questions to an item for each.

MULTI's annotators "split the raw content into distinct sub-questions" with a general part that all
share (appendix E.2), and turn parallel blanks into sub-questions "to determine a unique fixed
answer for each" (E.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.postprocess.marks import SUB_QUESTION, number_of
from gfactor.benchmarks.postprocess.transformation import register, revised
from gfactor.items import Answer, Image, Item, Segment
from gfactor.items.gaps import BLANK

_Parts = list[list[Segment]]


@register("split", "Sub-questions (1), (2) ... with a blank or an answer each, to an item each.")
def split(item: Item) -> Sequence[Item]:
    """Return items ID.1, ID.2 ..., each with the text before (1) and one sub-question; or none.

    It applies to questions with blanks in each sub-question and none in the general part, and to
    open questions whose reference has the same marks. Points of an open question are divided.
    """
    if item.choices:
        return ()
    parts = _parts(item.content)
    if len(parts) < 3:
        return ()
    general, *specific = parts
    targets = _targets(item, general, specific)
    if targets is None:
        return ()
    shares = len(specific) if item.answer_type == "open" else 1
    items = []
    for number, (segments, (target, accepted)) in enumerate(zip(specific, targets, strict=True), 1):
        changes = {"id": f"{item.id}.{number}", "points": item.points / shares}
        masks = _blanks(segments)
        if item.labels.get("masks") == sum(map(_blanks, specific)):
            changes["labels"] = {**item.labels, "masks": masks}
        items.append(
            revised(
                item, content=(*general, *segments), target=target, accepted=accepted, **changes
            )
        )
    return items


def _parts(content: Sequence[Segment]) -> _Parts:
    """Split the content at its marks 1, 2, 3 ... into the text before the first and the text after
    each."""
    parts: _Parts = [[]]
    kind = ""
    for segment in content:
        if isinstance(segment, Image):
            parts[-1].append(segment)
            continue
        start = 0
        for mark in SUB_QUESTION.finditer(segment):
            is_number, number = number_of(mark[0])
            if number != len(parts) or (kind and is_number != kind):
                continue
            kind = is_number
            parts[-1] += _worded(segment[start : mark.start()])
            parts.append([])
            start = mark.end()
        parts[-1] += _worded(segment[start:])
    return parts if all(parts[1:]) else [[]]


def _worded(text: str) -> list[Segment]:
    return [text.strip()] if text.strip() else []


def _blanks(segments: Sequence[Segment]) -> int:
    return sum(len(BLANK.findall(s)) for s in segments if isinstance(s, str))


def _targets(
    item: Item, general: Sequence[Segment], specific: _Parts
) -> list[tuple[Answer, tuple[Answer, ...]]] | None:
    """The target of every sub-question and its other right answers; None if they are not known."""
    if item.answer_type == "open" and isinstance(item.target, str) and not item.accepted:
        before, *parts = _parts([item.target])
        if before or len(parts) != len(specific):
            return None
        return [("\n".join(map(str, segments)), ()) for segments in parts]
    if item.answer_type != "blanks" or not isinstance(item.target, tuple) or _blanks(general):
        return None
    counts = [_blanks(parts) for parts in specific]
    if 0 in counts or sum(counts) != len(item.target):
        return None
    accepted = [item.target, *(a for a in item.accepted if isinstance(a, tuple))]
    targets: list[tuple[Answer, tuple[Answer, ...]]] = []
    start = 0
    for count in counts:
        first, *others = dict.fromkeys(answer[start : start + count] for answer in accepted)
        targets.append((first, tuple(others)))
        start += count
    return targets
