"""Limit of the stored length of replies."""

from __future__ import annotations

from dataclasses import replace

from gfactor.examinees.base import Reply


def shortened(reply: Reply, most: int) -> Reply:
    """Return the reply with text and reasoning cut to at most `most` characters; `detail` notes a
    cut.

    Examples
    --------
    >>> shortened(Reply("A" * 50), 20).outcome, shortened(Reply("A" * 50), 20).detail
    ('truncated', 'only the first 20 of 50 characters were kept (--max-reply)')
    """
    longest = max(len(reply.text), len(reply.reasoning))
    if longest <= most:
        return reply
    note = f"only the first {most:,} of {longest:,} characters were kept (--max-reply)"
    whole = len(reply.text) <= most
    return replace(
        reply, text=reply.text[:most], reasoning=reply.reasoning[:most],
        outcome=reply.outcome if whole or reply.outcome != "ok" else "truncated",
        detail=f"{reply.detail}; {note}" if reply.detail else note,
    )  # fmt: skip
