"""Measures of fit under lavaan's names: each is declared beside its function."""

import gfactor.psychometrics.sem.measures.absolute_fit
import gfactor.psychometrics.sem.measures.approximation
import gfactor.psychometrics.sem.measures.chisquare_statistic
import gfactor.psychometrics.sem.measures.incremental_fit
import gfactor.psychometrics.sem.measures.information_criteria
import gfactor.psychometrics.sem.measures.residual_fit  # noqa: F401
from gfactor.psychometrics.sem.measures.context import Context, Measures
from gfactor.psychometrics.sem.measures.declared import all_measures

__all__ = ["Context", "Measures", "all_measures"]
