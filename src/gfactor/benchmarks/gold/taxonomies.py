"""Groups of tasks in MMBench, BLINK, MMMU and MME: capability -> tasks.

Names are written in lower case with underscores; `task_named` reads what data files write.

MMBench: Liu et al. (2024), figure 3 (6 capabilities, 20 tasks). BLINK: Fu et al. (2024), 14 tasks
in three levels: those of GOLD's table IV for the eight tasks that it prints; the other six are
placed by us (reflectance and functional correspondence low; counting, localization and multi-view
reasoning mid; the IQ test high). MMMU: Yue et al. (2024), table 1 (6 disciplines, 30 subjects).
MME: Fu et al. (2023), table 1 (2 groups, 14 tasks). GOLD's table III puts Physical Relation under
Attribute Reasoning and Physical Property Reasoning under Relation Reasoning; here both stand as in
MMBench.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

TAXONOMIES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "mmbench": {
        "coarse_perception": (
            "image_style", "image_topic", "image_scene", "image_quality", "image_emotion",
        ),
        "finegrained_perception (instance-level)": (
            "object_localization", "attribute_recognition", "celebrity_recognition", "ocr",
        ),
        "finegrained_perception (cross-instance)": (
            "spatial_relationship", "attribute_comparison", "action_recognition",
        ),
        "attribute_reasoning": (
            "physical_property_reasoning", "function_reasoning", "identity_reasoning",
        ),
        "relation_reasoning": ("social_relation", "physical_relation", "nature_relation"),
        "logic_reasoning": (
            "structuralized_imagetext_understanding", "future_prediction",
        ),
    },
    "blink": {
        "low-level": (
            "relative_depth", "relative_reflectance", "visual_correspondence",
            "functional_correspondence",
        ),
        "mid-level": (
            "art_style", "jigsaw", "spatial_relation", "multi-view_reasoning", "counting",
            "object_localization",
        ),
        "high-level": (
            "forensic_detection", "iq_test", "semantic_correspondence", "visual_similarity",
        ),
    },
    "mmmu": {
        "art_and_design": ("art", "art_theory", "design", "music"),
        "business": ("accounting", "economics", "finance", "manage", "marketing"),
        "science": ("biology", "chemistry", "geography", "math", "physics"),
        "health_and_medicine": (
            "basic_medical_science", "clinical_medicine", "diagnostics_and_laboratory_medicine",
            "pharmacy", "public_health",
        ),
        "humanities_and_social_science": ("history", "literature", "psychology", "sociology"),
        "tech_and_engineering": (
            "agriculture", "architecture_and_engineering", "computer_science", "electronics",
            "energy_and_power", "materials", "mechanical_engineering",
        ),
    },
    "mme": {
        "perception": (
            "existence", "count", "position", "color", "posters", "celebrity", "scene",
            "landmark", "artwork", "ocr",
        ),
        "cognition": (
            "commonsense_reasoning", "numerical_calculation", "text_translation",
            "code_reasoning",
        ),
    },
}  # fmt: skip
"""Family -> capability -> tasks, in the order of the publications."""

_PREFIXES: Mapping[str, str] = {
    "mmbench": "mmbench", "ccbench": "", "blink": "blink", "mmmu": "mmmu", "mme": "mme",
}  # fmt: skip

_SPELLINGS: Mapping[str, str] = {
    "ocr_recognition": "ocr", "poster": "posters", "structured_image-text_understanding":
    "structuralized_imagetext_understanding", "natural_relation": "nature_relation",
    "management": "manage", "basic_medical_knowledge": "basic_medical_science",
    "multi_view_reasoning": "multi-view_reasoning", "physical_property":
    "physical_property_reasoning", "spatial_relations": "spatial_relation",
}  # fmt: skip


def family_of(dataset: str) -> str:
    """Return the one of the four benchmarks to which a data set ("MMBench_DEV_EN") belongs, or "".

    Benchmarks such as MME-RealWorld and MMMU-Pro have other tasks and do not belong to them.
    """
    name = dataset.casefold()
    first = re.split(r"[_.]", name, maxsplit=1)[0]
    return _PREFIXES.get(first, "")


def task_named(family: str, written: str) -> str:
    """Return the task's name in its family's taxonomy, or the given name in lower case if the
    taxonomy lacks the task."""
    plain = re.sub(r"[\s/]+", "_", written.strip().lower()).replace("_&_", "_and_")
    plain = _SPELLINGS.get(plain, plain)
    tasks = [task for tasks in TAXONOMIES.get(family, {}).values() for task in tasks]
    return next((t for t in tasks if t in (plain, plain.replace("-", "_"))), plain)


def capability_of(family: str, task: str) -> str:
    """Return the group of a task; "" if the family's taxonomy does not contain the task."""
    for capability, tasks in TAXONOMIES.get(family, {}).items():
        if task in tasks:
            return capability
    return ""
