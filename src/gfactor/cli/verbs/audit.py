"""gfactor audit: what guessing earns, what repeats, what an eye needs, what pixels tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from gfactor.benchmarks import Audit, audit_bank
from gfactor.cli.common import json_option, progress, put_json, say
from gfactor.examinees.observer.mind import IdealMind
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.solvers import SOLVERS
from gfactor.imaging import Pixels
from gfactor.items import ItemBank

_COLUMNS: Mapping[str, tuple[str, str]] = {
    "n": ("n", "d"),
    "constant": ("constant", ".1%"),
    "size_aware": ("size-aware", ".1%"),
    "ideal_observer": ("ideal", ".1%"),
    "min_object_px": ("object px", ".1f"),
    "min_gap_px": ("gap px", ".1f"),
    "min_delta_e": ("dE", ".1f"),
    "delta_e_protan": ("protan", ".1f"),
    "delta_e_deutan": ("deutan", ".1f"),
    "delta_e_tritan": ("tritan", ".1f"),
    "duplicates": ("duplicates", "d"),
}
"""Column of the audit -> heading and format in the table."""


@click.command(name="audit")
@click.argument("bank", type=click.Path(path_type=Path), metavar="BANK")
@click.option(
    "--ideal/--no-ideal",
    default=True,
    show_default=True,
    help="Have the ideal observer answer every item from its pixels.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Processes."
)
@json_option
def command(bank: Path, ideal: bool, jobs: int, as_json: bool) -> int:
    """Audit a bank: guessing, duplicates, legibility, color distances, solvability from pixels.

    All pixels are decoded and compared with their stored hashes. The exit code is 1 where the
    bank breaks a limit of its edition.

    \b
    Example:
      gfactor audit percept_v.parquet --jobs 2
    """
    opened = ItemBank.open(bank)
    audit = audit_bank(opened, answer_ideally if ideal else None, jobs=jobs, watch=progress)
    if as_json:
        put_json(audit.to_dict())
    else:
        _show(audit, bank)
    return 1 if audit.broken else 0


def answer_ideally(domain: str, pictures: tuple[Pixels, ...]) -> str | None:
    """The reply of the ideal observer; None where it knows no such domain."""
    return observe(domain, pictures, IdealMind()) if domain in SOLVERS else None


def _show(audit: Audit, bank: Path) -> None:
    found = audit.to_dict()
    shown = [c for c in _COLUMNS if any(columns.get(c) is not None for columns in found.values())]
    head = ["domain", *(_COLUMNS[c][0] for c in shown)]
    rows = [[name, *(_cell(columns, c) for c in shown)] for name, columns in found.items()]
    say(_aligned([head, *rows]))
    items = sum(columns["n"] for columns in found.values())
    what = f"{bank}: {items:,} items in {len(found)} domains"
    edition = f" ({audit.edition} edition)" if audit.edition else ""
    if not audit.broken:
        say(f"{what}{edition}; no limit is broken.")
        return
    say(f"{what}{edition}; broken limits:")
    for text in audit.broken:
        say(f"  {text}")


def _cell(columns: Mapping[str, Any], name: str) -> str:
    value = columns.get(name)
    return "-" if value is None else format(value, _COLUMNS[name][1])


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
