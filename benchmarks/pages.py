"""Putting a measured section into a page of Markdown, in the place of its older self."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def replace_section(page: Path, marker: str, text: str) -> None:
    """Replace the section that starts with the heading `marker`, or append it."""
    old = page.read_text() if page.exists() else "# Benchmarks\n\n"
    head, found, rest = old.partition(marker)
    if not found:
        page.write_text(f"{old.rstrip()}\n\n{text}")
        return
    _, more, tail = rest.partition("\n## ")
    page.write_text(head + text + (f"\n## {tail}" if more else ""))


def replace_between(page: Path, start: str, end: str, lines: Sequence[str]) -> None:
    """Replace the lines between the marks `start` and `end` of a page."""
    head, _, rest = page.read_text("utf-8").partition(start)
    tail = rest.partition(end)[2]
    page.write_text("\n".join([head + start, *lines, end]) + tail, "utf-8")
