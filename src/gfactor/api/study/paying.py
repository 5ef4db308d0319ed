"""Paying the participants of a study through the service that sent them."""

from __future__ import annotations

from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.payments import Payments, write_payments
from gfactor.studies.questionnaires.recruiting import SERVICES


def payments(
    folder: Path | str,
    path: Path | str,
    *,
    service: str | None = None,
    kind: str | None = None,
    keep_invalid: bool = False,
    again: bool = False,
    pilot: bool = False,
) -> Payments:
    """Write what participants are due, in the format that their recruiting service reads.

    What a file has is noted in the study, and no later file has it again: whoever came since, or
    is due more since, is in the next one.

    Parameters
    ----------
    folder : path
        Of the study.
    path : path
        Of the file; refused where there is one already.
    service : str, optional
        "prolific", "mturk", "cloudresearch", "sona" or another that is installed; the study's own
        where None.
    kind : str, optional
        Of the file: "bonus", "approve" or "credit"; what the service reads first where None.
    keep_invalid : bool
        Whether those who failed the check questions are in it.
    again : bool
        Whether what earlier files have is in it once more, because one of them was lost.
    pilot : bool
        Pay those who took part in the pilot.

    Returns
    -------
    Payments
        `path` (None where nobody is due anything), `people`, `amount`, and how many are left out.

    Raises
    ------
    ParameterError
        Where the study names no service, the service reads no such file, or the file is there.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", service="prolific")
    >>> gf.study.payments("study", "pay.csv").people
    0
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    name = service or opened.study.service
    if name is None:
        raise ParameterError(
            "the study names no recruiting service; give --service, one of " + ", ".join(SERVICES)
        )
    return write_payments(opened, Path(path), name, kind, keep_invalid=keep_invalid, again=again)
