"""Identity: canonical JSON of scenes, and hashes of scenes and of decoded pixels."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def canonical_json(value: Any) -> str:
    """Sorted keys, no spaces, dataclasses as objects; floats are refused.

    A scene holds integers and words only, so that its text (and the item's identity) is the same
    on every machine.
    """
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, bool | int | str) or value is None:
        return value
    raise TypeError(f"a scene holds integers, words and lists of them, not {type(value).__name__}")


def text_hash(text: str) -> str:
    """SHA-256 of a text, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def pixel_hash(pixels: NDArray[np.uint8]) -> str:
    """SHA-256 over shape and bytes of decoded pixels (height x width x 3, RGB).

    PNG bytes depend on the encoder, so files are never hashed.
    """
    digest = hashlib.sha256(repr(pixels.shape).encode())
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def digest_of(hashes: Iterable[str]) -> str:
    """One SHA-256 over many hashes, in order: the digest of a bank."""
    digest = hashlib.sha256()
    for text in hashes:
        digest.update(text.encode())
        digest.update(b"\n")
    return digest.hexdigest()
