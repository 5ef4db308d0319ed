"""Texts and documents of what functions of studies return."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires import StudyFolder


def appealed(
    excluded: Collection[str], /, *, person: str, uphold: bool, **_: Any
) -> tuple[str, Any]:
    """Return text and document of a decision about a submission."""
    text = (
        f"{person}: {'paid' if uphold else 'not paid'}; by the rule excluded for "
        f"{', '.join(excluded)}"
    )
    return text, {"person": person, "paid": uphold, "excluded_by_rule": [*excluded]}


def amended(changes: Sequence[Mapping[str, Any]], /, *, folder: Path, **_: Any) -> tuple[str, Any]:
    """Return text and document of an amendment, or why nothing was recorded."""
    study = StudyFolder.open(folder)
    lines = [f"{one['setting']}: {one['before']!r} -> {one['after']!r}" for one in changes]
    if changes:
        lines.append("recorded; a running server follows it from the next request on")
    else:
        with closing(study.store()) as store:
            lines.append(store.nothing_to_amend())
    return "\n".join(lines), {"changes": changes, "digest": study.declaration.digest}


def closed(done: str | bool, /, *, folder: Path, **_: Any) -> tuple[str, Any]:
    """Return text and document of a study that was closed, or opened again."""
    if isinstance(done, str):
        return f"{folder}: closed at {done}", {"closed": done}
    return f"{folder}: {'open again' if done else 'it was not closed'}", {"closed": None}


def paused(done: object, /, *, folder: Path, off: bool, **_: Any) -> tuple[str, Any]:
    """Return text and document of a study that was paused or resumed."""
    state = "paused; those who have begun may finish"
    if off:
        state = "it goes on" if done else "it was not paused"
    return f"{folder}: {state}", {"paused": not off}


def owned(table: pd.DataFrame, /, *, name: str | None, **_: Any) -> tuple[str, Any]:
    """Return text and document of the owners, with a generated password."""
    owners = table.drop(columns="password", errors="ignore").to_dict("records")
    lines = [f"{row['name']}: {row['role']}" for row in owners]
    secrets = "".join(table["password"]) if "password" in table else ""
    if secrets:
        lines.append(f"password of {name} (kept nowhere): {secrets}")
    return "\n".join(lines), {"owners": owners, **({"password": secrets} if secrets else {})}


def secured(password: str | None, /, *, folder: Path, **_: Any) -> tuple[str, Any]:
    """Return text and document of an owner's password, which is shown only if it was generated."""
    text = f"{folder}: it is set"
    if password is not None:
        text = f"owner's password (kept nowhere): {password}"
    return text, {"password": password}


def linked(table: pd.DataFrame, /, *, path: Path | None, **_: Any) -> tuple[str, Any]:
    """Return text and document of links."""
    links = table["link"].tolist()
    return f"{path}: {len(table):,} links" if path else "\n".join(links), {"links": links}


def for_jspsych(count: int, /, *, path: Path, forms: int, **_: Any) -> tuple[str, Any]:
    """Return text and document of a study written for jsPsych."""
    text = f"{path}: {forms} forms of {count:,} items; open index.html through a web server"
    return text, {"forms": forms, "items": count}


def of_person(
    data: Mapping[str, Any], /, *, path: Path | None, delete: bool, folder: Path, **_: Any
) -> tuple[str, Any]:
    """Return text and document of all data of a person, which may be deleted now."""
    lines = [f"{len(data['answers'])} answers since {data['consent']['given'][:16]}"]
    lines += [f"written to {path}"] * (path is not None)
    lines += [
        "deleted, from the files of the study too; backups made before may hold the person:",
        f"  gfactor study backups BACKUPS {folder}",
    ] * delete
    return "\n".join(lines), {"deleted": delete, "data": data}


def previewed(count: int, /, *, path: Path, **_: Any) -> tuple[str, Any]:
    """Return text and document of a study's pages as files."""
    index = path / "index.html"
    return f"{count} pages: {index}", {"pages": count, "index": str(index)}
