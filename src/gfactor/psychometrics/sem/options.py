"""The options of a fit, named as in lavaan, and what each estimator's name stands for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gfactor.errors import ParameterError
from gfactor.frames import composed
from gfactor.psychometrics.sem.option_values import ALLOWED, PRESETS, SYNONYMS, fields_of
from gfactor.psychometrics.sem.rotation_values import rotation_args_of, rotation_of

_NEVER_NONE = (
    "std_lv",
    "std_ov",
    "orthogonal",
    "orthogonal_x",
    "orthogonal_y",
    "check_lv_names",
    "rotation_std_ov",
)
COMPLETING = (
    "auto_fix_first",
    "auto_fix_single",
    "auto_var",
    "auto_cov_lv_x",
    "auto_cov_y",
    "auto_th",
    "auto_delta",
    "int_ov_free",
    "int_lv_free",
)
"""Switches for additions to a model text; None leaves them to the kind of model."""

_SWITCHES = (*_NEVER_NONE, "meanstructure", "fixed_x", "conditional_x", *COMPLETING)

_GROUP_EQUAL = (
    "loadings",
    "composite.loadings",
    "intercepts",
    "means",
    "thresholds",
    "regressions",
    "residuals",
    "residual.covariances",
    "lv.variances",
    "lv.covariances",
)


_WHOLE: Mapping[str, tuple[str, ...]] = {
    "ordered": ("*",),
    "effect_coding": ("loadings", "intercepts"),
}
"""Meaning of lavaan's TRUE in options that take names."""


@dataclass(frozen=True)
class Options:
    """Options for completing, estimating and testing a model; the fields are lavaan's options.

    "default" (and None) is the default of lavaan 0.6, which depends on the other options;
    `resolved` fills in the values.

    Parameters
    ----------
    estimator: ML, MLR, MLM, MLMV, MLMVS, MLF, GLS, ULS, WLS, DWLS, WLSMV ... : a name stands for
    the function that is minimized, together with standard errors and a test.
    se, test: see `lavaan`; a robust choice goes with ML only if it makes sense.
    missing: "listwise"; "ml" (full information, also "fiml"; cases without a value of a covariate
        that is taken as given are left out) or "ml.x" (which keeps them); "pairwise"; "two.stage"
        and "robust.two.stage" (the model is fitted to the unrestricted model's moments; Savalei
        and Bentler 2009).
    information: expected or observed; one value, or two (for standard errors, for the test).
    observed_information: "hessian", or "h1" (the expected form with residuals of the weight).
    h1_information: moments at which weights are taken: the model's or the sample's.
    fixed_x: True to take covariates (observed variables that only predict) as given.
    conditional_x: True to take their effects out before the model is fitted, too; by default with
        ordinal variables.
    likelihood: Likelihood of the moments: "normal" (covariances with divisor n) or "wishart"
        (divisor n - 1).
    group_equal: kinds of parameters that are equal across groups ("loadings", "intercepts", ...);
        group_partial: the exceptions, as "x1 ~1" or "f =~ x2".
    group_label: the groups to use, in this order; by default all, in the order of their first
    cases.
    effect_coding: "loadings" (of a latent variable average one) and "intercepts" (of its
        indicators average zero, and its mean is free), instead of a marker (Little, Slegers and
        Card 2006).
    bounds: "pos.var", "pos.ov.var", "pos.lv.var", "standard" or "wide"; variances (and with the
    last two loadings and covariances) then stay in the range that the data allow.
    ordered: names of ordinal variables, or "*" (lavaan's TRUE) for all that are not covariates.
    check_lv_names: True if a latent variable with the name of a column of the data is an error.
    em_h1_tol: change at which EM for the unrestricted moments of incomplete data has converged.
        The default is lavaan's and good for five digits of these moments (nine of the chi-square);
        with 1e-12 they are exact.
    ci_level: level of the confidence intervals of estimates.
    sampling_weights: column of sampling weights; they are normalized to sum to the number of
        cases. ML and MLR, with the sandwich standard errors and the test of MLR.
    cluster: column of clusters whose cases depend on each other: standard errors and the test of
        MLR count clusters as the independent units (ML and MLR).
    rotation, geomin_epsilon: rotation of exploratory blocks, efa("name")*f1 + efa("name")*f2 =~ x1
        + ... : any rotation of `efa` except promax; this constant is geomin's; it is applied to
        loadings on standardized variables, or with rotation_std_ov = False on the variables as
        they are.
    rotation_args: further parameters of the rotation: gamma (oblimin), kappa (cfT, cfQ), zeros
        (simplimax), target (a table of indicators x factors), kaiser (True to scale rows).
    bootstrap, iseed: number of resamples for se = "bootstrap" or test = "bollen.stine", and their
        seed (0 if None).
    """

    estimator: str = "ML"
    se: str = "default"
    test: str | tuple[str, ...] = "default"
    missing: str = "default"
    information: str | tuple[str, ...] = "default"
    observed_information: str | tuple[str, ...] = "default"
    h1_information: str | tuple[str, ...] = "default"
    mimic: str = "lavaan"
    likelihood: str = "default"
    meanstructure: bool | None = None
    std_lv: bool = False
    std_ov: bool = False
    orthogonal: bool = False
    fixed_x: bool | None = None
    conditional_x: bool | None = None
    effect_coding: tuple[str, ...] = ()
    bounds: str = "none"
    group_equal: tuple[str, ...] = ()
    group_partial: tuple[str, ...] = ()
    group_label: tuple[str, ...] = ()
    model_type: str = "cfa"
    parameterization: str = "default"
    ordered: tuple[str, ...] = ()
    auto_fix_first: bool | None = None
    auto_fix_single: bool | None = None
    auto_var: bool | None = None
    auto_cov_lv_x: bool | None = None
    auto_cov_y: bool | None = None
    auto_th: bool | None = None
    auto_delta: bool | None = None
    int_ov_free: bool | None = None
    int_lv_free: bool | None = None
    orthogonal_x: bool = False
    orthogonal_y: bool = False
    check_lv_names: bool = True
    em_h1_tol: float = 1e-5
    ci_level: float = 0.95
    sampling_weights: str | None = None
    cluster: str | None = None
    rotation: str = "geomin"
    geomin_epsilon: float = 0.001
    rotation_std_ov: bool = True
    rotation_args: Any = ()
    bootstrap: int = 1000
    iseed: int | None = None

    def __post_init__(self) -> None:
        for name in ("group_equal", "group_partial", "group_label", "ordered", "effect_coding"):
            given = getattr(self, name)
            if isinstance(given, bool) and name in _WHOLE:
                given = _WHOLE[name] if given else ()
            if given == "":
                given = ()
            if not (given is None or isinstance(given, (str, list, tuple))):
                raise ParameterError(
                    f"the option {name} is {given!r}, but it takes a list of names."
                )
            value = (given,) if isinstance(given, str) else tuple(given or ())
            value = tuple(composed(one) if isinstance(one, str) else one for one in value)
            object.__setattr__(self, name, value)
        for name in ("sampling_weights", "cluster"):
            given = getattr(self, name)
            if isinstance(given, (list, tuple)) and len(given) < 2:
                given = given[0] if given else None
            if not (given is None or isinstance(given, str)):
                raise ParameterError(
                    f"the option {name} is {given!r}, but it takes the name of one column."
                )
            object.__setattr__(self, name, composed(given) if given else None)
        for name in ALLOWED:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))
        if self.rotation != "geomin":
            object.__setattr__(self, "rotation", rotation_of(self.rotation))
        if self.rotation_args != ():
            object.__setattr__(self, "rotation_args", rotation_args_of(self.rotation_args))
        if isinstance(self.test, tuple):
            # lavaan lists the standard test before the requested one.
            nonstandard = [name for name in self.test if name != "standard"]
            object.__setattr__(self, "test", nonstandard[0] if nonstandard else "standard")
        for name in self.effect_coding:
            if name not in _WHOLE["effect_coding"]:
                raise ParameterError(
                    f"effect_coding has {name!r}, but it takes 'loadings' and 'intercepts'."
                )
        if self.effect_coding and self.bounds in {"standard", "wide"}:
            raise ParameterError(
                f"bounds = {self.bounds!r} need a marker or std_lv = True, and effect_coding has "
                "neither; use bounds = 'pos.var'."
            )
        if self.std_lv and "loadings" in self.effect_coding:
            raise ParameterError(
                "effect_coding of loadings leaves the variances of latent variables free, and "
                "std_lv = True fixes them; leave one out."
            )
        for name in self.group_equal:
            if name not in _GROUP_EQUAL:
                raise ParameterError(
                    f"group_equal has {name!r}, but only these can be equal across groups: "
                    f"{', '.join(_GROUP_EQUAL)}."
                )
        for name in _SWITCHES:
            given = getattr(self, name)
            if given in (0, 1) and not isinstance(given, bool):
                object.__setattr__(self, name, bool(given))
            elif not isinstance(given, bool) and not (given is None and name not in _NEVER_NONE):
                raise ParameterError(f"the option {name} is {given!r}, but must be True or False.")
        for name in ("em_h1_tol", "ci_level", "geomin_epsilon"):
            given = getattr(self, name)
            if isinstance(given, bool) or not isinstance(given, (int, float)) or not given > 0:
                raise ParameterError(f"the option {name} is {given!r}, but it takes a number > 0.")
        for name, least in (("bootstrap", 2), ("iseed", 0)):
            given = getattr(self, name)
            if isinstance(given, float) and given.is_integer():
                given = int(given)
            elif name == "iseed" and isinstance(given, (tuple, list, dict)) and not given:
                given = None  # R's NULL in a list
            object.__setattr__(self, name, given)
            if isinstance(given, bool) or not (
                (isinstance(given, int) and given >= least) or (given is None and name == "iseed")
            ):
                raise ParameterError(
                    f"the option {name} is {given!r}, but it takes a whole number from {least} on."
                )
        if not 0 < self.ci_level < 1:
            raise ParameterError(
                f"ci_level is {self.ci_level}, but a confidence level must lie between 0 and 1."
            )

    @property
    def minimised(self) -> str:
        """Return the discrepancy that the estimator minimizes: ML, GLS, ULS, WLS or DWLS."""
        return PRESETS[self.estimator][0]

    @property
    def designed(self) -> bool:
        """Return True if cases have sampling weights or clusters."""
        return self.sampling_weights is not None or self.cluster is not None

    @property
    def full_information(self) -> bool:
        """Return True if the observed values of incomplete cases are used (full information)."""
        return self.missing in {"ml", "ml.x"}

    @property
    def two_stage(self) -> bool:
        """Return True if a model of complete cases is fitted to moments from incomplete ones."""
        return self.missing.endswith("two.stage")

    @property
    def divisor_less_one(self) -> bool:
        """Return True if covariances have divisor n - 1: least squares, Wishart likelihood."""
        wishart = self.likelihood == "wishart" and not self.full_information
        return self.minimised != "ML" or wishart

    @staticmethod
    def from_lavaan(given: Mapping[str, Any]) -> Options:
        """Return options from lavaan's own names, with dots, as in `lavInspect(fit, "options")`.

        Parameters
        ----------
        given : dict of str to Any
            Option to value.

        Returns
        -------
        Options
            The same, by gfactor's names.

        Raises
        ------
        ParameterError
            For an option, or a value, that is not supported.

        Examples
        --------
        >>> from gfactor.psychometrics.sem import from_lavaan
        >>> from_lavaan({"estimator": "MLR", "std.lv": True}).std_lv
        True
        """
        if str(given.get("estimator")).upper().startswith("ML") and given.get("ordered"):
            raise ParameterError(
                f"estimator {given['estimator']} does not fit ordinal variables; use WLSMV, WLSM, "
                "ULSMV, DWLS, ULS or WLS."
            )
        return Options(**fields_of(given, {field.name for field in dataclasses.fields(Options)}))

    def replaced(self, **changes: Any) -> Options:
        """Return the options with other values; raise ParameterError for an unknown name."""
        names = {field.name for field in dataclasses.fields(self)}
        for name in changes:
            if name not in names:
                raise ParameterError(
                    f"there is no option {name!r} of a fit; the options are "
                    f"{', '.join(sorted(names))}."
                )
        return dataclasses.replace(self, **changes)


_LISTS = ("test", "information", "observed_information", "h1_information")


def _checked(name: str, given: Any) -> Any:
    if isinstance(given, (tuple, list)):
        if (
            not given
            or (name not in _LISTS and len(given) > 1)
            or (name != "test" and len(given) > 2)
        ):
            raise ParameterError(
                f"the option {name} is {list(given)!r}, which is not a value of it."
            )
        if name not in _LISTS:
            return _checked(name, *given)
        return tuple(_checked(name, one) for one in given)
    if (given is None or given == "") and "default" in ALLOWED[name]:
        return "default"
    text = str(given)
    text = SYNONYMS.get(name, {}).get(text.lower(), text)
    for right in ALLOWED[name]:
        if right.lower() == text.lower():
            return right
    raise ParameterError(
        f"the option {name} is {given!r}, but gfactor supports "
        f"{', '.join(sorted(ALLOWED[name] - {'default'}))}."
    )


def preset(estimator: str) -> tuple[str, str, str]:
    """Return the discrepancy, standard errors and test that an estimator's name implies."""
    return PRESETS[estimator]
