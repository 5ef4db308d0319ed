"""The files of a bank: one, or above 100,000 items several shards, NAME-00000-of-00012.parquet.

A bank is named NAME.parquet either way. Shards are named as those of Hugging Face `datasets`, so
that a folder of them is a data set that other programs open.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gfactor.errors import BankError

ITEMS_PER_SHARD = 100_000
"""Number of items above which a bank is written as shards of about 2 GB of drawings each."""

_SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.parquet")


OWN_TABLE = (
    "is a table, not a bank; with id, question and answer in each row, it becomes one by "
    "`gfactor build vlmevalkit --from {0} -o bank.parquet`"
)
"""Message about a table in place of a bank."""


def bank_files(path: Path) -> tuple[Path, ...]:
    """Return the files of a bank, in order.

    Parameters
    ----------
    path : Path
        A file; one shard of several, or the name that they share; a folder with one bank in it.

    Raises
    ------
    BankError
        If shards are missing, or belong to several banks.
    """
    if path.is_dir():
        stems = {_stem(file) for file in path.glob("*.parquet")}
        if len(stems) != 1:
            if any(path.glob("*.arrow")):
                raise BankError(path, OWN_TABLE.format(path))
            raise BankError(path, "is a folder; name the Parquet file in it")
        path = path / f"{stems.pop()}.parquet"
    if path.exists() and not _SHARD.fullmatch(path.name):
        return (path,)
    shards = _shards(path.parent, _stem(path))
    if not shards:
        return (path,)
    counts = sorted({int(_parts(shard)["count"]) for shard in shards})
    if len(counts) > 1:
        raise BankError(
            path, f"has shards of banks of {counts[0]} and of {counts[1]} files; remove the older"
        )
    wanted = shard_names(path, counts[0])
    missing = [one.name for one in wanted if one not in shards]
    if missing:
        raise BankError(path, f"lacks the shard {missing[0]!r}; copy all {counts[0]} files again")
    return wanted


def copy_bank(source: Path, target: Path) -> None:
    """Copy a bank unchanged, one file or several."""
    files = bank_files(source)
    names = shard_names(target, len(files)) if len(files) > 1 else (target,)
    for file, name in zip(files, names, strict=True):
        shutil.copyfile(file, name)


def shard_names(path: Path, count: int) -> tuple[Path, ...]:
    """Return the file names of a bank's shards."""
    stem = _stem(path)
    return tuple(path.with_name(f"{stem}-{k:05d}-of-{count:05d}.parquet") for k in range(count))


@contextmanager
def replacing_bank(path: Path, count: int, folder: Path | None = None) -> Iterator[list[Path]]:
    """Yield temporary paths that become the bank's `count` files when the block ends. They are
    deleted if it fails; an existing bank with another number of files is removed.

    `folder` (on the same file system) holds them; by default they are next to `path`.
    """
    names = shard_names(path, count) if count > 1 else (path,)
    before = {*_shards(path.parent, _stem(path)), path} - set(names)
    temporary = [(folder or path.parent) / f".{one.name}.{os.getpid()}.tmp" for one in names]
    try:
        yield temporary
        for old in before:
            old.unlink(missing_ok=True)
        for part, name in zip(temporary, names, strict=True):
            os.replace(part, name)
    finally:
        for part in temporary:
            part.unlink(missing_ok=True)


def _shards(folder: Path, stem: str) -> set[Path]:
    """Return the shards of a bank in a folder, by the bank's name."""
    if not folder.is_dir():
        return set()
    return {
        file for file in folder.iterdir() if _SHARD.fullmatch(file.name) and _stem(file) == stem
    }


def _parts(path: Path) -> dict[str, str]:
    match = _SHARD.fullmatch(path.name)
    return match.groupdict() if match else {"stem": path.stem}


def _stem(path: Path) -> str:
    """Return the name of a bank from its file or from one of its shards."""
    return _parts(path)["stem"]
