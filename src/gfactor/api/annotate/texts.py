"""Texts and documents of what functions of annotation workspaces return."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.results import rounded

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.studies.annotation import Project


def begun(project: Project, /, *, folder: Path, **_: Any) -> tuple[str, Any]:
    """Return text and document of a new workspace."""
    items = len(project.bank)
    text = (
        f"{folder}: a project of {items:,} items; invite people with\n"
        f"  gfactor annotate invite {folder} NAME"
    )
    return text, {"folder": str(folder), "items": items}


def invited(links: Mapping[str, str], /, **_: Any) -> tuple[str, Any]:
    """Return text and document of people's links."""
    return "\n".join(f"{name}: {link}" for name, link in links.items()), links


def listed(table: pd.DataFrame, /, **_: Any) -> tuple[str, Any]:
    """Return text and document of the annotators."""
    nobody = "Nobody is invited yet: gfactor annotate invite."
    return rounded(table, 3).to_string(index=False) if len(table) else nobody, table


def assigned(count: int, /, *, take_back: bool, **_: Any) -> tuple[str, Any]:
    """Return text and document of assignments."""
    text = f"{count:,} assignments {'taken back' if take_back else 'made'}"
    return text, {"assignments": count}


def agreed(table: pd.DataFrame, /, **_: Any) -> tuple[str, Any]:
    """Return text and document of the agreement of annotators."""
    return "\n".join(table["what"] + ": " + table["said"]), table


def commented(table: pd.DataFrame, /, *, path: Path | None, **_: Any) -> tuple[str, Any]:
    """Return text and document of comments."""
    lines = [
        f"{row['created']} {row['annotator']} on {row['on']} {row['response'] or row['item']}: "
        f"{row['comment']}"
        for row in table.to_dict("records")
    ]
    number = f"{len(table):,} comments" + (f" in {path}" if path else "")
    return "\n".join([*lines, number]), table


def exported(counts: Mapping[str, int], /, *, path: Path, **_: Any) -> tuple[str, Any]:
    """Return text and document of an exported bank."""
    numbers = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    return f"{path}: {numbers}", {"bank": str(path), **counts}


def with_gold(count: int, /, **_: Any) -> tuple[str, Any]:
    """Return text and document of responses whose category is known."""
    return f"{count:,} responses have a known category", {"gold": count}


def in_label_studio(count: int, /, *, write: Path | None, **_: Any) -> tuple[str, Any]:
    """Return text and document of tasks for Label Studio, or of annotations made there."""
    if write:
        return f"{write}: {count:,} tasks", {"tasks": count}
    return f"{count:,} annotations taken in", {"annotations": count}


def recorded(count: int, /, *, write: Path | None, **_: Any) -> tuple[str, Any]:
    """Return text and document of records that were written, or of labels taken in."""
    if write:
        return f"{write}: {count:,} records", {"records": count}
    return f"{count:,} labels taken in", {"labels": count}
