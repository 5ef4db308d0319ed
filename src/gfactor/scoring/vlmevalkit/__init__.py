"""VLMEvalKit's figures: its rules by data set, its tables, and the differences from gfactor's.

Duan, H., et al. (2024). VLMEvalKit: An Open-Source Toolkit for Evaluating Large Multi-Modality
Models. arXiv:2407.11691.
"""

from gfactor.scoring.vlmevalkit.comparing import KINDS, compared, counted, differences
from gfactor.scoring.vlmevalkit.dataset_figures import figures
from gfactor.scoring.vlmevalkit.rules import rule_of, ruling

__all__ = ["KINDS", "compared", "counted", "differences", "figures", "rule_of", "ruling"]
