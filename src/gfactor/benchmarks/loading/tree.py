"""A release as a tree of files: a folder, or a zip archive that is read where it is."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from gfactor.errors import ParameterError


class Tree:
    """The files of a release by their path in it, with "/"; can be sent to other processes.

    Parameters
    ----------
    path: a folder, or a .zip file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._zipped = path.is_file()

    @cached_property
    def names(self) -> frozenset[str]:
        """The paths of all files."""
        if self._archive is not None:
            return frozenset(n for n in self._archive.namelist() if not n.endswith("/"))
        files = (p for p in self.path.rglob("*") if p.is_file())
        return frozenset(p.relative_to(self.path).as_posix() for p in files)

    @cached_property
    def _tails(self) -> dict[str, list[str]]:
        tails: dict[str, list[str]] = {}
        for name in sorted(self.names):
            tails.setdefault(PurePosixPath(name).name, []).append(name)
        return tails

    @cached_property
    def _archive(self) -> zipfile.ZipFile | None:
        if not self._zipped:
            return None
        try:
            return zipfile.ZipFile(self.path)
        except (zipfile.BadZipFile, OSError) as error:
            raise ParameterError(
                f"{str(self.path)!r} is not a zip archive that can be read; download it again"
            ) from error

    def read(self, name: str) -> bytes:
        """Return the bytes of a file; raise ValueError if it cannot be read."""
        try:
            if self._archive is not None:
                return self._archive.read(name)
            return (self.path / name).read_bytes()
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise ValueError(f"file {name!r} cannot be read ({error})") from error

    def find(self, named: str) -> str | None:
        """Return the file to which a path in the release refers, whichever folder the path starts
        from.

        "../data/images/czsx/1.png" is found as "images/czsx/1.png": of the files with that name,
        the one whose path shares the longest end. None if there is none, or if two paths tie
        without a complete match.
        """
        parts = [p for p in PurePosixPath(named.replace("\\", "/")).parts if p not in (".", "..")]
        if not parts:
            return None
        ranked = sorted(
            (
                (_shared(parts, candidate), candidate)
                for candidate in self._tails.get(parts[-1], ())
            ),
            key=lambda pair: -pair[0],
        )
        if not ranked:
            return None
        if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
            return None
        return ranked[0][1]

    def matching(self, words: Sequence[str], ends: Sequence[str]) -> list[str]:
        """Return paths whose file name holds one of the words and ends in one of the ends, in
        order."""
        return sorted(
            name
            for name in self.names
            if any(w in (last := PurePosixPath(name).name.casefold()) for w in words)
            and last.endswith(tuple(ends))
            and not last.startswith(".")
        )

    def __getstate__(self) -> dict[str, object]:
        return {"path": self.path, "_zipped": self._zipped}


def _shared(parts: Sequence[str], candidate: str) -> int:
    """Return the number of parts that two paths have in common at their ends."""
    count = 0
    for one, other in zip(reversed(parts), reversed(PurePosixPath(candidate).parts), strict=False):
        if one != other:
            break
        count += 1
    return count


def open_tree(path: Path, holding: Callable[[Tree], bool]) -> Tree:
    """Return the tree of a folder, of an archive, or of the folder of a file.

    `holding` returns True if a tree has the wanted files. If a folder does not have them and an
    archive in it has (the last of several by name), the archive's tree is returned.
    """
    if path.is_file():
        return Tree(path if path.suffix.lower() == ".zip" else path.parent)
    whole = Tree(path)
    if not holding(whole):
        for archive in sorted(path.glob("*.zip"), reverse=True):
            if holding(inside := Tree(archive)):
                return inside
    return whole
