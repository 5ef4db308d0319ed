"""`fit`: from a model text and data to a `Fit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.sem.conditional import refuse_conditional
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.preparation import (
    chosen_options,
    completion_options,
    prepared,
    resolved_options,
)
from gfactor.psychometrics.sem.problem import (
    problem_of,
    with_given_covariates,
)
from gfactor.psychometrics.sem.sample import (
    Sample,
    factors_of,
    named_columns,
    pairwise_sample,
    refuse_shared_names,
    sample_from_data,
    sample_from_moments,
    single_column,
)
from gfactor.psychometrics.sem.syntax import build_table, parse_model

Moments = pd.DataFrame | Sequence[pd.DataFrame] | Mapping[str, pd.DataFrame]


def group_labels(
    data: pd.DataFrame | None, group: str | None, wanted: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the values of the grouping column in the order of their first case, or those
    `wanted`."""
    if group is None or data is None:
        return ()
    if group not in data.columns:
        raise ParameterError(f"the grouping column {group!r} is not a column of the data.")
    counts = single_column(data, group).dropna().astype(str).value_counts(sort=False)
    for label in wanted:
        if label not in counts.index:
            raise UnknownNameError("group", label, tuple(map(str, counts.index)))
    labels = tuple(wanted) or tuple(map(str, counts.index))
    counts = counts.loc[list(labels)]
    if len(labels) < 2:
        raise ParameterError(
            f"the grouping column {group!r} has one value only; add cases of another group, or fit "
            "the model without groups."
        )
    if counts.min() < 2:
        raise ParameterError(
            f"the group {counts.idxmin()!r} of the column {group!r} has one case, and moments need "
            "two or more; leave it out or join groups."
        )
    return labels


def _many(given: Any, labels: tuple[str, ...]) -> list[Any]:
    """One entry per group."""
    if given is None:
        return [None] * max(len(labels), 1)
    if isinstance(given, Mapping) and not isinstance(given, (pd.DataFrame, pd.Series)):
        return [given[label] for label in labels]
    if isinstance(given, (list, tuple)) and len(given) and not np.isscalar(given[0]):
        return list(given)
    if isinstance(given, (list, tuple)) and labels:
        return list(given)
    return [given]


def _standardized(data: pd.DataFrame, names: Sequence[str], group: str | None) -> pd.DataFrame:
    """The data with the named columns centered and divided by their standard deviations (divisor
    n - 1), within groups."""
    data = data.copy()
    parts = [data.index] if group is None else data.groupby(group, sort=False).groups.values()
    for name in names:
        column = data[name].astype(float)
        for part in parts:
            values = column.loc[part]
            column.loc[part] = (values - values.mean()) / values.std()
        data[name] = column
    return data


def fit(
    model: str | ParameterTable,
    data: pd.DataFrame | None = None,
    *,
    options: Options | None = None,
    sample_cov: Moments | None = None,
    sample_mean: Any = None,
    n: int | Sequence[int] | None = None,
    group: str | None = None,
    **changes: Any,
) -> Fit:
    """Fit a structural equation model.

    Raises ParameterError (or ModelSyntaxError) if the model, the data or an option is wrong. A
    search that does not converge raises nothing: see `Fit.converged` and `Fit.diagnostics`.

    Parameters
    ----------
    model : str or ParameterTable
        Lavaan syntax, or a finished parameter table.
    data : DataFrame, optional
        Cases by variables; missing values as NaN.
    options : Options, optional
        All options at once; `changes` are single options by name (estimator = "MLR",
        missing = "ml", std_lv = True, ...), see `Options`.
    sample_cov : Moments, optional
        Covariance matrix (divisor n - 1) with the variables' names, instead of data. For groups, a
        list or a mapping by group.
    sample_mean : Any
        Means that belong to `sample_cov`. For groups, a list or a mapping by group.
    n : int or list of int, optional
        Number of cases from which `sample_cov` was computed. For groups, a list or a mapping by
        group.
    group : str, optional
        Column of `data` that separates groups.
    **changes : Any
        Single options by name: `estimator`, `missing`, `std_lv` ...

    Returns
    -------
    Fit
        Estimates, fit measures, diagnostics.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + x2 + x3 + x4", data)
    >>> fit.converged, fit.n
    (True, 300)
    """
    chosen = chosen_options(options, changes)
    if (data is None) == (sample_cov is None):
        raise ParameterError("give either data, or sample_cov with n.")
    if not isinstance(model, (str, ParameterTable)):
        raise ParameterError(
            f"the model is a {type(model).__name__}; give lavaan syntax as text, or a table."
        )
    if data is not None:
        data = named_columns(data)
    elif chosen.designed:
        raise ParameterError(
            "sampling weights and clusters need the cases themselves; give data instead of a "
            "covariance matrix."
        )
    labels = group_labels(data, group, chosen.group_label)
    if _two_level(model):
        from gfactor.psychometrics.sem.twolevel import (  # noqa: PLC0415  (only for these)
            fit_two_level,
        )

        return fit_two_level(model, data, chosen, group, labels)
    if isinstance(sample_cov, Mapping) and not isinstance(sample_cov, pd.DataFrame):
        labels = tuple(map(str, sample_cov))
    elif isinstance(sample_cov, (list, tuple)):
        labels = tuple(f"Group {k}" for k in range(1, len(sample_cov) + 1))
    n_groups = max(len(labels), 1)
    if chosen.ordered:
        if chosen.designed:
            resolved_options(chosen, n_groups, False)
        return _ordinal(model, data, chosen, group, labels)
    if isinstance(model, ParameterTable):
        text, table, compiled = "", model, None
        chosen = resolved_options(chosen, n_groups, table.has_means)
        if table.n_groups != n_groups:
            raise ParameterError(
                f"the parameter table has {table.n_groups} groups, the data {n_groups}."
            )
    else:
        text = model
        chosen = resolved_options(chosen, n_groups, False)
        if data is None and sample_mean is None:
            chosen = chosen.replaced(meanstructure=False)
        table, compiled = prepared(text, chosen, labels)
        if table.has_means and not chosen.meanstructure:
            chosen = chosen.replaced(meanstructure=True)
    refuse_conditional(chosen, table)
    if data is not None and chosen.check_lv_names:
        refuse_shared_names(table.latent, data)
    sample = _sample(table, data, sample_cov, sample_mean, n, group, labels, chosen)
    table = with_given_covariates(table, sample, chosen)
    return _with_bootstrap(Fit.searched(text, table, problem_of(table, sample, chosen, compiled)))


def _two_level(model: str | ParameterTable) -> bool:
    """Return True if a model has levels instead of groups."""
    if isinstance(model, ParameterTable):
        return model.two_level
    return "level" in model and parse_model(model).two_level


def _ordinal(
    model: str | ParameterTable,
    data: pd.DataFrame | None,
    options: Options,
    group: str | None,
    labels: tuple[str, ...],
) -> Fit:
    if data is None:
        raise ParameterError("ordinal variables need the cases themselves; give data.")
    rows = build_table(model) if isinstance(model, str) and "efa" in model else model
    if isinstance(rows, ParameterTable) and any(row.efa for row in rows):
        raise ParameterError(
            "exploratory blocks, efa(...), need continuous indicators; leave ordered out, or write "
            "the factors without efa()."
        )
    if options.ordered == ("*",):
        table = build_table(model) if isinstance(model, str) else model
        options = options.replaced(ordered=table.not_predictors)
    # Like lavaan, WLSMV is the default estimator for ordinal variables.
    if options.estimator == "ML":
        options = options.replaced(estimator="WLSMV")
    options = resolved_options(options, max(len(labels), 1), False)
    from gfactor.psychometrics.sem.ordinal.fit import fit_ordinal  # noqa: PLC0415  (only for these)

    return _with_bootstrap(
        fit_ordinal(model, data, options, completion_options(options), group=group, labels=labels)
    )


def _with_bootstrap(fit: Fit) -> Fit:
    """Return the fit with a bootstrap, if its standard errors or its test need one."""
    if fit.options.se != "bootstrap" and fit.options.test != "bollen.stine":
        return fit
    from gfactor.psychometrics.sem.bootstrapping import bootstrap  # noqa: PLC0415  (only for these)

    return replace(fit, resample=bootstrap)


def _sample(
    table: ParameterTable,
    data: pd.DataFrame | None,
    sample_cov: Moments | None,
    sample_mean: Any,
    n: int | Sequence[int] | None,
    group: str | None,
    labels: tuple[str, ...],
    options: Options,
) -> Sample:
    variables = table.observed
    if data is not None:
        products = [name for name in variables if len(factors_of(name, data.columns)) > 1]
        if options.std_ov and products:
            raise ParameterError(
                f"std_ov = True does not go with the product {products[0]!r}; standardize its "
                "variables beforehand."
            )
        if options.std_ov and set(variables) <= set(data.columns):
            named = data.index
            data = _standardized(data.reset_index(drop=True), variables, group).set_axis(named)
        pairwise = options.missing == "pairwise"
        sample = sample_from_data(
            data,
            variables,
            listwise=not (options.full_information or options.two_stage or pairwise),
            needed=() if options.missing == "ml.x" else table.given,
            group=group,
            labels=labels,
            weights=options.sampling_weights,
            cluster=options.cluster,
        )
        return pairwise_sample(sample) if pairwise else sample
    covs = _many(sample_cov, labels)
    counts = [n] if isinstance(n, (int, np.integer)) else list(n or [])
    if len(counts) != len(covs):
        raise ParameterError("sample_cov needs n, the number of cases, for every group.")
    return sample_from_moments(
        covs, _many(sample_mean, labels), [int(one) for one in counts], variables, labels=labels
    )
