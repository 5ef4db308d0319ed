"""Facts about models that journals do not have, such as context windows, from a user's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items.table_files import read_text_frame

WINDOW = "context_window"


def read_model_facts(path: Path, examinees: Sequence[str]) -> pd.DataFrame:
    r"""Return the column `context_window` (tokens), indexed by `examinee`, from a CSV file with
    both.

    Parameters
    ----------
    path : Path
        The CSV file.
    examinees : list of str
        Examinees that the file may name.

    Returns
    -------
    DataFrame
        A row per examinee of the file.

    Raises
    ------
    ParameterError
        With file and row, where the file cannot be read, a window is no whole number of
        tokens or an examinee comes twice, UnknownNameError for one that nobody knows.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gfactor.reports import read_model_facts
    >>> _ = Path("models.csv").write_text("examinee,context_window\nopenai:m,8192\n")
    >>> read_model_facts(Path("models.csv"), ["openai:m"])["context_window"].tolist()
    [8192.0]
    """
    frame = read_text_frame(path, texts=True)
    for name in ("examinee", WINDOW):
        if name not in frame:
            raise ParameterError(
                f"{str(path)!r} has no column {name!r}; it needs examinee and {WINDOW}"
            )
    windows: dict[str, int] = {}
    for row, (who, window) in enumerate(zip(frame["examinee"], frame[WINDOW], strict=True), 1):
        if who not in examinees:
            raise UnknownNameError(f"examinee in {str(path)!r}, row {row}:", who, examinees)
        if who in windows:
            raise ParameterError(f"{str(path)!r}, row {row}: examinee {who!r} occurs twice")
        if not window.isascii() or not window.isdecimal() or int(window) < 1:
            raise ParameterError(
                f"{str(path)!r}, row {row}: {WINDOW} must be a whole number of tokens, not "
                f"{window!r}"
            )
        windows[who] = int(window)
    return pd.DataFrame({WINDOW: pd.Series(windows, dtype=float)}).rename_axis("examinee")
