"""Values of a family's file, checked for their types; a mistake names file and key."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.benchmarks.texts import Forms
from gfactor.errors import ParameterError

_GENDERS = ("m", "f", "n")


@dataclass(frozen=True)
class TypedFile:
    """A TOML file whose values have types."""

    path: Path

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def check_keys(
        self, key: str, table: Iterable[str], names: tuple[str, ...], what: str = "key"
    ) -> None:
        """Raise an error for a key of a table that is not among `names`."""
        for other in table:
            if other not in names:
                near = difflib.get_close_matches(other, names, n=1, cutoff=0.6)
                meant = f"; did you mean {near[0]!r}?" if near else "; leave it out"
                where = f"{self.name}, {key}" if key else self.name
                raise ParameterError(
                    f"{where} has the {what} {other!r}; there are {', '.join(names)}{meant}"
                )

    def table(self, key: str, value: Any, other: str = "") -> dict[str, Any]:
        """Return a table; `other` describes, in words, an alternative to a table."""
        if not isinstance(value, dict):
            raise self._error(key, f"{other}a table, [{key}]", value)
        return value

    def text(self, key: str, value: Any) -> str:
        """Return a text."""
        if not isinstance(value, str):
            raise self._error(key, 'a text, "..."', value)
        return value

    def texts(self, key: str, value: Any) -> tuple[str, ...]:
        """Return a list of texts."""
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._error(key, 'a list of texts, ["..."]', value)
        return tuple(value)

    def levels(self, key: str, value: Any) -> dict[str, tuple[int | str, ...]]:
        """Return radicals with their levels: lists of whole numbers or of words."""
        for radical, levels in self.table(key, value).items():
            good = isinstance(levels, list) and levels
            if not good or not all(type(level) in (int, str) for level in levels):
                what = 'a list of levels, whole numbers or words, as [4, 5] or ["one", "two"]'
                raise self._error(f"{key}.{radical}", what, levels)
        return {radical: tuple(levels) for radical, levels in value.items()}

    def forms(self, key: str, value: Any) -> Forms:
        """Return the forms of a word: one, three of a noun, four of an adjective."""
        several: list[Any] = value if isinstance(value, list) else []
        forms: tuple[Any, ...] = tuple([value] if isinstance(value, str) else several)
        noun = len(forms) == len(_GENDERS) and forms[2] in _GENDERS
        if not all(isinstance(one, str) for one in forms) or not (noun or len(forms) in (1, 4)):
            what = (
                'one form, "...", a noun\'s ["singular", "plural", "m"] (or "f", "n"), or the four '
                "of an adjective (masculine, feminine, each then in the plural)"
            )
            raise self._error(key, what, value)
        return forms

    def _error(self, key: str, what: str, value: Any) -> ParameterError:
        return ParameterError(f"{self.name}, {key}: give {what}, not {value!r}")
