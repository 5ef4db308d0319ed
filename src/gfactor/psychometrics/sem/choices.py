"""Options with every default put in place, as lavaan 0.6 does."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.options import Options, preset

from_lavaan = Options.from_lavaan


def _pair(value: str | tuple[str, ...], default: tuple[str, str]) -> tuple[str, str]:
    both = (value, value) if isinstance(value, str) else (value[0], value[-1])
    return tuple(  # type: ignore[return-value]
        default[k] if one == "default" else one for k, one in enumerate(both)
    )


@lru_cache(maxsize=64)
def _robust(name: str) -> bool:
    return name not in {"standard", "none", "first.order", "bootstrap", "bollen.stine"}


def _covariates(options: Options, likelihood: bool, ordinal: bool) -> tuple[bool, bool]:
    """fixed_x and conditional_x: under a likelihood, covariates are taken as given; with ordinal
    variables, their effects are also taken out first."""
    fixed, conditional = options.fixed_x, options.conditional_x
    if conditional is None:
        conditional = ordinal and fixed is not False
    if conditional and fixed is False:
        raise ParameterError(
            "conditional_x = True takes covariates as given, and fixed_x = False does not; leave "
            "one out."
        )
    return conditional or likelihood if fixed is None else fixed, conditional


def _refuse_stages(options: Options, stages: str) -> None:
    """Raise ParameterError for options that do not work with estimation in two stages."""
    tests = {"default", "standard", "satorra.bentler", "none"}
    if options.estimator != "ML" or options.ordered or options.likelihood == "wishart":
        raise ParameterError(
            f"missing = {stages!r} goes with estimator ML of continuous variables; it has standard "
            "errors and a test of its own."
        )
    if options.se not in {"default", "standard", "none", "bootstrap", stages} or (
        str(options.test) not in tests
    ):
        raise ParameterError(
            f"missing = {stages!r} has its own standard errors and Satorra and Bentler's test; "
            "leave se and test out."
        )


def _refuse_design(options: Options) -> None:
    """Raise ParameterError for options that do not work with sampling weights or clusters."""
    what = "clusters" if options.cluster else "sampling weights"
    tests = {"default", "standard", "none", "yuan.bentler.mplus"}
    errors = {"default", "robust", "robust.huber.white", "robust.cluster", "none"}
    if options.ordered and not options.cluster:
        return
    if options.estimator not in {"ML", "MLR"} or options.ordered:
        also = "" if options.cluster else ", or ordinal variables (ordered)"
        raise ParameterError(
            f"{what} need the estimator ML or MLR with continuous variables{also}."
        )
    if options.missing not in {"default", "listwise", "ml", "ml.x"}:
        raise ParameterError(f"{what} need missing = 'listwise' or 'ml'.")
    if options.likelihood == "wishart" or options.conditional_x:
        raise ParameterError(f"{what} need the normal likelihood, and no conditional_x.")
    if options.se not in errors or str(options.test) not in tests:
        raise ParameterError(
            f"{what} come with the sandwich standard errors and the test of MLR; leave se and test "
            "out."
        )
    if options.std_ov:
        raise ParameterError(f"{what} do not go with std_ov = True; standardize beforehand.")


def _refuse_together(options: Options, se: str, test: str, missing: str) -> None:
    """Raise ParameterError for standard errors and tests that do not work with the other
    options."""
    if se == "robust.sem" and missing in {"ml", "ml.x"}:
        raise ParameterError(
            "standard errors 'robust.sem' need complete cases; with missing = 'ml' use MLR "
            "(se = 'robust.huber.white')."
        )
    if missing == "pairwise" and not options.ordered and (_robust(se) or _robust(test)):
        raise ParameterError(
            "missing = 'pairwise' has no robust standard errors or tests here; use MLR with "
            "missing = 'ml'."
        )
    if options.minimised != "ML" and (
        se in {"robust.huber.white", "first.order"} or test.startswith("yuan")
    ):
        raise ParameterError(
            f"standard errors {se!r} and test {test!r} need a likelihood, which estimator "
            f"{options.estimator} does not have; use se = 'robust.sem' and test = "
            "'satorra.bentler', or "
            "estimator MLR."
        )
    if test == "bollen.stine" and (options.ordered or missing != "listwise"):
        raise ParameterError(
            "test = 'bollen.stine' moves complete cases of continuous variables to the model; take "
            "another test."
        )


def _preset(options: Options) -> tuple[str, str, str]:
    """Return discrepancy, standard errors and test, by the estimator and the sampling of cases."""
    minimised, se, test = preset(options.estimator)
    if options.se == "robust.cluster" and not options.cluster:
        raise ParameterError("se = 'robust.cluster' needs clusters: name their column (cluster).")
    if options.designed:
        _refuse_design(options)
    if options.designed and not options.ordered:
        se = "robust.cluster" if options.cluster else "robust.huber.white"
        test = "yuan.bentler.mplus"
    return minimised, se, test


def resolved(options: Options, *, n_groups: int = 1, means_in_model: bool = False) -> Options:
    """Return the options with "default" and None replaced by their values.

    The option `mimic` = "Mplus" includes incomplete cases (missing = "ml") under ML, models means,
    and sets loadings and intercepts equal across groups.

    Parameters
    ----------
    options : Options
        Options as the user gave them.
    n_groups : int
        Number of groups; several groups add a mean structure.
    means_in_model : bool
        True if the model text has intercepts ("~1"), which also add a mean structure.

    Returns
    -------
    Options
        The same without a default that depends on others.

    Examples
    --------
    >>> from gfactor.psychometrics.sem import Options, resolved
    >>> resolved(Options(estimator="MLR")).missing
    'listwise'
    """
    minimised, se, test = _preset(options)
    mplus = options.mimic == "Mplus"
    ordinal = bool(options.ordered)
    missing = options.missing
    if missing == "default":
        missing = (
            "ml"
            if mplus and minimised == "ML" and options.se != "robust.sem" and (se != "robust.sem")
            else "listwise"
        )
    full = missing in {"ml", "ml.x"}
    if full and minimised != "ML":
        other = "'pairwise' or 'listwise'" if options.ordered else "'listwise'"
        raise ParameterError(
            f"missing = {missing!r} (full information, fiml) goes with estimator ML or MLR, not "
            f"with {options.estimator}; use missing = {other}."
        )
    likelihood = options.likelihood
    if likelihood == "default":
        likelihood = "normal"
    if options.designed and options.se in {"robust", "robust.huber.white", "robust.cluster"}:
        pass
    elif options.se == "robust":
        se = "robust.huber.white" if full else "robust.sem"
    elif options.se != "default":
        se = options.se
    stages = missing if missing.endswith("two.stage") else ""
    if stages:
        _refuse_stages(options, stages)
        se, test = stages if se in {"standard", stages} else se, "satorra.bentler"
    also = str(options.test) not in {"default", test}
    test = test if options.test == "default" else str(options.test)
    _refuse_together(options, se, test, missing)
    kinds = _pair(options.information, ("default", "default"))
    if (kinds[0] == "first.order" and se.startswith("robust")) or (
        kinds[1] == "first.order" and _robust(test) and not test.startswith("browne")
    ):
        raise ParameterError(
            "information 'first.order' does not go with robust standard errors or tests; use "
            "'expected' or 'observed'."
        )
    observed = full or se in {"robust.huber.white", "robust.cluster", "first.order", "bootstrap"}
    kind = "observed" if observed else "expected"
    if options.estimator == "MLF":
        kind = "first.order"
    if stages:
        kind = "observed"
    unstructured = stages or minimised in {"ULS", "WLS", "DWLS"}
    h1 = "unstructured" if unstructured else "structured"
    corrected = _robust(test) and not test.startswith("browne")
    # lavaan uses the h1 form for the test of ML with clusters, but not for that of MLR.
    also = also or (options.cluster is not None and options.estimator == "ML")
    residual = "h1" if corrected and (also or test != "yuan.bentler.mplus") else "hessian"
    own_residual = "h1" if stages else "hessian"
    meanstructure = options.meanstructure
    if meanstructure is None:
        meanstructure = bool(
            n_groups > 1
            or full
            or stages
            or mplus
            or means_in_model
            or ordinal
            or options.conditional_x
            or options.cluster
            or options.model_type == "growth"
        )
    fixed, conditional = _covariates(options, minimised == "ML", ordinal)
    group_equal = options.group_equal
    if mplus and n_groups > 1 and not group_equal:
        group_equal = ("loadings", "thresholds" if ordinal else "intercepts")
    return dataclasses.replace(
        options,
        se=se,
        test=test,
        missing=missing,
        likelihood=likelihood,
        information=_pair(options.information, (kind, kind)),
        observed_information=_pair(options.observed_information, (own_residual, residual)),
        h1_information=_pair(options.h1_information, (h1, h1)),
        meanstructure=meanstructure,
        fixed_x=fixed,
        conditional_x=conditional,
        group_equal=group_equal,
        parameterization="delta"
        if options.parameterization == "default"
        else (options.parameterization),
    )
