"""An output of Inspect (the JSON of its `ModelOutput`) as a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gfactor.examinees.base import Outcome, Reply

Resolve: TypeAlias = Callable[[str], str]
"""Function that returns a text, or the text to which it refers (logs store long texts
separately)."""

_STOPS: Mapping[str, Outcome] = {
    "max_tokens": "truncated",
    "length": "truncated",
    "model_length": "truncated",
    "content_filter": "content_filter",
    "refusal": "refusal",
}
_TOKENS = {
    "prompt_tokens": ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"),
    "completion_tokens": ("output_tokens",),
    "total_tokens": ("total_tokens",),
    "reasoning_tokens": ("reasoning_tokens",),
}
_LONGEST_DETAIL = 300


def reply_of_output(output: Mapping[str, Any], resolve: Resolve = str) -> Reply:
    """Return the reply in an output, or a protocol error if there is none.

    Inspect uses `content_filter` both for a provider's filter and for a model's refusal; a refusal
    is recognized by the provider's details of the stop. A cost is in dollars.
    """
    choices = output.get("choices")
    first = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    if not first:
        return Reply("", "protocol_error", "", detail="an output without choices")
    text, reasoning = _text_and_thinking(_mapping(first.get("message")).get("content"), resolve)
    stop = str(first.get("stop_reason") or "unknown")
    outcome = _STOPS.get(stop) or ("ok" if text.strip() else "empty")
    if outcome == "content_filter" and _mapping(first.get("stop_details")).get("type") == "refusal":
        outcome = "refusal"
    usage, latency = _mapping(output.get("usage")), output.get("time")
    cost = usage.get("total_cost")
    return Reply(
        text,
        outcome,
        stop,
        usage=_tokens(usage),
        latency_s=max(0.0, float(latency)) if isinstance(latency, int | float) else 0.0,
        cost=float(cost) if isinstance(cost, int | float) else None,
        detail=" ".join(str(output.get("error") or "").split())[:_LONGEST_DETAIL],
        reasoning=reasoning,
        answered_by=str(output.get("model") or "")[:_LONGEST_DETAIL],
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text_and_thinking(content: Any, resolve: Resolve) -> tuple[str, str]:
    """The text of a message, and what the model thought apart from it."""
    if isinstance(content, str):
        return resolve(content), ""
    parts = [_mapping(p) for p in content] if isinstance(content, list) else []
    texts = [resolve(str(p.get("text", ""))) for p in parts if p.get("type") == "text"]
    # A redacted thought is encrypted for the provider and cannot be read.
    thought = [
        resolve(str(p.get("reasoning", "")))
        for p in parts
        if p.get("type") == "reasoning" and not p.get("redacted")
    ]
    return "\n".join(texts), "\n".join(thought)


def _tokens(usage: Mapping[str, Any]) -> dict[str, int]:
    """Counts by OpenAI's names; Inspect counts cached input apart."""
    return {
        ours: sum(counts)
        for ours, theirs in _TOKENS.items()
        if (counts := [usage[name] for name in theirs if type(usage.get(name)) is int])
    }
