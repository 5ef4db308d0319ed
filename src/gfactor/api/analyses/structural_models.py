"""Structural equation models and confirmatory factor analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from gfactor.frames import composed, with_composed_names
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
    """Fit a structural equation model in lavaan's syntax, with the results of lavaan.

    Parameters
    ----------
    model : str or ParameterTable
        Model in lavaan's syntax, such as "g =~ x1 + x2 + x3". `model` and `data` may be given in
        either order.
    data : DataFrame, optional
        Table with a row per case and a column per variable; missing values are NaN. Columns that
        the model does not name are ignored.
    group : str, optional
        Column of `data` that names the group of each case.
    sample_cov : DataFrame, optional
        Covariance matrix with labels (divisor n - 1), instead of `data`; for several groups a
        list, or a mapping by group.
    sample_mean : Series, optional
        Means that belong to `sample_cov`.
    n : int, optional
        Number of cases from which `sample_cov` was computed; for several groups one number each.
    estimator : str
        Estimator, which also sets standard errors and test: "ML", "MLR", "MLM", "GLS", "ULS",
        "WLS", "DWLS", "WLSMV" ... Here and below, "default" and None stand for lavaan's default.
    se : str
        Kind of standard errors: "standard", "robust.huber.white", "bootstrap", "none" ...
    test : str or tuple of str
        Test of fit: "standard", "satorra.bentler", "bollen.stine" ...
    missing : str
        Treatment of cases with missing values: "listwise" (left out), "ml" (full information
        maximum likelihood), "ml.x" (the same, also with missing covariates), "pairwise",
        "two.stage" or "robust.two.stage".
    information : str or tuple of str
        Information matrix: "expected" or "observed". Two values are for the standard errors and
        for the test.
    observed_information : str or tuple of str
        Observed information matrix: "hessian" (second derivatives) or "h1" (from the unrestricted
        moments).
    h1_information : str or tuple of str
        Moments from which the information matrix is computed: "structured" (implied by the model)
        or "unstructured" (of the sample).
    mimic : str
        Program whose defaults are used: "lavaan" or "Mplus".
    likelihood : str
        Likelihood of the moments: "normal" (covariances with divisor n) or "wishart" (divisor n -
        1).
    meanstructure : bool, optional
        True to model means and intercepts.
    std_lv : bool
        True to fix the variances of latent variables to 1, instead of their first loadings.
    std_ov : bool
        True to standardize observed variables before the fit.
    orthogonal : bool
        True to fix the correlations of latent variables to 0.
    fixed_x : bool, optional
        True to fix means, variances and covariances of observed covariates to their sample values.
    conditional_x : bool, optional
        True to remove the effects of covariates from the other variables before the model is
        fitted.
    effect_coding : list of str
        Effect coding: "loadings", "intercepts" or both. Their mean within a factor is fixed (to 1
        or 0), instead of a single marker.
    bounds : str
        Bounds of parameters during estimation, by lavaan's names: "none", "pos.var", "pos.ov.var",
        "pos.lv.var", "standard" or "wide".
    group_equal : list of str
        Kinds of parameters that are equal in all groups: "loadings", "intercepts" ...
    group_partial : list of str
        Parameters that may differ between groups in spite of `group_equal`, such as "x1 ~1" or "f
        =~ x2".
    group_label : list of str
        Names of the groups to analyze, in this order; by default all.
    model_type : {"cfa", "sem", "growth", "lavaan"}
        Function of lavaan whose defaults add parameters to the model (default "cfa").
    parameterization : str
        Parameterization of ordinal variables: "delta" (scaling parameters) or "theta" (residual
        variances).
    ordered : list of str or str
        Names of ordinal variables, or "*" for all variables except covariates.
    auto_fix_first : bool, optional
        True to fix the first loading of each latent variable to 1.
    auto_fix_single : bool, optional
        True to fix the residual variance of an indicator to 0 if its latent variable has no other.
    auto_var : bool, optional
        True to add the variances of all variables to the model.
    auto_cov_lv_x : bool, optional
        True to add the covariances of exogenous latent variables to the model.
    auto_cov_y : bool, optional
        True to add the covariances of dependent variables to the model.
    auto_th : bool, optional
        True to add the thresholds of ordinal variables to the model.
    auto_delta : bool, optional
        True to add the scaling parameters of ordinal variables to the model.
    int_ov_free : bool, optional
        True to estimate the intercepts of observed variables.
    int_lv_free : bool, optional
        True to estimate the intercepts of latent variables.
    orthogonal_x : bool
        True to fix the correlations of exogenous latent variables to 0.
    orthogonal_y : bool
        True to fix the correlations of dependent latent variables to 0.
    check_lv_names : bool
        True to refuse a latent variable that has the name of a column of the data.
    em_h1_tol : float
        Convergence tolerance of the EM algorithm, which estimates the unrestricted moments of
        incomplete data.
    ci_level : float
        Confidence level of the intervals of estimates (default 0.95).
    sampling_weights : str, optional
        Column of sampling weights of the cases, all above 0; for ML and MLR.
    cluster : str, optional
        Column of clusters, whose cases are not independent, such as families of models. Standard
        errors and test then treat clusters as the independent units (ML and MLR). Models with
        `level:` blocks need it.
    rotation : str
        Rotation of exploratory blocks: any rotation of `efa` except "promax".
    geomin_epsilon : float
        Constant epsilon of the geomin rotation.
    rotation_std_ov : bool
        True to rotate the loadings of standardized variables.
    rotation_args : dict of str to number, bool or DataFrame, optional
        Further parameters of the rotation: `gamma`, `kappa`, `zeros`, `kaiser`, and `target`, a
        table with a row per indicator and a column per factor, whose cells are empty for loadings
        that are not specified.
    bootstrap : int
        Number of bootstrap samples, for se="bootstrap" and test="bollen.stine".
    iseed : int, optional
        Seed of the bootstrap samples; 0 if None.

    Returns
    -------
    Fit
        `estimates` (a DataFrame with a row per parameter), `fit_measures` (a Series),
        `diagnostics` (limits of the result), `scores(new_data)` (factor scores), `summary()`,
        `apa()` (a paragraph for a paper), `to_dict()`, and `report(folder)`, which writes a page.

    Raises
    ------
    ParameterError
        If the model, the data or an option is wrong; the message says what. If the estimation does
        not converge, no error is raised: see `converged` and `diagnostics`.

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
    cases = None if data is None else with_composed_names(as_frame(data, "data"))
    group = group and composed(group)
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
