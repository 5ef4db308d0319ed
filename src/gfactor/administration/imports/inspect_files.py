"""The two files that Inspect writes: `.eval` (a zip of JSON members) and `.json` (one document)."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeAlias

from gfactor.administration.imports.base import Flaw
from gfactor.administration.imports.documents import read_json
from gfactor.errors import MissingExtraError, ParameterError

Log: TypeAlias = tuple[Mapping[str, Any], Iterator["tuple[str, Mapping[str, Any]] | Flaw"]]
"""The header (`eval`, `plan` ...), and the samples with their positions."""

_ZSTANDARD = 93
"""The compression method of Inspect's members, by the number that the zip format gives it."""

_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""A member's header: signature, then at its end the lengths of the name and the extra field."""

_NOT_SAMPLE = ("events", "events_data", "timelines", "store")
"""Large parts of a sample that do not concern the answer."""


def read_log(path: Path) -> Log:
    """Open a log of either kind.

    Raises ParameterError if the file is not an Inspect log, and MissingExtraError if its
    compression needs the extra `imports`.
    """
    with path.open("rb") as file:
        zipped = file.read(4) == b"PK\x03\x04"
    return _zipped(path) if zipped else _plain(path)


def _no_log(path: Path, why: str) -> ParameterError:
    return ParameterError(f"{str(path)!r} is not a log of Inspect: {why}")


def _plain(path: Path) -> Log:
    try:
        document = read_json(path.read_bytes())
    except ValueError as error:
        raise _no_log(path, f"it is neither a zip nor JSON ({error})") from error
    samples = document.get("samples") if isinstance(document, dict) else None
    if not isinstance(samples, list) or not isinstance(document.get("eval"), dict):
        raise _no_log(path, "it holds no `eval` or no `samples`")

    def parts() -> Iterator[tuple[str, Mapping[str, Any]] | Flaw]:
        for row, sample in enumerate(samples):
            where = f"sample {row}"
            yield (
                (where, sample) if isinstance(sample, dict) else Flaw(where, "it is not an object")
            )

    return document, parts()


def _zipped(path: Path) -> Log:
    try:
        with zipfile.ZipFile(path) as archive:
            # A sample that was run again has two members of one name; the last one counts.
            members = {info.filename: info for info in archive.infolist()}
    except (zipfile.BadZipFile, ValueError) as error:
        raise _no_log(path, str(error)) from error
    head = members.get("header.json") or members.get("_journal/start.json")
    if head is None:
        raise _no_log(path, "it has neither header.json nor _journal/start.json")
    with path.open("rb") as file:
        try:
            header = read_json(_member(file, head))
        except ValueError as error:
            raise _no_log(path, f"{head.filename} cannot be read ({error})") from error
    if not isinstance(header, dict) or not isinstance(header.get("eval"), dict):
        raise _no_log(path, f"{head.filename} holds no `eval`")
    return header, _samples(path, members)


def _samples(
    path: Path, members: Mapping[str, zipfile.ZipInfo]
) -> Iterator[tuple[str, Mapping[str, Any]] | Flaw]:
    with path.open("rb") as file:
        for name, info in members.items():
            if not (name.startswith("samples/") and name.endswith(".json")):
                continue
            try:
                sample = read_json(_member(file, info))
            except ValueError as error:
                yield Flaw(name, f"it cannot be read ({error})")
                continue
            if not isinstance(sample, dict):
                yield Flaw(name, "it is not an object")
                continue
            yield name, {k: v for k, v in sample.items() if k not in _NOT_SAMPLE}


def _member(file: IO[bytes], info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member; ValueError if they are damaged.

    Python's own reader has the method only from 3.14 on, and a library must not patch it.
    """
    file.seek(info.header_offset)
    head = file.read(30)
    if len(head) < 30:
        raise ValueError("it is cut off")
    signature, name, extra = _LOCAL_HEADER.unpack(head)
    if signature != b"PK\x03\x04":
        raise ValueError("it has no header")
    file.seek(name + extra, 1)
    packed = file.read(info.compress_size)
    data = _unpacked(packed, info.compress_type)
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise ValueError("it is damaged")
    return data


def _unpacked(packed: bytes, method: int) -> bytes:
    if method == zipfile.ZIP_STORED:
        return packed
    if method == zipfile.ZIP_DEFLATED:
        try:
            return zlib.decompress(packed, -15)
        except zlib.error as error:
            raise ValueError("it is damaged") from error
    if method != _ZSTANDARD:
        raise ValueError(f"its compression (number {method}) is not one that Inspect uses")
    try:
        import zstandard  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("reading .eval logs of Inspect", "imports") from error
    try:
        # Inspect splits large members into several frames.
        reader = zstandard.ZstdDecompressor().stream_reader(
            BytesIO(packed), read_across_frames=True
        )
        return reader.read()
    except zstandard.ZstdError as error:
        raise ValueError("it is damaged") from error
