"""Defaults that complete a model: those of lavaan's cfa, sem, growth and plain lavaan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from gfactor.errors import ParameterError, UnknownNameError

GROUP_EQUAL = (
    "loadings",
    "composite.loadings",
    "intercepts",
    "means",
    "thresholds",
    "residuals",
    "residual.covariances",
    "lv.variances",
    "lv.covariances",
    "regressions",
)
"""Kinds of parameters that `group_equal` can hold equal between groups."""


@dataclass(frozen=True)
class SyntaxOptions:
    """Options for completing a model text; names are lavaan's with `_` for its dots.

    Parameters
    ----------
    auto_fix_first: the first loading of a latent variable is 1 (unless std_lv).
    auto_fix_single: the residual variance of the only indicator of a latent variable is 0.
    auto_var: variances and residual variances are free; without it they are 0.
    auto_cov_lv_x: latent variables that nothing predicts covary.
    auto_cov_y: variables that are predicted and predict nothing covary.
    auto_th: the thresholds of ordered variables that the text leaves out are free.
    auto_delta: ordered variables have scaling factors.
    int_ov_free, int_lv_free: intercepts of observed and means of latent variables are free.
    std_lv: latent variables are scaled by a variance of 1.
    orthogonal: covariances of latent variables that a default would free are 0; orthogonal_x,
    orthogonal_y: the same only for latent variables that nothing predicts, or only for those that
    are predicted.
    meanstructure: the model has intercepts (also if the text has any).
    fixed_x: observed variables that nothing predicts are taken as given.
    conditional_x: their effects are taken out as well (lavaan's default for ordered variables).
    parameterization: "delta" or "theta", for ordered variables.
    effect_coding: "loadings" of a latent variable average one, "intercepts" of its indicators
        zero.
    ordered: number of thresholds by the name of an ordered variable.
    group_equal, group_partial: kinds held equal between groups; exceptions, as "f=~x2", "x3~1".
    """

    auto_fix_first: bool = True
    auto_fix_single: bool = True
    auto_var: bool = True
    auto_cov_lv_x: bool = True
    auto_cov_y: bool = True
    auto_th: bool = True
    auto_delta: bool = True
    int_ov_free: bool = True
    int_lv_free: bool = False
    std_lv: bool = False
    orthogonal: bool = False
    orthogonal_x: bool = False
    orthogonal_y: bool = False
    meanstructure: bool = False
    fixed_x: bool = True
    conditional_x: bool = False
    parameterization: Literal["delta", "theta"] = "delta"
    effect_coding: tuple[str, ...] = ()
    ordered: Mapping[str, int] = field(default_factory=dict)
    group_equal: tuple[str, ...] = ()
    group_partial: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for kind in self.group_equal:
            if kind not in GROUP_EQUAL:
                raise UnknownNameError("kind of group_equal", kind, GROUP_EQUAL)
        if self.parameterization not in ("delta", "theta"):
            raise ParameterError(
                f"parameterization is 'delta' or 'theta', not {self.parameterization!r}"
            )


CFA = SyntaxOptions()
"""The defaults of `cfa` and `sem`, which complete models alike."""

GROWTH = SyntaxOptions(int_ov_free=False, int_lv_free=True, meanstructure=True)
"""The defaults of `growth`."""

PLAIN = SyntaxOptions(
    auto_fix_first=False,
    auto_fix_single=False,
    auto_var=False,
    auto_cov_lv_x=False,
    auto_cov_y=False,
    auto_th=False,
    auto_delta=False,
    int_ov_free=False,
)
"""The defaults of `lavaan`: the text is the model."""

MODEL_TYPES: Mapping[str, SyntaxOptions] = {
    "cfa": CFA,
    "sem": CFA,
    "growth": GROWTH,
    "lavaan": PLAIN,
}


def table_options(model_type: str = "cfa", **changes: object) -> SyntaxOptions:
    """Return the defaults of a model type ("cfa", "sem", "growth", "lavaan") with changes.

    Raises
    ------
    UnknownNameError: a model type or an option that does not exist.
    """
    if model_type not in MODEL_TYPES:
        raise UnknownNameError("model type", model_type, MODEL_TYPES)
    fields = SyntaxOptions.__dataclass_fields__
    for name in changes:
        if name not in fields:
            raise UnknownNameError("option of a model", name, fields)
    return replace(MODEL_TYPES[model_type], **changes)  # type: ignore[arg-type]
