"""Tables in files (text, Parquet, Stata, SPSS), read without guessing; errors name the line."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pandas as pd
from pyarrow import ArrowException

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.items.incomplete_lines import short_lines_note

SEPARATORS = {".csv": ",", ".tsv": "\t"}
"""Endings of text tables, with what separates their cells."""

STATISTICAL = {".dta": "Stata", ".sav": "SPSS", ".zsav": "SPSS"}
"""Endings of files of statistical programs, with the program."""

_CELLS = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
_QUOTE = re.compile(r"EOF inside string starting at row (\d+)")
_CALLED = {";": "semicolons", "\t": "tabs", ",": "commas"}
"""Separators of cells, in the order in which they are tried."""

_DECIMAL_COMMA = re.compile(r"(?:^|;)\"?[+-]?\d+,\d+\"?(?=;|\r?$)", re.MULTILINE)
_DECIMAL_POINT = re.compile(r"(?:^|;)\"?[+-]?\d+\.\d+\"?(?=;|\r?$)", re.MULTILINE)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_LETTERS, _RUNS = re.compile(rb"[\x80-\xff]"), re.compile(rb"[\x80-\xff]{2,}")
_ENCODINGS = {"utf-16": "the encoding UTF-16", "cp1252": "the encoding Windows-1252 (Latin-1)",
              "cp1250": "the encoding Windows-1250 (Latin-2)"}  # fmt: skip
"""Encodings of tables besides UTF-8, with their names in notes."""
_SIGN_IN_WORD = re.compile(r"(?<=[^\W\d_])[\u0080-\u00bf](?=[^\W\d_])")
"""A sign between two letters, where a word would have a letter."""
_PARQUET = b"PAR1"
_EXCERPT = 40


def read_frame(path: Path | str) -> pd.DataFrame:
    """Read the columns of a CSV, TSV, Parquet, Stata (.dta) or SPSS (.sav) file.

    Labelled values are read as their numbers. Raises ParameterError if the file does not exist, is
    not a table, or is ambiguous (lines with too many cells, two columns with the same name).
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending in SEPARATORS:
        return read_text_frame(path, SEPARATORS[ending])
    raw = _bytes(path)
    if ending in STATISTICAL:
        return _statistical(path, ending, raw)
    if ending != ".parquet" and not raw.startswith(_PARQUET):
        raise ParameterError(
            f"{str(path)!r} cannot be read as a table; give a .csv, .tsv, .parquet, .dta or .sav "
            "file"
        )
    try:
        return pd.read_parquet(io.BytesIO(raw))
    except (ArrowException, OSError, ValueError) as error:
        raise ParameterError(
            f"{str(path)!r} is not a Parquet file, or is cut off; make or copy it again"
        ) from error


def _statistical(path: Path, ending: str, raw: bytes) -> pd.DataFrame:
    """A file of Stata or SPSS; only the second needs an extra."""
    try:
        if ending == ".dta":
            frame: Any = pd.read_stata(io.BytesIO(raw), convert_categoricals=False)
        else:
            frame = pd.read_spss(path, convert_categoricals=False)
    except ImportError as error:
        raise MissingExtraError(f"the SPSS file {str(path)!r}", "spss") from error
    except Exception as error:
        raise ParameterError(
            f"{str(path)!r} is not a file of {STATISTICAL[ending]}, or is cut off; make or copy it "
            "again"
        ) from error
    return pd.DataFrame(frame)


def read_text_frame(path: Path | str, separator: str = ",", *, texts: bool = False) -> pd.DataFrame:
    """Read a text table with any file extension; with `texts`, every cell stays text.

    Semicolons or tabs between the cells, as spreadsheets write them in many countries, are read
    with a note on standard error, and so is text in UTF-16 or in Windows' code pages 1252 and 1250.
    Between semicolons a comma may be the decimal sign.

    Raises ParameterError as `read_frame` does.
    """
    path = Path(path)
    where = repr(str(path))
    text, encoding = _text(_bytes(path), where)
    if not text.strip():
        raise ParameterError(f"{where} is empty; give a table with a header line")
    try:
        names, separator, notes = _separated(lambda: io.StringIO(text), separator, encoding)
        _check_header(names, where)
        decimal = "," if separator == ";" and _has_decimal_commas(text) else "."
        if decimal == ",":
            notes.append("commas as decimal signs")
        kinds: dict[str, Any] = {"dtype": str, "keep_default_na": False} if texts else {}
        # Read in one piece, because a column's type must be the same for all lines.
        frame = pd.read_csv(
            io.StringIO(text), sep=separator, low_memory=False, decimal=decimal, **kinds
        )
    except ValueError as error:
        raise ParameterError(f"{where}{_reason(str(error))}") from error
    _tell(path, notes)
    # If a line lacks cells, at least the last column is missing.
    if frame.iloc[:, -1:].isna().to_numpy().any() and (
        note := short_lines_note(text, separator, len(names))
    ):
        sys.stderr.write(f"note: {path}: {note}\n")
    return frame


@dataclass(frozen=True)
class TextLayout:
    """Separator and encoding of a text table.

    Parameters
    ----------
    separator : str
        The sign between cells.
    encoding : str
        "utf-8", "utf-16", "cp1252" or "cp1250".
    notes : tuple of str
        Differences from what the file's ending says, for a note.
    """

    separator: str
    encoding: str
    notes: tuple[str, ...] = ()


def layout_of(path: Path, separator: str, size: int) -> TextLayout:
    """Return the layout of a text table that is too large to be read at once.

    Parameters
    ----------
    path : path
        The file.
    separator : str
        The sign between cells that its ending tells.
    size : int
        Number of bytes at its beginning that are tested for UTF-8.

    Raises
    ------
    UnicodeDecodeError
        If it is in no encoding that is read.
    OSError
        If there is no such file.
    """
    with path.open("rb") as file:
        head = file.read(size)
    encoding = "utf-8"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=False)
    except UnicodeDecodeError:
        encoding = _decoded(path.read_bytes())[1]
    try:
        _, separator, notes = _separated(lambda: path.open(encoding=encoding), separator, encoding)
    except ValueError:
        return TextLayout(separator, encoding)  # Errors are reported when the rows are read.
    return TextLayout(separator, encoding, tuple(notes))


def tell_layout(path: Path, layout: TextLayout) -> None:
    """Print a note on standard error if a layout differs from the file's extension."""
    _tell(path, layout.notes)


def _tell(path: Path, notes: Sequence[str]) -> None:
    if notes:
        sys.stderr.write(f"note: {path} was read with {', '.join(notes)}\n")


def _separated(
    opened: Callable[[], IO[str]], separator: str, encoding: str
) -> tuple[list[str], str, list[str]]:
    """Return the header of a table, what separates its cells, and notes of what is unusual."""
    notes = [_ENCODINGS[encoding]] if encoding in _ENCODINGS else []
    names = _header(opened, separator)
    other = _other_separator(names, separator)
    if not other:
        return names, separator, notes
    return _header(opened, other), other, [*notes, f"{_CALLED[other]} between the cells"]


def _header(opened: Callable[[], IO[str]], separator: str) -> list[str]:
    with opened() as file:
        header = pd.read_csv(
            file, sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False
        )
    return [str(name) for name in header.iloc[0]]


def _other_separator(names: list[str], separator: str) -> str:
    """Return what separates the cells of a table whose header is one cell; "" if nothing does."""
    others = [sign for sign in _CALLED if sign != separator and sign in names[0]]
    return others[0] if len(names) == 1 and others else ""


def _has_decimal_commas(text: str) -> bool:
    """Return True if cells between semicolons hold numbers such as 1,5, and none such as 1.5."""
    return bool(_DECIMAL_COMMA.search(text)) and not _DECIMAL_POINT.search(text)


def _bytes(path: Path) -> bytes:
    where = repr(str(path))
    try:
        if path.is_dir():
            raise ParameterError(f"{where} is a folder; name a file in it")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ParameterError(f"{where}: there is no such file") from error
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "its name is not text in UTF-8"
        raise ParameterError(f"{where} cannot be read: {reason}") from error


def _text(raw: bytes, where: str) -> tuple[str, str]:
    """Return a file's text and its encoding."""
    try:
        text, encoding = _decoded(raw)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise ParameterError(
            f"{where}, line {line}: this is not text in UTF-8; save the table as CSV in UTF-8"
        ) from error
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise ParameterError(f"{where}, line {line}: a zero byte, so it is not text; save it again")
    return text, encoding


def _decoded(raw: bytes) -> tuple[str, str]:
    """Return text and its encoding; raise UnicodeDecodeError if no encoding that is read fits."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16"), "utf-16"
    try:
        return raw.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        text, code_page = _of_code_page(raw)
        if not text:
            raise
        return text, code_page


def _of_code_page(raw: bytes) -> tuple[str, str]:
    """Return text in Windows' code page 1252 or 1250, and which; "" if it is more likely damaged
    UTF-8, a script with several bytes per letter, or not text.

    Polish is told by its letters that are signs in the code page 1252, such as "d\u00b3ugi".
    """
    read = raw.decode("utf-8", errors="replace")
    damaged, others = read.count("\ufffd"), sum(not one.isascii() for one in read)
    beside = sum(len(run) for run in _RUNS.findall(raw))
    if others > 2 * damaged or 2 * beside > len(_LETTERS.findall(raw)) or _CONTROLS.search(raw):
        return "", ""
    texts: dict[str, str] = {}
    for name in ("cp1252", "cp1250"):
        try:
            texts[name] = raw.decode(name)
        except UnicodeDecodeError:
            continue
    signs = {name: len(_SIGN_IN_WORD.findall(text)) for name, text in texts.items()}
    best = min(signs, key=lambda name: signs[name], default="")
    return texts.get(best, ""), best


def _check_header(names: list[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            raise ParameterError(
                f"{where} has two columns called {name[:_EXCERPT]!r}; rename one or take it out"
            )
        seen.add(name)


def _reason(error: str) -> str:
    if match := _CELLS.search(error):
        wanted, line, cells = match.groups()
        return (
            f", line {line}: {cells} cells in a table of {wanted} columns; put quotation "
            "marks around cells that hold a separator"
        )
    if match := _QUOTE.search(error):
        return f", line {int(match[1]) + 1}: a quotation mark is opened and never closed"
    return f" cannot be read as a table: {error.splitlines()[0]}"
