"""Families of near-copies among examinees, and how many independent examinees are left.

Two models fine-tuned from one base have nearly the same profile of strengths. Correlations over
models then have fewer independent cases than rows.

References
----------
Bretherton, C. S., Widmann, M., Dymnikov, V. P., Wallace, J. M., Blade, I. (1999). The effective
    number of spatial degrees of freedom of a time-varying field. Journal of Climate 12, 1990-2009,
    eq. 5: (sum of eigenvalues) squared over the sum of squared eigenvalues.
Kish, L. (1965). Survey sampling. Wiley, section 5.4: n over the design effect
    1 + (b - 1) rho, with mean cluster size b weighted by size and intraclass correlation rho.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from gfactor.psychometrics.diagnostic import Diagnostic

SIMILAR = 0.9
"""Smallest correlation of two profiles of one family; with few columns a larger one is needed."""

_FEWEST_OF_EACH = 10
"""Right and wrong answers that a profile of 0/1 items needs: two examinees with one wrong answer
each are alike without being related."""

_BY_CHANCE = 0.01
"""Expected number of pairs of unrelated profiles above the limit in a whole sample."""


@dataclass(frozen=True)
class Families:
    """The families of one sample.

    Parameters
    ----------
    members: `sample`, `family` (1, 2, ...), `person`; only families of two or more.
    limit: the correlation of profiles that was needed.
    n: examinees that were compared: complete rows that have a profile.
    n_eigen: effective number by eigenvalues (Bretherton et al. 1999), corrected for the chance
        correlation of profiles with as many columns.
    n_design: effective number by the design effect of the families (Kish 1965).
    rho: mean correlation of profiles within families, 0 if there is none.
    """

    members: pd.DataFrame
    limit: float
    n: int
    n_eigen: float
    n_design: float
    rho: float


def families(name: str, sample: pd.DataFrame) -> Families | None:
    """Find families of near-copies, by average linkage on the correlations of examinees' profiles.

    A profile is an examinee's row minus its own mean, in columns standardized over examinees, so
    that general ability does not make two models similar. None with fewer than three complete
    examinees or five varying columns.

    Parameters
    ----------
    name : str
        Name of the sample, for messages.
    sample : DataFrame
        Examinees x columns.

    Returns
    -------
    Families, optional
        The families; None if there are too few examinees or columns.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.respondents import families
    >>> families("few", pd.DataFrame(np.eye(2))) is None
    True
    """
    x = sample.to_numpy(float)
    complete = np.isfinite(x).all(axis=1)
    x, persons = x[complete], np.array(sample.index, object)[complete]
    if len(x) < 3:
        return None
    x = x[:, np.ptp(x, axis=0) > 0]
    columns = x.shape[1]
    if columns < 5:
        return None
    profiles = (x - x.mean(axis=0)) / x.std(axis=0)
    profiles = profiles - profiles.mean(axis=1, keepdims=True)
    varied = (profiles.std(axis=1) > 1e-9) & _has_profile(x)
    profiles, persons = profiles[varied], persons[varied]
    n = len(profiles)
    if n < 3:
        return None
    r = np.clip(np.atleast_2d(np.corrcoef(profiles)), -1, 1)
    limit = max(SIMILAR, _critical(n * (n - 1) // 2, columns - 1))
    labels = _clusters(r, limit)
    lines, sizes, inside = [], [], []
    for label in dict.fromkeys(labels):
        rows = np.flatnonzero(labels == label)
        sizes.append(len(rows))
        if len(rows) > 1:
            inside.append(r[np.ix_(rows, rows)][np.triu_indices(len(rows), 1)])
            number = len(inside)
            lines.extend((name, number, persons[row]) for row in rows)
    rho = float(np.concatenate(inside).mean()) if inside else 0.0
    b = float((np.array(sizes) ** 2).sum() / n)
    members = pd.DataFrame(lines, columns=["sample", "family", "person"])
    return Families(members, limit, n, _by_eigenvalues(r, columns), n / (1 + (b - 1) * rho), rho)


def _has_profile(x: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rows that have a profile; with 0/1 items, those with enough right and enough wrong
    answers."""
    low, high = x.min(axis=0), x.max(axis=0)
    between = (x != low) & (x != high)
    if between.any(axis=0).mean() > 0.5:
        return np.ones(len(x), bool)
    right = (x == high).sum(axis=1)
    return np.minimum(right, x.shape[1] - right) >= _FEWEST_OF_EACH


def family_findings(name: str, alike: Families) -> list[Diagnostic]:
    """Report that there are families, and how many independent examinees remain."""
    if alike.members.empty:
        return []
    count = len(set(alike.members["family"]))
    persons = len(alike.members)
    return [
        Diagnostic(
            "near_copies",
            "warning",
            f"In {name}, {persons} of {alike.n} examinees belong to {count} famil"
            f"{'y' if count == 1 else 'ies'} of near-copies (profiles correlated "
            f"{alike.limit:.2f} or more); the sample counts as {alike.n_design:.1f} independent "
            f"examinees (design effect; by eigenvalues {alike.n_eigen:.1f}).",
            "Keep one of each family, or resample families instead of examinees.",
            tuple(str(person) for person in alike.members["person"]),
            {
                "sample": name,
                "families": count,
                "n_design": alike.n_design,
                "n_eigen": alike.n_eigen,
                "rho": alike.rho,
            },
        )
    ]


def _critical(pairs: int, length: int) -> float:
    """Correlation that `pairs` unrelated profiles together exceed less often than allowed."""
    df = length - 2
    if df < 1:
        return 1.0
    t = float(stats.t.isf(_BY_CHANCE / max(pairs, 1), df))
    return t / float(np.sqrt(df + t**2))


def _clusters(r: NDArray[np.float64], limit: float) -> NDArray[np.int64]:
    distance = squareform(np.clip(1 - r, 0, None), checks=False)
    return fcluster(linkage(distance, "average"), 1 - limit + 1e-12, "distance").astype(np.int64)


def _by_eigenvalues(r: NDArray[np.float64], columns: int) -> float:
    """Return n squared over the sum of squared correlations, less those of unrelated profiles."""
    n = len(r)
    chance = n * (n - 1) / max(columns - 2, 1)
    squares = float((r**2).sum())
    return float(np.clip(n**2 / max(squares - chance, n), 1.0, n))
