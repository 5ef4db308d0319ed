"""Discriminant validity of constructs, and collinearity of indicators.

The functions work on batches of correlation matrices; `validity.assess` starts from a table.
"""

from gfactor.psychometrics.validity.collinearity import block_inflation, variance_inflation
from gfactor.psychometrics.validity.heterotrait import (
    average_variance_extracted,
    fornell_larcker,
    htmt,
)

__all__ = [
    "average_variance_extracted",
    "block_inflation",
    "fornell_larcker",
    "htmt",
    "variance_inflation",
]
