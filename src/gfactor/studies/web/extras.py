"""The optional dependencies of the web applications, imported when needed."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from gfactor.errors import MissingExtraError

_PACKAGES = ("starlette", "uvicorn", "itsdangerous", "markdown_it")


def installed() -> bool:
    """Return True if the packages for serving studies and annotations are installed."""
    return all(importlib.util.find_spec(name) is not None for name in _PACKAGES)


def check_installed() -> None:
    """Raise MissingExtraError if the extra `web` is not installed."""
    if not installed():
        raise MissingExtraError("a study or annotation server", "web")


def need(module: str) -> Any:
    """Return the module; raise MissingExtraError if the extra `web` is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError("a study or annotation server", "web") from error
