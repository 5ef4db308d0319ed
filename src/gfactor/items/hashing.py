"""Identity: canonical JSON of scenes, and hashes of scenes and of decoded pixels."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


def canonical_json(value: Any) -> str:
    """Return canonical JSON: sorted keys, no spaces, dataclasses as objects; floats are refused.

    A scene holds only integers and words, so that its JSON (and the item's identity) is the same on
    every machine.

    Parameters
    ----------
    value : Any
        Integers, texts, booleans, None, and lists, mappings and dataclasses of them.

    Returns
    -------
    str
        JSON with sorted keys and no spaces.

    Raises
    ------
    TypeError
        For a float, or any other type.

    Examples
    --------
    >>> from gfactor.items import canonical_json
    >>> canonical_json({"b": [1, 2], "a": None})
    '{"a":null,"b":[1,2]}'
    """
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


_LEAVES = frozenset({bool, int, str, type(None)})


def _plain(value: Any) -> Any:
    # Scenes are mostly lists of numbers, so these types are tested first.
    if type(value) in _LEAVES:
        return value
    if type(value) in (list, tuple):
        return [v if type(v) in _LEAVES else _plain(v) for v in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, bool | int | str) or value is None:
        return value
    raise TypeError(f"a scene holds integers, words and lists of them, not {type(value).__name__}")


@lru_cache(maxsize=256)
def _names(dataclass: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(dataclass))


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> from gfactor.items import text_hash
    >>> text_hash("gfactor")[:8] == text_hash("gfactor ")[:8]
    False
    """
    return hashlib.sha256(text.encode()).hexdigest()


def pixel_hash(pixels: NDArray[np.uint8]) -> str:
    """Return SHA-256 over shape and bytes of decoded pixels (height x width x 3, RGB).

    PNG bytes depend on the encoder, so files are never hashed.

    Parameters
    ----------
    pixels : NDArray[uint8]
        Height x width x 3, RGB, 8 bits.

    Returns
    -------
    str
        SHA-256, hexadecimal.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.items import pixel_hash
    >>> black = np.zeros((2, 3, 3), np.uint8)
    >>> pixel_hash(black) == pixel_hash(black.reshape(3, 2, 3))
    False
    """
    digest = hashlib.sha256(repr(pixels.shape).encode())
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def digest_of(hashes: Iterable[str]) -> str:
    """Return the SHA-256 of many hashes, in order, such as the digest of a bank.

    Parameters
    ----------
    hashes : list of str
        Hexadecimal hashes; their order matters.

    Returns
    -------
    str
        SHA-256, hexadecimal.

    Examples
    --------
    >>> from gfactor.items import digest_of
    >>> digest_of(["a", "b"]) == digest_of(["b", "a"])
    False
    """
    digest = hashlib.sha256()
    for text in hashes:
        digest.update(text.encode())
        digest.update(b"\n")
    return digest.hexdigest()
