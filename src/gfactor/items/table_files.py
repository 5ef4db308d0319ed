"""Tables in files (text, Parquet, Stata, SPSS), read without a guess; errors name the line."""

from __future__ import annotations

import codecs
import io
import re
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from pyarrow import ArrowException

from gfactor.errors import MissingExtraError, ParameterError

SEPARATORS = {".csv": ",", ".tsv": "\t"}
"""Endings of text tables, with what separates their cells."""

STATISTICAL = {".dta": "Stata", ".sav": "SPSS", ".zsav": "SPSS"}
"""Endings of files of statistical programs, with the program."""

_CELLS = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
_QUOTE = re.compile(r"EOF inside string starting at row (\d+)")
_CALLED = {";": "semicolons", "\t": "tabs", ",": "commas"}
"""Signs between the cells of a table, in the order in which they are looked for."""

_DECIMAL_COMMA = re.compile(r"(?:^|;)\"?[+-]?\d+,\d+\"?(?=;|\r?$)", re.MULTILINE)
_DECIMAL_POINT = re.compile(r"(?:^|;)\"?[+-]?\d+\.\d+\"?(?=;|\r?$)", re.MULTILINE)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
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
    """Return a table of text, whatever its ending; `texts` leaves every cell the text it is.

    Semicolons or tabs between the cells, as spreadsheets write them in many countries, are read
    with a note on standard error, and so is text in UTF-16 or Windows' code page 1252. Between
    semicolons a comma may be the decimal sign.

    Raises ParameterError as `read_frame` does.
    """
    path = Path(path)
    where = repr(str(path))
    text, notes = _text(_bytes(path), where)
    if not text.strip():
        raise ParameterError(f"{where} is empty; give a table with a header line")
    try:
        names = _header(text, separator)
        other = _other_separator(names, separator)
        if other:
            notes.append(f"{_CALLED[other]} between the cells")
            names, separator = _header(text, other), other
        _check_header(names, where)
        decimal = "," if separator == ";" and _has_decimal_commas(text) else "."
        if decimal == ",":
            notes.append("commas as decimal signs")
        kinds: dict[str, Any] = {"dtype": str, "keep_default_na": False} if texts else {}
        # In one piece, because a column's type must not change with the line it is looked at.
        frame = pd.read_csv(
            io.StringIO(text), sep=separator, low_memory=False, decimal=decimal, **kinds
        )
    except ValueError as error:
        raise ParameterError(f"{where}{_reason(str(error))}") from error
    if notes:
        sys.stderr.write(f"note: {path} was read with {', '.join(notes)}\n")
    return frame


def _header(text: str, separator: str) -> list[str]:
    header = pd.read_csv(
        io.StringIO(text), sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False
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


def _text(raw: bytes, where: str) -> tuple[str, list[str]]:
    """Return a file's text, and its encoding as a note if that is not UTF-8."""
    notes: list[str] = []
    try:
        if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text, notes = raw.decode("utf-16"), ["the encoding UTF-16"]
        else:
            text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text, notes = _of_code_page(raw), ["the encoding Windows-1252 (Latin-1)"]
        if not text:
            line = raw[: error.start].count(b"\n") + 1
            raise ParameterError(
                f"{where}, line {line}: this is not text in UTF-8; save the table as CSV in UTF-8"
            ) from error
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise ParameterError(f"{where}, line {line}: a zero byte, so it is not text; save it again")
    return text, notes


def _of_code_page(raw: bytes) -> str:
    """Return text in Windows' code page 1252; "" if it is rather damaged UTF-8, or no text."""
    read = raw.decode("utf-8", errors="replace")
    damaged, others = read.count("\ufffd"), sum(not one.isascii() for one in read)
    if others > 2 * damaged or _CONTROLS.search(raw):
        return ""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return ""


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
            f", line {line}: {cells} cells where the lines before have {wanted}; put quotation "
            "marks around cells that hold a separator"
        )
    if match := _QUOTE.search(error):
        return f", line {int(match[1]) + 1}: a quotation mark is opened and never closed"
    return f" cannot be read as a table: {error.splitlines()[0]}"
