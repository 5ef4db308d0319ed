"""Hosting an annotation workspace: backups while it is served, files for the internet."""

from __future__ import annotations

from pathlib import Path

from gfactor.parameters import Whole
from gfactor.studies.annotation import Project
from gfactor.studies.web.hosting import Hosted

HOSTED = Hosted("annotate", "history.db", Project.open)


def backup(folder: Path | str, path: Path | str, *, keep: Whole = 0) -> Path:
    """Back up an annotation workspace into a new folder, even while it is served.

    The copy is complete: it holds everything that was acknowledged before it began. It is checked
    before it gets its final name. It contains passwords and keys, so protect it like the original.

    Parameters
    ----------
    folder : path
        Folder of the workspace.
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
        If the folder holds no workspace, or the copy cannot be written or is incomplete.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace", title="Round one")
    >>> made = gf.annotate.backup("workspace", "backups")
    >>> (made / "bank.parquet").exists()
    True
    """
    return HOSTED.backup(folder, path, keep)


def restore(path: Path | str, folder: Path | str) -> Path:
    """Restore an annotation workspace from a backup into a new folder, which can be served.

    Parameters
    ----------
    path : path
        A backup, or a folder of backups, of which the newest is restored.
    folder : path
        Folder of the new workspace; it must be missing or empty.

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
    >>> _ = gf.annotate.new(bank, "workspace", title="Round one")
    >>> _ = gf.annotate.backup("workspace", "backups")
    >>> gf.annotate.restore("backups", "again").name
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
        Folder of the workspace.
    path : path
        Folder to write to; it is created if missing.
    domain : str
        Domain name of the machine: "lab.example".
    below : str
        Path of the address under which browsers reach it, such as "/annotate"; "" if it has the
        whole site.
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
    >>> _ = gf.annotate.new(bank, "workspace", title="Round one")
    >>> [file.name for file in gf.annotate.deploy("workspace", "deploy", domain="lab.example")]
    ['Dockerfile', 'compose.yaml', 'Caddyfile']
    """
    return HOSTED.deploy(folder, path, domain, below, wheel)
