"""Generalizability theory: variance components, D-studies, multivariate composites."""

from gfactor.psychometrics.generalizability.multivariate import (
    MultivariateGeneralizability,
    multivariate_gtheory,
)
from gfactor.psychometrics.generalizability.study import Generalizability, gtheory

__all__ = [
    "Generalizability",
    "MultivariateGeneralizability",
    "gtheory",
    "multivariate_gtheory",
]
