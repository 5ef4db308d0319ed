"""Contact sheets of the generated families: two items of every difficulty, for looking at.

    python docs/contact_sheets.py FOLDER [--seed 11] [--families closure,matrices]

Writes FOLDER/NAME.png for every family, a column for each difficulty from easy to hard (and
extreme, where there is one), and FOLDER/index.html with all of them and their right answers.
"""

from __future__ import annotations

import argparse
import html
from collections.abc import Sequence
from pathlib import Path

from batteries_page import items_of, sheet

from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.options import parse_families
from gfactor.imaging import encode_png
from gfactor.items import Item


def write(folder: Path, seed: int, names: Sequence[str] = ()) -> list[Path]:
    """Write the sheets of families (all where none is named) and their page; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written, parts = [], []
    for name in names or list(FAMILIES):
        items = items_of(FAMILIES[name], seed, ("en",))
        path = folder / f"{name}.png"
        path.write_bytes(encode_png(sheet(items)))
        written.append(path)
        parts.append(section(name, items))
    page = folder / "index.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><title>Generated families, seed {seed}</title>\n"
        + "\n".join(parts),
        encoding="utf-8",
    )
    return [*written, page]


def section(name: str, items: Sequence[Item]) -> str:
    """A family's sheet with difficulty, first line of the question and answer of each item."""
    lines = [
        f"<li>{item.labels['difficulty']} ({item.id}): {html.escape(_first_line(item))} "
        f"<b>{html.escape(str(item.target))}</b></li>"
        for item in items
    ]
    return (
        f'<h2>{name}, version {FAMILIES[name].version}</h2>\n<img src="{name}.png" alt="{name}">\n'
        f"<ol>{''.join(lines)}</ol>"
    )


def _first_line(item: Item) -> str:
    return item.text.splitlines()[0]


def main() -> None:
    """Draw what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--families", type=parse_families, default=())
    asked = parser.parse_args()
    written = write(asked.folder, asked.seed, asked.families)
    print(f"{written[-1]}: {len(written) - 1} families, two items of every difficulty")


if __name__ == "__main__":
    main()
