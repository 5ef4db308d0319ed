"""Texts of backups and deployments, of studies and of annotation workspaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BACKUP: Mapping[str, Any] = {"document": "backup", "sentences": lambda done, **_: f"{done}: whole"}

RESTORED: Mapping[str, Any] = {
    "document": "folder",
    "sentences": lambda done, **_: f"{done}: restored",
}

DEPLOYED: Mapping[str, Any] = {
    "sentences": lambda files, path, domain, below, **_: "\n".join([
        *map(str, files),
        f"then: cd {path} && docker compose up -d; browsers come to https://{domain}{below}",
    ]),
    "document": lambda files, **_: {"files": [*map(str, files)]},
}  # fmt: skip
