"""Spreading what is shown over turns, and joining neighboring texts of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gfactor.administration.packs import Pack
from gfactor.items import Image, Segment

Turn = tuple[Segment, ...]


def joined(segments: Iterable[Segment]) -> Turn:
    """The segments with neighboring texts joined by line breaks: servers join them differently."""
    out: list[Segment] = []
    for segment in segments:
        if out and isinstance(segment, str) and isinstance(out[-1], str):
            out[-1] = f"{out[-1]}\n{segment}"
        else:
            out.append(segment)
    return tuple(out)


def one_image_per_turn(segments: Turn, pack: Callable[[], Pack]) -> list[Turn]:
    """The segments cut behind every image but the last (MULTI, section 4.2).

    Every turn holds one image, the last also what follows it; all but the last ask to wait, the
    last asks for the answer. What has at most one image stays one turn and gets no such sentence;
    `pack` is not called for then.
    """
    parts = sum(isinstance(s, Image) for s in segments)
    if parts <= 1:
        return [segments]
    words = pack()
    turns: list[list[Segment]] = [[]]
    for segment in segments:
        turns[-1].append(segment)
        if isinstance(segment, Image) and len(turns) < parts:
            turns.append([])
    waiting = [
        (*turn, *filter(None, [words.say("sentences", "part", part=k, parts=parts)]))
        for k, turn in enumerate(turns[:-1], 1)
    ]
    return [*waiting, (*turns[-1], *filter(None, [words.say("sentences", "final")]))]
