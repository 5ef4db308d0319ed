"""GOLD's three layers and the tasks that measure them (figure 7, table IX).

GOLD takes eleven tasks of MMBench, BLINK, MME and MMMU for its layers after pruning (the text says
twelve, every table and figure shows eleven). It does not print which benchmark each is taken from:
here the first five are MME's and the others MMMU's, by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LAYERS = ("Perception", "Memory", "Reasoning")
"""The layers, after Piaget's stages, from the lowest on."""


@dataclass(frozen=True)
class GoldTask:
    """A task of GOLD.

    Parameters
    ----------
    layer: one of `LAYERS`.
    heading: heading in table IX.
    family, task: source of the task, as `gfactor.benchmarks.gold.taxonomies` names it.
    loading: outer loading in figure 7(a), as read off the figure.
    """

    layer: str
    heading: str
    family: str
    task: str
    loading: float


GOLD_TASKS: Mapping[str, GoldTask] = {
    t.heading: t
    for t in (
        GoldTask("Perception", "Color", "mme", "color", 0.874),
        GoldTask("Perception", "Count", "mme", "count", 0.894),
        GoldTask("Perception", "OCR", "mme", "ocr", 0.773),
        GoldTask("Memory", "Artwork", "mme", "artwork", 0.759),
        GoldTask("Memory", "Landmark", "mme", "landmark", 0.784),
        GoldTask("Memory", "BMK", "mmmu", "basic_medical_science", 0.794),
        GoldTask("Reasoning", "Biology", "mmmu", "biology", 0.83),
        GoldTask("Reasoning", "CS", "mmmu", "computer_science", 0.862),
        GoldTask("Reasoning", "Economics", "mmmu", "economics", 0.878),
        GoldTask("Reasoning", "Electronics", "mmmu", "electronics", 0.828),
        GoldTask("Reasoning", "Math", "mmmu", "math", 0.84),
    )
}
"""GOLD's tasks by their heading in table IX, in its order."""


def gold_task(family: str, task: str) -> GoldTask | None:
    """Return the task of GOLD that was taken from this task of another benchmark; None if there is
    none."""
    for candidate in GOLD_TASKS.values():
        if (candidate.family, candidate.task) == (family, task):
            return candidate
    return None
