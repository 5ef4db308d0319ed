"""The audit of a Q-matrix that lies in a table, a file or an item bank."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gfactor.api.inputs.matrix_files import holds_scores, read_scores
from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.parameters import Level
from gfactor.psychometrics.given import TableLike, as_frame
from gfactor.psychometrics.q_matrices import QMatrixAudit, audit_of


def audit_q_matrix(
    q: pd.DataFrame | BankLike,
    answers: TableLike | Path | str | None = None,
    *,
    label: str = "skills",
    level: Level = 0.95,
) -> QMatrixAudit:
    """Audit a Q-matrix: is it complete, does it identify a DINA model, do answers support it?

    Parameters
    ----------
    q : DataFrame, ItemBank or path
        Q-matrix with a row per item or domain and a column per skill: 1 if the row needs the
        skill, else 0. It may be a CSV file whose first column names the rows. From an item bank,
        the rows are the domains if all items of a domain need the same skills, else the items.
    answers : DataFrame or path, optional
        Table with a row per respondent and a column per row of the Q-matrix: right (1) and wrong
        (0), or mean scores as `gfactor.matrix` returns them.
    label : str
        Label of the items that holds their skills, if `q` is an item bank.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    QMatrixAudit
        `complete`, `identified`, `skills`, `support`, `diagnostics` (sentences that name what is
        missing) and `summary()`.

    Raises
    ------
    ParameterError
        If a cell is neither 0 nor 1, or the answers lack a row.

    References
    ----------
    Gu, Y., Xu, G. (2019). The sufficient and necessary condition for the identifiability and
    estimability of the DINA model. Psychometrika 84, 468-483.

    Examples
    --------
    >>> import gfactor as gf, pandas as pd
    >>> q = pd.DataFrame({"add": [1, 0, 1], "carry": [0, 1, 1]}, index=["i1", "i2", "i3"])
    >>> gf.audit_q_matrix(q).complete
    True
    """
    matrix, items = _matrix(q, label)
    if isinstance(answers, str | Path):
        answers = read_scores(Path(answers))
    given = None if answers is None else as_frame(answers, "answers")
    return audit_of(matrix, given, items=items, level=level)


def _matrix(q: pd.DataFrame | BankLike, label: str) -> tuple[pd.DataFrame, list[int] | None]:
    """The matrix, and the number of items per row."""
    if isinstance(q, pd.DataFrame):
        return q, None
    if isinstance(q, str | Path) and holds_scores(Path(q)):
        return read_scores(Path(q)), None
    bank = as_bank(q)
    try:
        matrix = bank.q_matrix(label)
    except UnknownNameError as error:
        raise ParameterError(
            f"no item of the bank has the label {label!r}, which lists the skills that an item "
            "needs; name another one (--label, in Python label=...), or give a table of rows x "
            f"skills. {str(error)[0].upper()}{str(error)[1:]}"
        ) from error
    matrix.columns = matrix.columns.map(str)
    try:
        domains = bank.q_matrix("domain")
    except UnknownNameError:
        return matrix, None
    of = domains.columns.to_numpy()[domains.to_numpy().argmax(axis=1)]
    groups = matrix.groupby(of, sort=False)
    if (groups.nunique() > 1).to_numpy().any():
        return matrix, None
    return groups.first(), groups.size().tolist()
