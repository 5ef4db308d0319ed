"""Reading score tables of any format."""

from __future__ import annotations

from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.scoring.tables.base import SCORE_FORMATS, ScoreTable, TableNaming


def read_scores(
    path: Path | str, format_name: str = "", naming: TableNaming | None = None
) -> ScoreTable:
    """The scores in a file.

    Parameters
    ----------
    format_name: one of `SCORE_FORMATS`; where "", the file's name and content tell.
    naming: what the file itself does not say.

    Raises UnknownNameError for an unknown format, ParameterError where there is no such file or it
    cannot be read.
    """
    path = Path(path)
    naming = naming or TableNaming()
    if not path.is_file():
        raise ParameterError(f"there is no file {str(path)!r}")
    if format_name:
        return SCORE_FORMATS[format_name].read(path, naming)
    for _, known in sorted(SCORE_FORMATS.items(), key=lambda entry: (entry[1].place, entry[0])):
        if known.matches(path):
            return known.read(path, naming)
    raise ParameterError(
        f"{str(path)!r} is in no known format ({', '.join(SCORE_FORMATS)}); name one with --format"
    )
