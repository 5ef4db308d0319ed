"""Statistics of a sample: counts, means, covariances, and patterns of missing values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.sem.sample.columns import (
    column_numbers,
    named_columns,
    numbers,
    single_column,
)
from gfactor.psychometrics.sem.sample.missing import left_out, refuse_apart


@dataclass(frozen=True)
class GroupSample:
    """The sample statistics of one group.

    Parameters
    ----------
    label: the group's name ("" for a single sample).
    n: cases used.
    mean: shape (p,). cov: shape (p, p), divisor n. Under full information these are the
        maximum likelihood moments of the unrestricted model (see `saturated`).
    rows: the cases, shape (n, p), NaN if missing; None if only moments were given.
    cases: positions of the rows in the data given, shape (n,).
    weights: sampling weights of the cases, shape (n,), summing over all groups to the number of
        cases; None if all count alike. cov and mean are weighted by them.
    clusters: a number per case, equal for cases that depend on each other; None if all are
        independent.
    """

    label: str
    n: int
    mean: np.ndarray
    cov: np.ndarray
    rows: np.ndarray | None = None
    cases: np.ndarray | None = None
    weights: np.ndarray | None = None
    clusters: np.ndarray | None = None

    @property
    def designed(self) -> bool:
        """Return True if cases have weights or depend on each other."""
        return self.weights is not None or self.clusters is not None

    @property
    def size(self) -> float:
        """The sum of the weights, or the number of cases."""
        return float(self.n) if self.weights is None else float(self.weights.sum())

    def totals(self, scores: np.ndarray) -> np.ndarray:
        """Return casewise scores, shape (n, k), weighted and summed within clusters: independent
        rows.

        Sums of C clusters are scaled by the root of C / (C - 1), as in lavaan and Mplus.
        """
        if self.weights is not None:
            scores = scores * self.weights[:, None]
        if self.clusters is None:
            return scores
        _, code = np.unique(self.clusters, return_inverse=True)
        out = np.zeros((int(code.max()) + 1, scores.shape[1]))
        np.add.at(out, code.reshape(-1), scores)
        count = len(out)
        if count < 2:
            where = f" of group {self.label!r}" if self.label else ""
            raise ParameterError(
                f"all cases{where} are in one cluster; standard errors need two or more."
            )
        return out * np.sqrt(count / (count - 1))


@dataclass(frozen=True)
class Sample:
    """All groups, over the same variables.

    Parameters
    ----------
    variables: names, in the order of the moments.
    groups: one or more.
    has_means: True if means are known (a covariance matrix may come without).
    notes: notes on what reading the data found: cases that were left out.
    index: names of all rows of the data, at the positions of `GroupSample.cases`; None if moments
        were given.
    """

    variables: tuple[str, ...]
    groups: tuple[GroupSample, ...]
    has_means: bool = True
    notes: tuple[Diagnostic, ...] = field(default=(), compare=False)
    index: pd.Index | None = field(default=None, compare=False, repr=False)

    def names_of(self, cases: np.ndarray) -> pd.Index:
        """Return the names of rows, by their positions in the data."""
        return pd.Index(cases) if self.index is None else self.index[cases]

    @cached_property
    def n(self) -> int:
        return sum(group.n for group in self.groups)

    @cached_property
    def shares(self) -> np.ndarray:
        """Each group's share of the cases, or of their weights."""
        if self.groups[0].weights is not None:
            return np.array([group.size for group in self.groups]) / self.n
        return np.array([group.n for group in self.groups]) / self.n

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(group.label for group in self.groups)


def _group_sample(
    label: str,
    rows: np.ndarray,
    cases: np.ndarray,
    variables: Sequence[str],
    listwise: bool,
    needed: Collection[str] = (),
    design: SamplingDesign | None = None,
) -> GroupSample:
    missing = np.isnan(rows)
    empty = np.flatnonzero(missing.all(axis=0))
    if len(rows) and len(empty):
        raise ParameterError(
            f"the variable {variables[empty[0]]!r} has no values"
            f"{f' in group {label!r}' if label else ''}; leave it out of the model."
        )
    keep = ~missing.any(axis=1) if listwise else ~missing.all(axis=1)
    if needed:
        keep &= ~missing[:, [name in needed for name in variables]].any(axis=1)
    rows, cases = rows[keep], cases[keep]
    weights = None if design is None or design.weights is None else design.weights[cases]
    clusters = None if design is None or design.clusters is None else design.clusters[cases]
    where = f" in group {label!r}" if label else ""
    if len(rows) < 2:
        incomplete = listwise and not keep.all()
        raise ParameterError(
            f"{len(rows)} {'case is' if len(rows) == 1 else 'cases are'} left{where}"
            f"{' after leaving out incomplete ones' if incomplete else ''}, and means and "
            "covariances need two or more; "
            f"{'keep incomplete ones with missing=' + repr('ml') + ', or ' if incomplete else ''}"
            "add cases (rows of the table)."
        )
    if listwise or not missing.any():
        mean = (
            np.average(rows, axis=0, weights=weights) if weights is not None else rows.mean(axis=0)
        )
        away = rows - mean
        if weights is not None:
            cov = (away * weights[:, None]).T @ away / weights.sum()
        else:
            cov = away.T @ away / len(rows)
        spread = cov.diagonal()
    else:
        seen = ~np.isnan(rows)
        counts = np.maximum(seen.sum(axis=0), 1)
        mean = np.where(seen, rows, 0.0).sum(axis=0) / counts
        spread = (np.where(seen, rows - mean, 0.0) ** 2).sum(axis=0) / counts
        cov = np.diag(spread)
    constant = np.flatnonzero(~(spread > 0))
    if len(constant):
        raise ParameterError(
            f"the variable {variables[constant[0]]!r} does not vary{where} ({len(rows)} cases); "
            "leave it out of the model."
        )
    return GroupSample(label, len(rows), mean, cov, rows, cases, weights, clusters)


@dataclass(frozen=True)
class SamplingDesign:
    """Sampling of the cases of a table: a weight and a cluster per row, if there are any."""

    weights: np.ndarray | None = None
    clusters: np.ndarray | None = None


def design_of(
    data: pd.DataFrame, weights: str | None, cluster: str | None
) -> SamplingDesign | None:
    """Return the columns of weights and clusters; None if neither is requested. Raises
    ParameterError for a column that does not exist, a weight that is missing or not above zero, and
    a case without a cluster.
    """
    if weights is None and cluster is None:
        return None
    for name, what in ((weights, "sampling weights"), (cluster, "clusters")):
        if name is not None and name not in data.columns:
            raise ParameterError(f"the column of {what} {name!r} is not a column of the data.")
    each, codes = None, None
    if weights is not None:
        each = column_numbers(data, weights)
        bad = np.flatnonzero(~(each > 0))
        if len(bad):
            raise ParameterError(
                f"the sampling weight in row {bad[0] + 1} of the column {weights!r} is "
                f"{each[bad[0]]:g}; every case needs a weight above 0."
            )
    if cluster is not None:
        column = single_column(data, cluster)
        absent = np.flatnonzero(column.isna().to_numpy())
        if len(absent):
            raise ParameterError(
                f"row {absent[0] + 1} has no value in the column of clusters {cluster!r}; fill it "
                "in or leave the row out."
            )
        codes = pd.factorize(column)[0]
    return SamplingDesign(each, codes)


def _normalized(groups: Sequence[GroupSample]) -> tuple[GroupSample, ...]:
    """Weights that sum to the number of cases over all groups (lavaan's normalization "total")."""
    if groups[0].weights is None:
        return tuple(groups)
    total = sum(group.size for group in groups)
    unit = sum(group.n for group in groups) / total
    return tuple(replace(group, weights=np.asarray(group.weights) * unit) for group in groups)


def sample_from_data(
    data: pd.DataFrame,
    variables: Sequence[str],
    *,
    listwise: bool,
    needed: Collection[str] = (),
    group: str | None = None,
    labels: Sequence[str] = (),
    weights: str | None = None,
    cluster: str | None = None,
) -> Sample:
    """Return moments of columns of a table, per group.

    Parameters
    ----------
    data : DataFrame
        Cases by variables; missing values as NaN.
    variables : list of str
        Columns whose moments are taken.
    listwise : bool
        True to leave out every incomplete case; otherwise only cases without any value, or without
        one of `needed`.
    needed : list of str
        Columns that a case must have.
    group : str, optional
        Column that names the group of each case.
    labels : list of str
        The groups' order; if empty, that of their first case.
    weights : str, optional
        The column of sampling weights.
    cluster : str, optional
        The column of clusters of cases.

    Returns
    -------
    Sample
        Means, covariances (divisor n) and n of every group.

    Raises
    ------
    ParameterError
        For a column that is missing, not numeric, or does not vary.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.sem import (
    ...     build_table, sample_from_data
    ... )
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> table = build_table("g =~ x1 + x2 + x3 + x4")
    >>> sample = sample_from_data(data, ["x1", "x2", "x3", "x4"], listwise=True)
    >>> len(sample.groups)
    1
    """
    data = named_columns(data)
    rows = numbers(data, variables)
    every = np.arange(len(data))
    design = design_of(data, weights, cluster)
    if group is None:
        (alone,) = _normalized(
            [_group_sample("", rows, every, variables, listwise, needed, design)]
        )
        notes = left_out((alone,), len(data), listwise)
        return Sample(tuple(variables), (alone,), notes=notes, index=data.index)
    if group not in data.columns:
        raise ParameterError(f"the grouping column {group!r} is not a column of the data.")
    column = single_column(data, group)
    values = column.astype(str).to_numpy(dtype=object)
    present = column.notna().to_numpy()
    order = list(labels) or list(dict.fromkeys(values[present]))
    groups: list[GroupSample] = []
    total = 0
    for label in order:
        rows_of = present & (values == label)
        total += int(rows_of.sum())
        groups.append(
            _group_sample(
                str(label), rows[rows_of], every[rows_of], variables, listwise, needed, design
            )
        )
    groups = list(_normalized(groups))
    notes = left_out(tuple(groups), total, listwise, int((~present).sum()), group)
    return Sample(tuple(variables), tuple(groups), notes=notes, index=data.index)


def _ordered_moments(
    cov: pd.DataFrame | np.ndarray,
    mean: pd.Series | Sequence[float] | None,
    variables: Sequence[str],
) -> tuple[np.ndarray, np.ndarray | None]:
    if not isinstance(cov, pd.DataFrame):
        raise ParameterError("sample_cov needs the variables' names: give it as a DataFrame.")
    absent = [name for name in variables if name not in cov.columns or name not in cov.index]
    if absent:
        raise ParameterError(f"the model's variable {absent[0]!r} is not in sample_cov.")
    square = cov.loc[list(variables), list(variables)].to_numpy(dtype=float)
    if square.shape != (len(variables),) * 2:
        raise ParameterError("sample_cov has a variable twice; name each variable once.")
    if not np.isfinite(square).all():
        raise ParameterError("sample_cov has missing or infinite cells; give all covariances.")
    if not np.allclose(square, square.T, rtol=1e-8, atol=1e-10):
        raise ParameterError("sample_cov is not symmetric; give the full matrix.")
    if mean is None:
        return square, None
    series = mean if isinstance(mean, pd.Series) else pd.Series(list(mean), index=cov.index)
    return square, series.loc[list(variables)].to_numpy(dtype=float)


def sample_from_moments(
    covs: Sequence[pd.DataFrame | np.ndarray],
    means: Sequence[pd.Series | Sequence[float] | None],
    counts: Sequence[int],
    variables: Sequence[str],
    *,
    labels: Sequence[str] = (),
) -> Sample:
    """Return a sample from published moments: covariance matrices with divisor n - 1, which are
    rescaled to n.

    Parameters
    ----------
    covs : list of DataFrame or ndarray
        Covariance matrices, one per group, divisor n - 1.
    means : Sequence[Series or list of float or None]
        Means, one list per group; None if there are none.
    counts : list of int
        Cases per group.
    variables : list of str
        Names, in the order of the matrices.
    labels : list of str
        Names of the groups.

    Returns
    -------
    Sample
        The moments with divisor n.

    Raises
    ------
    ParameterError
        For matrices that cannot be covariances of these variables.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.sem import sample_from_moments
    >>> names = ["x1", "x2"]
    >>> cov = pd.DataFrame(np.eye(2), names, names)
    >>> len(sample_from_moments([cov], [None], [100], names).groups)
    1
    """
    groups = []
    for number, (cov, mean, n) in enumerate(zip(covs, means, counts, strict=True)):
        square, center = _ordered_moments(cov, mean, variables)
        label = labels[number] if labels else ""
        if n < 2:
            raise ParameterError(f"n is {n}, but a covariance matrix needs two or more cases.")
        if eigvalsh(square)[0] <= 0:
            raise ParameterError(
                "sample_cov is not positive definite; a maximum likelihood fit needs one that is."
            )
        groups.append(
            GroupSample(
                label,
                int(n),
                np.zeros(len(variables)) if center is None else center,
                square * (n - 1) / n,
            )
        )
    return Sample(tuple(variables), tuple(groups), all(mean is not None for mean in means))


def pairwise_sample(sample: Sample) -> Sample:
    """Return the sample with every covariance computed from the cases in which both variables are
    observed (divisor: all cases, as in lavaan). The cases are removed, because methods that need
    them are not valid with such moments.

    Raises ParameterError if two variables are never observed together, or the covariances are not
    positive definite.
    """
    groups = []
    for group in sample.groups:
        where = f" of group {group.label!r}" if group.label else ""
        assert group.rows is not None
        frame = pd.DataFrame(group.rows)
        cov = frame.cov().to_numpy() * (group.n - 1) / group.n
        refuse_apart(group.rows, sample.variables, where)
        if eigvalsh(cov)[0] <= 0:
            raise ParameterError(
                f"the pairwise covariances{where} are not positive definite; use missing = 'ml'."
            )
        mean = frame.mean().to_numpy()
        groups.append(GroupSample(group.label, group.n, mean, cov, None, group.cases))
    return Sample(sample.variables, tuple(groups), notes=sample.notes, index=sample.index)
