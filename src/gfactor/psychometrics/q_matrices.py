"""Audit of a Q-matrix: the skills that each row (an item or a domain) requires, and what they
identify.

References
----------
Chiu, C.-Y., Douglas, J. A., Li, X. (2009). Cluster analysis for cognitive diagnosis: theory and
    applications. Psychometrika 74, 633-665. (Completeness under the DINA model.)
Köhn, H.-F., Chiu, C.-Y. (2017). A procedure for assessing the completeness of the Q-matrices of
    cognitively diagnostic tests. Psychometrika 82, 112-132.
Gu, Y., Xu, G. (2019). The sufficient and necessary condition for the identifiability and
    estimability of the DINA model. Psychometrika 84, 468-483.
Gu, Y., Xu, G. (2020). Partial identifiability of restricted latent class models. Annals of
    Statistics 48, 2082-2107. (Generic identifiability of general models.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.q_findings import (
    LEAST_ROWS,
    about_general_models,
    about_rows,
    about_skills,
    about_support,
    about_the_rest,
    same_columns,
)
from gfactor.psychometrics.q_support import support_of
from gfactor.results import Result, rounded

MOST_SKILLS = 14
"""Largest number of skills for which all patterns of mastery are compared."""


@dataclass(frozen=True, repr=False)
class QMatrixAudit(Result):
    """Audit of a Q-matrix: completeness, identification, and support by answers.

    Parameters
    ----------
    n_rows, n_items, n_skills: numbers of rows, of the items that they represent, and of skills.
    complete: True if every skill is the only skill of some row, as DINA models need.
    identified: True if the parameters of a DINA model are identified (Gu and Xu 2019).
    generic: True if the parameters of a general model (G-DINA) are identified, except for
        exceptional values. The sufficient condition of Gu and Xu (2020) is checked: each skill can
        be given two items of its own that require it, and is also required by a further item.
    rank: rank of the matrix. If it is lower than the number of skills, no model with a separate
        effect of each skill is identified.
    patterns, distinct_patterns: number of patterns of mastery, and the number of them that a DINA
        model distinguishes (None for more than 14 skills).
    skills: a row per skill: numbers of `rows` and `items` that require it, numbers of those that
        require only this skill (`rows_alone`, `items_alone`), and another skill with the same
        rows, if there is one (`same_as`).
    rows: number of `items` and required `skills` of each row.
    support: a row per row of the matrix and required skill, with the evidence in the answers.
        `effect` is the standardized effect of the other rows of this skill on this row, given the
        rows of its other skills, with its interval. `supported` is "yes", "no" (effect below 0),
        "not decided", or "-" (not computable). The skill whose rows correlate most with the row
        follows, and `closer` if the row does not require that skill and the difference is
        significant. None without answers.
    n: number of respondents; None without answers.
    diagnostics: problems of the matrix, errors first.
    """

    n_rows: int
    n_items: int
    n_skills: int
    complete: bool
    identified: bool
    generic: bool
    rank: int
    patterns: int
    distinct_patterns: int | None
    skills: pd.DataFrame
    rows: pd.DataFrame
    support: pd.DataFrame | None
    n: int | None
    level: float
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        """Return the size of the matrix and of the answers."""
        answers = "" if self.n is None else f", answers of {self.n}"
        return f"Q-matrix of {self.n_rows} rows and {self.n_skills} skills{answers}"

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("n_rows", "n_items", "n_skills", "complete", "identified", "generic", "rank",
                 "patterns")  # fmt: skip
        facts = {name: getattr(self, name) for name in names}
        facts |= {"distinct_patterns": self.distinct_patterns}
        return facts if self.n is None else {**facts, "n": self.n, "level": self.level}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        tables = {"skills": self.skills, "rows": self.rows}
        return tables if self.support is None else {**tables, "support": self.support}

    def _lines(self) -> list[str]:
        distinct = self.distinct_patterns
        differ = f"; {distinct} of {self.patterns} patterns distinguished" if distinct else ""
        lines = [
            self.title,
            f"complete: {_yes(self.complete)}; identified for DINA: {_yes(self.identified)}, for "
            f"G-DINA: {_yes(self.generic)}; "
            f"rank {self.rank} of {self.n_skills}{differ}",
            "",
            self.skills.to_string(index=False),
        ]
        if self.support is not None:
            lines += ["", rounded(self.support, 2).to_string(index=False, na_rep="-")]
        return lines


def audit_of(
    q: pd.DataFrame,
    answers: pd.DataFrame | None = None,
    *,
    items: Sequence[int] | None = None,
    level: float = 0.95,
) -> QMatrixAudit:
    """Audit a Q-matrix: check whether it distinguishes skills, and whether answers support it.

    Parameters
    ----------
    q : DataFrame
        Rows (items or domains) x skills, 1 if a row requires a skill and 0 if not.
    answers : DataFrame, optional
        Respondents x rows, columns named as the rows: right and wrong, or scores.
    items : list of int, optional
        Number of items that each row stands for, by default 1.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    QMatrixAudit
        `complete`, `identified`, `skills`, `support`, `diagnostics`, `summary()`.

    Raises
    ------
    ParameterError
        If a cell is neither 0 nor 1, a name occurs twice, or answers lack a row.

    Examples
    --------
    >>> import pandas as pd
    >>> q = pd.DataFrame({"add": [1, 0, 1], "carry": [0, 1, 1]}, index=["i1", "i2", "i3"])
    >>> audit = audit_of(q)
    >>> audit.complete, audit.identified
    (True, False)
    """
    matrix = _checked(q)
    counts = np.ones(len(q), dtype=int) if items is None else np.asarray(items, dtype=int)
    names, rows = [str(name) for name in q.columns], [str(name) for name in q.index]
    alone = (matrix.sum(axis=1) == 1)[:, None] & (matrix == 1)
    twins = same_columns(matrix)
    left = _remaining(matrix, counts, alone)
    skills = pd.DataFrame(
        {
            "skill": names,
            "rows": matrix.sum(axis=0),
            "items": counts @ matrix,
            "rows_alone": alone.sum(axis=0),
            "items_alone": counts @ alone,
            "same_as": [", ".join(names[j] for j in twins[k]) for k in range(len(names))],
        }
    )
    complete = bool(alone.any(axis=0).all())
    identified = bool(
        complete and (counts @ matrix >= LEAST_ROWS).all() and not any(same_columns(left))
    )
    support, n = (
        (None, None) if answers is None else support_of(matrix, rows, names, answers, level)
    )
    distinct, generic = _distinct(matrix), generically_identified(matrix, counts)
    rank = int(np.linalg.matrix_rank(matrix.astype(float)))
    diagnostics = [
        *about_skills(skills, distinct, rank),
        *about_the_rest(names, left, complete, twins),
        *about_general_models(generic),
        *about_rows(matrix, rows),
        *([] if support is None else about_support(support)),
    ]
    return QMatrixAudit(
        n_rows=len(rows),
        n_items=int(counts.sum()),
        n_skills=len(names),
        complete=complete,
        identified=identified,
        generic=generic,
        rank=rank,
        patterns=2 ** len(names),
        distinct_patterns=distinct,
        skills=skills,
        rows=pd.DataFrame(
            {
                "row": rows,
                "items": counts,
                "skills": [", ".join(np.array(names)[one == 1]) for one in matrix],
            }
        ),
        support=support,
        n=n,
        level=level,
        diagnostics=by_severity(diagnostics),
    )


def _checked(q: pd.DataFrame) -> NDArray[np.int_]:
    values = q.to_numpy()
    if not q.shape[0] or not q.shape[1]:
        raise ParameterError("the Q-matrix has no rows or no skills.")
    for what, names in (("rows", q.index), ("skills", q.columns)):
        twice = names[names.duplicated()]
        if len(twice):
            raise ParameterError(f"two {what} of the Q-matrix are named {twice[0]!r}; rename one.")
    bad = np.argwhere(~np.isin(values, (0, 1)))
    if len(bad):
        row, column = bad[0]
        raise ParameterError(
            f"row {q.index[row]!r} of the Q-matrix has {values[row, column]!r} for the skill "
            f"{q.columns[column]!r}; cells are 1 (asks for the skill) or 0."
        )
    return values.astype(int)


def _remaining(
    matrix: NDArray[np.int_], counts: NDArray[np.int_], alone: NDArray[np.bool_]
) -> NDArray[np.int_]:
    """The rows that remain if for each skill one item that requires only this skill is removed."""
    left = counts.copy()
    for of_skill in alone.T:
        rows = np.flatnonzero(of_skill)
        if len(rows):
            left[rows[0]] -= 1
    return matrix[left > 0]


def generically_identified(matrix: NDArray[np.int_], counts: NDArray[np.int_]) -> bool:
    """Return True if a Q-matrix is generically identified: each skill can be assigned two different
    items that require it, and every skill is also required by a remaining item.

    Parameters
    ----------
    matrix : integer array (rows, skills)
        1 if a row asks for a skill.
    counts : integer array (rows,)
        Number of items of each row.
    """
    rows, skills = np.nonzero(matrix)
    if not len(rows) or (counts @ matrix < LEAST_ROWS).any():
        return False
    # x: items of a row that are named for a skill.
    of_row = (np.arange(len(matrix))[:, None] == rows).astype(float)
    of_skill = (np.arange(matrix.shape[1])[:, None] == skills).astype(float)
    available: Any = counts
    by_skill: Any = counts @ matrix
    solved = milp(
        np.zeros(len(rows)),
        integrality=np.ones(len(rows)),
        bounds=Bounds(0, 2),
        constraints=[
            LinearConstraint(of_row, -np.inf, available),
            LinearConstraint(of_skill, 2, 2),
            LinearConstraint(matrix.T @ of_row, -np.inf, by_skill - 1),
        ],
    )
    return bool(solved.success)


def _distinct(matrix: NDArray[np.int_]) -> int | None:
    """Number of different ideal answers over all patterns of mastery, under the DINA model."""
    k = matrix.shape[1]
    if k > MOST_SKILLS:
        return None
    patterns = (np.arange(2**k)[:, None] >> np.arange(k)) & 1
    ideal = (1 - patterns) @ matrix.T == 0
    return len(np.unique(np.packbits(ideal, axis=1), axis=0))


def _yes(value: bool) -> str:
    return "yes" if value else "no"
