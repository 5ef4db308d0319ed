"""Item families: the mean difficulty of every design cell and how much its clones differ.

Items that a generator makes from one cell of its design are clones: b_j = m_c + e_j, with
e_j ~ N(0, sigma_c^2), and cell means are free or follow a design, m_c = x_c' eta + v_c with
v_c ~ N(0, tau^2) (Glas and van der Linden 2003; Janssen, Schepers and Peres 2004).

The variance of ability is that of the Rasch model of the items that vary, by marginal maximum
likelihood. Given it, with its error, the difficulties enter through a quadratic approximation of
their joint likelihood, taken at their posterior mode under the families and renewed until the mode
no longer moves (Laplace's approximation, as in the penalized quasi-likelihood of Breslow and
Clayton 1993). So items that everybody solves, or nobody, contribute the information they have; a
cell of such items alone has no difficulty, unless cells follow a design. Cell means then are those
of a linear mixed model. The log of sigma_c has a normal prior over cells, whose mean and standard
deviation are estimated from all cells; posteriors of sigma_c are computed on a grid from contrasts
within the cell alone.

References
----------
Glas, C. A. W., van der Linden, W. J. (2003). Computerized adaptive testing with item cloning.
    Applied Psychological Measurement 27, 247-261.
Janssen, R., Schepers, J., Peres, D. (2004). Models with item and item group predictors. In De Boeck
    and Wilson, Explanatory Item Response Models.
Breslow, N. E., Clayton, D. G. (1993). Approximate inference in generalized linear mixed models.
    Journal of the American Statistical Association 88, 9-25.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import linalg

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import einsum, inv, solve
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.curves import Floats, derivatives
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import Evaluation
from gfactor.psychometrics.irt.models.clonevariance import clone_spreads
from gfactor.psychometrics.irt.models.family_modes import (
    VARIANCE,
    guesses_by_name,
    intercepts,
    modes,
    moved_modes,
    without_priors,
)
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.irt.scales.constant_cells import check_varying
from gfactor.results import Result

MOST_ITEMS = 4_000
"""Largest number of difficulties with a dense information matrix."""
_CONCAVE = 1e-6
"""Share of the largest eigenvalue of the information that a negative one may have."""
_SMALLEST = 1e-4
"""Information on a cell's mean up to which it counts as none: a standard error of 100 logits."""
_FIRST = 2.0
"""Standard deviation of difficulties around 0 in the first fit, and the longest step of a mean."""
_ROUNDS, _ROUNDS_FREE = 40, 20
"""Rounds with and without a design; without one, a cell answered by guessing never stops moving."""
_STILL = 1e-3
_WHOLE = 6
"""Number of full rounds. After them, a cell that reverses its direction moves at most half as far,
because cells near the guessing level oscillate."""
FEW_CLONES = 10
"""With fewer clones (less one for each cell), the prior mostly determines their variance."""


@dataclass(frozen=True, repr=False)
class FamilyFit(Result):
    """Families of items.

    Parameters
    ----------
    cells : DataFrame (C, ...)
        Per cell: `b` (mean difficulty), `se_b`, `clone_sd`, `clone_sd_low`, `clone_sd_high` (95 %
        interval), `log_sd_se`, `items`, `n` (responses).
    covariance : array (C, C)
        Covariance of the mean difficulties, from persons and from the sample of clones.
    variance, variance_se : float
        Variance of ability, whose mean is 0, and its standard error.
    cell_sd : float
        Standard deviation of cell means around their design; NaN if every cell is free.
    items : DataFrame (J, ...)
        `cell`, `b` (posterior mean of the item's own difficulty) and its `se`.
    fit : IRTFit
        The last fit of the difficulties, with their priors.
    diagnostics : tuple of Diagnostic
    """

    cells: pd.DataFrame
    covariance: Floats
    variance: float
    variance_se: float
    cell_sd: float
    items: pd.DataFrame
    fit: IRTFit
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def title(self) -> str:
        return (
            f"{len(self.cells)} item families of {len(self.items)} items: clones differ by "
            f"{self.cells['clone_sd'].median():.2f} logits (median standard deviation)"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "n_persons": self.fit.n_persons, "n_items": len(self.items),
            "n_cells": len(self.cells), "variance": self.variance, "cell_sd": self.cell_sd,
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"cells": self.cells}


def fit_families(
    data: pd.DataFrame, cells: Sequence[str], *, design: pd.DataFrame | None = None,
    guess: Mapping[str, float] | float | None = None, clusters: Sequence[object] | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> FamilyFit:  # fmt: skip
    """Calibrate families of items under the Rasch model.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1, missing where an item was not asked.
    cells : sequence of str (J,)
        The cell of every item.
    design : DataFrame (C, K) or None
        Columns that cell means follow, with an intercept, index: cells; cells without items are
        predicted. If None, every cell has a mean of its own.
    guess : float, mapping of item to float, or None
        Fixed lower asymptotes.
    clusters : sequence or None
        Cluster of every person, for standard errors of the cell means.
    progress : callable or None
        Called with the number of the step and the objective.

    Returns
    -------
    FamilyFit
        Mean difficulty and variance of clones of each family.

    Raises
    ------
    ParameterError
        If scores are not 0 and 1, no cell has two items, there are more than 4,000 items, or all
        answers to a cell are right, or wrong, without a design.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> b = np.repeat([-1.0, 0.0, 1.0], 10) + rng.normal(0, 0.5, 30)
    >>> z = rng.normal(size=(300, 1)) - b
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < 1 / (1 + np.exp(-z))).astype(int))
    >>> families = fit_families(data, list(np.repeat(["a", "b", "c"], 10)))
    >>> bool(abs(families.cells["b"] - [-1, 0, 1]).max() < 0.5)
    True
    >>> bool((families.cells["clone_sd_low"] < 0.5).all()), families.cells["items"].to_list()
    (True, [10, 10, 10])
    """
    names = [str(cell) for cell in cells]
    _check(data, names)
    cell_names = sorted(set(names)) if design is None else [str(cell) for cell in design.index]
    x = np.eye(len(cell_names)) if design is None else design.to_numpy(float)
    lacking = sorted(set(names) - set(cell_names))
    if lacking:
        raise ParameterError(f"design: cell {lacking[0]!r} has no row")
    if design is None:
        check_varying(data, names)
    z = (np.asarray(names)[:, None] == np.asarray(cell_names)[None]).astype(float)
    rasch = _alone(data, guess, clusters, progress)
    if rasch.vcov is None:
        raise ParameterError(
            f"the Rasch model of the single items is not identified (variance of ability "
            f"{rasch.optimum.x[-1]:.3g}): the {rasch.n_persons} respondents differ too little, or "
            "too few items vary; have more of them answer"
        )
    variance = float(rasch.optimum.x[-1])
    variance_se = float(np.sqrt(rasch.vcov.core[-1, -1]))
    mean, sd = np.zeros(len(names)), np.full(len(names), _FIRST)
    state, moved, steps = None, np.zeros(len(cell_names)), _Steps(len(cell_names))
    rounds = _ROUNDS if design is not None else _ROUNDS_FREE
    fit = modes(data, mean, sd, guess, variance, progress)
    free = without_priors(fit)
    for number in range(rounds):
        fit = moved_modes(fit, mean, sd, progress) if number else fit
        parabola = _quadratic(fit, free, mean, sd, variance_se, clusters)
        _check_informed(
            parabola.a, z if design is None else z.sum(axis=1, keepdims=True), cell_names
        )
        state = _mixed(parabola, x, z)
        state = steps.limited(state, halved=number >= _WHOLE)
        steps.last = state.mean
        moves = np.maximum(np.abs(z @ state.mean - mean), np.abs(z @ state.sd - sd))
        moved = (z * moves[:, None]).max(axis=0)
        mean, sd = z @ state.mean, z @ state.sd
        if moved.max() < _STILL and number:
            break
    assert state is not None
    fit = modes(data, mean, sd, guess, variance, progress)
    families = _result(fit, state, cell_names, names, z)
    notes = [*rasch.diagnostics, *_about(names, dict(zip(cell_names, moved, strict=True)), rounds)]
    return replace(
        families, variance=variance, variance_se=variance_se, diagnostics=by_severity(
            entry for entry in notes if entry.code != "constant_items"
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class _Quadratic:
    """The likelihood of difficulties b as h'b - b'Ab / 2, and the covariance of h."""

    a: Floats
    h: Floats
    meat: Floats
    b: Floats


@dataclass(frozen=True)
class _FamilyState:
    """Estimates of the mixed model for the cells."""

    mean: Floats
    covariance: Floats
    sd: Floats
    quantiles: Floats
    log_se: Floats
    tau: float


class _Steps:
    """Limits of how far the mean of every cell may move in a round."""

    def __init__(self, cells: int) -> None:
        self.last = np.zeros(cells)
        self._before = np.zeros(cells)
        self._most = np.full(cells, _FIRST)

    def limited(self, state: _FamilyState, halved: bool) -> _FamilyState:
        """Return the state with no mean moved further than the width of the first fit's prior; if
        `halved`, a cell that reversed its direction moves half as far."""
        step = state.mean - self.last
        back = (step * self._before < 0) & halved
        self._most = np.where(back, np.minimum(self._most, np.abs(self._before)) / 2, self._most)
        self._before = np.clip(step, -self._most, self._most)
        return replace(state, mean=self.last + self._before)


def _check(data: pd.DataFrame, cells: list[str]) -> None:
    if len(cells) != data.shape[1]:
        raise ParameterError(f"cells: {len(cells)} entries for {data.shape[1]} items")
    if data.shape[1] > MOST_ITEMS:
        raise ParameterError(
            f"{data.shape[1]:,} items are too many for the covariance of their difficulties; take "
            f"{MOST_ITEMS:,} at the most"
        )
    values = np.unique(data.to_numpy(float))
    odd = [value for value in values if not np.isnan(value) and value not in (0, 1)]
    if odd:
        raise ParameterError(
            f"item families need scores 0 and 1, not {odd[0]:g}; score items right or wrong"
        )
    if len(set(cells)) == len(cells):
        raise ParameterError(
            "no cell has two items, so that nothing shows how much items of one cell differ; name "
            "fewer labels that make a cell (--cells; in Python cells=), or calibrate by item"
        )


def _check_informed(a: Floats, z: Floats, cells: Sequence[str]) -> None:
    """Raise ParameterError if the answers to a cell's items say nothing of its difficulty.

    With a design, `z` has one column for all items, because cells share information. Without one,
    the answers to all cells together may leave their level open, if respondents are few and the
    variance is unknown too.
    """
    used = np.flatnonzero(z.sum(axis=0) > 0)
    information, directions = linalg.eigh((z.T @ a @ z)[np.ix_(used, used)])
    if information[0] <= _SMALLEST:
        silent = int(used[int(np.abs(directions[:, 0]).argmax())])
        raise ParameterError(
            f"the difficulty of the cell {cells[silent]!r} cannot be estimated from its answers, "
            "which are near guessing or from too few respondents; have more respondents answer its "
            "items, leave these out, or let cells borrow from each other with --design '~ 1' (in "
            "Python: design='~ 1')"
        )


def _alone(
    data: pd.DataFrame, guess: Any, clusters: Sequence[object] | None,
    progress: Callable[[int, float], None] | None,
) -> IRTFit:  # fmt: skip
    """The Rasch model of the single items, for the variance of ability.

    If items are answered at the guessing level, the likelihood has no curvature in their
    difficulties: all difficulties then get the wide prior of the first round.
    """
    given: dict[str, Any] = {
        "guess": guesses_by_name(guess), "clusters": clusters, "progress": progress
    }  # fmt: skip
    rasch = fit_irt("rasch", data, **given)
    if rasch.vcov is not None or not guess:
        return rasch
    wide = {f"{item}.d": ("normal", 0.0, _FIRST) for item in rasch.table.items}
    return fit_irt("rasch", data, priors=wide, **given)


def _quadratic(
    fit: IRTFit, free: Marginal, mean: Floats, sd: Floats, variance_se: float,
    clusters: Sequence[object] | None,
) -> _Quadratic:  # fmt: skip
    """The likelihood of difficulties around their mode, averaged over the error of the variance."""
    order, last = intercepts(fit, free), free.model.free_labels.index(VARIANCE)
    x = np.zeros(len(free.model.free_labels))
    d = fit.optimum.x[intercepts(fit)]
    x[order], x[last] = d, fit.request.fixed[VARIANCE]
    at = free.evaluate(x)
    information = free.observed(at)
    a = information[np.ix_(order, order)]
    values = linalg.eigvalsh(0.5 * (a + a.T))
    if values[0] < -_CONCAVE * values[-1]:
        # Other items keep their own curvature; with less of it, all means would move too far
        # together.
        a = a + np.diag(np.maximum(_expected(free, at)[order], 0))
    a = _positive(a)
    cross = -information[order, last]
    # b = -d: second derivatives keep their sign. At the mode the likelihood's gradient is minus
    # the prior's.
    b = -d
    gradient = (b - mean) / sd**2
    # `variance_se` is computed with the wide prior of difficulties, which items near the guessing
    # level need.
    wide = a + np.eye(len(a)) / _FIRST**2
    solved = solve(wide, np.column_stack([cross, gradient]))
    weight = 1 / (1 / variance_se**2 + max(float(cross @ solved[:, 0]), 0.0))
    a = _positive(a - weight * np.outer(cross, cross))
    h = a @ b + gradient - weight * cross * float(cross @ solved[:, 1])
    if clusters is None:
        return _Quadratic(a, h, a, b)
    scores = -free.mean_scores(0, at)[:, order]
    codes = np.unique([str(c) for c in clusters], return_inverse=True)[1]
    summed = np.zeros((codes.max() + 1, scores.shape[1]))
    np.add.at(summed, codes, scores)
    summed -= summed.mean(axis=0)
    meat = summed.T @ summed * len(summed) / max(len(summed) - 1, 1)
    return _Quadratic(a, h, meat, b)


def _expected(free: Marginal, at: Evaluation) -> Floats:
    """Return the difference of expected and observed information, for the parameters' own second
    derivatives.

    If items are answered near their lower asymptote, the likelihood is not concave, and a parabola
    with the observed curvature has no maximum. Steps by the expected curvature (Fisher scoring) end
    at the same difficulties.
    """
    seen = np.zeros(len(at.values))
    for block, count in zip(free.model.groups[0].blocks, at.counts[0], strict=True):
        curves = derivatives(block.kind, at.values[block.index], free.nodes, block.categories)
        bend = -einsum("jkq,jkqmm->jm", count, np.nan_to_num(curves.second))
        np.add.at(seen, block.index, bend)
    return free.expected_complete(at).diagonal() - free.model.design.T @ seen


def _positive(matrix: Floats) -> Floats:
    """The symmetric matrix without negative eigenvalues."""
    values, vectors = linalg.eigh(0.5 * (matrix + matrix.T))
    return (vectors * np.maximum(values, 0)) @ vectors.T


def _mixed(q: _Quadratic, x: Floats, z: Floats) -> _FamilyState:
    """Clones' standard deviations, then cell means with their covariance."""
    sd, quantiles, log_se = clone_spreads(q.a, q.h, q.b, z)
    spread = (z @ sd) ** 2
    w = inv(np.eye(len(spread)) + q.a * spread)
    inner, right = z.T @ w @ q.a @ z, z.T @ w @ q.h
    inner = 0.5 * (inner + inner.T)
    tau = np.nan
    prior = np.zeros_like(inner)
    if x.shape[1] < len(x):
        tau = _between(inner, right, x)
        prior = (np.eye(len(x)) - x @ solve(x.T @ x, x.T)) / max(tau, 1e-3) ** 2
    precision = inner + prior
    inverse = inv(precision)
    mean = inverse @ right
    # Persons contribute the covariance of h, clones the variance of their difficulties.
    turned = z.T @ w
    noise = turned @ (q.meat + (q.a * spread) @ q.a) @ turned.T
    return _FamilyState(mean, inverse @ (noise + prior) @ inverse, sd, quantiles, log_se, tau)


def _between(a: Floats, h: Floats, x: Floats) -> float:
    """Restricted maximum likelihood of the spread of cell means around their design."""
    grid = np.concatenate([[0.0], np.geomspace(0.01, 4, 60)])
    values = []
    for tau in grid:
        w = inv(np.eye(len(a)) + a * tau**2)
        inner = x.T @ w @ a @ x
        eta = solve(inner, x.T @ w @ h)
        values.append(
            0.5 * tau**2 * h @ w @ h + 0.5 * eta @ (x.T @ w @ h)
            - 0.5 * np.linalg.slogdet(np.eye(len(a)) + a * tau**2)[1]
            - 0.5 * np.linalg.slogdet(inner)[1]
        )  # fmt: skip
    return float(grid[int(np.argmax(values))])


def _result(
    fit: IRTFit, state: _FamilyState, cell_names: list[str], names: list[str], z: Floats
) -> FamilyFit:
    order = intercepts(fit)
    se = np.full(len(fit.optimum.x), np.nan)
    if fit.vcov is not None:
        se = np.sqrt(fit.vcov.core.diagonal())
    items = pd.DataFrame(
        {"cell": names, "b": -fit.optimum.x[order], "se": se[order]},
        index=pd.Index(fit.table.items, name="item"),
    )
    answered = (fit.table.codes >= 0).sum(axis=0)
    cells = pd.DataFrame({
        "b": state.mean, "se_b": np.sqrt(state.covariance.diagonal()), "clone_sd": state.sd,
        "clone_sd_low": state.quantiles[0], "clone_sd_high": state.quantiles[1],
        "log_sd_se": state.log_se, "items": z.sum(axis=0).astype(int),
        "n": (answered @ z).astype(int),
    }, index=pd.Index(cell_names, name="cell"))  # fmt: skip
    return FamilyFit(cells, state.covariance, 1.0, 0.0, state.tau, items, fit)


def _about(names: list[str], moved: Mapping[str, float], rounds: int) -> list[Diagnostic]:
    diagnostics = []
    moving = sorted((cell for cell in moved if moved[cell] >= _STILL), key=lambda c: -moved[c])
    if moving:
        largest = float(moved[moving[0]])
        listed = first_few(moving, 3)
        diagnostics.append(Diagnostic(
            "families_not_still", "warning",
            f"{len(moving)} of {len(moved)} cells still moved by up to {largest:.3f} logits after "
            f"{rounds} rounds: {listed}.",
            "Read them to that precision. Cells that are answered as by guessing never stop: leave "
            "their items out, or give --design '~ 1' (in Python: design='~ 1').",
            tuple(moving), values={"moved": largest},
        ))  # fmt: skip
    clones = len(names) - len(set(names))
    if clones < FEW_CLONES:
        diagnostics.append(Diagnostic(
            "few_clones", "warning",
            f"{len(names)} items in {len(set(names))} cells leave {clones} degrees of freedom for "
            "the variance of clones; it is mostly the prior's (median 0.4 logits).",
            "Calibrate more items of each cell.", values={"n": clones},
        ))  # fmt: skip
    return diagnostics
