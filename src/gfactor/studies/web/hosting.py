"""Common parts of a study and an annotation workspace as folders that are served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.studies.web.backing_up import back_up, restore
from gfactor.studies.web.deployment import Deployment, write_deployment


@dataclass(frozen=True)
class Hosted:
    """A kind of hosted folder: a study, or an annotation workspace.

    Parameters
    ----------
    verb: command that serves it.
    database: the SQLite file with the answers.
    opened: function that opens a folder of this kind; raises ParameterError for other folders.
    """

    verb: str
    database: str
    opened: Callable[[Path], Any]

    def check(self, folder: Path) -> None:
        """Raise ParameterError if a folder could not be served: its secrets, its database."""
        opened = self.opened(folder)
        _ = opened.secrets
        opened.store().close()

    def backup(self, folder: Path | str, path: Path | str, keep: int) -> Path:
        """Back up a folder below `path` and check the copy; raises the errors of `back_up`."""
        source = self.opened(Path(folder)).path
        return back_up(source, self.database, Path(path), self.check, keep)

    def restore(self, path: Path | str, folder: Path | str) -> Path:
        """Restore a folder from a backup; raises the errors of `backing_up.restore`."""
        restored = restore(Path(path), Path(folder))
        self.check(restored)
        return restored

    def deploy(
        self,
        folder: Path | str,
        path: Path | str,
        domain: str,
        below: str,
        wheel: Path | str | None,
    ) -> list[Path]:
        """Write the files for hosting a folder on the internet; raises the errors of
        `write_deployment`."""
        packed = None if wheel is None else Path(wheel)
        source = self.opened(Path(folder)).path
        return write_deployment(Deployment(self.verb, source, domain, below, packed), Path(path))
