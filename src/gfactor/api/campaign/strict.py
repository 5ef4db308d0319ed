"""Tables of a campaign file, read strictly: a key that nobody asks for is an error."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gfactor.api.campaign.run_options import placed
from gfactor.errors import ParameterError

_MISSING: Any = object()


class StrictTable:
    """A table of the campaign file that refuses keys which were never read."""

    def __init__(self, path: Path, where: str, values: dict[str, Any]) -> None:
        self._path, self._where = path, where
        self.values = dict(values)
        self._read_keys: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def error(self, key: str, what: str) -> ParameterError:
        """Return an error about a key, with the file, the path of the key and the flaw."""
        where = ".".join(part for part in (self._where, key) if part)
        return ParameterError(f"campaign file {str(self._path)!r}, {where or 'top'}: {what}")

    def unknown(self, key: str, allowed: Sequence[str]) -> ParameterError:
        """Return the error about a key that means nothing here."""
        elsewhere = placed(key)
        close = difflib.get_close_matches(key, allowed, n=1, cutoff=0.75 if elsewhere else 0.5)
        meant = f"{elsewhere}; " if elsewhere else ""
        meant = f"did you mean {close[0]}? " if close else meant
        hint = f"{meant}known are {', '.join(sorted(allowed))}"
        return self.error(key, f"this means nothing here; {hint}")

    def end(self, *others: str) -> None:
        """Raise an error for keys that were not read, except `others`."""
        for key in self.values:
            if key not in self._read_keys:
                raise self.unknown(key, sorted({*self._read_keys, *others}))

    def take(self, key: str, default: Any = _MISSING) -> Any:
        """Return the value of a key."""
        self._read_keys.add(key)
        if key not in self.values and default is _MISSING:
            raise self.error(key, "this is missing")
        return self.values.get(key, default)

    def text(self, key: str, default: Any = _MISSING) -> str:
        """Return a text, which must not be empty; the default if the key is left out."""
        value = self.take(key, default)
        if not isinstance(value, str) or (key in self.values and not value.strip()):
            raise self.error(key, f"give a text, not {value!r}")
        return value

    def whole(self, key: str, default: int, least: int) -> int:
        """Return a whole number."""
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(key, f"give a whole number from {least}, not {value!r}")
        return value

    def number(self, key: str) -> float:
        """Return a finite number from 0."""
        value = self.take(key)
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        if not fits or not 0 <= value < math.inf:
            raise self.error(key, f"give a number from 0, not {value!r}")
        return float(value)

    def money(self, key: str) -> float | None:
        """Return a number from 0; None if it is left out."""
        return self.number(key) if key in self.values else self.take(key, None)

    def path_of(self, key: str) -> Path:
        """Return a path, relative to the folder of the campaign file."""
        return self._path.parent / self.text(key)

    def file(self, key: str, *, must_exist: bool = True) -> Path | None:
        """Return a file; None if it is left out."""
        if self.take(key, None) is None:
            return None
        path = self.path_of(key)
        if must_exist and not path.is_file():
            raise self.error(key, f"there is no file {str(path)!r}")
        return path

    def texts(self, key: str) -> list[str]:
        """Return texts, given as a list; none if it is left out."""
        texts = self.take(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self.error(key, "give a list of texts")
        return texts

    def files(self, key: str) -> list[Path]:
        """Return files, given as a list."""
        names = self.take(key, [])
        if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
            raise self.error(key, "give a list of files")
        for name in names:
            if not (self._path.parent / name).is_file():
                raise self.error(key, f"there is no file {str(self._path.parent / name)!r}")
        return [self._path.parent / name for name in names]

    def table(self, key: str) -> StrictTable:
        """Return a table; an empty one if it is left out."""
        return StrictTable(
            self._path, ".".join(filter(None, [self._where, key])), self.plain_table(key)
        )

    def plain_table(self, key: str) -> dict[str, Any]:
        """Return the values of a table."""
        value = self.take(key, {})
        if not isinstance(value, dict):
            raise self.error(key, f"give a table, [{key}]")
        return dict(value)

    def named_tables(self, key: str) -> Iterator[tuple[str, StrictTable]]:
        """Yield the tables of a table, by name."""
        outer = self.table(key)
        for name in list(outer.values):
            yield name, outer.table(name)

    def tables(self, key: str, *, required: bool = True) -> Iterator[StrictTable]:
        """Yield the tables of a list, [[key]]."""
        values = self.take(key, [])
        if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
            raise self.error(key, f"must be a list of tables, each headed [[{key}]]")
        if required and not values:
            raise self.error(key, f"give at least one [[{key}]]")
        for number, value in enumerate(values, 1):
            yield StrictTable(self._path, f"{key}[{number}]", value)
