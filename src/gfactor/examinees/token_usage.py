"""Numbers of tokens in what servers say of their use.

Journals are read with this too, so it stands apart from the modules that ask over HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping


def read_and_written(usage: Mapping[str, int]) -> tuple[int, int]:
    """Return the numbers of tokens that a model read and wrote, including reasoning tokens.

    Some vendors (xAI, Gemini) count reasoning tokens only in the total and not in
    `completion_tokens`.
    """
    read, written = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    return read, max(written, usage.get("total_tokens", 0) - read)
