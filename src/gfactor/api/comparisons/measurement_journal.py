"""The journal of a measurement whose scores are explained: its keys, and its benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.errors import ParameterError, UnknownNameError


class RekeyedJournal:
    """A journal with replaced answer keys."""

    def __init__(self, journal: Journal, answers: Mapping[Any, Any]) -> None:
        self._journal, self._answers = journal, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def items(self) -> pd.DataFrame:
        items = self._journal.items()
        keys = list(zip(items["content_hash"], items["id"], strict=True))
        for column in ("target", "accepted"):
            rows_of_run = items[column].tolist()
            items[column] = [
                self._answers[k][column] if k in self._answers else value
                for k, value in zip(keys, rows_of_run, strict=True)
            ]
        return items


def benchmark_of_run(name: str, given: Any, run: tuple[str, str], benchmark: Any) -> str:
    """Return the only benchmark of a run, or the one that was named; raise ParameterError if
    neither is."""
    rows = given.loc[(given["examinee"] == run[0]) & (given["condition"] == run[1])]
    names = sorted(set(map(str, rows["benchmark"])))
    if benchmark is not None:
        if str(benchmark) not in names:
            raise UnknownNameError(f"benchmark of the {name} measurement", str(benchmark), names)
        return str(benchmark)
    if len(names) > 1:
        raise ParameterError(
            f"the {name} measurement holds the benchmarks {', '.join(names)}, but one "
            f"benchmark is explained at a time; name it with --benchmark, or with --{name} "
            f"benchmark=NAME (in Python: benchmark=..., or in {name}_settings)"
        )
    return names[0]
