"""Names of the data sets of VLMEvalKit whose answers may be numbers without options.

Their publications score a number by a rule of their own, mostly as a text or by a judge. A column
`index` does not tell them from other tables, because VLMEvalKit asks for it in everybody's tables.
"""

from __future__ import annotations

import re

from gfactor.benchmarks.gold import family_of

SCORING_RULES = (
    (re.compile("^(TextVQA|VizWiz)"), "VQA accuracy"),
    (re.compile("^ChartQA_"), "relaxed accuracy"),
    (re.compile("^(DocVQA|InfoVQA)"), "ANLS"),
    (re.compile("^(OCRBench$|MTVQA)"), "containment"),
    (re.compile("^(OCRVQA|GQA)"), "exact text"),
    (re.compile("^(CountBenchQA|TallyQA)$"), "number"),
)
"""Data sets whose published scoring rule is another than that of their answer type; the rules are
those of `gfactor.scoring.text_rules`."""

_PAPERS = re.compile("(multi|mathvista|mathverse)(?![a-z])", re.IGNORECASE)
"""Data sets whose papers compare texts, however their files are written."""

_NAMES = re.compile(
    r"(AyaVisionBench|BMMR|CCOCR|CG-?AV-?Counting|CMMMU|CRPE|CVBench|CharXiv|ChartMimic|ChartMuseum"
    r"|ChartQAPro|CoreCognition|DSRBench|DUDE|DynaMath|EMMA|ERIQBench|GOBench|HLE|HallusionBench"
    r"|HiPhO|LENS|LLaVABench|LogicVista|M4Bench|MEGABench|MIA-Bench|MLVU|MM-HELIX|MM-IFEval|MM-Math"
    r"|MMDU|MMESCI|MMGenBench|MMHELIX|MMLongBench|MMMath|MMNIAH|MMSci|MMVMBench|MMVet|MM_NIAH|MSEarth"
    r"|MTVQA|MathCanvas|MathVision|MicroBench|MovieChat1k|NaturalBench|OCRBench|OCR_Reasoning"
    r"|OlympiadBench|Omni3DBench|OmniDocBench|OmniEarth|PathVQA|PhyX|Physics_|QBench_Video|QSpatial"
    r"|Q-Spatial|ReasonMap|SCAM|SFE|SGI_Bench|SLIDEVQA|SeePhys|SimpleVQA|SlideVQA|Spatial457"
    r"|TDBench|TableVQABench|TempCompass|TreeBench|VCR|VGRPBench|VL-RewardBench|VLM2Bench|VLMBlind"
    r"|VLMsAreBlind|VisFactor|VisuLogic|VsiBench|VsiSuper|VSI-Bench|WeMath|WildDocBench|WildVision"
    r"|XLRS|ZEROBench)(?![a-z])"
)
"""First parts of names of data sets with questions without options, as VLMEvalKit writes them."""


def published_rule(dataset: str) -> str:
    """Return the rule in `SCORING_RULES` of a data set, "" if there is none."""
    return next((name for pattern, name in SCORING_RULES if pattern.search(dataset)), "")


def is_known(dataset: str) -> bool:
    """Return True for the name of a data set that VLMEvalKit knows, and whose numbers it scores by
    that set's own rule.

    Examples
    --------
    >>> is_known("MathVision_MINI"), is_known("MMBench_DEV_EN"), is_known("TidePool")
    (True, True, False)
    """
    return bool(
        family_of(dataset)
        or _PAPERS.match(dataset)
        or _NAMES.match(dataset)
        or published_rule(dataset)
    )
