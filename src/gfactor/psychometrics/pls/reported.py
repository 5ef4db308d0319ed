"""The numbers of a solution as one row per sample, for resampling."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.classical.consistency import composite_reliability, standardized_alpha
from gfactor.psychometrics.pls.correction import rho_a
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.pls.measures import total_effects
from gfactor.psychometrics.pls.solution import PathSolution
from gfactor.psychometrics.validity import average_variance_extracted, htmt

Label = tuple[str, str, str]


def labels(solution: PathSolution) -> list[Label]:
    """Return (quantity, left, right) of every column of `statistics`."""
    names, design = solution.constructs, solution.design
    arrows, around, reach = _arrows(solution)
    pairs = _pairs(solution)
    owners = [names[j] for j in design.owner]
    columns: list[Label] = [("path", names[s], names[t]) for s, t in arrows]
    columns += [("indirect", names[s], names[t]) for s, t in around]
    columns += [("total", names[s], names[t]) for s, t in reach]
    for quantity in ("loading", "weight"):
        columns += [(quantity, i, j) for i, j in zip(solution.items, owners, strict=True)]
    columns += [("r2", names[t], "") for t in _explained(solution)]
    for quantity in ("htmt", "htmt2"):
        columns += [(quantity, names[i], names[k]) for i, k in pairs]
    for quantity in ("alpha", "rho_a", "rho_c", "ave"):
        columns += [(quantity, name, "") for name in names]
    return columns


def statistics(solution: PathSolution, turns: Floats | None = None) -> Floats:
    """Return (B, statistics), the columns as in `labels`.

    `turns` (B, J) has -1 for constructs whose sign is changed first, else 1.
    """
    estimates, design = solution.estimates, solution.design
    paths, loadings, weights = estimates.paths, estimates.loadings, estimates.weights
    if turns is not None:
        paths = paths * turns[:, :, None] * turns[:, None, :]
        loadings = loadings * turns[:, design.owner]
        weights = weights * turns[:, design.owner]
    arrows, around, reach = _arrows(solution)
    total = total_effects(paths)
    pairs = _pairs(solution)
    columns = [
        paths[:, arrows[:, 0], arrows[:, 1]],
        (total - paths)[:, around[:, 0], around[:, 1]],
        total[:, reach[:, 0], reach[:, 1]],
        loadings,
        weights,
        estimates.r2[:, _explained(solution)],
    ]
    for variant in ("htmt", "htmt2"):
        ratios = htmt(solution.r, design.member, variant)
        columns.append(ratios[:, pairs[:, 0], pairs[:, 1]])
    columns += [
        standardized_alpha(solution.r, design.blocks),
        rho_a(solution.plain),
        composite_reliability(loadings, design.member),
        average_variance_extracted(loadings, design.member),
    ]
    return np.concatenate(columns, axis=1)


def _arrows(solution: PathSolution) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs with a path, pairs with an indirect effect, and pairs with either."""
    drawn = solution.design.arrows.astype(float)
    ways = total_effects(drawn[None])[0].round()
    return np.argwhere(drawn > 0), np.argwhere(ways > drawn), np.argwhere(ways > 0)


def _explained(solution: PathSolution) -> np.ndarray:
    return np.flatnonzero(solution.design.arrows.any(axis=0))


def _pairs(solution: PathSolution) -> np.ndarray:
    """Pairs of constructs with an HTMT."""
    plain = [j for j, name in enumerate(solution.constructs) if ":" not in name]
    return np.array([(i, k) for a, i in enumerate(plain) for k in plain[a + 1 :]]).reshape(-1, 2)
