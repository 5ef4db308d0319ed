"""Loadings that run away, standardized loadings and latent correlations beyond one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, check

_RUNAWAY = 5.0
"""Standardized loading that no rounding and no suppression explains."""

_OVER = 1e-6


@check("loadings")
def loadings(case: Case) -> Iterator[Diagnostic]:
    for place, group in enumerate(case.groups):
        s = group.structure
        sd = np.sqrt(np.maximum(np.diag(case.estimated.problem.sample.groups[place].cov), 1e-300))
        latent = np.sqrt(np.maximum(np.diag(group.latent_cov), 0.0))
        standardized = group.loading * latent / sd[:, None]
        standardized[:, s.n_true_latent :] = 0.0
        over = np.argwhere(np.abs(standardized) > 1 + _OVER)
        if not len(over):
            continue
        order = sorted(over.tolist(), key=lambda rc: -abs(standardized[rc[0], rc[1]]))
        names = tuple(f"{s.latent[c]}=~{s.observed[r]}" for r, c in order)
        largest = float(standardized[order[0][0], order[0][1]])
        ran = abs(largest) > _RUNAWAY
        shown = ", ".join(
            f"{name} {standardized[r, c]:.3g}" for name, (r, c) in zip(names, order, strict=True)
        )
        yield Diagnostic(
            "runaway_loading" if ran else "loading_above_one",
            "error" if ran else "warning",
            f"Standardized loadings above one{case.where(place)}: {shown}."
            + (" The largest grows without end." if ran else ""),
            "Bound variances at zero; a factor with one strong indicator is not defined by the "
            "others."
            if ran
            else "With correlated factors this can be proper; else look for a negative residual "
            "variance.",
            names,
            {"largest": largest},
        )


@check("latent_correlations")
def latent_correlations(case: Case) -> Iterator[Diagnostic]:
    for place, group in enumerate(case.groups):
        names = group.structure.latent
        variances = np.diag(group.latent_cov)
        bad = []
        for i in range(group.structure.n_true_latent):
            for j in range(i):
                if variances[i] > 0 and variances[j] > 0:
                    r = float(group.latent_cov[i, j] / np.sqrt(variances[i] * variances[j]))
                    if abs(r) > 1 + _OVER:
                        bad.append((names[j], names[i], r))
        if bad:
            shown = ", ".join(f"{a} with {b} {r:.3f}" for a, b, r in bad)
            yield Diagnostic(
                "latent_correlation_above_one",
                "error",
                f"Latent correlations beyond one{case.where(place)}: {shown}.",
                "The factors cannot be told apart in these data; merge them.",
                tuple(f"{a}~~{b}" for a, b, _ in bad),
                {f"{a}~~{b}": r for a, b, r in bad},
            )
