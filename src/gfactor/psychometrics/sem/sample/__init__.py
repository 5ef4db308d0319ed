"""Samples as the estimators read them."""

from gfactor.psychometrics.sem.sample.blocks import Blocks, complete_block, pattern_blocks
from gfactor.psychometrics.sem.sample.columns import (
    absent,
    column_numbers,
    factors_of,
    named_columns,
    numbers,
    refuse_shared_names,
    single_column,
)
from gfactor.psychometrics.sem.sample.missing import (
    FEW,
    VariablePair,
    left_out,
    pairs_apart,
    pairs_text,
    refuse_apart,
)
from gfactor.psychometrics.sem.sample.saturated import saturated_moments
from gfactor.psychometrics.sem.sample.shown import shown_inverses
from gfactor.psychometrics.sem.sample.statistics import (
    GroupSample,
    Sample,
    design_of,
    pairwise_sample,
    sample_from_data,
    sample_from_moments,
)

__all__ = [
    "FEW",
    "Blocks",
    "GroupSample",
    "Sample",
    "VariablePair",
    "absent",
    "column_numbers",
    "complete_block",
    "design_of",
    "factors_of",
    "left_out",
    "named_columns",
    "numbers",
    "pairs_apart",
    "pairs_text",
    "pairwise_sample",
    "pattern_blocks",
    "refuse_apart",
    "refuse_shared_names",
    "sample_from_data",
    "sample_from_moments",
    "saturated_moments",
    "shown_inverses",
    "single_column",
]
