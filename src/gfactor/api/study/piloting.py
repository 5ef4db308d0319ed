"""Before the first participant: every page as a file, and what is missing."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gfactor.parameters import Seed
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.preview import preview_study
from gfactor.studies.questionnaires.readiness import check_study


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
        Seed of the answers that are given on the way.

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


def check(
    folder: Path | str, *, public_url: str = "", backups: Path | str | None = None
) -> pd.DataFrame:
    """Check what is missing before the first participant.

    Parameters
    ----------
    folder : path
        Folder of the study.
    public_url : str
        Address under which browsers will reach the study: "https://lab.example/study".
    backups : path, optional
        The folder with copies of its database.

    Returns
    -------
    DataFrame
        A row per check: `name`, `state` ("ok", "missing", "note"), `says`, `remedy`.

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", per_person=2)
    >>> checks = gf.study.check("study", public_url="https://lab.example").set_index("name")
    >>> checks.loc[["contact", "address"], "state"].tolist()
    ['missing', 'ok']
    """
    opened = StudyFolder.open(Path(folder))
    checks = check_study(opened, public_url, None if backups is None else Path(backups))
    return pd.DataFrame([vars(one) for one in checks])
