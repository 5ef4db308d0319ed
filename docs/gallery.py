"""The gallery's pictures: drawn when the site is built, from a demonstration and simulated data.

`docs/generate.py` writes the list of all figures and tables into docs/gallery.md. `mkdocs.yml`
names this file as a hook, which puts what can be drawn offline below that list.

    python docs/gallery.py FOLDER   # draw them all into a folder
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import gfactor as gf

PAGE = "gallery.md"
DOMAINS = ("counting_circles", "counting_shapes", "sort_lines", "change_colour")
ROWS = 6
"""Rows of a table that are shown."""

ABOUT = {
    "journal": "A journal: `gf.report(journal, folder)`, `gfactor report`",
    "cfa": "A structural equation model: `gf.sem(model, data).report(folder)`",
    "pls": "A PLS path model: `gf.pls(model, data).report(folder)`",
    "pruning": "A pruning: `gf.prune(model, data, ...).report(folder)`",
}
"""Folder of a page -> what it shows and how it is made."""


def draw(folder: Path) -> None:
    """Write a page of every kind, each into a folder of its own."""
    import numpy as np  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    done = gf.demo(folder / "demo", domains=list(DOMAINS), profile_items=0, placed_items=0)
    gf.report(done.journal, folder / "journal")
    random = np.random.default_rng(7)
    general = random.normal(size=250)
    factors = {n: 0.7 * general + 0.7 * random.normal(size=250) for n in ("Seeing", "Reading")}
    data = pd.DataFrame(
        {
            f"Bench.{name}.t{k}": 0.8 * factor + 0.6 * random.normal(size=250)
            for name, factor in factors.items()
            for k in range(1, 5)
        }
    )
    data["Bench.Seeing.copy"] = data["Bench.Seeing.t1"] + 0.1 * random.normal(size=250)
    plain = data.drop(columns="Bench.Seeing.copy").rename(columns=lambda c: c[6:].replace(".", "_"))
    seeing, reading = (
        " + ".join(c for c in plain if c.startswith(name)) for name in ("Seeing", "Reading")
    )
    gf.sem(f"seeing =~ {seeing}\nreading =~ {reading}", plain).report(folder / "cfa")
    model = f"Seeing =~ {seeing}; Reading =~ {reading}; Reading ~ Seeing"
    gf.pls(model, plain).report(folder / "pls")
    gf.prune(None, data, n_bootstrap=100, seed=1).report(folder / "pruning")


def sections(folder: Path) -> tuple[str, dict[str, bytes]]:
    """What `draw` wrote as Markdown, and its pictures by their places beside the page."""
    parts, pictures = [], {}
    for name, about in ABOUT.items():
        parts.append(f"## {about.partition(':')[0]}\n\nMade by{about.partition(':')[2]}.\n")
        for file in sorted((folder / name / "figures").glob("*.png")):
            pictures[f"gallery/{name}_{file.name}"] = file.read_bytes()
            title = file.stem.replace("_", " ")
            parts.append(f"### Figure {title}\n\n![{title}](gallery/{name}_{file.name})\n")
        for file in sorted((folder / name / "tables").glob("*.md")):
            parts.append(f"### Table {file.stem.replace('_', ' ')}\n\n{_head(file)}\n")
    return "\n".join(parts), pictures


def _head(file: Path) -> str:
    """A table's caption and first rows, with what follows them."""
    lines = file.read_text("utf-8").splitlines()
    table = [k for k, line in enumerate(lines) if line.startswith("|")]
    left_out = max(len(table) - 2 - ROWS, 0)
    shown = lines[: table[0] + 2 + ROWS] + ([f"\n... {left_out} more rows"] if left_out else [])
    return "\n".join(shown)


def on_files(files: Any, config: Any) -> Any:
    """Put the figures and tables into the gallery."""
    from mkdocs.structure.files import File  # noqa: PLC0415  (the extra docs)

    page = next(one for one in files if one.src_uri == PAGE)
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder))
        text, pictures = sections(Path(folder))
    content = f"{Path(page.abs_src_path).read_text('utf-8')}\n{text}"
    files.remove(page)
    files.append(File.generated(config, PAGE, content=content))
    for path, data in pictures.items():
        files.append(File.generated(config, path, content=data))
    return files


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
