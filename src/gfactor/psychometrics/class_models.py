"""Latent class models: groups of respondents with similar answers, estimated from the answers.

References
----------
Lazarsfeld, P. F., Henry, N. W. (1968). Latent structure analysis. Houghton Mifflin.
Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and
    unidentifiable models. Biometrika 61, 215-231.
Ramaswamy, V. et al. (1993). An empirical pooling approach for estimating marketing mix elasticities
    with PIMS data. Marketing Science 12, 103-124. (Relative entropy.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.parameters import Level, Seed
from gfactor.psychometrics.class_effects import (
    about_covariates,
    coded_covariates,
    covariates_of,
    effect_tables,
)
from gfactor.psychometrics.class_estimation import maximum, replicated
from gfactor.psychometrics.class_information import class_errors, logits_of
from gfactor.psychometrics.class_patterns import (
    ClassSolution,
    Patterns,
    mean_shares,
    patterns_of,
    posterior,
)
from gfactor.psychometrics.class_results import (
    LatentClasses,
    about_classes,
    about_search,
    answer_table,
    compared,
    interval_columns,
)
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.given import TableLike, as_frame, check_columns
from gfactor.psychometrics.item_columns import constant_items_diagnostic
from gfactor.psychometrics.person_tables import person_items

Array = NDArray[np.float64]

MOST_CATEGORIES = 20
"""Largest number of different answers to an item."""


def latent_classes(
    scores: TableLike,
    n_classes: int,
    *,
    covariates: pd.DataFrame | pd.Series | Array | Sequence[str] | None = None,
    against: Sequence[int] = (),
    starts: int = 20,
    seed: Seed = 0,
    level: Level = 0.95,
    benchmark: str | None = None,
) -> LatentClasses:
    """Fit a latent class model by maximum likelihood, from several random starts.

    Parameters
    ----------
    scores : DataFrame
        Table with a row per case and a column per item. Each different value of a column, a number
        or a text, is a category. Missing cells are assumed to be missing at random.
    n_classes : int
        Number of classes.
    covariates : DataFrame, Series, array or list of str, optional
        Variables on which the membership in classes depends, by a multinomial regression that is
        estimated in one step with the classes. They are a table or a column with the same index as
        the scores (in any order), an array with a row per case, or names of columns of the scores.
    against : sequence of int
        Other numbers of classes, with which the model is fitted to the same cases for a table of
        log-likelihood, information criteria, entropy and smallest class.
    starts : int
        Number of random starts; the five best ones after 40 iterations are continued until they
        converge.
    seed : int
        Seed of the random number generator.
    level : float
        Confidence level of the intervals.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks;
        "all" analyzes the items of all benchmarks together.

    Returns
    -------
    LatentClasses
        `shares` (of the classes), `probabilities` (of categories within classes), `posterior` (of
        each case), `bic`, `entropy`, `diagnostics` and `summary()`; with covariates also `effects`
        and `covariate_tests`, with other numbers of classes `comparison`.

    Raises
    ------
    ParameterError
        If no item varies, an item has more than 20 categories, two items have the same name, a
        case has no answer, covariates do not vary or belong to other cases, or there is no class
        or no start.

    References
    ----------
    Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and
    unidentifiable models. Biometrika 61, 215-231.
    Dayton, C. M., Macready, G. B. (1988). Concomitant-variable latent-class models. Journal of the
    American Statistical Association 83, 173-178.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> able = random.random((400, 1)) < 0.6
    >>> right = random.random((400, 5)) < np.where(able, 0.9, 0.2)
    >>> found = gf.latent_classes(pd.DataFrame(right.astype(int)), 2)
    >>> found.shares["share"].round(1).tolist()
    [0.6, 0.4]
    >>> age = pd.DataFrame({"age": able[:, 0] + random.normal(size=400)})
    >>> effects = gf.latent_classes(pd.DataFrame(right.astype(int)), 2, covariates=age).effects
    >>> bool(effects["ci_upper"][1] < 0)
    True
    """
    rows = as_frame(scores)
    check_columns(rows)
    table = person_items(scores, benchmark, aside="nothing")
    given, left_out = None, 0
    if covariates is not None:
        table, given = covariates_of(table, rows.index, covariates)
        usable = given.notna().all(axis=1)
        left_out = int((~usable).sum())
        table, given = pick(table, usable), pick(given, usable)
    counts = [("against", value) for value in against]
    for name, value in (("n_classes", n_classes), ("starts", starts), *counts):
        if value < 1:
            raise ParameterError(f"{name} is {value}; give at least 1.")
    constant = [name for name, column in table.items() if column.nunique() < 2]
    if len(constant) == table.shape[1]:
        raise ParameterError("no item has two different answers, so cases cannot be classified.")
    table = table.drop(columns=constant)
    codes, categories = _coded(table)
    sizes = [len(values) for values in categories]
    design = None if given is None else coded_covariates(given)
    patterns, member = patterns_of(codes, sizes, None if design is None else design.values)
    solution, values = maximum(patterns, n_classes, starts, np.random.default_rng(seed))
    errors = class_errors(patterns, solution, logits_of(patterns, solution))
    shares = mean_shares(patterns, solution)
    members, _ = posterior(patterns, solution.weights, solution.answers)
    cases = (members * patterns.counts[:, None]).T @ patterns.seen
    n, parameters = len(table), solution.weights.size + n_classes * (sum(sizes) - len(sizes))
    df = int(min(np.prod(np.array(sizes, float)), 1e15)) - 1 - parameters
    if design is not None:  # Cases with other covariates have other expected patterns.
        df = n - parameters
    g2 = None if df < 1 or (codes < 0).any() or design is not None else _g2(patterns, solution, n)
    names = [f"class {k + 1}" for k in range(n_classes)]
    labels = [(item, value) for item, of in zip(table, categories, strict=True) for value in of]
    classes = np.clip(members[member], 0.0, 1.0)
    value = solution.log_likelihood
    diagnostics = [
        *about_search(values, starts, n_classes, df, errors.identified),
        *about_classes(solution, shares, n, labels, names),
    ]
    effects = tests = None
    if design is not None:
        effects, tests = effect_tables(solution, errors, design, names, level)
        diagnostics += about_covariates(solution, design, left_out)
    if constant:
        diagnostics.append(
            constant_items_diagnostic(
                [str(name) for name in constant], "divide nobody into classes"
            )
        )
    fitted = LatentClasses(
        n=n,
        n_items=len(sizes),
        n_classes=n_classes,
        n_parameters=parameters,
        missing=int((codes < 0).sum()),
        log_likelihood=value,
        aic=2 * parameters - 2 * value,
        bic=float(np.log(n)) * parameters - 2 * value,
        sabic=float(np.log((n + 2) / 24)) * parameters - 2 * value,
        entropy=_entropy(classes),
        df=df,
        g2=g2,
        p=None if g2 is None else float(stats.chi2.sf(g2, df)),
        starts=starts,
        replicated=replicated(values),
        level=level,
        shares=pd.DataFrame(
            {
                "class": names,
                "share": shares,
                **interval_columns(shares, errors.shares, np.full(n_classes, n), level),
            }
        ),
        probabilities=answer_table(solution, errors.answers, cases, labels, names, level),
        posterior=pd.DataFrame(classes, table.index, names),
        diagnostics=by_severity(diagnostics),
        effects=effects,
        covariate_tests=tests,
    )
    others = [
        latent_classes(
            scores, number, covariates=covariates, starts=starts, seed=seed, level=level,
            benchmark=benchmark,
        )
        for number in sorted({*against} - {n_classes})
    ]  # fmt: skip
    return replace(fitted, comparison=compared([fitted, *others])) if others else fitted


def _coded(table: pd.DataFrame) -> tuple[NDArray[np.int_], list[list[Any]]]:
    """Categories of every cell from 0, -1 if it is missing, and the categories of every item."""
    codes, categories = [], []
    for name, column in table.items():
        values = sorted(column.dropna().unique().tolist(), key=_numbers_first)
        if len(values) > MOST_CATEGORIES:
            raise ParameterError(
                f"the column {str(name)!r} has {len(values)} different values, too many for an "
                "item; leave it out, or cut it into a few categories."
            )
        codes.append(pd.Categorical(column, categories=values).codes.astype(int))
        categories.append(
            [int(v) if not _is_text(v) and float(v).is_integer() else v for v in values]
        )
    coded = np.column_stack(codes)
    empty = np.flatnonzero((coded < 0).all(axis=1))
    if len(empty):
        case = table.index[empty[:1]].tolist()[0]
        raise ParameterError(f"the case {case!r} has no answer; leave out cases without answers.")
    return coded, categories


def _numbers_first(value: Any) -> tuple[bool, Any]:
    return _is_text(value), value


def _is_text(value: Any) -> bool:
    return not isinstance(value, Real)


def _g2(patterns: Patterns, solution: ClassSolution, n: int) -> float:
    saturated = float(patterns.counts @ np.log(patterns.counts / n))
    return max(0.0, 2 * (saturated - solution.log_likelihood))


def _entropy(classes: Array) -> float:
    n, count = classes.shape
    if count == 1:
        return float("nan")
    logs = np.log(np.where(classes > 0, classes, 1.0))
    return float(1 + (classes * logs).sum() / (n * np.log(count)))
