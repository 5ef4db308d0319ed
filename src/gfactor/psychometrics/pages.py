"""The page of a result. Pages are made above this library, by whoever says so here.

`gfactor.api.models` does, which `import gfactor` loads with the first estimator.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from gfactor.errors import ParameterError

Writer = TypeVar("Writer", bound=Callable[..., Any])

_WRITERS: dict[type, Callable[..., Any]] = {}


def writes_page_of(kind: type) -> Callable[[Writer], Writer]:
    """Register a function (result, folder) -> what was written, for results of a class."""

    def register(writer: Writer) -> Writer:
        _WRITERS[kind] = writer
        return writer

    return register


def write_page(result: object, folder: Path | str) -> Any:
    """Write the page of a result into a folder.

    Raises ParameterError where nobody writes pages of such results.
    """
    for kind in type(result).__mro__:
        if kind in _WRITERS:
            return _WRITERS[kind](result, folder)
    raise ParameterError(
        f"nobody writes pages of a {type(result).__name__}; import gfactor.api.models first, or "
        "use the estimators of `import gfactor`"
    )


class Paged:
    """A result that has a page."""

    def report(self, folder: Path | str) -> Any:
        """Write the page of the result: `report.html`, `tables/` and `figures/` in a folder.

        Parameters
        ----------
        folder : path
            Made where it does not exist.

        Returns
        -------
        Written
            `path` of the page, names of `tables` and `figures`.

        Raises
        ------
        ParameterError
            Where the folder cannot be written.
        MissingExtraError
            Where jinja2 or matplotlib is missing.
        """
        return write_page(self, folder)
