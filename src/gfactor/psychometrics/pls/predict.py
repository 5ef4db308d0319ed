"""PLSpredict: prediction of new cases by a model, compared with a linear regression.

References
----------
Shmueli, G., Ray, S., Velasquez Estrada, J. M., Chatla, S. B. (2016). The elephant in the room:
    predictive performance of PLS models. Journal of Business Research 69, 4552-4564.
Shmueli, G. et al. (2019). Predictive model assessment in PLS-SEM: guidelines for using PLSpredict.
    European Journal of Marketing 53, 2322-2347.
Danks, N. P. (2021). The piggy in the middle: the role of mediators in PLS-SEM-based prediction. The
    DATA BASE for Advances in Information Systems 52, 24-42 (direct and earliest antecedents).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

from gfactor.computing import each
from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.pls.design import Design, Floats
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.psychometrics.pls.solution import solve
from gfactor.psychometrics.pls.stages import CorrelationSamples
from gfactor.results import Result, rounded

Technique = Literal["direct", "earliest"]
LinearModel = Literal["antecedents", "others"]
TECHNIQUES: tuple[Technique, ...] = ("direct", "earliest")
LINEAR_MODELS: tuple[LinearModel, ...] = ("antecedents", "others")
_REGRESSED: dict[LinearModel, str] = {
    "antecedents": "these antecedents",
    "others": "all other constructs",
}
CHUNK = 250


@dataclass(frozen=True, eq=False, repr=False)
class PLSPrediction(Result):
    """Errors of prediction of the indicators of explained constructs.

    Parameters
    ----------
    table : DataFrame
        One row per indicator: `construct`, `rmse`, `mae`, `q2_predict` (1 - SSE over that
        of the training means; above 0 if the model predicts better than these), the same
        of the linear-model benchmark (`lm_rmse`, `lm_mae`, `lm_q2_predict`), and of the
        fitted values of the training cases, averaged over the folds (`in_sample_rmse`,
        `in_sample_mae`).
    errors : DataFrame
        Cases x indicators, observed minus predicted out of sample; mean over the repeats.
    lm_errors : DataFrame
        The same of the benchmark.
    folds : int
        Number of folds.
    repeats : int
        Number of repetitions with other folds.
    technique : Technique
        Technique of prediction.
    linear_model : LinearModel
        Predictors of the linear benchmark.
    n : int
        Number of cases.
    seed : int
        Seed of the folds.
    squared : mapping of str to DataFrame
        Cases x indicators, squared errors averaged over the repeats: of the model ("pls"), of the
        benchmark ("lm") and of the training means ("mean").
    """

    table: pd.DataFrame
    errors: pd.DataFrame
    lm_errors: pd.DataFrame
    folds: int
    repeats: int
    technique: Technique
    linear_model: LinearModel
    n: int
    diagnostics: tuple[Diagnostic, ...] = ()
    seed: int = 0
    squared: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def power(self) -> str:
        """Predictive power by Shmueli et al. (2019), from the number of indicators on which PLS has
        a smaller RMSE than the benchmark; "unknown" if the benchmark could not be fitted."""
        rmse, linear = (self.table[name].to_numpy(float) for name in ("rmse", "lm_rmse"))
        if np.isnan(linear).any():
            return "unknown"
        share = float((rmse < linear).mean())
        if share in {0.0, 1.0}:
            return "high" if share else "none"
        return "medium" if share >= 0.5 else "low"

    @property
    def title(self) -> str:
        way = "leave-one-out" if self.folds == self.n else f"{self.folds}-fold"
        return (
            f"PLSpredict, {way}, {self.repeats} repeats, from {self.technique} "
            f"antecedents, n = {self.n}; predictive power {self.power} (RMSE against the "
            f"linear model on indicators of {_REGRESSED[self.linear_model]})"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("n", "folds", "repeats", "technique", "linear_model", "power")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"indicators": self.table}

    def _document(self) -> Mapping[str, Any]:
        return {**self.facts, "diagnostics": self.diagnostics, **self.tables}

    def _lines(self) -> list[str]:
        return [self.title, rounded(self.table, 4).to_string()]


def predict_pls(
    fit: PLSFit,
    *,
    folds: int | Literal["loo"] = 10,
    repeats: int = 1,
    seed: int = 0,
    technique: Technique = "direct",
    linear_model: LinearModel = "antecedents",
    watch: Callable[[int], object] = lambda _: None,
) -> PLSPrediction:
    """Predict indicators by cross-validation.

    Cases are scored with the means, deviations and weights of the other folds; explained constructs
    are predicted by their paths, indicators by their loadings. The benchmark is a linear regression
    of each indicator on other indicators.

    Parameters
    ----------
    fit : PLSFit
        Result of `fit_pls`, without second-order constructs and interactions (there is no agreed
        method for these) and without missing cells.
    folds : int or {'loo'}
        10 as in Shmueli et al. (2019), or "loo".
    repeats : int
        Number of random partitions to average over; one suffices for "loo".
    seed : int
        Seed of the folds.
    technique : Technique
        "direct": from the scores of a construct's own sources (seminr's predict_DA);
        "earliest": from constructs that nothing explains, along all paths (predict_EA).
    linear_model : LinearModel
        Predictors of the linear benchmark. "antecedents": the indicators of the constructs from
        which the technique predicts, so that both use the same data (seminr from 2.4 on); "others":
        all indicators of other constructs, also of later ones (seminr before that).
    watch : callable
        Function that is called with the number of newly fitted models.

    Returns
    -------
    PLSPrediction
        Q2_predict, and errors compared with those of a linear model.

    Raises
    ------
    ParameterError
        If the model or the data do not allow prediction.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import fit_pls, parse_pls, predict_pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> fit = fit_pls(parse_pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A"), data)
    >>> len(predict_pls(fit).to_dict()) > 0
    True
    """
    if fit.model.parts or fit.model.interactions:
        raise ParameterError(
            "prediction is defined for first-order models without interactions; fit the model "
            "without them"
        )
    if np.isnan(fit.table.raw).any():
        raise ParameterError(
            "prediction needs complete cases; fit the model with missing cells treated listwise"
        )
    n = fit.n
    k = n if folds == "loo" else int(folds)
    if not 2 <= k <= n:
        raise ParameterError(f"folds is {folds}; give 2 to {n} (the number of rows) or 'loo'")
    for name, value, allowed in (
        ("technique", technique, TECHNIQUES), ("linear_model", linear_model, LINEAR_MODELS)
    ):  # fmt: skip
        if value not in allowed:
            raise ParameterError(f"{name} {value!r} is none of {', '.join(allowed)}")
    if repeats < 1:
        raise ParameterError(f"repeats is {repeats}; give at least 1")
    rng = np.random.default_rng(seed)
    times = 1 if k == n else repeats
    explained = [bool(sources.size) for sources in fit.solution.design.sources]
    targets = np.flatnonzero(np.array(explained)[fit.solution.design.owner])
    x = fit.table.raw[:, _order(fit)]
    regressed_on = _regressed_on(fit.solution.design, technique, linear_model)
    pls, lm, naive, inside = (np.zeros((times, n, len(targets))) for _ in range(4))
    partitions = [np.arange(n) if k == n else rng.permutation(n) % k for _ in range(times)]
    parts = [
        (time, range(start, min(k, start + CHUNK)))
        for time in range(times)
        for start in range(0, k, CHUNK)
    ]
    how = targets, technique, regressed_on
    calls = ((fit, x, partitions[time], numbers, *how) for time, numbers in parts)
    for (time, numbers), predicted in zip(parts, each(_predict_folds, calls), strict=True):
        watch(len(numbers))
        for number, (errors, benchmark, means) in zip(numbers, predicted, strict=True):
            tested = partitions[time] == number
            pls[time, tested], lm[time, tested] = errors[tested], benchmark
            naive[time, tested] = x[tested][:, targets] - means
            inside[time, ~tested] += errors[~tested]
    inside /= k - 1
    names = [fit.solution.items[i] for i in targets]
    owners = [fit.constructs[fit.solution.design.owner[i]] for i in targets]
    table = pd.DataFrame({"construct": owners}, index=pd.Index(names, name="indicator"))
    base = (naive**2).sum(axis=(0, 1))
    for prefix, errors in (("", pls), ("lm_", lm)):
        table[f"{prefix}rmse"] = np.sqrt((errors**2).mean(axis=1)).mean(axis=0)
        table[f"{prefix}mae"] = np.abs(errors).mean(axis=(0, 1))
        table[f"{prefix}q2_predict"] = 1 - (errors**2).sum(axis=(0, 1)) / base
    table["in_sample_rmse"] = np.sqrt((inside**2).mean(axis=1)).mean(axis=0)
    table["in_sample_mae"] = np.abs(inside).mean(axis=(0, 1))
    frames = [pd.DataFrame(errors.mean(axis=0), fit.table.rows, names) for errors in (pls, lm)]
    squared = {
        name: pd.DataFrame((errors**2).mean(axis=0), fit.table.rows, names)
        for name, errors in (("pls", pls), ("lm", lm), ("mean", naive))
    }
    diagnostics = by_severity([*_warnings(table), *_corrected(fit)])
    return PLSPrediction(
        table=table,
        errors=frames[0],
        lm_errors=frames[1],
        folds=k,
        repeats=times,
        technique=technique,
        linear_model=linear_model,
        n=n,
        diagnostics=diagnostics,
        seed=seed,
        squared=squared,
    )


def _order(fit: PLSFit) -> list[int]:
    return [fit.table.columns.index(name) for name in fit.solution.items]


def _predict_folds(
    fit: PLSFit,
    x: Floats,
    fold: np.ndarray,
    numbers: Sequence[int],
    targets: np.ndarray,
    technique: Technique,
    regressed_on: Sequence[np.ndarray],
) -> list[tuple[Floats, Floats, Floats]]:
    """For every fold of these numbers, predicted from the others: the errors of all cases (n x
    targets), those of the linear model in the fold, and the means of the others (targets)."""
    tested = fold[None, :] == np.asarray(numbers)[:, None]
    solution = solve(
        fit.model, CorrelationSamples(fit.table.correlations((~tested).astype(float))), fit.settings
    )
    estimates, design = solution.estimates, solution.design
    plain = estimates if not fit.settings.consistent else solution.plain
    out = []
    for b, test in enumerate(tested):
        train = x[~test]
        mean, sd = train.mean(axis=0), train.std(axis=0, ddof=1)
        scores = (x - mean) / sd @ plain.weight_matrix()[b]
        guess = _predicted(scores, estimates.paths[b], design, technique)
        constructs = design.owner[targets]
        predicted = (
            guess[:, constructs] * estimates.loadings[b, targets] * sd[targets] + mean[targets]
        )
        benchmark = _benchmark(train, x[test], targets, design, regressed_on)
        out.append((x[:, targets] - predicted, benchmark, mean[targets]))
    return out


def _predicted(scores: Floats, paths: Floats, design: Design, technique: Technique) -> Floats:
    """Scores of explained constructs from those of their sources."""
    if technique == "direct":
        return scores @ paths
    guess = scores.copy()
    for j in design.order:
        if design.sources[j].size:
            guess[:, j] = guess @ paths[:, j]
    return guess


def _regressed_on(
    design: Design, technique: Technique, linear_model: LinearModel
) -> list[np.ndarray]:
    """For every construct, the predictors in the benchmark regressions of its indicators."""
    columns = []
    earliest: dict[int, set[int]] = {}
    for j in design.order:
        above = [earliest[int(i)] for i in design.sources[j]]
        earliest[j] = set[int]().union(*above) if above else {j}
    for j in range(len(design.constructs)):
        if linear_model == "others":
            columns.append(np.flatnonzero(design.owner != j))
            continue
        from_ = design.sources[j] if technique == "direct" else np.array(sorted(earliest[j]))
        columns.append(np.flatnonzero(np.isin(design.owner, from_)))
    return columns


def _benchmark(
    train: Floats,
    test: Floats,
    targets: np.ndarray,
    design: Design,
    regressed_on: Sequence[np.ndarray],
) -> Floats:
    errors = np.full((len(test), len(targets)), np.nan)
    for j in np.unique(design.owner[targets]):
        predictors = regressed_on[j]
        if len(predictors) + 1 >= len(train):
            continue
        members = np.flatnonzero(design.owner[targets] == j)
        left = np.column_stack([np.ones(len(train)), train[:, predictors]])
        slope = np.linalg.lstsq(left, train[:, targets[members]], rcond=None)[0]
        there = np.column_stack([np.ones(len(test)), test[:, predictors]])
        errors[:, members] = test[:, targets[members]] - there @ slope
    return errors


def _corrected(fit: PLSFit) -> list[Diagnostic]:
    if not fit.settings.consistent:
        return []
    return [
        Diagnostic(
            "corrected_paths_predict_too_far",
            "warning",
            "The paths and loadings of PLSc hold for common factors, and are applied to composite "
            "scores here: predictions lie too far from the means.",
            "Predict from a fit without the correction.",
        )
    ]


def _warnings(table: pd.DataFrame) -> list[Diagnostic]:
    diagnostics = []
    gaps = np.flatnonzero(np.isnan(table["lm_rmse"].to_numpy(float)))
    if gaps.size:
        names = tuple(str(table.index[i]) for i in gaps)
        diagnostics.append(
            Diagnostic(
                "no_benchmark",
                "warning",
                "The linear-model benchmark has as many predictors as training rows and was left "
                "out.",
                "Read Q2_predict only, or use fewer indicators.",
                names,
            )
        )
    worse = [str(table.index[i]) for i in np.flatnonzero(table["q2_predict"].to_numpy(float) <= 0)]
    if worse:
        diagnostics.append(
            Diagnostic(
                "predicts_no_better_than_means",
                "warning",
                f"{', '.join(worse)} are predicted no better than by their means.",
                "The model says nothing about them out of sample.",
                tuple(worse),
            )
        )
    return diagnostics
