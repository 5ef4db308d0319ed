"""Outcomes of many fits of one model, and whether their solutions are proper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from gfactor.psychometrics.float_arrays import eigvalsh, inv
from gfactor.psychometrics.sem.model import Structure
from gfactor.psychometrics.sem.model.derivative_index import COVARIANCE, REGRESSION, RESIDUAL

F = TypeVar("F", bound="Rows")


class Rows(Protocol):
    """A dataclass whose fields are arrays with a row per sample."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __len__(self) -> int: ...


PROPER, IMPROPER, INFINITE, FAILED = "proper", "improper", "at infinity", "failed"


@dataclass(frozen=True)
class ManyFits:
    """Many fits of one model, in the order of the samples.

    Parameters
    ----------
    theta: free parameters, shape (R, n_free); NaN if a fit failed, infinite if a solution
        lies at infinity.
    values: one per row of the table (estimates, fixed values, definitions; NaN for constraints),
        shape (R, rows). standardized: std.all of the same rows, finite also at infinity.
    chisq: the statistics, shape (R,); NaN if a fit failed.
    gradient: largest gradient of the discrepancy along a free direction at the end.
    kind: "proper"; "improper" (a minimum with a negative variance or a latent covariance matrix
        that is not positive definite); "at infinity" (a disturbance that the model fixes wants to
        be negative: the limit is exact, the parameters are not finite); "failed".
    reason: reason why a solution is not proper, with the names concerned; "" otherwise.
    steps: number of steps of the search.
    """

    theta: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)
    standardized: np.ndarray = field(repr=False)
    chisq: np.ndarray = field(repr=False)
    gradient: np.ndarray = field(repr=False)
    kind: np.ndarray = field(repr=False)
    reason: np.ndarray = field(repr=False)
    steps: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        return len(self.theta)

    @property
    def kept(self) -> np.ndarray:
        """Return True for fits that ended in a minimum or a known limit, shape (R,)."""
        return self.kind != FAILED

    def count(self, kind: str) -> int:
        """Return the number of fits of a kind."""
        return int((self.kind == kind).sum())

    def reasons(self, kind: str) -> dict[str, int]:
        """Return the reasons of the fits of a kind, the most frequent first."""
        return dict(Counter(self.reason[self.kind == kind].tolist()).most_common())


def concatenated(parts: Iterable[F], watch: Callable[[int], object] | None = None) -> F:
    """Concatenate parts whose fields are arrays with a row per sample; `watch` is called with the
    size of each part."""
    results: list[F] = []
    for part in parts:
        results.append(part)
        if watch:
            watch(len(part))
    names = [one.name for one in fields(results[0])]
    rows = {name: [getattr(part, name) for part in results] for name in names}
    return type(results[0])(**{name: np.concatenate(some) for name, some in rows.items()})


_ZERO = 1e-9


def improprieties(structure: Structure, theta: np.ndarray) -> list[str]:
    """Return the impropriety of each solution in words, "" for a proper one.

    Parameters
    ----------
    theta: shape (R, n_free).

    Negative residual variances of indicators (Heywood cases) and negative variances or disturbances
    of latent variables are named; then latent covariance matrices that are not positive definite.
    """
    phrases: list[list[str]] = [[] for _ in theta]
    several = len(structure.groups) > 1
    for number, s in enumerate(structure.groups):
        where = f" in group {number + 1}" if several else ""
        for kind, names, words in (
            (RESIDUAL, s.observed, "negative residual variance of"),
            (COVARIANCE, s.latent, "negative variance or disturbance of"),
        ):
            variances = np.flatnonzero((s.kind == kind) & (s.row == s.column))
            values = theta[:, s.index[variances]]
            for row in np.flatnonzero((values < -_ZERO).any(axis=1)):
                bad = ", ".join(
                    names[s.row[variances[k]]] for k in np.flatnonzero(values[row] < -_ZERO)
                )
                phrases[row].append(f"{words} {bad}{where}")
        for row in np.flatnonzero(_indefinite(structure, number, theta)):
            if not phrases[row]:
                phrases[row].append(
                    f"covariance matrix of the latent variables not positive definite{where}"
                )
    return ["; ".join(one) for one in phrases]


def _indefinite(structure: Structure, number: int, theta: np.ndarray) -> np.ndarray:
    s = structure.groups[number]
    if not s.q:
        return np.zeros(len(theta), dtype=bool)
    psi = np.broadcast_to(s.base[COVARIANCE], (len(theta), s.q, s.q)).copy()
    row, column, index = s.free_elements[COVARIANCE]
    psi[:, row, column] = theta[:, index]
    if s.recursive:
        beta = np.broadcast_to(s.base[REGRESSION], psi.shape).copy()
        row, column, index = s.free_elements[REGRESSION]
        beta[:, row, column] = theta[:, index]
        total = inv(s.identities[1] - beta)
        psi = total @ psi @ total.mT
    size = np.sqrt(np.abs(np.diagonal(psi, axis1=1, axis2=2)))
    size = np.where(size > 0, size, 1.0)
    scaled = psi / (size[:, :, None] * size[:, None, :])
    return eigvalsh(scaled)[:, 0] < -1e-8
