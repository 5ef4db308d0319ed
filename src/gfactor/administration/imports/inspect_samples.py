"""A sample of Inspect as an item and a reply."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.administration.imports.documents import one_line
from gfactor.administration.imports.items import (
    LETTERS,
    Question,
    item_from,
    simple_labels,
)
from gfactor.examinees import Outcome, Reply
from gfactor.items import Image, Item, Segment
from gfactor.items.schema import item_of

ITEM = "gfactor_item"
"""Key of a sample's metadata under which our own banks, given as Inspect tasks, keep the item."""

_REFERENCE = "attachment://"
_DATA = re.compile(r"data:image/([\w.+-]+);base64,", re.ASCII)
_TIMEOUT = re.compile(r"time.?out|timed out|deadline", re.IGNORECASE)
_TRANSPORT = re.compile(
    r"connect|network|rate.?limit|overload|unavailable|http|api.?(?:status|error)|\b5\d\d\b",
    re.IGNORECASE,
)
_STOPS: Mapping[str, Outcome] = {
    "max_tokens": "truncated",
    "length": "truncated",
    "model_length": "truncated",
    "content_filter": "content_filter",
    "refusal": "refusal",
}
_LIMITS_OF_TIME = ("time", "working")


def item_of_sample(sample: Mapping[str, Any], task: str) -> Item:
    """The item of a sample; ValueError (KeylessError) where it cannot be scored."""
    attachments, facts = _mapping(sample.get("attachments")), _mapping(sample.get("metadata"))
    content = _content(sample.get("input"), attachments)
    if isinstance(facts.get(ITEM), dict):
        return _own(facts[ITEM], content)
    choices = sample.get("choices") or []
    if not all(isinstance(c, str) for c in choices) or len(choices) > len(LETTERS):
        raise ValueError(f"its choices are not texts, or more than {len(LETTERS)}")
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


def _own(row: Mapping[str, Any], content: Sequence[Segment]) -> Item:
    """An item of ours, from what the task noted in the log and the images that were shown."""
    shown = [part for part in content if isinstance(part, Image)]
    wanted = sum(p["image"] is not None for p in (*row["content"], *row["choices"]))
    if len(shown) != wanted:
        parts = {k: [_imageless(part) for part in row[k]] for k in ("content", "choices")}
        return item_of({**row, **parts}, [])
    return item_of(row, [{"bytes": i.data, "path": i.path} for i in shown])


def _imageless(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of an item, its image (which the log left out) replaced by a word."""
    return {**part, "image": None, "text": "[image]" if part["text"] is None else part["text"]}


def _content(shown: Any, attachments: Mapping[str, str]) -> tuple[Segment, ...]:
    """Texts and images of a sample's input, in order."""
    if isinstance(shown, str):
        return (_text(shown, attachments),)
    parts: list[Segment] = []
    for message in shown if isinstance(shown, list) else []:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for part in content if isinstance(content, list) else []:
            if part.get("type") == "text":
                parts.append(_text(str(part.get("text", "")), attachments))
            elif part.get("type") == "image":
                parts.append(_image(_text(str(part.get("image", "")), attachments), len(parts)))
    return tuple(parts)


def _text(text: str, attachments: Mapping[str, str]) -> str:
    """A text, or the attachment that it refers to."""
    if text.startswith(_REFERENCE):
        return str(attachments.get(text.removeprefix(_REFERENCE), text))
    return text


def _image(uri: str, position: int) -> Segment:
    """An image that the log holds; a word in its place where it names a file or an address."""
    head = _DATA.match(uri)
    if head is None:
        return f"[image: {uri}]" if len(uri) < 200 else "[image]"
    try:
        data = base64.b64decode(uri[head.end() :], validate=True)
    except binascii.Error:
        return "[image]"
    return Image(data, f"{position}.{head[1].replace('jpeg', 'jpg')}")


def reply_of_sample(sample: Mapping[str, Any]) -> Reply:
    """What the model replied; an error of the sample is a failed attempt, never a wrong answer."""
    error, output, limit = (_mapping(sample.get(k)) for k in ("error", "output", "limit"))
    if error:
        return Reply("", _outcome_of(str(error.get("message"))), "", detail=_detail(error))
    choices = output.get("choices")
    first = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    if not first:
        return _no_output(limit)
    text, reasoning = _said(
        _mapping(first.get("message")).get("content"), _mapping(sample.get("attachments"))
    )
    stop = str(first.get("stop_reason") or "unknown")
    outcome = outcome_of_stop(stop, text, first.get("stop_details"))
    if outcome in ("ok", "empty") and limit:
        outcome = "truncated"
    usage, cost = usage_of(output.get("usage"))
    times = (output.get("time"), sample.get("working_time"))
    latency = next((float(t) for t in times if isinstance(t, int | float) and t >= 0), 0.0)
    detail = one_line(output.get("error") or "")
    return Reply(text, outcome, stop, usage, latency, cost, detail, reasoning)


def _mapping(value: Any) -> Mapping[str, Any]:
    """The value where it is an object, an empty one where it is anything else or missing."""
    return value if isinstance(value, dict) else {}


def _no_output(limit: Mapping[str, Any]) -> Reply:
    if not limit:
        return Reply("", "protocol_error", "", detail="the sample has no output")
    kind = str(limit.get("type"))
    outcome: Outcome = "timeout" if kind in _LIMITS_OF_TIME else "protocol_error"
    return Reply("", outcome, "", detail=f"stopped by the limit of {kind} before there was output")


def _outcome_of(message: str) -> Outcome:
    if _TIMEOUT.search(message):
        return "timeout"
    return "transport_error" if _TRANSPORT.search(message) else "protocol_error"


def _detail(error: Mapping[str, Any]) -> str:
    return one_line(error.get("message") or "") or "an error without a message"


def _said(content: Any, attachments: Mapping[str, str]) -> tuple[str, str]:
    """The text of a message, and what the model thought apart from it."""
    if isinstance(content, str):
        return _text(content, attachments), ""
    parts = [p for p in content if isinstance(p, dict)] if isinstance(content, list) else []
    said = [_text(str(p.get("text", "")), attachments) for p in parts if p.get("type") == "text"]
    thought = [
        _text(str(p.get("reasoning", "")), attachments)
        for p in parts
        if p.get("type") == "reasoning" and not p.get("redacted")
    ]
    return "\n".join(said), "\n".join(thought)


def outcome_of_stop(stop: str, text: str, details: Any = None) -> Outcome:
    """Our outcome for Inspect's reason to stop (and its details, as a mapping)."""
    if stop == "content_filter" and _mapping(details).get("type") == "refusal":
        return "refusal"
    return _STOPS.get(stop) or ("ok" if text.strip() else "empty")


def usage_of(usage: Any) -> tuple[dict[str, int], float | None]:
    """Token counts by the names that we use everywhere, and the cost in dollars where known."""
    if not isinstance(usage, dict):
        return {}, None

    def count(*names: str) -> int:
        return sum(usage[n] for n in names if type(usage.get(n)) is int)

    tokens = {
        "prompt_tokens": count(
            "input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"
        ),
        "completion_tokens": count("output_tokens"),
        "total_tokens": count("total_tokens"),
    }
    if type(usage.get("reasoning_tokens")) is int:
        tokens["reasoning_tokens"] = usage["reasoning_tokens"]
    cost = usage.get("total_cost")
    return tokens, float(cost) if isinstance(cost, int | float) else None
