"""Sources of published files: a folder or file, or the Hugging Face hub."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from gfactor.errors import MissingExtraError, ParameterError

HUB = "hub"


def located(source: str, repository: str, wanted: Sequence[str]) -> Path:
    """Return the folder or file that a user names; files on the hub are downloaded first.

    Parameters
    ----------
    source: a path; or `hub`, or `hub@REVISION` (a commit, tag or branch), or `hub:OWNER/NAME` for
        another repository than the publishers' own, with or without a revision.
    repository: the data set's name on the hub; "" if there is no one place for it.
    wanted: files to download, as patterns ("*.parquet").

    Raises ParameterError if there is no such path, or the hub does not give the files;
    MissingExtraError if the extra `hub` is not installed.
    """
    if not source:
        raise ParameterError("say where the published files are: --from FOLDER, or --from hub")
    if _on_hub(source):
        named, _, revision = source.partition("@")
        folder = named.partition(":")[2] or repository
        if not folder:
            raise ParameterError("say which data set on the hub: --from hub:OWNER/NAME")
        return _downloaded(folder, revision, wanted)
    path = Path(source)
    if not path.exists():
        raise ParameterError(f"there is no file or folder {source!r} to load from")
    return path


def _on_hub(source: str) -> bool:
    named = source.partition("@")[0]
    return named == HUB or named.startswith(f"{HUB}:")


def _downloaded(repository: str, revision: str, wanted: Sequence[str]) -> Path:
    try:
        import huggingface_hub  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("loading from the Hugging Face hub", "hub") from error
    try:
        folder = huggingface_hub.snapshot_download(
            repository, repo_type="dataset", revision=revision or None, allow_patterns=list(wanted)
        )
    except Exception as error:
        # The hub's own errors and those of its HTTP client have no base in common.
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ParameterError(
            f"the hub did not give {repository!r}: {reason}; try again, or download the files and "
            "name their folder with --from"
        ) from error
    return Path(folder)


def revision_of(source: str) -> str:
    """Return the revision in a user's `hub@REVISION`, "" for the newest and for files on disk."""
    return source.partition("@")[2] if _on_hub(source) else ""


def files_in(root: Path, pattern: str, what: str) -> list[Path]:
    """Return the files in a folder, at any depth, whose names fit a pattern, sorted; or `root`
    itself if it is a file.

    Raises ParameterError if there is none; `what` names the wanted files in the message.
    """
    files = [root] if root.is_file() else sorted(p for p in root.rglob(pattern) if p.is_file())
    if not files:
        raise ParameterError(f"{str(root)!r} holds no {what} ({pattern})")
    return files


def fingerprint(paths: Iterable[Path]) -> list[list[str | int]]:
    """Return path, size and modification time of files, by which a change of them is noticed.

    It is part of a build's parameters, so that a build that was stopped continues only with the
    same files.
    """
    return [[str(p.resolve()), p.stat().st_size, p.stat().st_mtime_ns] for p in paths]


def sha256_of(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of the contents of files, in order, which identifies the release behind a
    bank."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()
