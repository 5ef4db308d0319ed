"""Putting a measured section into a page of Markdown, in the place of its older self."""

from __future__ import annotations

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
