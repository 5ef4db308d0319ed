"""Options of a backend as one text: address=tcp://HOST:8786,timeout=30."""

from __future__ import annotations

import json
from typing import Any

from gfactor.errors import ParameterError


def backend_settings(text: str) -> dict[str, Any]:
    """Parse options, "key=value,key=value"; numbers, true and false are converted.

    Raises ParameterError if a part is no "key=value".
    """
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise ParameterError(
                f"backend options {text!r}: {part!r} is not KEY=VALUE; write "
                "address=tcp://HOST:8786,timeout=30"
            )
        options[key.strip()] = _value(value.strip())
    return options


def _value(text: str) -> Any:
    """Return a number, true or false as such, and anything else as text."""
    try:
        return json.loads(text.lower())
    except ValueError:
        return text
