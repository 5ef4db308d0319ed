"""A sample of Inspect as an item and a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gfactor.administration.imports.documents import failed_outcome, image_of_uri, one_line
from gfactor.administration.imports.items import (
    LETTERS,
    Question,
    item_from,
    simple_labels,
)
from gfactor.examinees import Outcome, Reply
from gfactor.examinees.inspect import reply_of_output
from gfactor.items import Image, Item, Segment
from gfactor.items.schema import item_of

ITEM, CONDITION = "gfactor_item", "gfactor_condition"
"""Keys of a sample's metadata under which banks of gfactor, given as Inspect tasks, keep the item
(a row of the bank without its images) and the condition under which it was rendered."""

_REFERENCE = "attachment://"
_LIMITS_OF_TIME = ("time", "working")


def item_of_sample(sample: Mapping[str, Any], task: str) -> Item:
    """Return the item of a sample; raise ValueError (KeylessError) if it cannot be scored."""
    attachments, facts = _mapping(sample.get("attachments")), _mapping(sample.get("metadata"))
    content = _content(sample.get("input"), attachments)
    if isinstance(facts.get(ITEM), dict):
        return registered_item(facts[ITEM], [s for s in content if isinstance(s, Image)])
    choices = sample.get("choices") or []
    if not all(isinstance(c, str) for c in choices) or len(choices) > len(LETTERS):
        raise ValueError(f"its choices are not texts, or there are more than {len(LETTERS)}")
    target = sample.get("target")
    key = [target] if isinstance(target, str) else target
    if not isinstance(key, list) or not all(isinstance(k, str) for k in key):
        raise ValueError("its target is not a text or a list of texts")
    options = {LETTERS[k]: _text(text, attachments) for k, text in enumerate(choices)}
    question = Question(
        benchmark=task,
        number=str(sample.get("id")),
        content=content,
        key=tuple(_text(k, attachments) for k in key),
        options=options,
        labels=simple_labels(facts),
        source="inspect",
    )
    return item_from(question)


def registered_item(row: Mapping[str, Any], images: Sequence[Image] = ()) -> Item:
    """Return an item of gfactor, from its row in a bank without images, with the images of the log.

    If the number of images differs from that of the item, texts replace the images.
    """
    wanted = sum(p["image"] is not None for p in (*row["content"], *row["choices"]))
    if len(images) != wanted:
        parts = {k: [_imageless(part) for part in row[k]] for k in ("content", "choices")}
        return item_of({**row, **parts}, [])
    return item_of(row, [{"bytes": i.data, "path": i.path} for i in images])


def _imageless(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of an item, its image (which the log left out) replaced by a word."""
    return {**part, "image": None, "text": "[image]" if part["text"] is None else part["text"]}


def _content(messages: Any, attachments: Mapping[str, str]) -> tuple[Segment, ...]:
    """Texts and images of a sample's input, in order."""
    if isinstance(messages, str):
        return (_text(messages, attachments),)
    parts: list[Segment] = []
    for message in messages if isinstance(messages, list) else []:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for part in content if isinstance(content, list) else []:
            if part.get("type") == "text":
                parts.append(_text(str(part.get("text", "")), attachments))
            elif part.get("type") == "image":
                uri = _text(str(part.get("image", "")), attachments)
                parts.append(image_of_uri(uri, str(len(parts))))
    return tuple(parts)


def _text(text: str, attachments: Mapping[str, str]) -> str:
    """A text, or the attachment that it refers to."""
    if text.startswith(_REFERENCE):
        return str(attachments.get(text.removeprefix(_REFERENCE), text))
    return text


def reply_of_sample(sample: Mapping[str, Any]) -> Reply:
    """Return the model's reply; an error of the sample is a failed attempt, not a wrong answer."""
    error, output, limit = (_mapping(sample.get(k)) for k in ("error", "output", "limit"))
    if error:
        message = one_line(error.get("message") or "") or "an error without a message"
        return Reply("", failed_outcome(message), "", detail=message)
    if not output.get("choices"):
        return _no_output(limit)
    attachments = _mapping(sample.get("attachments"))
    reply = reply_of_output(output, lambda text: _text(text, attachments))
    if limit and reply.outcome in ("ok", "empty"):
        reply = replace(reply, outcome="truncated")
    spent = sample.get("working_time")
    if not reply.latency_s and isinstance(spent, int | float):
        reply = replace(reply, latency_s=max(0.0, float(spent)))
    return reply


def condition_of_sample(sample: Mapping[str, Any]) -> str:
    """Return the key of the condition under which an item of gfactor was rendered; "" for other
    items."""
    condition = _mapping(sample.get("metadata")).get(CONDITION)
    return condition if isinstance(condition, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object; an empty object otherwise, or if it is missing."""
    return value if isinstance(value, dict) else {}


def _no_output(limit: Mapping[str, Any]) -> Reply:
    if not limit:
        return Reply("", "protocol_error", "", detail="the sample has no output")
    kind = str(limit.get("type"))
    outcome: Outcome = "timeout" if kind in _LIMITS_OF_TIME else "protocol_error"
    return Reply("", outcome, "", detail=f"stopped by the limit of {kind} before there was output")
