"""Population that a score generalizes to: one concept for every interval, difference, rank set and
plan.

A score is a mean over items. Its uncertainty depends on the population to which it generalizes:

`these-items`: the score on exactly these items. No items are sampled; only the answers vary, from
    occasion to occasion. With one occasion per item there is no interval.
`same-domains` (the default): other items of the same domains. The domains are fixed, items are a
    sample within each of them: a stratified sample.
`other-domains`: other domains of this kind. Whole domains are a sample: clusters. A few domains can
    have nearly equal means by luck; the standard error is never below that of `same-domains`, since
    other domains also mean other items, and the interval contains that of `same-domains`.

Items that share a picture, a problem or a translation are one unit under every claim.

Intervals of shares solve a score equation with the variance of the claim in the place of the
binomial one (Wilson's interval, and Tango's for a paired difference), with a t quantile whose
degrees of freedom are Satterthwaite's. One domain of independent items gives Wilson's and Tango's
intervals themselves, and the interval has a width even if all answers are right. Domains that are
all right or all wrong widen the interval of a share (`uniform_domains`).

References
----------
Cochran, W. G. (1977). Sampling Techniques, 3rd edition, chapters 5 and 5A (stratified samples,
    collapsed strata).
Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components.
    Biometrics Bulletin 2, 110-114.
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal
    of the American Statistical Association 22, 209-212.
Franco, C., Little, R. J. A., Louis, T. A., Slud, E. V. (2019). Comparative study of confidence
    intervals for proportions in complex sample surveys. Journal of Survey Statistics and
    Methodology 7, 334-364.
Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for
    the paired-sample design. Statistics in Medicine 17, 891-908.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gfactor.errors import UnknownNameError
from gfactor.psychometrics.inference.uniform_domains import UniformDomains, score_interval

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]

Claim = Literal["these-items", "same-domains", "other-domains"]
CLAIMS: tuple[Claim, ...] = ("these-items", "same-domains", "other-domains")
DEFAULT_CLAIM: Claim = "same-domains"

_NO_SPREAD = 1e-12
"""A standard error below this is a rounded zero: scores are of the order of 1."""


def checked_claim(claim: str) -> Claim:
    """Return the claim; raise UnknownNameError for a name that is not in `CLAIMS`.

    Parameters
    ----------
    claim : str
        Name of a claim.

    Returns
    -------
    str
        The same name.

    Raises
    ------
    UnknownNameError
        If there is no such claim.

    Examples
    --------
    >>> from gfactor.psychometrics.inference.claim import checked_claim
    >>> checked_claim("same-domains")
    'same-domains'
    """
    if claim not in CLAIMS:
        raise UnknownNameError("claim", claim, CLAIMS)
    return cast(Claim, claim)


def claim_in_words(claim: str, domains: int, label: str = "domain") -> str:
    """Return the claim in words, the population to which a score generalizes, for all commands.

    Parameters
    ----------
    claim : {"these-items", "same-domains", "other-domains"}
        The claim.
    domains : int
        Number of domains that the items come from; 0 or 1 if they are not divided.
    label : str
        Name of the label that divides the items.

    Returns
    -------
    str
        The rest of a sentence that begins with "the score".

    Examples
    --------
    >>> from gfactor.psychometrics import claim_in_words
    >>> claim_in_words("same-domains", 30)
    'generalizes to other items of these 30 domains'
    >>> claim_in_words("these-items", 30)
    'holds for these items; only the answers vary'
    """
    if checked_claim(claim) == "these-items":
        return "holds for these items; only the answers vary"
    name = label if domains == 1 else f"{label}s"
    if claim == "other-domains":
        return f"generalizes to other {label}s of this kind ({domains:,} {name} here)"
    if domains < 2:
        return "generalizes to other items of this kind"
    return f"generalizes to other items of these {domains:,} {name}"


@dataclass(frozen=True, eq=False)
class Sampling:
    """Sampling of items under a claim: the independent units, and which domains are fixed.

    Parameters
    ----------
    claim : {"these-items", "same-domains", "other-domains"}
        Population that the score generalizes to.
    units : array of int, shape (items,)
        Number of each item's independent unit.
    strata : array of int, shape (items,)
        Number of each item's fixed domain; 0 for all items if none is fixed.
    domains : int
        Number of domains that the items come from.
    label : str
        Name of the label that divides the items.
    within : Sampling, optional
        Sampling of items within the same domains, under `other-domains`.
    """

    claim: Claim
    units: Codes
    strata: Codes
    domains: int
    label: str = "domain"
    within: Sampling | None = None

    @classmethod
    def of(
        cls,
        claim: str,
        items: int,
        *,
        units: ArrayLike | None = None,
        domains: ArrayLike | None = None,
        label: str = "domain",
    ) -> Sampling:
        """Determine units and strata of items under a claim.

        Parameters
        ----------
        claim : {"these-items", "same-domains", "other-domains"}
            Population that the score generalizes to.
        items : int
            Number of items.
        units : array, shape (items,), optional
            Unit of every item, such as a picture or a problem; by default every item is a unit.
        domains : array, shape (items,), optional
            The domain of every item; by default there is one.
        label : str
            Name of the label that divides the items.

        Returns
        -------
        Sampling
            Units and fixed domains of the items.

        Raises
        ------
        UnknownNameError
            If there is no such claim.

        Examples
        --------
        >>> from gfactor.psychometrics import Sampling
        >>> Sampling.of("other-domains", 4, domains=list("aabb")).units.tolist()
        [0, 0, 1, 1]
        """
        claim = checked_claim(claim)
        unit = np.arange(items) if units is None else _codes(units)
        domain = np.zeros(items, np.intp) if domains is None else _codes(domains)
        many = len(np.unique(domain))
        if claim == "other-domains":
            within = cls.of("same-domains", items, units=unit, domains=domain, label=label)
            whole = _joined(unit, domain)
            return cls(claim, whole, np.zeros(items, np.intp), many, label, within)
        if _spans(unit, domain):
            domain = _joined(domain, unit)
        return cls(claim, unit, domain, many, label)

    @property
    def words(self) -> str:
        """Return the population to which the score generalizes, in the words of
        `claim_in_words`."""
        return claim_in_words(self.claim, self.domains, self.label)

    def among(self, chosen: NDArray[np.bool_] | Codes) -> Sampling:
        """Return the sampling of some of the items."""
        within = None if self.within is None else self.within.among(chosen)
        return replace(self, units=self.units[chosen], strata=self.strata[chosen], within=within)

    def means(
        self,
        groups: ArrayLike,
        earned: ArrayLike,
        answer_variance: ArrayLike | None = None,
        *,
        possible: ArrayLike | None = None,
    ) -> Means:
        """Return the mean of every group of items; `possible` is one point each by default."""
        g = np.asarray(groups, np.intp)
        e = np.asarray(earned, float)
        m = np.ones(g.size) if possible is None else np.asarray(possible, float)
        count = int(g.max(initial=-1)) + 1
        with np.errstate(invalid="ignore", divide="ignore"):
            total = np.bincount(g, m, count).astype(float)
            value = np.bincount(g, e, count) / total
            if self.claim == "these-items":
                return _of_answers(g, m, total, value, answer_variance)
            means = _stratified(g, self.strata, self.units, e, m, total, value)
        if self.within is None:
            return means
        return means._at_least(self.within.means(g, e, possible=m))


@dataclass(frozen=True)
class Means:
    """Means of groups of items, with the quantities behind their intervals under a claim.

    Parameters
    ----------
    value : array, shape (groups,)
        Points earned per possible point; NaN if nothing could be earned.
    se : array, shape (groups,)
        Standard error under the claim; NaN if it is not known.
    df : array, shape (groups,)
        Degrees of freedom of the standard error.
    units : array of int, shape (groups,)
        Number of independent units under the claim: units of items, or domains.
    strata : array of int, shape (groups,)
        Fixed domains behind the value (after collapsing); 1 under other claims.
    trials : array, shape (groups,)
        Number of independent answers that would give a share the same standard error.
    exact : array of bool, shape (groups,)
        True for groups that are one stratum of independent units, each all right or all wrong.
    within : Means, optional
        The same for `same-domains`; intervals for other domains contain these.
    uniform : UniformDomains, optional
        Items by whether their domains are all right, all wrong, or neither, if there are such.
    """

    value: Floats
    se: Floats
    df: Floats
    units: Codes
    strata: Codes
    trials: Floats
    exact: NDArray[np.bool_]
    within: Means | None = None
    uniform: UniformDomains | None = None

    def with_single_trials(self) -> Means:
        """Return the means, in which a group of one unit has the interval of a single trial."""
        single = self.units == 1
        trials = np.where(single, 1.0, self.trials)
        return replace(self, trials=trials, exact=self.exact | single)

    def _at_least(self, within: Means) -> Means:
        """Return the means with standard errors that are not below those within domains."""
        below = within.se > self.se
        return replace(
            self,
            se=np.where(below, within.se, self.se),
            trials=np.minimum(self.trials, within.trials),
            within=within,
        )

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Return the ends of the interval of every share, between 0 and 1; NaN if unknown.

        Parameters
        ----------
        level : float
            Confidence level, between 0 and 1.
        """
        low, high = score_interval(self, level)
        if self.uniform is not None:
            low, high = self.uniform.widened(self.value, low, high, level)
        if self.within is None:
            return low, high
        narrow = self.within.interval(level)
        finite = np.isfinite(narrow[0])
        return (
            np.where(finite, np.minimum(low, narrow[0]), low),
            np.where(finite, np.maximum(high, narrow[1]), high),
        )


def group_means(
    groups: ArrayLike,
    earned: ArrayLike,
    possible: ArrayLike,
    *,
    claim: str = DEFAULT_CLAIM,
    units: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    answer_variance: ArrayLike | None = None,
) -> Means:
    """Estimate the mean of every group of items, with its standard error under a claim.

    The mean is a ratio, points earned per possible point, so that heavier items count for more.

    Parameters
    ----------
    groups : array of int, shape (rows,)
        The group of every row, numbered from 0.
    earned, possible : array, shape (rows,)
        Points of the row (one item, its occasions averaged), and possible points.
    claim : {"these-items", "same-domains", "other-domains"}
        Population that the mean generalizes to.
    units : array, shape (rows,), optional
        Unit of every row: rows with the same unit are not independent. By default every row is a
        unit.
    domains : array, shape (rows,), optional
        The domain of every row. By default there is one.
    answer_variance : array, shape (rows,), optional
        Variance of the row's mean over occasions, NaN if it was answered once; for `these-items`.

    Returns
    -------
    Means
        An entry per group.

    Raises
    ------
    UnknownNameError
        If there is no such claim.

    Examples
    --------
    >>> from gfactor.psychometrics import group_means
    >>> means = group_means([0] * 6, [1, 1, 1, 0, 0, 1], [1] * 6, domains=list("aaabbb"))
    >>> round(float(means.value[0]), 3), int(means.strata[0])
    (0.667, 2)
    """
    sampling = Sampling.of(claim, np.size(groups), units=units, domains=domains)
    means = sampling.means(groups, earned, answer_variance, possible=possible)
    return means.with_single_trials() if claim == "same-domains" else means


def _stratified(
    g: Codes, of_domain: Codes, of_unit: Codes, e: Floats, m: Floats, total: Floats, value: Floats
) -> Means:
    """Sum over strata of the variance between units within a stratum."""
    count = total.size
    cells, at_cell = _combined(g, of_domain, of_unit)
    ue, um = (np.bincount(at_cell, one, len(cells)).astype(float) for one in (e, m))
    rows = np.bincount(at_cell, minlength=len(cells))
    there = um > 0
    cells, ue, um, rows = cells[there], ue[there], um[there], rows[there]
    ug, stratum = cells[:, 0], _collapsed(cells[:, 0], cells[:, 1], count)
    keys, at = _combined(ug, stratum)
    sg = keys[:, 0] if len(keys) else np.zeros(0, np.intp)
    n_of = np.bincount(at, minlength=len(keys)).astype(float)
    of_stratum = np.bincount(at, um, len(keys))
    ratio = np.bincount(at, ue, len(keys)) / of_stratum
    # Leaving out a unit in turn: heavy units pull the ratio toward themselves.
    residuals = (ue - ratio[at] * um) / (1 - um / of_stratum[at])
    squares = np.bincount(at, np.where(n_of[at] > 1, residuals, 0.0) ** 2, len(keys))
    variance = squares * (n_of - 1) / n_of / total[sg] ** 2
    units, strata = np.bincount(ug, minlength=count), np.bincount(sg, minlength=count)
    whole = np.bincount(sg, variance, count)
    df = satterthwaite(sg, variance, of_stratum**2 / n_of, n_of - 1, count)
    answers = np.bincount(ug, rows, count)
    plain = np.bincount(ug, ~_plain(ug, ue, um, rows), count) == 0
    # Variance of the same rows if each were a unit.
    row_stratum = np.full(len(there), -1)
    row_stratum[there] = at
    row_stratum = row_stratum[at_cell]
    counted = m > 0
    of_row = row_stratum[counted]
    spread = np.bincount(of_row, (e - ratio[row_stratum] * m)[counted] ** 2, len(keys))
    n_rows = np.bincount(of_row, minlength=len(keys))
    spread = np.where(n_rows > 1, spread * n_rows / (n_rows - 1), 0.0)
    independent = np.bincount(sg, spread / total[sg] ** 2, count)
    effect = np.where(independent > _NO_SPREAD**2, whole / independent, np.inf)
    trials = np.clip(answers / effect, np.minimum(units, answers), answers)
    se = np.sqrt(np.where(units > 1, whole, np.nan))
    means = Means(
        value, se, df, units, strata, trials.astype(float), plain & (strata == 1) & (units > 1)
    )
    right, wrong = (
        (np.bincount(at, off > _NO_SPREAD * um, len(keys)) == 0) & (strata[sg] > 1)
        for off in (np.abs(um - ue), np.abs(ue))
    )
    if not (right | wrong).any():
        return means
    label = np.full(len(there), -1)
    label[there] = stratum
    varied = (~(right | wrong))[row_stratum] & counted
    whole, earned = (np.bincount(g[varied], one[varied], count).astype(float) for one in (m, e))
    others = _stratified(
        g[varied], label[at_cell][varied], of_unit[varied], e[varied], m[varied], whole,
        earned / whole,
    )  # fmt: skip
    uniform = UniformDomains.of(others, ug, um, right[at], wrong[at])
    return replace(means, uniform=uniform)


def satterthwaite(
    groups: Codes, variance: Floats, design: Floats, df: Floats, count: int
) -> Floats:
    """Return the degrees of freedom of sums of variances of strata, by group.

    Variances from few units are uncertain. Each is therefore averaged with its value if all strata
    of the group had the same variance between units, in the proportion `design`.
    """
    whole, shares = np.bincount(groups, variance, count), np.bincount(groups, design, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        mixed = (variance + whole[groups] * design / shares[groups]) / 2
        flat = np.where(whole[groups] > 0, mixed, design)
        positive = df > 0
        total = np.bincount(groups, np.where(positive, flat, 0.0), count)
        parts = np.bincount(groups, np.where(positive, flat**2 / np.maximum(df, 1), 0.0), count)
        return np.where(parts > 0, total**2 / parts, 0.0)


def _plain(g: Codes, earned: Floats, possible: Floats, rows: Codes) -> NDArray[np.bool_]:
    """Return for every unit whether it counts as one answer that is right or wrong.

    That is one answer, or as many as the group's other units have, all right or all wrong: the same
    question in two languages, for instance.
    """
    most = np.zeros(int(g.max(initial=0)) + 1)
    np.maximum.at(most, g, possible)
    alike = (earned == 0) | (earned == possible)
    return (possible == rows) & (possible == most[g]) & alike


def _of_answers(
    g: Codes, m: Floats, total: Floats, value: Floats, answer_variance: ArrayLike | None
) -> Means:
    """Return the means for `these-items`, where only the answers are sampled."""
    count = total.size
    given = np.full(g.size, np.nan) if answer_variance is None else answer_variance
    each = np.asarray(given, float) * m**2
    variance = np.bincount(g, each, count) / total**2
    items = np.bincount(g, minlength=count)
    ones = np.ones(count, np.intp)
    trials = np.where(variance > 0, np.clip(value * (1 - value) / variance, items, None), items)
    return Means(
        value, np.sqrt(variance), items.astype(float), items, ones, trials.astype(float),
        np.zeros(count, bool),
    )  # fmt: skip


def _collapsed(groups: Codes, strata: Codes, count: int) -> Codes:
    """Put strata of one unit together within each group; a lone one joins the smallest other.

    The spread of a stratum of one unit is unknown. Joined strata overestimate the spread rather
    than underestimate it (Cochran 1977, section 5A.12).
    """
    if not strata.size:
        return strata
    keys, at = _combined(groups, strata)
    n_of = np.bincount(at)
    label = keys[:, 1].copy()
    pool = int(strata.max()) + 1
    single = n_of == 1
    label[single] = pool
    lone = np.bincount(keys[single, 0], minlength=count)
    for group in np.flatnonzero(lone == 1):
        here = np.flatnonzero((keys[:, 0] == group) & ~single)
        if here.size:
            label[(keys[:, 0] == group) & single] = keys[here[np.argmin(n_of[here])], 1]
    return label[at]


def _combined(*codes: Codes) -> tuple[Codes, Codes]:
    """Return the combinations of codes that occur, a row each, and the row of every entry."""
    keys = np.zeros(codes[0].size, np.int64)
    for one in codes:
        low = int(one.min(initial=0))
        keys = keys * (int(one.max(initial=0)) - low + 1) + (one - low)
    _, first, at = np.unique(keys, return_index=True, return_inverse=True)
    return np.column_stack([one[first] for one in codes]), at.reshape(-1)


def _codes(names: ArrayLike) -> Codes:
    values = np.asarray(names)
    if values.dtype.kind in "iu":
        return values.astype(np.intp)
    return np.unique(values.astype(str), return_inverse=True)[1].reshape(-1)


def _spans(inner: Codes, outer: Codes) -> bool:
    """Return whether some value of `inner` occurs with several values of `outer`."""
    return len(_combined(inner, outer)[0]) > len(np.unique(inner))


def _joined(first: Codes, second: Codes) -> Codes:
    """Number the groups of entries that are connected through a shared value of either list."""
    # Not by scipy's graphs, because they load all of its solvers.
    lists = [np.unique(codes, return_inverse=True)[1].reshape(-1) for codes in (first, second)]
    lowest = lists[0]
    for _ in range(first.size):
        before = lowest
        for codes in reversed(lists):
            of_code = np.full(first.size, first.size)
            np.minimum.at(of_code, codes, lowest)
            lowest = of_code[codes]
        if np.array_equal(lowest, before):
            break
    return np.unique(lowest, return_inverse=True)[1].reshape(-1)
