"""Write the pages made from the code: command line, domains, families, figures, fit measures.

    python docs/generate.py           # write them
    python docs/generate.py --check   # exit code 1 when a page on disk differs

A test runs the check, so these pages cannot fall behind the code.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import sys
from pathlib import Path
from typing import Any

import batteries_page
import click
import console
import cv2
import numpy as np

from gfactor.benchmarks.percept_v.domain import DOMAINS, Domain
from gfactor.cli import cli
from gfactor.imaging import Pixels, encode_png
from gfactor.items import Image, ItemRandom
from gfactor.psychometrics.sem.measures.declared import declared_measures
from gfactor.reports import FIGURES, TABLES
from gfactor.reports.table_registry import Maker
from gfactor.reports.writing.report_folder import SECTIONS

HERE = Path(__file__).parent
TILE = (200, 160)
COLUMNS = 6
SAMPLE_SIZE = 6


def command_line() -> str:
    """`--help` of every verb, as one page."""
    context = click.Context(cli, info_name="gfactor", max_content_width=96, terminal_width=96)
    pages = ["# The command line\n\nMade by `python docs/generate.py`.\n"]
    pages.append(f"```text\n{cli.get_help(context)}\n```\n")
    pages += _commands(cli, context, "gfactor")
    return "\n".join(pages)


def _commands(group: click.Group, context: click.Context, path: str) -> list[str]:
    """The sections of a group's commands, and of theirs."""
    pages = []
    for name in group.list_commands(context):
        verb = group.get_command(context, name)
        assert verb is not None
        inner = click.Context(
            verb, info_name=name, parent=context, max_content_width=96, terminal_width=96
        )
        pages.append(f"## {path} {name}\n\n```text\n{verb.get_help(inner)}\n```\n")
        if isinstance(verb, click.Group):
            pages += _commands(verb, inner, f"{path} {name}")
    return pages


def sample(domain: Domain) -> Pixels:
    """A domain's pictures of one item, side by side."""
    key = {"benchmark": "percept-v", "domain": domain.name, "use": "gallery"}
    scene = domain.make(ItemRandom({**key, "size": SAMPLE_SIZE}, 0), SAMPLE_SIZE, "audited")
    pictures = domain.draw(scene)
    height = max(p.shape[0] for p in pictures)
    padded = [
        cv2.copyMakeBorder(p, 0, height - p.shape[0], 0, 12, cv2.BORDER_CONSTANT, value=(200,) * 3)
        for p in pictures
    ]
    return np.ascontiguousarray(np.hstack(padded)[:, :-12]).astype(np.uint8)


def tile(pixels: Pixels) -> Pixels:
    """A picture scaled into a tile with a gray margin."""
    width, height = TILE
    scale = min((width - 12) / pixels.shape[1], (height - 12) / pixels.shape[0])
    size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    out = np.full((height, width, 3), 225, np.uint8)
    top, left = (height - size[1]) // 2, (width - size[0]) // 2
    out[top : top + size[1], left : left + size[0]] = small
    return out


def gallery() -> bytes:
    """One picture with a tile per domain, in the order of the names."""
    tiles = [tile(sample(domain)) for domain in DOMAINS.values()]
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % COLUMNS)
    rows = [np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)]
    return encode_png(np.ascontiguousarray(np.vstack(rows)))


def notes(domain: Domain) -> str:
    """What the domain's file says of itself."""
    module = inspect.getmodule(domain.make)
    return inspect.cleandoc(module.__doc__ or "") if module else ""


def domains() -> str:
    """The page of domains: skills, prompt, format and the notes of every domain's file."""
    pages = [
        "# The domains of Percept-V\n\nMade by `python docs/generate.py` from the files in "
        "`src/gfactor/benchmarks/percept_v/domains/`.\n",
        f"![A sample of each domain at size {SAMPLE_SIZE}](domains.png)\n",
    ]
    for domain in DOMAINS.values():
        pages.append(f"## {domain.name}\n")
        added = " An addition to the paper's thirty." if domain.is_addition else ""
        pages.append(f"Skills: {', '.join(domain.skills)}. Pictures: {domain.images}.{added}\n")
        pages.append(f"{notes(domain)}\n")
        if domain.forced:
            pages.append(f"Forced by the question: {domain.forced}\n")
        pages.append(f"```text\n{domain.prompt.text()}\n```\n")
    return "\n".join(pages)


def figures_and_tables() -> str:
    """The page of all figures and tables of reports, by section, with what each shows."""
    text = [
        "# Figures and tables\n\nMade by `python docs/generate.py` from the registries of "
        "`src/gfactor/reports/`.\n",
        "`gf.report(journal, folder)` writes each figure as SVG and PNG and each table as CSV, "
        "Markdown and LaTeX, where the journal holds what it needs. The site that `make docs-site` "
        "builds draws them below, from `gf.demo()` and from simulated scores.\n",
    ]
    for section in SECTIONS:
        rows = [
            f"| {kind} | `{name}` | {_about(maker)} | {', '.join(maker.benchmarks) or 'all'} |"
            for kind, registry in (("figure", FIGURES), ("table", TABLES))
            for name, maker in registry.items()
            if maker.section == section.name
        ]
        text.append(f"## {section.title}\n\n{section.intro}\n")
        text += ["| | name | what it shows | benchmarks |", "|---|---|---|---|", *rows, ""]
    return "\n".join(text)


def fit_measures() -> str:
    """The page of all measures of fit: formula, source, variants, and the models without it."""
    text = [
        "# Measures of fit\n\nMade by `python docs/generate.py` from the declarations in "
        "`src/gfactor/psychometrics/sem/measures/`.\n",
        "`gfactor analyze cfa --json` gives all of them as `fit`, `fit.fit_measures` as a Series, "
        "and the report as a table. Names are lavaan's, except in italics. T is chi-square, of the "
        "independence model T_b with df_b; n is less one per group where covariances have divisor "
        "n - 1. Variants end with `.scaled` and `.robust`. Without degrees of freedom left "
        "(df < 0) measures with a * do not exist.\n",
        "| measure | formula | source | variants | not of | needs |",
        "|---|---|---|---|---|---|",
    ]
    for one in declared_measures():
        name = f"`{one.name}`" if one.in_lavaan else f"*`{one.name}`*"
        lacks = "; ".join(f"{kind} models ({why})" for kind, why in one.lacks.items())
        cells = [
            name + " \\*" * one.needs_df, one.formula, one.source,
            ", ".join(one.variants), lacks, one.given,
        ]  # fmt: skip
        text.append(f"| {' | '.join(cells)} |")
    return "\n".join([*text, ""])


def _about(maker: Maker[Any]) -> str:
    """The first line of what a maker says of itself, also of one with arguments filled in."""
    function = maker.make.func if isinstance(maker.make, functools.partial) else maker.make
    return inspect.cleandoc(function.__doc__ or "").partition("\n")[0]


def pages() -> dict[Path, bytes]:
    """Every generated file with its content."""
    return {
        HERE / "cli.md": command_line().encode(),
        HERE / "domains.md": domains().encode(),
        HERE / "domains.png": gallery(),
        HERE / "gallery.md": figures_and_tables().encode(),
        HERE / "evidence" / "fit-measures.md": fit_measures().encode(),
        **batteries_page.pages(HERE),
    }


def same(path: Path, content: bytes) -> bool:
    """Whether a page on disk is the one made; pictures by pixels, as encoders differ."""
    kept = path.read_bytes()
    if path.suffix != ".png":
        return kept == content
    one, other = (Image(data, path.name).decode() for data in (kept, content))
    return np.array_equal(one, other)


def main() -> None:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for path, content in pages().items():
        if path.suffix == ".md":
            content = console.with_stored_outputs(content.decode(), path).encode()  # noqa: PLW2901
        if not path.exists() or not same(path, content):
            stale.append(path.name)
            if not check:
                path.write_bytes(content)
    if check and stale:
        sys.exit(f"stale: {', '.join(stale)}; run python docs/generate.py")


if __name__ == "__main__":
    main()
