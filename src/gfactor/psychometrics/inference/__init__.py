"""Statistical inference: intervals, paired differences, multiplicity, ranks, resampling."""
