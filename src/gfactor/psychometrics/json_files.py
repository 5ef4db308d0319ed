"""JSON files of results: read with a sentence for whatever is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError


def read_json_file(path: Path, where: str) -> Any:
    """Return the value of a JSON file.

    Parameters
    ----------
    path : Path
        The file.
    where : str
        Its name at the beginning of an error, such as "norms 'norms.json'".

    Returns
    -------
    any
        The value, of which nothing is checked.

    Raises
    ------
    ParameterError
        If the file cannot be read or is not JSON.
    """
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ParameterError(f"{where} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{where} is not JSON: {error}") from error
