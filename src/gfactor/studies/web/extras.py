"""The optional dependencies of the web applications, imported when needed."""

from __future__ import annotations

import importlib
from typing import Any

from gfactor.errors import MissingExtraError


def need(module: str) -> Any:
    """The module; MissingExtraError if the extra `web` is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError("a study or annotation server", "web") from error
