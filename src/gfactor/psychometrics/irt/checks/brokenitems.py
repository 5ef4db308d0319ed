"""Broken items by name: what is wrong with which item, with the evidence for it.

References
----------
Yen, W. M. (1984). Effects of local item dependence on the fit and equating performance of the
    three-parameter logistic model. Applied Psychological Measurement 8, 125-145.
Christensen, K. B., Makransky, G., Horton, M. (2017). Critical values for Yen's Q3: identification
    of local dependence in the Rasch model using residual correlations. Applied Psychological
    Measurement 41, 178-194.
Linacre, J. M. (2002). What do infit and outfit, mean-square and standardized mean? Rasch
    Measurement Transactions 16, 878.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.listing import first_few
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.classical.key_votes import OUTVOTED_KEY, Votes, outvoted_keys
from gfactor.psychometrics.diagnostic import Diagnostic, Severity
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.checks.distractors import option_table
from gfactor.psychometrics.irt.checks.freed_slopes import freed_slope, own_slopes
from gfactor.psychometrics.irt.checks.itemfit import (
    item_fit,
    posterior_mean_squares,
    residuals,
    s_x2_note,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats, log_probabilities
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses
from gfactor.results import Result

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.result import IRTFit

LEVEL = 0.05
FLAT = 0.3
"""A slope whose 95 % interval ends below this is near zero."""
NOISY = 1.5
"""Outfit above this degrades measurement (Linacre 2002)."""
SURE = 0.95
"""An item whose expected score share is above this (or below 1 - this) for all measures nobody."""
COLUMNS = ("item", "reason", "with_item", "measure", "statistic", "p_adjusted")
MOST_CELLS = 50_000_000
"""Largest number of simulated responses; no table is simulated for larger data."""
MOST_ITEMS = 2_000
"""Largest number of items whose pairs are examined."""

S_X2_REMEDY = "Read infit and outfit, which take all responses."
_REASONS: Mapping[str, tuple[Severity, str, str]] = {
    "negative_discrimination": (
        "error", "are failed more often by the able", "Check the key; leave the item out."),
    "negative_slope": (
        "warning", "have a slope below 0, which may be chance or a wrong key",
        "Check the keys of those with a small p."),
    "near_zero_discrimination": (
        "warning", "hardly depend on ability", "Look at the item; leave it out if it is unclear."),
    "too_easy": ("note", "are solved by everybody", "They measure nobody here; ask harder ones."),
    "too_hard": ("note", "are solved by nobody", "They measure nobody here; ask easier ones."),
    "locally_dependent": (
        "warning", "depend on each other beyond ability",
        "Ask one of each pair, or score the pair as one item."),
    "misfit": ("warning", "do not follow their curves (S-X2)", "Look at the observed points."),
    "fits_nobody": (
        "warning", "have responses that ability does not explain (outfit)",
        "Look for ambiguous questions, or examinees who answer at random."),
    "wrong_key": (
        "error", "have an option that attracts the able more than the key does", "Check the key."),
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class BrokenItems(Result):
    """Items with a flaw, and the reasons.

    Parameters
    ----------
    table : DataFrame
        `item`, `reason`, `with_item` (of pairs; the option for a wrong key), `measure` (slope;
        freed slope, if the model fixes or shares slopes: the one that the item would have if it
        alone were free, as a multiple of the model's; share, Q3, S-X2, outfit, the option's
        correlation with ability where a key is suspected, its share of choices where most chose
        it), `statistic` (its value), `p_adjusted`.
    n_items : int
        Number of items that were looked at.
    simulations : int
        Number of simulated tables from which the distributions of Q3 and outfit were computed.
    unchecked : tuple of str
        Statistics that were not computed: "S-X2", "Q3", "outfit".
    diagnostics : tuple of Diagnostic
        One per reason, and a note if S-X2 uses fewer persons, or was not computed.
    options : DataFrame or None
        Attraction of every option of every item (`distractors.option_table`), if choices were
        given.
    replies : DataFrame or None
        Replies to the items in `table` (`gfactor.api.scales.irt_data.broken_replies`): `item`,
        `item_id`, `reasons`, `picture`, `key`, `examinee`, `ability`, `answer`, `correct`,
        `reply`; from a journal.
    """

    table: pd.DataFrame
    n_items: int
    simulations: int
    unchecked: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    options: pd.DataFrame | None = None
    replies: pd.DataFrame | None = None

    @property
    def title(self) -> str:
        sentence = f"{self.table['item'].nunique()} of {self.n_items} items have something wrong"
        without = f" (not looked at: {', '.join(self.unchecked)})" if self.unchecked else ""
        return sentence + without

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"n_items": self.n_items, "simulations": self.simulations}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        more = {"options": self.options, "replies": self.replies}
        return {"broken_items": self.table} | {k: v for k, v in more.items() if v is not None}


def broken_items(
    fit: IRTFit, *, choices: pd.DataFrame | None = None, key: Mapping[str, Any] | None = None,
    n_options: Mapping[str, int] | None = None,
    simulations: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None,
) -> BrokenItems:  # fmt: skip
    """Find items with a flaw, such as a negative slope or misfit.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    choices : DataFrame (P, J) or None
        The option that every person chose, rows as in the data, for wrong keys.
    key : mapping of item to option, or None
        The keyed options.
    n_options : mapping of item to int, or None
        Numbers of options, also of those that nobody chose.
    simulations : int
        Number of tables simulated from the model (with the same missing responses) for the
        distributions of the largest Q3 and the largest outfit; 0 leaves both out.
    seed : int
        Seed of the simulation.
    progress : callable or None
        Called with the number of the simulation and the number of all simulations.

    Returns
    -------
    BrokenItems
        Items with flaws by severity, with the evidence for each.

    Raises
    ------
    ParameterError
        If the model has several factors or groups.

    Notes
    -----
    p-values of Q3 and outfit are those of the largest value of any pair or item in a simulated
    table, and so hold for all pairs or items together; the others are adjusted by Benjamini and
    Hochberg. Item parameters are held fixed in the simulation; abilities are estimated again.

    Examples
    --------
    >>> from gfactor.psychometrics.irt import fit_irt
    >>> rng = np.random.default_rng(1)
    >>> theta = rng.normal(size=(400, 1))
    >>> right = rng.uniform(size=(400, 8)) < 1 / (1 + np.exp(-2 * theta))
    >>> data = pd.DataFrame(right.astype(int)).assign(wrong=1 - right[:, 0])
    >>> broken = broken_items(fit_irt("rasch", data), simulations=20)
    >>> "wrong" in set(broken.table.query("reason == 'negative_discrimination'")["item"])
    True
    """
    items = item_fit(fit)
    rows = [*_discrimination(fit), *_extremes(fit)]
    adjusted = benjamini_hochberg(items["s_x2_p"].to_numpy())
    for name, statistic, p in zip(fit.table.items, items["s_x2"], adjusted, strict=True):
        if p < LEVEL:
            rows.append((name, "misfit", "", "S-X2", statistic, p))
    if simulations:
        rows += _simulated(fit, simulations, seed, progress)
    options = outvoted = None
    if choices is not None and key is not None:
        options = option_table(fit, choices, key, alpha=LEVEL)
        wrong = options[options["suspected"]]
        rows += [
            (item, "wrong_key", option, "correlation", r, p)
            for item, option, r, p in zip(
                *(wrong[name] for name in ("item", "option", "r", "p_adjusted")), strict=True
            )
        ]
        keys = {name: str(option) for name, option in key.items()}
        votes = outvoted_keys(_votes(choices), keys, n_options)
        outvoted = votes.diagnostic
        rows += [
            (one.item, OUTVOTED_KEY, one.option, "share", one.for_option / one.n, np.nan)
            for one in votes.outvoted
        ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    table["statistic"] = table["statistic"].astype(float)
    table["p_adjusted"] = table["p_adjusted"].astype(float)
    count = len(fit.table.items) + len(fit.table.left_out)
    diagnostics = [
        _diagnostic(reason, table, count, fit)
        for reason in _REASONS
        if reason in set(table["reason"])
    ]
    diagnostics += [outvoted] if outvoted else []
    unchecked = ["S-X2"] if np.isnan(items["s_x2_p"].to_numpy(float)).all() else []
    unchecked += [] if simulations else ["Q3", "outfit"]
    if (note := s_x2_note(fit)) is not None:
        diagnostics.append(Diagnostic(note[0], "note", note[1], S_X2_REMEDY))
    return BrokenItems(table, count, simulations, tuple(unchecked), tuple(diagnostics), options)


def affordable_simulations(fit: IRTFit, simulations: int) -> int:
    """Return `simulations`, or 0 if the data are too large for this number of simulated tables."""
    small = fit.table.codes.size * simulations < MOST_CELLS
    return simulations if small and len(fit.table.items) <= MOST_ITEMS else 0


def _diagnostic(reason: str, table: pd.DataFrame, count: int, fit: IRTFit) -> Diagnostic:
    severity, predicate, remedy = _REASONS[reason]
    names = tuple(dict.fromkeys(map(str, table["item"][table["reason"] == reason])))
    listed = first_few(names)
    if reason == "negative_slope":
        rows = table[table["reason"] == reason]
        columns = (rows[name] for name in ("item", "measure", "statistic", "p_adjusted"))
        errors = dict(zip(fit.table.items, fit.items["se_a"], strict=True))
        listed = first_few(
            (
                f"{item} ({measure} {value:.2f}"
                + (f", standard error {errors[item]:.2f}" if measure == "slope" else "")
                + f", adjusted p {p_value(p, '= ')})"
                for item, measure, value, p in zip(*columns, strict=True)
            ),
            between="; ",
        )
    return Diagnostic(
        reason, severity, f"{len(names)} of {count} items {predicate}: {listed}.", remedy, names
    )


def _votes(choices: pd.DataFrame) -> dict[str, Votes]:
    """Return the number of persons who chose each option, by item."""
    return {
        str(name): Counter(str(option) for option in column if isinstance(option, str))
        for name, column in choices.items()
    }


_Row = tuple[str, str, str, str, float, float]


def _discrimination(fit: IRTFit) -> list[_Row]:
    """Slopes of items; where a model fixes or shares them, the slopes that they would have."""
    has_own = own_slopes(fit)
    slopes = fit.items[["a", "se_a"]].to_numpy(dtype=float)
    freed = {int(j): freed_slope(fit, int(j), FLAT) for j in np.flatnonzero(~has_own)}
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stats.norm.cdf(slopes[:, 0] / slopes[:, 1])
    p[list(freed)] = [one.p_negative for one in freed.values()]
    rows: list[_Row] = []
    for j, adjusted in enumerate(benjamini_hochberg(p)):
        if has_own[j]:
            measure, value = "slope", slopes[j, 0]
            is_flat = value + 1.96 * slopes[j, 1] < FLAT
        else:
            measure, value = "freed slope", freed[j].slope
            is_flat = freed[j].p_flat < LEVEL / 2
        name = fit.table.items[j]
        if value < 0 and adjusted < LEVEL:
            rows.append((name, "negative_discrimination", "", measure, value, adjusted))
        elif is_flat and value < 0:
            rows.append((name, "negative_slope", "", measure, value, adjusted))
        elif is_flat:
            rows.append((name, "near_zero_discrimination", "", measure, value, np.nan))
    return rows


def _extremes(fit: IRTFit) -> list[_Row]:
    """Items whose expected share is beyond .05 or .95 for every examinee."""
    theta = fit.scores("eap")["theta"].to_numpy()
    ends = np.array([theta.min(), theta.max()])
    rows: list[_Row] = []
    for block in fit.likelihood.model.groups[0].blocks:
        p = np.exp(log_probabilities(
            block.kind, fit.optimum.at.values[block.index], ends[:, None], block.categories
        ))  # fmt: skip
        codes = np.arange(block.categories, dtype=np.float64)
        share = einsum("k,jkq->jq", codes, p) / (block.categories - 1)
        for column, least, most in zip(
            block.columns, share.min(axis=1), share.max(axis=1), strict=True
        ):
            name = fit.table.items[column]
            if least > SURE:
                rows.append((name, "too_easy", "", "share", float(least), np.nan))
            elif most < 1 - SURE:
                rows.append((name, "too_hard", "", "share", float(most), np.nan))
    return rows


def _simulated(
    fit: IRTFit, simulations: int, seed: int, progress: Callable[[int, int], None] | None
) -> list[_Row]:
    rng = np.random.default_rng(seed)
    codes = fit.table.codes
    q3, outfit = _residual_statistics(fit, codes, fit.optimum.at.posteriors[0].weights)
    largest = np.zeros((simulations, 2))
    for number in range(simulations):
        drawn = simulate(fit, rng)
        likelihood = Marginal(
            fit.likelihood.model,
            CodedResponses(drawn, fit.likelihood.data.weights, fit.likelihood.data.group,
                      fit.likelihood.data.covariates),
            fit.likelihood.quadrature,
        )  # fmt: skip
        at = likelihood.evaluate(fit.optimum.x, derivative=False)
        weights = at.posteriors[0].weights
        pairs, squares = _residual_statistics(fit, drawn, weights)
        largest[number] = np.nanmax(pairs, initial=-1), np.nanmax(squares, initial=0)
        if progress is not None:
            progress(number + 1, simulations)
    rows: list[_Row] = []
    items = fit.table.items
    answered_together = np.isfinite(q3)  # a pair that too few answered has no correlation
    for i, j in np.argwhere(np.triu(answered_together, 1)):
        p = (1 + np.sum(largest[:, 0] >= q3[i, j])) / (1 + simulations)
        if p < LEVEL:
            rows.append((items[i], "locally_dependent", items[j], "Q3", float(q3[i, j]), float(p)))
    for j, value in enumerate(outfit):
        p = (1 + np.sum(largest[:, 1] >= value)) / (1 + simulations)
        if value > NOISY and p < LEVEL:
            rows.append((items[j], "fits_nobody", "", "outfit", float(value), float(p)))
    return rows


def _residual_statistics(
    fit: IRTFit, codes: NDArray[np.int16], weights: Floats
) -> tuple[Floats, Floats]:
    """Q3 (J, J), NaN on the diagonal, and outfit (J,)."""
    residual, _ = residuals(fit, codes, weights @ fit.likelihood.nodes[:, 0])
    seen = ~np.isnan(residual)
    if seen.all():
        with np.errstate(invalid="ignore", divide="ignore"):
            q3: Any = np.corrcoef(residual.T)
    else:
        q3 = pd.DataFrame(residual).corr(min_periods=10).to_numpy(copy=True)
    np.fill_diagonal(q3, np.nan)
    return q3, posterior_mean_squares(fit, codes, weights)[1]


def simulate(fit: IRTFit, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return responses (P, J) drawn from a fitted model, missing where the data's are.

    Parameters
    ----------
    fit : IRTFit
        A model with any number of factors and groups.
    rng : numpy Generator
        Random number generator of the draws.
    """
    values, codes, data = fit.optimum.at.values, fit.table.codes, fit.likelihood.data
    drawn = np.full(codes.shape, -1, np.int16)
    for g, group in enumerate(fit.likelihood.model.groups):
        rows = np.flatnonzero(data.group == g)
        mean = np.tile(values[group.mean], (len(rows), 1))
        if group.regression is not None:
            assert data.covariates is not None
            mean += data.covariates[rows] @ values[group.regression]
        size, turn = np.linalg.eigh(values[group.covariance])
        root = turn * np.sqrt(np.maximum(size, 0.0))
        theta = mean + rng.standard_normal(mean.shape) @ root.T
        for block in group.blocks:
            abilities = theta[:, list(block.factors)]
            p = np.exp(
                log_probabilities(block.kind, values[block.index], abilities, block.categories)
            )
            uniform = rng.random((len(block.columns), 1, len(rows)))
            answers = (uniform > np.cumsum(p, axis=1)[:, :-1]).sum(axis=1).T
            drawn[np.ix_(rows, block.columns)] = answers
    drawn[codes < 0] = -1
    return drawn
