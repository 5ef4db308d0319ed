"""What became of many fits of one model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

PROPER, IMPROPER, INFINITE, FAILED = "proper", "improper", "at infinity", "failed"


@dataclass(frozen=True)
class ManyFits:
    """Many fits of one model, in the order of the samples.

    Parameters
    ----------
    theta: free parameters, shape (R, n_free); NaN where a fit failed, infinite where a solution
        lies at infinity.
    values: one per row of the table (estimates, fixed values, definitions; NaN for constraints),
        shape (R, rows). standardized: std.all of the same rows, finite also at infinity.
    chisq: the statistics, shape (R,); NaN where a fit failed.
    gradient: largest slope of the discrepancy along a free direction at the end.
    kind: "proper"; "improper" (a minimum with a negative variance or a latent covariance matrix
        that is not positive definite); "at infinity" (a disturbance that the model fixes wants to
        be negative: the limit is exact, the parameters are not finite); "failed".
    reason: of all that are not proper, with the names concerned; "" otherwise.
    steps: of the search.
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
        """Which fits ended in a minimum or a known limit, shape (R,)."""
        return self.kind != FAILED

    def count(self, kind: str) -> int:
        """How many are of a kind."""
        return int((self.kind == kind).sum())

    def reasons(self, kind: str) -> dict[str, int]:
        """Reasons of the fits of a kind, the commonest first."""
        return dict(Counter(self.reason[self.kind == kind].tolist()).most_common())
