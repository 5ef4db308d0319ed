"""Models of latent variables and constructs: structural equations, invariance, PLS paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, overload

import pandas as pd

from gfactor.api.progress_bars import counter, ticks
from gfactor.errors import ParameterError
from gfactor.parameters import Seed
from gfactor.psychometrics import sem as models
from gfactor.psychometrics.given import (
    ALL_BENCHMARKS,
    TableLike,
    as_frame,
    items_of_one_benchmark,
    kind_of,
    model_and_data_in_either_order,
    without_named_columns,
)
from gfactor.psychometrics.irt.comparison import IRTComparison, compare_irt_fits
from gfactor.psychometrics.irt.errors import ErrorKind
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.marginal import Quadrature
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.pls import PLSFit, PLSModel, fit_pls
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.stages import Interaction, SecondOrder
from gfactor.psychometrics.sem.comparison import ChiSquareDifference
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.fitting import Moments
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance
from gfactor.psychometrics.sem.parameters import ParameterTable


@model_and_data_in_either_order
def sem(
    model: str | ParameterTable,
    data: TableLike | None = None,
    *,
    group: str | None = None,
    sample_cov: Moments | None = None,
    sample_mean: pd.Series | Sequence[pd.Series] | Mapping[str, pd.Series] | None = None,
    n: int | Sequence[int] | None = None,
    estimator: str = "ML",
    se: str = "default",
    test: str | tuple[str, ...] = "default",
    missing: str = "default",
    information: str | tuple[str, ...] = "default",
    observed_information: str | tuple[str, ...] = "default",
    h1_information: str | tuple[str, ...] = "default",
    mimic: str = "lavaan",
    likelihood: str = "default",
    meanstructure: bool | None = None,
    std_lv: bool = False,
    std_ov: bool = False,
    orthogonal: bool = False,
    fixed_x: bool | None = None,
    conditional_x: bool | None = None,
    effect_coding: Sequence[str] = (),
    bounds: str = "none",
    group_equal: Sequence[str] = (),
    group_partial: Sequence[str] = (),
    group_label: Sequence[str] = (),
    model_type: str = "cfa",
    parameterization: str = "default",
    ordered: Sequence[str] | str = (),
    auto_fix_first: bool | None = None,
    auto_fix_single: bool | None = None,
    auto_var: bool | None = None,
    auto_cov_lv_x: bool | None = None,
    auto_cov_y: bool | None = None,
    auto_th: bool | None = None,
    auto_delta: bool | None = None,
    int_ov_free: bool | None = None,
    int_lv_free: bool | None = None,
    orthogonal_x: bool = False,
    orthogonal_y: bool = False,
    check_lv_names: bool = True,
    em_h1_tol: float = 1e-05,
    ci_level: float = 0.95,
    sampling_weights: str | None = None,
    cluster: str | None = None,
    rotation: str = "geomin",
    geomin_epsilon: float = 0.001,
    rotation_std_ov: bool = True,
    bootstrap: int = 1000,
    iseed: int | None = None,
) -> Fit:
    """Fit a structural equation model in lavaan's syntax, to lavaan's digits.

    Parameters
    ----------
    model : str or ParameterTable
        lavaan syntax, such as "g =~ x1 + x2 + x3". Model and data may also be given in the other
        order.
    data : DataFrame, optional
        Cases by variables; missing values as NaN. Columns that the model does not name are ignored.
    group : str, optional
        The column of `data` that separates groups.
    sample_cov : DataFrame, optional
        Labelled covariance matrix (divisor n - 1) instead of data; a list or a mapping by group.
    sample_mean : Series, optional
        The means that go with `sample_cov`.
    n : int, optional
        The number of cases that go with `sample_cov`; one per group.
    estimator : str
        What is minimized, with the standard errors and the test that belong to it: "ML", "MLR",
        "MLM", "GLS", "ULS", "WLS", "DWLS", "WLSMV" ... "default" here and below, and None, stand
        for what lavaan takes.
    se : str
        Standard errors: "standard", "robust.huber.white", "bootstrap", "none" ...
    test : str or tuple of str
        Test of fit: "standard", "satorra.bentler", "bollen.stine" ...
    missing : str
        Incomplete cases: "listwise", "ml" (full information), "ml.x", "pairwise", "two.stage" or
        "robust.two.stage".
    information : str or tuple of str
        "expected" or "observed"; one value, or two (for standard errors, for the test).
    observed_information : str or tuple of str
        "hessian" or "h1".
    h1_information : str or tuple of str
        Moments at which weights are taken: "structured" (the model's) or "unstructured".
    mimic : str
        Program whose defaults are taken.
    likelihood : str
        "normal" (divisor n) or "wishart" (divisor n - 1).
    meanstructure : bool, optional
        Whether means are modeled.
    std_lv : bool
        Whether latent variables have variance 1, in the place of markers.
    std_ov : bool
        Whether observed variables are standardized first.
    orthogonal : bool
        Whether latent variables do not correlate.
    fixed_x : bool, optional
        Whether covariates are taken as given.
    conditional_x : bool, optional
        Whether effects of covariates are taken out before the model is fitted.
    effect_coding : list of str
        "loadings" and "intercepts" whose mean is fixed, in the place of a marker.
    bounds : str
        "none", "pos.var", "pos.ov.var", "pos.lv.var", "standard" or "wide".
    group_equal : list of str
        Parameters that are equal across groups: "loadings", "intercepts" ...
    group_partial : list of str
        Exceptions from these, as "x1 ~1" or "f =~ x2".
    group_label : list of str
        Groups to take, in this order; all if left out.
    model_type : {"cfa", "sem", "growth", "lavaan"}
        Function of lavaan whose defaults complete the model; by default "cfa".
    parameterization : str
        Of ordinal variables: "delta" or "theta".
    ordered : list of str or str
        Names of ordinal variables, or "*" for all that are no covariates.
    auto_fix_first : bool, optional
        Whether the first loading of a latent variable is fixed to 1.
    auto_fix_single : bool, optional
        Whether the residual variance of a single indicator is fixed to 0.
    auto_var : bool, optional
        Whether variances are added.
    auto_cov_lv_x : bool, optional
        Whether covariances of exogenous latent variables are added.
    auto_cov_y : bool, optional
        Whether covariances of dependent variables are added.
    auto_th : bool, optional
        Whether thresholds are added.
    auto_delta : bool, optional
        Whether scaling parameters are added.
    int_ov_free : bool, optional
        Whether intercepts of observed variables are free.
    int_lv_free : bool, optional
        Whether intercepts of latent variables are free.
    orthogonal_x : bool
        Whether exogenous latent variables do not correlate.
    orthogonal_y : bool
        Whether dependent latent variables do not correlate.
    check_lv_names : bool
        Whether a latent variable that is called as a column of the data is an error.
    em_h1_tol : float
        Tolerance of EM for the unrestricted moments of incomplete data.
    ci_level : float
        Level of the confidence intervals of estimates.
    sampling_weights : str, optional
        Column of sampling weights of the cases, above 0 (ML and MLR).
    cluster : str, optional
        Column of clusters of cases that depend on each other, such as families of models: standard
        errors and test count clusters (ML and MLR). Models with `level:` blocks need it.
    rotation : str
        Rotation of exploratory blocks: "geomin" or "oblimin".
    geomin_epsilon : float
        Constant of geomin.
    rotation_std_ov : bool
        Whether loadings are rotated on standardized variables.
    bootstrap : int
        Number of resamples of se = "bootstrap" and test = "bollen.stine".
    iseed : int, optional
        Seed of the resamples; 0 where None.

    Returns
    -------
    Fit
        `estimates` and `fit_measures` (DataFrame, Series), `diagnostics` (what limits the use of
        the result), `scores(new_data)`, `summary()`, `apa()`, `to_dict()`, `report(folder)`.

    Raises
    ------
    ParameterError
        For what is wrong with the model, the data or the options, in one sentence. A search that
        does not converge raises nothing: see `converged` and `diagnostics`.

    References
    ----------
    Rosseel, Y. (2012). lavaan: an R package for structural equation modeling. Journal of
    Statistical Software 48(2).

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = gf.sem("g =~ x1 + x2 + x3 + x4", data, estimator="MLR")
    >>> fit.converged, fit.n
    (True, 300)
    >>> bool(fit.fit_measures["cfi"] > 0.95)
    True
    >>> fit.scores(data.head(2)).scores.shape
    (2, 1)
    """
    return models.fit(
        model,
        None if data is None else as_frame(data, "data"),
        group=group,
        sample_cov=sample_cov,
        sample_mean=sample_mean,
        n=n,
        estimator=estimator,
        se=se,
        test=test,
        missing=missing,
        information=information,
        observed_information=observed_information,
        h1_information=h1_information,
        mimic=mimic,
        likelihood=likelihood,
        meanstructure=meanstructure,
        std_lv=std_lv,
        std_ov=std_ov,
        orthogonal=orthogonal,
        fixed_x=fixed_x,
        conditional_x=conditional_x,
        effect_coding=effect_coding,
        bounds=bounds,
        group_equal=group_equal,
        group_partial=group_partial,
        group_label=group_label,
        model_type=model_type,
        parameterization=parameterization,
        ordered=ordered,
        auto_fix_first=auto_fix_first,
        auto_fix_single=auto_fix_single,
        auto_var=auto_var,
        auto_cov_lv_x=auto_cov_lv_x,
        auto_cov_y=auto_cov_y,
        auto_th=auto_th,
        auto_delta=auto_delta,
        int_ov_free=int_ov_free,
        int_lv_free=int_lv_free,
        orthogonal_x=orthogonal_x,
        orthogonal_y=orthogonal_y,
        check_lv_names=check_lv_names,
        em_h1_tol=em_h1_tol,
        ci_level=ci_level,
        sampling_weights=sampling_weights,
        cluster=cluster,
        rotation=rotation,
        geomin_epsilon=geomin_epsilon,
        rotation_std_ov=rotation_std_ov,
        bootstrap=bootstrap,
        iseed=iseed,
    )


def invariance(
    model: str,
    data: TableLike,
    *,
    group: str,
    estimator: str | None = None,
    ordered: Sequence[str] = (),
    missing: str = "default",
    method: str | None = None,
    criterion: Literal["p", "fit"] = "p",
    alpha: float = 0.05,
    partial: bool = False,
    std_lv: bool = True,
) -> Invariance:
    """Configural, metric, scalar and strict invariance of a model over groups.

    Parameters
    ----------
    model : str
        lavaan syntax, without groups.
    data : DataFrame
        Cases by variables, with the column `group`.
    group : str
        The column that separates groups.
    estimator : str, optional
        Estimator; by default MLR, or WLSMV with ordinal variables.
    ordered : list of str
        Ordinal variables.
    missing : str
        "listwise", "ml" or "pairwise"; by default what the estimator has.
    method : {"standard", "satorra.bentler.2001", "satorra.bentler.2010", "satorra.2000"}, optional
        Method by which differences of chi-square are scaled; by default the one that goes with the
        estimator.
    criterion : str
        Criterion by which a level holds: "p" (the difference test is not significant at `alpha`) or
        "fit" (CFI, RMSEA and SRMR change by less than Chen's cutoffs).
    alpha : float
        The level of the difference tests.
    partial : bool
        True to release equalities one at a time, if a level does not hold, until it does.
    std_lv : bool
        True to scale latent variables by their variances, so that every loading is tested; with
        False every factor's first loading is taken as invariant.

    Returns
    -------
    Invariance
        The level that holds, every step with its fit, what was released, `diagnostics`.

    Raises
    ------
    ParameterError
        For a column with fewer than two groups, and what `sem` raises.

    References
    ----------
    Chen, F. F. (2007). Sensitivity of goodness of fit indexes to lack of measurement invariance.
    Structural Equation Modeling 14, 464-504.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=400)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=400) for k in range(1, 5)})
    >>> data["lab"] = ["a", "b"] * 200
    >>> steps = gf.invariance("g =~ x1 + x2 + x3 + x4", data, group="lab")
    >>> steps.table["level"].tolist()
    ['configural', 'metric', 'scalar', 'strict']
    """
    with counter(5 if ordered else 4, "invariance", "level") as bar:
        return models.invariance(
            model,
            as_frame(data, "data"),
            group,
            estimator=estimator,
            ordered=ordered,
            missing=missing,
            method=method,
            criterion=criterion,
            alpha=alpha,
            partial=partial,
            std_lv=std_lv,
            progress=ticks(bar),
        )


def pls(
    model: PLSModel | str,
    data: TableLike,
    *,
    scheme: Scheme = "path",
    consistent: bool = False,
    second_order: SecondOrder = "two-stage",
    interaction: Interaction = "two-stage",
    missing: Missing = "error",
) -> PLSFit:
    """Fit a PLS path model, to seminr's digits.

    Parameters
    ----------
    model : PLSModel or str
        Lines such as "A =~ x1 + x2" (mode A), "B <~ x3 + x4" (mode B), "B ~ A" (path).
    data : DataFrame
        One row per case.
    scheme : str
        Inner weights: "path", "factorial" or "centroid".
    consistent : bool
        PLSc: correct loadings and paths for unreliability by rho_A.
    second_order : str
        Method that estimates second-order constructs.
    interaction : str
        Method that forms interactions.
    missing : str
        Treatment of missing cells; "error" refuses them.

    Returns
    -------
    PLSFit
        `paths`, `loadings`, `reliability`, `htmt`, `diagnostics`, `summary()`, `report(folder)`;
        `gfactor.psychometrics.bootstrap_pls(fit)` gives intervals.

    Raises
    ------
    ParameterError
        For what cannot be fitted, in one sentence.

    References
    ----------
    Wold, H. (1982). Soft modeling: the basic design and some extensions.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 200))
    >>> data = pd.DataFrame({f"a{k}": a + random.normal(size=200) for k in (1, 2, 3)})
    >>> for k in (1, 2, 3):
    ...     data[f"b{k}"] = a + b + random.normal(size=200)
    >>> fit = gf.pls("A =~ a1 + a2 + a3; B =~ b1 + b2 + b3; B ~ A", data)
    >>> fit.n, fit.converged
    (200, True)
    """
    return fit_pls(
        as_frame(data, "data"),
        model,
        scheme=scheme,
        consistent=consistent,
        second_order=second_order,
        interaction=interaction,
        missing=missing,
    )


@model_and_data_in_either_order
def irt(
    model: str | Mapping[str, str],
    data: TableLike,
    *,
    factors: int | Mapping[str, Sequence[str]] = 1,
    bifactor: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    guess: float | Mapping[str, float] | None = None,
    groups: str | Sequence[str] | None = None,
    reference: str | None = None,
    equal: Sequence[str] = ("slopes", "intercepts"),
    free_items: Sequence[str] = (),
    covariates: pd.DataFrame | None = None,
    design: pd.DataFrame | None = None,
    priors: Mapping[str, tuple[str, float, float]] | None = None,
    constraints: Sequence[Sequence[str]] = (),
    fixed: Mapping[str, float] | None = None,
    weights: Sequence[float] | None = None,
    clusters: Sequence[object] | None = None,
    errors: ErrorKind | None = None,
    quadrature: Quadrature | None = None,
    tolerance: float = 1e-07,
    starts: int = 1,
    seed: Seed = 0,
    force: bool = False,
    categories: Sequence[float] | None = None,
    benchmark: str | None = None,
) -> IRTFit:
    """Fit an item response model by marginal maximum likelihood.

    Parameters
    ----------
    model : str or mapping of item to str
        "rasch", "1pl", "2pl", "3pl", "4pl", "grm", "pcm", "gpcm", "rsm" or "nrm", for all items or
        each; "2PL" and "2-pl" are the same name. `irt(data, model)` and `irt(data, model="2pl")`
        are taken, too.
    data : DataFrame
        Scores, one row per person and one column per item; empty where an item was not asked.
    factors : int or mapping of factor name to items
        Factors of an exploratory model, or which items load on which.
    bifactor : mapping of specific factor name to items, or None
        A general factor and these, all independent.
    correlated : bool
        Whether the factors of a confirmatory model correlate.
    guess : float, mapping of item to float, or None
        Fixed lower asymptote, e.g. chance under the answer format.
    groups : str, sequence of str or None
        A column of `data`, or the group of every person; the reference has mean 0 (variance 1), the
        others' are estimated.
    reference : str or None
        The reference group; the first by name.
    equal : sequence of str
        What is equal in all groups: "slopes", "intercepts".
    free_items : sequence of str
        Items that differ between groups all the same.
    covariates : DataFrame (P, C) or None
        Numeric predictors of ability (latent regression).
    design : DataFrame (J, K) or None
        Effects that add up to every item's difficulty (LLTM), index: items.
    priors : mapping or None
        "slope", "intercept", "guess", "upper" (or "ITEM.PARAMETER") to (density, first,
        second).
    constraints : sequence of sequences of str
        Free parameters that are equal, each "ITEM.PARAMETER" as `parameters` names them.
    fixed : mapping or None
        "ITEM.PARAMETER" to the value at which it is held.
    weights : sequence of float or None
        How often every person counts.
    clusters : sequence or None
        Cluster of every person, e.g. a model's family, for cluster-robust standard errors.
    errors : {"observed", "sandwich", "cluster", "cluster-plain"} or None
        Standard errors (`errors.covariance`); "cluster" where clusters are given, else "observed".
    quadrature : Quadrature or None
        Nodes of ability; chosen by the number of factors if None.
    tolerance : float
        Largest absolute entry of the gradient at the end.
    starts : int
        Starting points; the first is computed from the data, others are drawn around it.
    seed : int
        Of the other starting points.
    force : bool
        True to fit although respondents are too few for the model; the warning stays on top.
    categories : sequence of float or None
        Scores that every item can have, so that items that do not vary are kept; their intercepts
        need a prior.
    benchmark : str, optional
        Benchmark whose items are taken, where columns are items of several (`gfactor.matrix` with
        by="item", or columns `BENCHMARK:INDEX`); "all" puts them on one scale. Factors by name say
        themselves which items belong together.

    Returns
    -------
    IRTFit
        `items`, `parameters`, `latent`, `scores(method)`, `information(theta)`, `reliability`,
        `diagnostics`, `summary()`, `to_dict()`, `report(folder)` for its page.

    Raises
    ------
    ParameterError
        If the data cannot carry the model (free slopes of few respondents; `force=True` fits all
        the same and keeps the warning), the request contradicts itself, or the items are of several
        benchmarks and none is named.

    References
    ----------
    Bock, R. D., Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters.
    Psychometrika 46, 443-459.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> theta = random.normal(size=(400, 1))
    >>> right = random.uniform(size=(400, 5)) < 1 / (1 + np.exp(np.linspace(-1, 1, 5) - theta))
    >>> fit = gf.irt("rasch", pd.DataFrame(right.astype(int)))
    >>> fit.converged, fit.n_free
    (True, 6)
    """
    if benchmark is None and (bifactor is not None or isinstance(factors, Mapping)):
        benchmark = ALL_BENCHMARKS
    if isinstance(groups, str):
        data, named = without_named_columns(as_frame(data, "data"), {"groups": groups})
        groups = named["groups"]
    table = items_of_one_benchmark(data, benchmark, "data")
    with counter(0, "irt", "step") as bar:
        return fit_irt(
            table,
            model,
            factors=factors,
            bifactor=bifactor,
            correlated=correlated,
            guess=guess,
            groups=groups,
            reference=reference,
            equal=equal,
            free_items=free_items,
            covariates=covariates,
            design=design,
            priors=priors,
            constraints=constraints,
            fixed=fixed,
            weights=weights,
            clusters=clusters,
            errors=errors,
            quadrature=quadrature,
            tolerance=tolerance,
            starts=starts,
            seed=seed,
            force=force,
            categories=categories,
            progress=ticks(bar),
        )


@overload
def compare_fits(
    smaller: Fit, larger: Fit, *, method: str | None = None, nested: None = None
) -> ChiSquareDifference: ...


@overload
def compare_fits(
    smaller: IRTFit, larger: IRTFit, *, method: None = None, nested: bool | None = None
) -> IRTComparison: ...


def compare_fits(
    smaller: Fit | IRTFit,
    larger: Fit | IRTFit,
    *,
    method: str | None = None,
    nested: bool | None = None,
) -> ChiSquareDifference | IRTComparison:
    """Compare two fitted models: structural equation models, or item response models.

    Parameters
    ----------
    smaller : Fit or IRTFit
        The model with fewer parameters. The two may be given in either order.
    larger : Fit or IRTFit
        The other model, of the same kind, fitted to the same sample.
    method : str, optional
        Method for structural equation models: "standard", "satorra.bentler.2001",
        "satorra.bentler.2010" or "satorra.2000"; by default the one that goes with the estimator.
    nested : bool, optional
        True if the smaller of two item response models is a special case of the larger one; by
        default this is derived from the two models.

    Returns
    -------
    ChiSquareDifference or IRTComparison
        For structural equation models the difference of chi-square with its df and p. For item
        response models AIC, BIC and SABIC, with the likelihood ratio test if the models are nested
        and Vuong's test otherwise.

    Raises
    ------
    ParameterError
        If the models are not of one kind or not of the same sample, and what the two comparisons
        refuse.

    References
    ----------
    Satorra, A., Bentler, P. M. (2001). A scaled difference chi-square test statistic for moment
    structure analysis. Psychometrika 66, 507-514.
    Vuong, Q. H. (1989). Likelihood ratio tests for model selection and non-nested hypotheses.
    Econometrica 57, 307-333.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> larger = gf.sem("g =~ x1 + x2 + x3 + x4", data)
    >>> smaller = gf.sem("g =~ a*x1 + a*x2 + a*x3 + a*x4", data)
    >>> gf.compare_fits(smaller, larger).df
    3
    >>> answers = (data > 0).astype(int)
    >>> gf.compare_fits(gf.irt("rasch", answers), gf.irt("2pl", answers)).df
    3
    """
    if isinstance(smaller, IRTFit) and isinstance(larger, IRTFit):
        if method is not None:
            raise ParameterError(
                "method is for structural equation models; leave it out for item response models"
            )
        return compare_irt_fits(smaller, larger, nested=nested)
    if isinstance(smaller, Fit) and isinstance(larger, Fit):
        if nested is not None:
            raise ParameterError(
                "nested is for item response models; leave it out for structural equation models"
            )
        if smaller.problem.df < larger.problem.df:
            smaller, larger = larger, smaller
        return models.compare_fits(smaller, larger, method=method)
    raise ParameterError(
        "compare_fits takes two structural equation models (gf.sem) or two item response models "
        f"(gf.irt), got {_kind(smaller)} and {_kind(larger)}"
    )


def _kind(given: object) -> str:
    if isinstance(given, IRTFit):
        return "an item response model"
    return "a structural equation model" if isinstance(given, Fit) else kind_of(given)
