"""The journal of a measurement whose scores are explained: its keys, benchmark and source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.imports.figures import format_of_log
from gfactor.administration.storing.imported_runs import was_imported
from gfactor.api.inputs.matrix_files import TABLE_OF_ANSWERS
from gfactor.errors import BankError, ParameterError, UnknownNameError
from gfactor.items import ItemBank


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


def came_from_log(journal: Journal, examinee: str, key: str) -> bool:
    """Return True if a run was imported from a log, or is a table of right and wrong answers."""
    return was_imported(journal, examinee, key) or any(
        campaign["bank"] == TABLE_OF_ANSWERS
        for campaign in journal.meta()["campaigns"]
        if (campaign["examinee"], campaign["condition"]) == (examinee, key)
    )


def noted_source(journal: Journal, examinee: str, key: str) -> Path | None:
    """Return the bank or log that filled the journal, if it is still there and the same."""
    for campaign in reversed(journal.meta()["campaigns"]):
        path = Path(campaign["bank"])
        if (campaign["examinee"], campaign["condition"]) != (examinee, key) or not path.is_file():
            continue
        if format_of_log(path):
            return path
        try:
            if ItemBank.open(path).scene_digest == campaign["digest"]:
                return path
        except BankError:
            continue  # The journal was filled from another kind of file.
    return None
