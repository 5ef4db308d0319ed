"""Generalizability theory: how much of a score is the object, the item, the occasion, the judge.

A score is the sum of effects: the object of measurement (a model, a person), the facets (item,
occasion, prompt, judge, language) and their interactions. A G-study estimates the variance of each
effect; a D-study computes from these how precisely means over a given number of conditions of the
facets place the objects, relative to each other and absolutely.

Balanced data are analyzed by mean squares, unbalanced data by restricted maximum likelihood, right
and wrong answers by a logistic mixed model (Laplace), as lme4 does.

References
----------
Brennan, R. L. (2001). Generalizability Theory. Springer. Mean squares: sections 3.2 to 3.4;
    D-studies: chapter 4; Phi(lambda): equation 2.54; multivariate: chapter 9.
Bates, D., Maechler, M., Bolker, B., Walker, S. (2015). Fitting linear mixed-effects models using
    lme4. Journal of Statistical Software 67(1).
Albert, A., Anderson, J. A. (1984). On the existence of maximum likelihood estimates in logistic
    regression models. Biometrika 71, 1-10.
Peduzzi, P., Concato, J., Kemper, E., Holford, T. R., Feinstein, A. R. (1996). A simulation study of
    the number of events per variable in logistic regression analysis. Journal of Clinical
    Epidemiology 49, 1373-1379.
Weerahandi, S. (1993). Generalized confidence intervals. JASA 88, 899-905. Of mean squares; under
    REML those of an equivalent complete design, carried over to the profile likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.generalizability.components import by_mean_squares
from gfactor.psychometrics.generalizability.designs import (
    FacetDesign,
    conditions,
    error_variances,
    is_balanced,
)
from gfactor.psychometrics.generalizability.diagnosing import (
    at_boundary,
    carried,
    diagnosed,
    refuse_repeated,
    replicated,
)
from gfactor.psychometrics.generalizability.logistic import by_logistic_model
from gfactor.psychometrics.generalizability.restricted import (
    by_restricted_likelihood,
    not_ruled_out,
)
from gfactor.results import Result

Floats = NDArray[np.float64]
Estimator = Literal["auto", "anova", "reml", "logistic"]

_ROUNDING = 1e-12
"""Share of the largest component below which another one is rounding."""


@dataclass(frozen=True, repr=False)
class Generalizability(Result):
    """Variance components, and the coefficients that follow from them.

    Parameters
    ----------
    design : FacetDesign
        Objects, facets, nesting.
    estimator : {"anova", "reml", "logistic"}
        Method that estimated the components.
    components : DataFrame
        A row per effect: `variance`, `share`, `df`, `ms` (if estimated from mean squares), `se`,
        `ci_lower`, `ci_upper`. An estimate from mean squares may be below 0; its interval begins at
        0 and ends at the variance that the restricted likelihood does not rule out, if that is
        larger.
    sizes : mapping of facet to float
        Conditions of every facet in the data (harmonic mean per parent level where nested).
    n_objects, n : int
        Numbers of objects and scores.
    mean : float
        Grand mean; for "logistic" the intercept in logits.
    criterion : float
        REML criterion, or the log-likelihood of "logistic"; NaN for mean squares.
    level : float
        Confidence level of the intervals.
    samples : DataFrame
        Draws of the variance components, for intervals of quantities that depend on them; draws may
        be below 0, because only sums of components are cut off at 0.
    diagnostics : tuple of Diagnostic
        Errors first.
    """

    design: FacetDesign
    estimator: str
    components: pd.DataFrame
    sizes: Mapping[str, float]
    n_objects: int
    n: int
    mean: float
    criterion: float
    level: float
    samples: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        at = self.coefficients()
        return (
            f"{self.n_objects} {self.design.object}, {self.n} scores, {self.estimator}: "
            f"E rho2 = {at['e_rho2']:.3f}, Phi = {at['phi']:.3f}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "estimator": self.estimator,
            "object": self.design.object,
            "n_objects": self.n_objects,
            "conditions": {
                name: int(size) if size == round(size) else size
                for name, size in self.sizes.items()
            },
            "n": self.n,
            "confounded_with_error": self.components.index[-1],
            "mean": self.mean,
            "criterion": self.criterion,
            **self.coefficients(),
            "level": self.level,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"components": self.components}

    @property
    def sources(self) -> list[str]:
        """Return the sources of variance in words, in the order of `components`.

        The highest interaction cannot be told from error, so that the last source is both.
        """
        labels = [self.design.label(effect, " × ") for effect in self.design.effects]
        return [*labels[:-1], f"{labels[-1]}, confounded with error"]

    def coefficients(
        self, sizes: Mapping[str, float] | None = None, *, fixed: Sequence[str] = ()
    ) -> dict[str, float]:
        """Return error variances and coefficients of a mean over the given numbers of conditions.

        Parameters
        ----------
        sizes : mapping of facet to float, optional
            Number of conditions of every facet (per level of the facet in which it is nested); by
            default those of the data.
        fixed : sequence of str
            Facets whose conditions are all that exist; they do not contribute to the error.

        Returns
        -------
        dict
            `universe_score_variance`, `relative_error`, `absolute_error`, `e_rho2`, `phi`, and the
            ends `e_rho2_ci_lower` ... of the coefficients' intervals.
        """
        chosen = self._sizes(sizes, fixed)
        variances = self.components["variance"].to_numpy()[None, :]
        values = {k: float(v[0]) for k, v in self._errors(variances, chosen, fixed).items()}
        if len(self.samples):
            sampled = self._errors(self.samples.to_numpy(), chosen, fixed, drawn=True)
            tail = (1 - self.level) / 2
            for name in ("e_rho2", "phi"):
                finite = sampled[name][~np.isnan(sampled[name])]
                low, high = (
                    np.quantile(finite, [tail, 1 - tail]) if finite.size else (np.nan, np.nan)
                )
                values[f"{name}_ci_lower"], values[f"{name}_ci_upper"] = float(low), float(high)
        return values

    def d_study(
        self, grid: Mapping[str, Sequence[float]], *, fixed: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Return coefficients for every combination of numbers of conditions.

        Parameters
        ----------
        grid : mapping of facet to sequence of float
            Numbers of conditions to be tried.
        fixed : sequence of str
            See `coefficients`.

        Returns
        -------
        DataFrame
            A row per combination: `n_FACET` and the results of `coefficients`.
        """
        rows = []
        for chosen in product(*grid.values()):
            sizes = dict(zip(grid, chosen, strict=True))
            named = {f"n_{facet}": size for facet, size in sizes.items()}
            rows.append(named | self.coefficients(sizes, fixed=fixed))
        return pd.DataFrame(rows)

    def phi_lambda(self, cut: float, sizes: Mapping[str, float] | None = None) -> float:
        """Return the dependability of decisions at a cut score, for means over the given numbers of
        conditions.

        Parameters
        ----------
        cut : float
            Cut score, on the scale of the scores.
        sizes : mapping of facet to float, optional
            See `coefficients`.

        Returns
        -------
        float
            Dependability of the decision, not clipped; the squared distance of mean and cut is
            corrected for the mean's error.
        """
        chosen = self._sizes(sizes, ())
        at = self.coefficients(sizes)
        of_mean = at["universe_score_variance"] / self.n_objects
        for effect, variance in zip(self.design.effects, self.components["variance"], strict=True):
            others = effect - {self.design.object}
            if others:
                share = variance / math.prod(chosen[name] for name in others)
                of_mean += share / self.n_objects if self.design.object in effect else share
        signal = at["universe_score_variance"] + (self.mean - cut) ** 2 - of_mean
        return signal / (signal + at["absolute_error"])

    def _sizes(self, sizes: Mapping[str, float] | None, fixed: Sequence[str]) -> dict[str, float]:
        for name in (*(sizes or {}), *fixed):
            if name not in self.design.facets:
                raise ParameterError(
                    f"{name!r} is not a facet; the facets are {', '.join(self.design.facets)}"
                )
        chosen = {**self.sizes, **(sizes or {})}
        if min(chosen.values()) <= 0:
            raise ParameterError("a facet needs at least 1 condition")
        return chosen

    def _errors(
        self,
        variances: Floats,
        sizes: Mapping[str, float],
        fixed: Sequence[str],
        *,
        drawn: bool = False,
    ) -> dict[str, Floats]:
        universe, relative, absolute = error_variances(
            self.design.effects, variances, sizes, self.design.object, fixed
        )
        if drawn:
            universe, relative, absolute = (
                np.maximum(part, 0.0) for part in (universe, relative, absolute)
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                "universe_score_variance": universe,
                "relative_error": relative,
                "absolute_error": absolute,
                "e_rho2": universe / (universe + relative),
                "phi": universe / (universe + absolute),
            }


def gtheory(
    data: pd.DataFrame,
    *,
    object: str,
    facets: Sequence[str],
    value: str = "score",
    nested: Mapping[str, str] | None = None,
    omit: Sequence[str] = (),
    estimator: Estimator = "auto",
    level: float = 0.95,
    seed: int = 0,
) -> Generalizability:
    """Estimate the variance components of scores, and the dependability of their means.

    Parameters
    ----------
    data : DataFrame
        Long: a row per score.
    object : str
        Column of the object of measurement (examinee).
    facets : sequence of str
        Columns of the facets.
    value : str
        Column of the scores.
    nested : mapping of facet to facet, optional
        {"item": "template"}: the items of different templates are different items.
    omit : sequence of str
        Effects taken to be 0, by label ("model x template"); not with "anova".
    estimator : {"auto", "anova", "reml", "logistic"}
        "auto": mean squares if every cell holds one score, else REML. "logistic" is for scores
        of 0 and 1 and puts components on the logit scale, with the residual pi^2 / 3.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the random draws by which intervals are computed.

    Returns
    -------
    Generalizability
        Variance components with intervals, with methods for coefficients.

    Raises
    ------
    ParameterError
        For missing columns, facets with one condition, "anova" with unbalanced data, "logistic"
        with other scores than 0 and 1, "reml" and "logistic" with scores that are all the same;
        for a cell that holds several scores where most hold one.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> person, item = rng.normal(size=50), rng.normal(size=20)
    >>> scores = person[:, None] + item + rng.normal(size=(50, 20))
    >>> data = pd.DataFrame(scores).melt(ignore_index=False, var_name="item",
    ...                                  value_name="score").reset_index(names="person")
    >>> study = gtheory(data, object="person", facets=["item"])
    >>> study.components["variance"].round(2).to_dict()
    {'person': 1.3, 'item': 1.09, 'person x item': 0.98}

    References
    ----------
    Brennan (2001).
    """
    design = FacetDesign(object, tuple(facets), dict(nested or {}), tuple(omit))
    table = _checked(data, design, value)
    codes = {
        name: pd.factorize(
            pd.MultiIndex.from_arrays([table[column] for column in (*design.parents(name), name)])
        )[0]
        for name in (object, *facets)
    }
    y = table[value].to_numpy(float)
    balanced = not omit and is_balanced(design, codes)
    if estimator == "auto":
        estimator = "anova" if balanced else "reml"
    if estimator in ("reml", "logistic") and np.ptp(y) == 0:
        raise ParameterError(
            f"all {y.size:,} scores are {y[0]:g}: there is no variance to estimate; add harder or "
            "easier conditions"
        )
    if estimator == "anova":
        if not balanced:
            raise ParameterError(
                "mean squares need one score in every cell; use estimator='reml' for these data"
            )
        fitted = by_mean_squares(design, codes, y, seed)
    elif estimator == "reml":
        fitted = by_restricted_likelihood(design, codes, y, level, seed, complete=balanced)
    elif estimator == "logistic":
        if not np.isin(y, (0, 1)).all():
            raise ParameterError("estimator 'logistic' needs scores of 0 and 1")
        fitted = by_logistic_model(design, codes, y, seed)
    else:
        raise ParameterError(f"estimator must be auto, anova, reml or logistic, not {estimator!r}")
    components, samples = fitted.components, fitted.samples
    mean, criterion = fitted.mean, fitted.criterion
    # Differences of mean squares in the last digits are set to 0, and are not negative components.
    rounding = _ROUNDING * components["variance"].abs().max()
    components["variance"] = components["variance"].where(
        components["variance"].abs() > rounding, 0.0
    )
    tail = (1 - level) / 2
    components["share"] = (
        components["variance"].clip(lower=0) / components["variance"].clip(lower=0).sum()
    )
    ends = samples.quantile([tail, 1 - tail]) if len(samples) else None
    if fitted.intervals is not None:
        ends = fitted.intervals.T
    if ends is not None:
        ends = ends.where(ends.abs() > rounding, 0.0).clip(lower=0.0)
        below = list(components.index[(components["variance"] < 0).to_numpy()])
        if below:
            upper = not_ruled_out(ends.iloc[1], design, codes, y, level, seed)
            ends.loc[ends.index[1], below] = upper.loc[below]
    components["ci_lower"] = np.nan if ends is None else ends.iloc[0]
    components["ci_upper"] = np.nan if ends is None else ends.iloc[1]
    if estimator == "logistic":
        # The residual pi^2 / 3 is no estimate.
        components.loc[components.index[-1], ["se", "ci_lower", "ci_upper"]] = np.nan
    order = ["variance", "share", "df", "ms", "se", "ci_lower", "ci_upper"]
    sizes = {name: conditions(design, codes, name) for name in facets}
    return Generalizability(
        design,
        estimator,
        components.loc[:, order],
        sizes,
        int(codes[object].max()) + 1,
        y.size,
        mean,
        criterion,
        level,
        samples,
        (
            *carried(estimator, components, samples, y, mean),
            *at_boundary(estimator, components),
            *replicated(table, [object, *facets]),
            *diagnosed(design, components, codes),
        ),
    )


def _checked(data: pd.DataFrame, design: FacetDesign, value: str) -> pd.DataFrame:
    names = [design.object, *design.facets]
    for name in (*names, value):
        if name not in data.columns:
            remedy = "; name the column of the scores with value (--value)" * (name == value)
            there = ", ".join(map(str, data.columns))
            raise ParameterError(f"column {name!r} is not in the data, which have {there}{remedy}")
    if not design.facets or len(set(names)) != len(names):
        raise ParameterError("a G-study needs an object and one facet or more, all different")
    for inner, outer in design.nested.items():
        if inner not in design.facets or outer not in design.facets:
            raise ParameterError(f"nested {inner}:{outer}: both must be facets")
    table = data.loc[:, [*names, value]].dropna()
    try:
        table = table.astype({value: float})
    except (TypeError, ValueError):
        raise ParameterError(
            f"the scores in column {value!r} are not all numbers; give numbers, and leave missing "
            "cells empty"
        ) from None
    for name in names:
        levels = len(set(table[name].tolist()))
        if levels < 2:
            raise ParameterError(_too_few(name, levels, design))
    refuse_repeated(table, names)
    return table


def _too_few(name: str, levels: int, design: FacetDesign) -> str:
    """Return a sentence about a facet, or object, with fewer than two levels."""
    if not levels:
        return (
            f"the data hold no score, so that the variance of {name!r} cannot be estimated; have "
            "the items asked first"
        )
    remedy = (
        f"add the scores of another {name}"
        if name == design.object
        else f"leave it out of the facets, or add scores of another {name}"
    )
    return f"{name!r} has one level, so that its variance cannot be estimated; {remedy}"
