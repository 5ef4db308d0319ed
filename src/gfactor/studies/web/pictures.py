"""Which pictures a browser is given."""

from __future__ import annotations

_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


def kind_of(data: bytes) -> str | None:
    """The type of a picture by its first bytes; None for what a browser could run, as SVG."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _KINDS if data.startswith(start)), None)
