"""Structural equation models and confirmatory factor analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from gfactor.psychometrics import sem as models
from gfactor.psychometrics.given import (
    TableLike,
    as_frame,
    model_and_data_in_either_order,
)
from gfactor.psychometrics.person_tables import check_names
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.fitting import Moments
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
    rotation_args: Mapping[str, float | bool | pd.DataFrame] | tuple[()] = (),
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
        Estimator, with its standard errors and its test: "ML", "MLR",
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
        True if means are modeled.
    std_lv : bool
        True if latent variables have variance 1, in the place of markers.
    std_ov : bool
        True if observed variables are standardized first.
    orthogonal : bool
        True if latent variables do not correlate.
    fixed_x : bool, optional
        True if covariates are taken as given.
    conditional_x : bool, optional
        True if effects of covariates are taken out before the model is fitted.
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
        Parameterization of ordinal variables: "delta" or "theta".
    ordered : list of str or str
        Names of ordinal variables, or "*" for all that are no covariates.
    auto_fix_first : bool, optional
        True if the first loading of a latent variable is fixed to 1.
    auto_fix_single : bool, optional
        True if the residual variance of a single indicator is fixed to 0.
    auto_var : bool, optional
        True if variances are added.
    auto_cov_lv_x : bool, optional
        True if covariances of exogenous latent variables are added.
    auto_cov_y : bool, optional
        True if covariances of dependent variables are added.
    auto_th : bool, optional
        True if thresholds are added.
    auto_delta : bool, optional
        True if scaling parameters are added.
    int_ov_free : bool, optional
        True if intercepts of observed variables are free.
    int_lv_free : bool, optional
        True if intercepts of latent variables are free.
    orthogonal_x : bool
        True if exogenous latent variables do not correlate.
    orthogonal_y : bool
        True if dependent latent variables do not correlate.
    check_lv_names : bool
        True if a latent variable that is called as a column of the data is an error.
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
        Rotation of exploratory blocks: any of `efa` but "promax".
    geomin_epsilon : float
        Constant of geomin.
    rotation_std_ov : bool
        True if loadings are rotated on standardized variables.
    rotation_args : dict of str to number, bool or DataFrame, optional
        Further parameters of the rotation: `gamma`, `kappa`, `zeros`, `kaiser`, and as `target` a
        table of indicators x factors, empty where it specifies nothing.
    bootstrap : int
        Number of resamples of se = "bootstrap" and test = "bollen.stine".
    iseed : int, optional
        Seed of the resamples; 0 if None.

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
    cases = None if data is None else as_frame(data, "data")
    if cases is not None:
        check_names(cases, "data", (group, cluster, sampling_weights))
    return models.fit(
        model,
        cases,
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
        rotation_args=rotation_args,
        bootstrap=bootstrap,
        iseed=iseed,
    )
