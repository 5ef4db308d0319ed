"""Meaning of finish reasons, in the words of all vendors behind chat-completions interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

Ending = Literal["truncated", "content_filter", "refusal", "broken"]

_WORDS: Mapping[Ending, str] = {
    # OpenAI; Anthropic; Gemini (in capitals); Mistral; Zhipu and Anthropic.
    "truncated": "length max_tokens max_output_tokens model_length model_context_window_exceeded",
    # OpenAI; Gemini; Zhipu; Bedrock.
    "content_filter": (
        "content_filter content_filtered safety recitation blocklist prohibited_content spii "
        "image_safety image_prohibited_content image_recitation sensitive guardrail_intervened "
        "language"
    ),
    "refusal": "refusal",
    # OpenRouter and Mistral; vLLM and SGLang; DeepSeek; Zhipu: the reply is incomplete for a reason
    # outside of the model.
    "broken": (
        "error abort aborted cancelled canceled insufficient_system_resource network_error timeout"
    ),
}

_ENDINGS: Mapping[str, Ending] = {
    word: ending for ending, words in _WORDS.items() for word in words.split()
}


@lru_cache(maxsize=256)
def ending_of(finish_reason: str) -> Ending | None:
    """Return the kind of ending for a finish reason; None for a reply that ended normally.

    Case and text after a colon are ignored ("content_filter: SAFETY").
    """
    word = finish_reason.partition(":")[0].strip().lower().replace("-", "_").replace(" ", "_")
    return _ENDINGS.get(word)
