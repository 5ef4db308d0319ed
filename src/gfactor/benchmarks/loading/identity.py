"""The identity of an item that was published: what is asked, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.items import Choice, Image, Segment, canonical_json, text_hash


def content_hash(benchmark: str, content: Sequence[Segment], choices: Sequence[Choice]) -> str:
    """SHA-256 of the benchmark, the content and the choices, with images by their bytes.

    Two rows that ask exactly the same have the same hash, whatever they are called: they share
    answers in a journal, and an audit finds them.
    """

    def plain(segment: Segment) -> str | list[str]:
        return ["image", segment.sha256] if isinstance(segment, Image) else segment

    asked = {
        "benchmark": benchmark,
        "content": [plain(segment) for segment in content],
        "choices": [[choice.label, plain(choice.content)] for choice in choices],
    }
    return text_hash(canonical_json(asked))
