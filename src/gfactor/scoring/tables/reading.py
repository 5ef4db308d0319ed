"""Reading score tables of any format."""

from __future__ import annotations

from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.scoring.tables.base import SCORE_FORMATS, ScoreTable, TableNaming


def read_scores(
    path: Path | str, format_name: str = "", naming: TableNaming | None = None
) -> ScoreTable:
    """Read the scores in a file.

    Parameters
    ----------
    format_name: one of `SCORE_FORMATS`; "" to recognize the format by the file's name and content.
    naming: facts that the file itself does not contain.

    Raises UnknownNameError for an unknown format, ParameterError if there is no such file or it
    cannot be read.
    """
    name = format_name or format_of(path)
    return SCORE_FORMATS[name].read(_file(path), naming or TableNaming())


def format_of(path: Path | str) -> str:
    """Return the name of the format, from a file's name and content; raises the errors of
    `read_scores`."""
    path = _file(path)
    for name, candidate in sorted(
        SCORE_FORMATS.items(), key=lambda entry: (entry[1].order, entry[0])
    ):
        if candidate.matches(path):
            return name
    raise ParameterError(
        f"{str(path)!r} is in no known format ({', '.join(SCORE_FORMATS)}); name one with --format"
    )


def _file(path: Path | str) -> Path:
    if not Path(path).is_file():
        raise ParameterError(f"there is no file {str(path)!r}")
    return Path(path)
