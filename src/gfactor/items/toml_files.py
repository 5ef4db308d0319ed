"""Reading a TOML file that a user wrote, with one sentence about an error in it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError


def read_toml(path: Path | str, kind: str) -> tuple[dict[str, Any], str]:
    """Return the tables of a file, and its text.

    Parameters
    ----------
    path : Path or str
        The file, in UTF-8 with or without a byte order mark.
    kind : str
        Name of such files in messages, as "campaign file".

    Raises
    ------
    ParameterError
        If the file cannot be read or is not TOML.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        return tomllib.loads(text), text
    except OSError as error:
        raise ParameterError(f"{kind} {str(path)!r} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ParameterError(f"{kind} {str(path)!r} is not TOML: {error}") from error
