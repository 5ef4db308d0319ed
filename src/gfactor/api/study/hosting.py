"""Hosting a study: backups while it is served, files for the internet."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.parameters import Whole
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.web.backing_up import backups as written_backups
from gfactor.studies.web.backing_up import made_at
from gfactor.studies.web.hosting import Hosted

HOSTED = Hosted("study", "answers.db", StudyFolder.open)


def backup(folder: Path | str, path: Path | str, *, keep: Whole = 0) -> Path:
    """Back up a study into a new folder, even while it is served.

    The copy is complete: it holds everything that was acknowledged before it began. It is checked
    before it gets its final name. It contains passwords and keys, so protect it like the original.

    Parameters
    ----------
    folder : path
        Folder of the study.
    path : path
        Folder of the backups; it is created if missing.
    keep : int
        Number of backups to keep; older ones are deleted. 0 keeps all.

    Returns
    -------
    Path
        The folder of the new backup, named by the time (UTC).

    Raises
    ------
    ParameterError
        If the folder holds no study, or the copy cannot be written or is incomplete.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> made = gf.study.backup("study", "backups")
    >>> (made / "bank.parquet").exists()
    True
    """
    return HOSTED.backup(folder, path, keep)


@dataclass(frozen=True, repr=False)
class Backups(Result):
    """Backups of a study, with the deletions since each was made.

    Parameters
    ----------
    table : DataFrame
        A row per backup, the oldest first: `backup` (its folder), `made` (UTC), `participants` and
        `recruiting_ids` (how many were deleted since, which it may hold), `clean_from` (backups
        made after this time hold no deleted person).
    path : path
        Folder of the backups.
    """

    table: pd.DataFrame
    path: Path
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        """Return the number of backups."""
        return f"{len(self.table)} backups in {self.path}" if len(self.table) else self._none

    @property
    def _none(self) -> str:
        return f"{self.path} holds no backup"

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The backups."""
        return {"backups": self.table}

    def _document(self) -> Mapping[str, Any]:
        return {"backups": self.table}

    def _lines(self) -> list[str]:
        lines = [
            f"{row['backup']}: may hold {row['participants']} participants and "
            f"{row['recruiting_ids']} recruiting ids deleted since; backups from "
            f"{row['clean_from'][:19]} UTC on hold none of them"
            if row["clean_from"] else f"{row['backup']}: holds nobody who was deleted"
            for row in self.table.to_dict("records")
        ]  # fmt: skip
        return lines or [self._none]


def backups(path: Path | str, folder: Path | str) -> Backups:
    """List the backups of a study, with the deletions since each was made.

    A person whose data were deleted is in no later backup. Earlier backups may hold these data
    until they are deleted, or replaced by later ones (`keep` of `backup`).

    Parameters
    ----------
    path : path
        Folder of the backups.
    folder : path
        Folder of the study.

    Returns
    -------
    Backups
        `table` has a row per backup; `summary()` says what each may hold.

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> _ = gf.study.backup("study", "backups")
    >>> table = gf.study.backups("backups", "study").table
    >>> table[["participants", "recruiting_ids"]].values.tolist()
    [[0, 0]]
    """
    with closing(StudyFolder.open(Path(folder)).store_as_it_is()) as store:
        deleted = store.deletions()
    rows = []
    for one in written_backups(Path(path)):
        begun = made_at(one)
        since = [(at, what) for at, what in deleted if datetime.fromisoformat(at) >= begun]
        rows.append(
            {
                "backup": str(one),
                "made": begun.isoformat(timespec="seconds"),
                "participants": sum(what == "participant" for _, what in since),
                "recruiting_ids": sum(what == "recruiting id" for _, what in since),
                "clean_from": since[-1][0] if since else "",
            }
        )
    names = ["backup", "made", "participants", "recruiting_ids", "clean_from"]
    return Backups(pd.DataFrame(rows, columns=names), Path(path))


def restore(path: Path | str, folder: Path | str) -> Path:
    """Restore a study from a backup into a new folder, which can be served.

    Parameters
    ----------
    path : path
        A backup, or a folder of backups, of which the newest is restored.
    folder : path
        Folder of the new study; it must be missing or empty.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ParameterError
        If a file of the backup is missing or changed, or the folder holds anything.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> _ = gf.study.backup("study", "backups")
    >>> gf.study.restore("backups", "again").name
    'again'
    """
    return HOSTED.restore(path, folder)


def deploy(
    folder: Path | str,
    path: Path | str,
    *,
    domain: str,
    below: str = "",
    wheel: Path | str | None = None,
) -> list[Path]:
    """Write Dockerfile, compose.yaml and Caddyfile: HTTPS, the server, nightly backups.

    Parameters
    ----------
    folder : path
        Folder of the study.
    path : path
        Folder to write to; it is created if missing.
    domain : str
        Domain name of the machine: "lab.example".
    below : str
        Path of the address under which browsers reach it, such as "/study"; "" if it has the whole
        site.
    wheel : path, optional
        Wheel of gfactor to install on the machine; if None, the release of this version.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ParameterError
        If the domain or the path is invalid, or one of the files exists.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> [file.name for file in gf.study.deploy("study", "deploy", domain="lab.example")]
    ['Dockerfile', 'compose.yaml', 'Caddyfile']
    """
    return HOSTED.deploy(folder, path, domain, below, wheel)
