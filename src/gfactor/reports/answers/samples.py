"""A sample item of every task, as it was shown."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from gfactor.items import Image, Segment
from gfactor.reports.answers.results import Results

_MAGIC = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


@dataclass(frozen=True)
class EmbeddedPicture:
    """An image as a data URI, and a description for people who cannot see it."""

    uri: str
    alt: str


@dataclass(frozen=True)
class ShownReply:
    """Reply of an examinee, and its score ("right", "wrong", a score)."""

    examinee: str
    text: str
    mark: str = ""


@dataclass(frozen=True)
class SampledItem:
    """One item: the name of its task, its texts and pictures in reading order, labels, replies."""

    task: str
    item_id: str
    parts: tuple[str | EmbeddedPicture, ...]
    labels: tuple[tuple[str, str], ...]
    replies: tuple[ShownReply, ...] = ()


def gallery(results: Results) -> list[SampledItem]:
    """Return the samples of the journal, by task."""
    first = results.answers.drop_duplicates(["benchmark", "item_id"])
    first = first.set_index(["benchmark", "item_id"])
    samples = []
    for item in sorted(results.samples, key=lambda item: (item.benchmark, item.task)):
        key = (item.benchmark, item.item_id)
        labels = _labels(first.loc[key]) if key in first.index else ()
        parts = shown_parts(item.content, item.task)
        samples.append(SampledItem(item.task, item.item_id, parts, labels))
    return samples


def shown_parts(content: Sequence[Segment], task: str) -> tuple[str | EmbeddedPicture, ...]:
    """Return texts and pictures of an item, in reading order, as a page shows them."""
    images = [part for part in content if isinstance(part, Image)]
    return tuple(
        _picture(part, task, images.index(part) + 1, len(images))
        if isinstance(part, Image)
        else part
        for part in content
    )


def _picture(image: Image, task: str, number: int, count: int) -> EmbeddedPicture:
    kind = next((name for magic, name in _MAGIC.items() if image.data.startswith(magic)), "")
    uri = f"data:{kind or 'image/png'};base64,{base64.b64encode(image.data).decode()}"
    return EmbeddedPicture(uri, f"Sample picture {number} of {count} of {task.replace('_', ' ')}")


def _labels(row: pd.Series) -> tuple[tuple[str, str], ...]:
    named = (("skills", "skills"), ("size", "size"), ("answer_type", "answer type"))
    return tuple(
        (heading, ", ".join(value) if isinstance(value, (tuple, list)) else str(value))
        for name, heading in named
        if name in row.index
        for value in [row[name]]
        if isinstance(value, (tuple, list)) or not bool(pd.isna(value))
    )
