"""Samples as the estimators read them."""

from gfactor.psychometrics.sem.sample.blocks import Blocks, complete_block, pattern_blocks
from gfactor.psychometrics.sem.sample.saturated import saturated_moments
from gfactor.psychometrics.sem.sample.statistics import (
    GroupSample,
    Sample,
    pairwise_sample,
    sample_from_data,
    sample_from_moments,
)

__all__ = [
    "Blocks",
    "GroupSample",
    "Sample",
    "complete_block",
    "pairwise_sample",
    "pattern_blocks",
    "sample_from_data",
    "sample_from_moments",
    "saturated_moments",
]
