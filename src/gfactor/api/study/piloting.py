"""Before the first participant: every page as a file, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.parameters import Seed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.pages.preview import preview_study
from gfactor.studies.questionnaires.study.readiness import check_study


def preview(folder: Path | str, path: Path | str, *, seed: Seed = 0) -> int:
    """Write every page of a study as a file, in each language, condition and state.

    Nothing is written into the study's folder.

    Parameters
    ----------
    folder : path
        Folder of the study.
    path : path
        Folder to write to; `index.html` there has a link to each page.
    seed : int
        Seed of the simulated answers that lead from page to page.

    Returns
    -------
    int
        Number of pages.

    Raises
    ------
    ParameterError
        If the folder holds no study, or the pages cannot be written.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", per_person=2)
    >>> gf.study.preview("study", "preview") > 20
    True
    """
    return preview_study(StudyFolder.open(Path(folder)), Path(path), seed)


@dataclass(frozen=True, repr=False)
class Checklist(Result):
    """Checks of a study before the first participant.

    Parameters
    ----------
    table : DataFrame
        A row per check: `name`, `state` ("ok", "missing", "note"), `says`, `remedy`.
    """

    table: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def missing(self) -> int:
        """Number of checks that the study does not pass."""
        return self.table["state"].tolist().count("missing")

    @property
    def ready(self) -> bool:
        """Return True if nothing is missing."""
        return not self.missing

    @property
    def code(self) -> int:
        """Return the exit code of the command: 1 if anything is missing."""
        return int(not self.ready)

    @property
    def title(self) -> str:
        """Return how many checks the study does not pass."""
        return f"{self.missing} missing" if self.missing else "nothing is missing"

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The checks."""
        return {"checks": self.table}

    def _document(self) -> Mapping[str, Any]:
        return {"ready": self.ready, "checks": self.table}

    def _lines(self) -> list[str]:
        lines = []
        for row in self.table.to_dict("records"):
            remedy = f" -> {row['remedy']}" if row["remedy"] and row["state"] != "ok" else ""
            lines.append(f"{row['state']:8}{row['name']}: {row['says']}{remedy}")
        return [*lines, self.title]


def check(
    folder: Path | str, *, public_url: str = "", backups: Path | str | None = None
) -> Checklist:
    """Check what is missing before the first participant.

    Parameters
    ----------
    folder : path
        Folder of the study.
    public_url : str
        Address under which browsers will reach the study: "https://lab.example/study".
    backups : path, optional
        Folder for backups of the study's database.

    Returns
    -------
    Checklist
        `table` has a row per check: `name`, `state` ("ok", "missing", "note"), `says`, `remedy`;
        `ready` is True if nothing is missing.

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", per_person=2)
    >>> checks = gf.study.check("study", public_url="https://lab.example")
    >>> checks.table.set_index("name").loc[["contact", "address"], "state"].tolist()
    ['missing', 'ok']
    """
    opened = StudyFolder.open(Path(folder))
    checks = check_study(opened, public_url, None if backups is None else Path(backups))
    return Checklist(pd.DataFrame([vars(one) for one in checks]))
