"""Texts and documents of backups and deployments, of studies and of annotation workspaces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def backed_up(backup: Path, /, **_: Any) -> tuple[str, Any]:
    """Return text and document of a backup."""
    return f"{backup}: whole", {"backup": backup}


def restored(folder: Path, /, **_: Any) -> tuple[str, Any]:
    """Return text and document of a restored backup."""
    return f"{folder}: restored", {"folder": folder}


def deployed(
    files: Sequence[Path], /, *, path: Path, domain: str, below: str, **_: Any
) -> tuple[str, Any]:
    """Return text and document of files for a deployment."""
    then = f"then: cd {path} && docker compose up -d; browsers come to https://{domain}{below}"
    return "\n".join([*map(str, files), then]), {"files": [*map(str, files)]}
