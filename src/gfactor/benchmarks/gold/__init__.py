"""GOLD: its layers and tasks, and the taxonomies of the benchmarks whose tasks are its pool.

Zou, T., et al. (2025). GOLD, tables I-IX. GOLD publishes no items: its pool is that of MMBench,
BLINK, MMMU and MME, which `gfactor build vlmevalkit` loads and labels.
"""

from gfactor.benchmarks.gold.layers import GOLD_TASKS, LAYERS, GoldTask, gold_task
from gfactor.benchmarks.gold.taxonomies import (
    TAXONOMIES,
    capability_of,
    family_of,
    task_named,
)

__all__ = [
    "GOLD_TASKS",
    "LAYERS",
    "TAXONOMIES",
    "GoldTask",
    "capability_of",
    "family_of",
    "gold_task",
    "task_named",
]
