"""Exploratory factor analysis of a table of scores or of a correlation matrix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from gfactor.errors import ParameterError
from gfactor.parameters import Count, Persons, Seed
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.factor.correlations import Correlations, correlate, given_correlations
from gfactor.psychometrics.factor.exploratory.diagnostics import against
from gfactor.psychometrics.factor.exploratory.errors import (
    Constraints,
    errors_of,
    rotation_constraints,
    unrotated,
)
from gfactor.psychometrics.factor.exploratory.extraction import (
    FactorExtraction,
    extract,
    squared_multiple_correlations,
)
from gfactor.psychometrics.factor.exploratory.fit import degrees_of_freedom, efa_fit
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    ROTATIONS,
    RotationSettings,
    named_criterion,
    rotation_name,
)
from gfactor.psychometrics.factor.exploratory.omega import schmid_leiman
from gfactor.psychometrics.factor.exploratory.parallel import Parallel, parallel_analysis
from gfactor.psychometrics.factor.exploratory.result import Efa
from gfactor.psychometrics.factor.exploratory.rotation import MAX_ITERATIONS, Rotated, rotate_by
from gfactor.psychometrics.given import TableLike
from gfactor.psychometrics.inference.resampling import Bootstrap, bootstrap
from gfactor.psychometrics.person_tables import person_items
from gfactor.psychometrics.rounding import cleared, magnitude

Array = NDArray[np.float64]


def efa(
    scores: TableLike,
    factors: int | Literal["parallel"] = "parallel",
    *,
    n: Persons | None = None,
    method: str = "ml",
    rotation: str = "oblimin",
    starts: Count = 30,
    seed: Seed = 0,
    max_iterations: Count = MAX_ITERATIONS,
    kaiser: bool | None = None,
    delta: float = 0.01,
    gamma: float = 0.0,
    kappa: float = 0.0,
    power: float = 4.0,
    zeros: Count | None = None,
    target: pd.DataFrame | Array | Path | str | None = None,
    general: bool = False,
    benchmark: str | None = None,
) -> Efa:
    """Run an exploratory factor analysis: number of factors, rotated loadings, factor correlations.

    Parameters
    ----------
    scores : DataFrame
        Table with a row per person and a column per indicator. If `n` is given, the table is a
        correlation matrix.
    factors : int or "parallel"
        Number of factors; by default parallel analysis chooses it.
    n : int, optional
        Number of persons from whom a correlation matrix was computed; needed if `scores` is one.
    method : str
        Method of extraction: "ml" (maximum likelihood, for roughly normal scores), "minres" (least
        squares, also for nearly singular matrices) or "pa" (principal axes, for comparison with
        older work).
    rotation : str
        Rotation of the loadings. Oblique rotations: oblimin, quartimin, geomin, promax, simplimax,
        oblimax, bentlerQ, infomaxQ, cfQ, bifactorQ, targetQ. Orthogonal rotations: varimax,
        quartimax, equamax, parsimax, entropy, mccammon, tandemI, tandemII, bentlerT, infomaxT,
        geominT, cfT, bifactorT, targetT. "none" leaves them unrotated. The default, oblimin, is
        oblique because abilities correlate.
    starts : int
        Number of random starts of the rotation.
    seed : int
        Seed of the random starts, and of the random tables of parallel analysis.
    max_iterations : int
        Largest number of iterations of the rotation.
    kaiser : bool, optional
        True to use Kaiser's normalization in the rotation, False to rotate without it; by default
        as usual for the rotation.
    delta : float
        Parameter of geomin and geominT.
    gamma : float
        Parameter of oblimin.
    kappa : float
        Parameter of cfT and cfQ (Crawford and Ferguson): weight of the complexity of factors, from
        0 to 1.
    power : float
        Power of promax.
    zeros : int, optional
        Number of loadings that simplimax makes small; by default the number of indicators.
    target : DataFrame, array or path, optional
        Target loadings of targetT and targetQ: a table with a row per indicator and a column per
        factor, or its CSV file with the indicators in the first column. Loadings that are not
        specified are empty cells.
    general : bool
        Add the general factor of the Schmid-Leiman transformation, with its omega.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" analyzes the
        items of all benchmarks together.

    Returns
    -------
    Efa
        `loadings`, `phi` (factor correlations), `variance` (explained by each factor), `fit`
        (indices), `diagnostics`, `summary()` and `to_dict()`.

    Raises
    ------
    ParameterError
        If the matrix is singular, there are too many factors for the indicators, the target has
        other rows or columns than the loadings, or the items are of several benchmarks and
        `benchmark` names none.
    UnknownNameError
        For an unknown method or rotation.

    References
    ----------
    Horn, J. L. (1965). A rationale and test for the number of factors in factor analysis.
    Psychometrika 30, 179-185.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
    >>> gf.efa(data).factors
    1
    """
    table = person_items(scores, benchmark)
    correlations = correlate(table) if n is None else given_correlations(table, n)
    if correlations.singular:
        reason = next(d for d in correlations.diagnostics if d.code == "singular_correlations")
        raise ParameterError(f"{reason.sentence} {reason.remedy}")
    parallel = parallel_analysis(correlations, seed=seed) if factors == "parallel" else None
    m = max(1, parallel.factors) if parallel is not None else int(factors)
    _check_number(m, len(correlations.names))
    extraction = extract(correlations.values, m, method)
    name = rotation_name(rotation)
    aims = _target(target, correlations.names) if "target" in _takes(name) else None
    settings = RotationSettings(kaiser, gamma, delta, kappa, power, zeros, aims)
    rotated = rotate_by(
        extraction.loadings, name, settings, starts=starts, seed=seed, max_iterations=max_iterations
    )
    solution = _result(correlations, extraction, rotated, method, (name, settings), parallel, seed)
    if general:
        solution = replace(solution, general=schmid_leiman(solution))
    if method != "ml" or name == "promax" or extraction.bounded.any() or not solution.converged:
        return solution
    constraints, oblique = _constraints(name, m, settings)
    return replace(
        solution,
        errors=errors_of(solution.loadings, solution.phi, correlations.n, constraints, oblique),
    )


def _takes(rotation: str) -> tuple[str, ...]:
    return ROTATIONS[rotation].takes if rotation in ROTATIONS else ()


def _target(
    given: pd.DataFrame | Array | Path | str | None, names: tuple[str, ...]
) -> Array | None:
    """Return a target as an array with the indicators in the order of the correlations."""
    if isinstance(given, (str, Path)):
        given = pd.read_csv(given, index_col=0)
    if isinstance(given, pd.DataFrame):
        missing = [name for name in names if name not in given.index]
        if missing:
            raise ParameterError(
                f"the target has no row for {', '.join(missing)}; its rows are named by the "
                "indicators"
            )
        given = given.loc[list(names)].to_numpy(float)
    return None if given is None else np.asarray(given, float)


def _constraints(
    rotation: str, m: int, settings: RotationSettings
) -> tuple[Constraints | None, bool]:
    """Return the constraints that the rotation satisfies, and whether factors correlate."""
    if m == 1:
        return None, False
    if rotation == "none":
        return unrotated, False
    kind = ROTATIONS[rotation]
    kaiser = kind.kaiser if settings.kaiser is None else settings.kaiser
    criterion = named_criterion(rotation, settings)
    return rotation_constraints(criterion, kind.oblique, kaiser), kind.oblique


def _check_number(m: int, k: int) -> None:
    if m < 1 or degrees_of_freedom(k, m) < 0:
        most = max((f for f in range(1, k) if degrees_of_freedom(k, f) >= 0), default=0)
        if not most:
            raise ParameterError(
                f"a factor needs at least 3 indicators that vary, and there are {k}; add indicators"
            )
        raise ParameterError(f"{k} indicators cannot identify {m} factors; ask for 1 to {most}")


def _result(
    correlations: Correlations,
    extraction: FactorExtraction,
    rotated: Rotated,
    method: str,
    rotation: tuple[str, RotationSettings],
    parallel: Parallel | None,
    seed: int,
) -> Efa:
    names, r = list(correlations.names), correlations.values
    m = rotated.loadings.shape[1]
    factors = [f"F{number}" for number in range(1, m + 1)]
    pattern, phi = rotated.loadings, rotated.correlations
    common = pattern @ phi @ pattern.T
    communalities = np.diag(common)
    squares = (pattern**2).sum(axis=1)
    indicators = pd.DataFrame(
        {
            "communality": communalities,
            "uniqueness": 1 - communalities,
            "complexity": squares**2 / np.maximum((pattern**4).sum(axis=1), 1e-300),
            "smc": squared_multiple_correlations(r),
        },
        index=names,
    )
    residuals = cleared(r - common)
    np.fill_diagonal(residuals, 0)
    fit = efa_fit(r, common, correlations.n, m)
    return Efa(
        loadings=pd.DataFrame(pattern, names, factors),
        structure=pd.DataFrame(pattern @ phi, names, factors),
        phi=pd.DataFrame(phi, factors, factors),
        indicators=indicators,
        variance=_variance(pattern, phi, factors),
        fit=fit,
        residuals=pd.DataFrame(residuals, names, names),
        correlations=correlations.matrix,
        method=method,
        rotation=rotation[0],
        settings=rotation[1],
        n=correlations.n,
        k=len(names),
        factors=m,
        starts=rotated.starts,
        seed=seed,
        agreeing=rotated.agreeing,
        optima=rotated.optima,
        converged=extraction.converged and rotated.converged,
        gradient=magnitude(extraction.gradient, 1e-10),
        parallel=parallel,
        diagnostics=by_severity(
            [*correlations.diagnostics, *against(names, extraction, rotated, fit, parallel)]
        ),
    )


def _variance(pattern: Array, phi: Array, factors: list[str]) -> pd.DataFrame:
    """Variance that each factor explains; with correlated factors, its share of the joint one."""
    explained = np.diag(phi @ pattern.T @ pattern)
    share = explained / len(pattern)
    return pd.DataFrame(
        {
            "ss_loadings": explained,
            "proportion": share,
            "cumulative": share.cumsum(),
            "of_common": explained / explained.sum(),
        },
        index=factors,
    )


def bootstrap_efa(
    solution: Efa,
    scores: TableLike,
    *,
    n_bootstrap: int = 500,
    seed: int = 0,
    level: float = 0.95,
    starts: int = 1,
) -> Bootstrap:
    """Bootstrap the loadings and factor correlations of an exploratory factor analysis.

    In each resample of the rows the same number of factors is extracted and rotated; because order
    and direction of factors are arbitrary, its factors are matched to those of the solution by
    Tucker's congruence.

    Parameters
    ----------
    solution : Efa
        Result of `efa(scores)`.
    scores : DataFrame
        The table of persons x indicators from which it was estimated.
    n_bootstrap : int
        Number of resamples of persons.
    seed : int
        Seed of the bootstrap samples.
    level : float
        Confidence level of the intervals.
    starts : int
        Number of random starts of each rotation.

    Returns
    -------
    Bootstrap
        Statistics are called "x1 on F1" and "F1 with F2".

    Raises
    ------
    ParameterError
        If fewer than two resamples can be analyzed.

    References
    ----------
    Zhang, G., Preacher, K. J., Luo, S. (2010). Bootstrap confidence intervals for ordinary least
    squares factor loadings and correlations in exploratory factor analysis. Multivariate
    Behavioral Research 45, 104-134.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.factor.exploratory import bootstrap_efa, efa
    >>> rng = np.random.default_rng(1)
    >>> g = rng.normal(size=(200, 1))
    >>> data = pd.DataFrame(g + rng.normal(size=(200, 4)), columns=list("abcd"))
    >>> draws = bootstrap_efa(efa(data, 1), data, n_bootstrap=50)
    >>> draws.intervals["statistic"].tolist()
    ['a on F1', 'b on F1', 'c on F1', 'd on F1']
    """
    target = solution.loadings.to_numpy(float)
    indicators, factors = list(solution.loadings.index), list(solution.loadings)
    first, second = np.tril_indices(len(factors), -1)

    def statistic(rows: pd.DataFrame) -> dict[str, float]:
        again = efa(
            rows,
            solution.factors,
            method=solution.method,
            rotation=solution.rotation,
            starts=starts,
            seed=solution.seed,
            **vars(solution.settings),
        )
        loadings, phi = again.loadings.to_numpy(float), again.phi.to_numpy(float)
        if loadings.shape != target.shape:
            raise ParameterError("an indicator is constant")
        size = np.linalg.norm(target, axis=0)[:, None] * np.linalg.norm(loadings, axis=0)
        alike = target.T @ loadings / np.where(size > 0, size, 1.0)
        _, order = linear_sum_assignment(-np.abs(alike))
        sign = np.where(alike[np.arange(len(order)), order] < 0, -1.0, 1.0)
        loadings = loadings[:, order] * sign
        phi = phi[np.ix_(order, order)] * np.outer(sign, sign)
        values = {
            f"{x} on {f}": loadings[i, j]
            for j, f in enumerate(factors)
            for i, x in enumerate(indicators)
        }
        return values | {
            f"{factors[j]} with {factors[i]}": phi[i, j] for i, j in zip(first, second, strict=True)
        }

    # Rows that are drawn twice have no names.
    columns = pd.DataFrame(scores, columns=indicators).reset_index(drop=True)
    return bootstrap(statistic, columns, n_bootstrap=n_bootstrap, seed=seed, level=level)
