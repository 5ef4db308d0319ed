"""M3GIA's vocabulary: factors of the CHC model, clusters and types of questions (table 3).

Song, W., Li, Y., et al. (2024). M3GIA, section 3.1, appendices B and C, table 3. The vocabulary is
closed: a row of another type is invalid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

BROAD: Mapping[str, str] = {
    "Gc": "Comprehension-Knowledge",
    "Gv": "Visual-spatial Processing",
    "Grw": "Reading and Writing",
    "Gq": "Quantitative Knowledge",
    "Gf": "Fluid Reasoning",
}
"""The five broad factors, in the order of table 3."""

NARROW: Mapping[str, str] = {
    "I": "Induction",
    "RG": "Deductive Reasoning",
    "RQ": "Quantitative Reasoning",
}
"""The narrow factors that make up Gf; a type that requires one of them requires Gf."""

FACTORS: Mapping[str, str] = {**BROAD, **NARROW}
"""All factors by symbol."""


@dataclass(frozen=True)
class QuestionType:
    """One of the 18 question types: its cluster, the factors that it requires, and its number of
    items per language."""

    name: str
    cluster: str
    broad: tuple[str, ...]
    narrow: tuple[str, ...]
    per_language: int

    @property
    def factors(self) -> tuple[str, ...]:
        """Broad and narrow factors, in the order of table 3."""
        return tuple(f for f in FACTORS if f in (*self.broad, *self.narrow))


def _types() -> dict[str, QuestionType]:
    rows = (
        ("Common Sense", "General Information", "Gc", 20),
        ("Common Sense", "Oral Vocabulary", "Gc", 15),
        ("Common Sense", "Logo Problem", "Gc Gv", 15),
        ("Visual-spatial", "Visualization", "Gv", 30),
        ("Visual-spatial", "Picture Recognition", "Gv", 15),
        ("Visual-spatial", "Real-world Spatial", "Gv", 15),
        ("Comprehension", "Readings-text", "Grw", 15),
        ("Comprehension", "Readings-VL", "Grw", 10),
        ("Comprehension", "Comic Problem", "Gv Grw", 15),
        ("Mathematics", "Math Facts", "Gq", 25),
        ("Mathematics", "Algebra", "Gq RQ", 15),
        ("Mathematics", "Geometry", "Gv Gq RQ", 10),
        ("Mathematics", "Applied Problem", "Gc Gq RQ", 10),
        ("Reasoning", "Number Series", "I RQ", 20),
        ("Reasoning", "Concept Formation", "I", 20),
        ("Reasoning", "Raven's Matrices", "Gv I", 10),
        ("Reasoning", "Syllogism Problem", "RG", 20),
        ("Reasoning", "Real-world Reasoning", "Gc RG", 20),
    )
    types = {}
    for cluster, name, symbols, count in rows:
        marked = symbols.split()
        narrow = tuple(f for f in marked if f in NARROW)
        broad = tuple(f for f in BROAD if f in marked or (f == "Gf" and narrow))
        types[name] = QuestionType(name, cluster, broad, narrow, count)
    return types


TYPES: Mapping[str, QuestionType] = _types()
"""The 18 types by name, in the order of table 3."""

CLUSTERS: tuple[str, ...] = tuple(dict.fromkeys(t.cluster for t in TYPES.values()))
"""The five clusters, in the order of table 3."""

SPELLINGS: Mapping[str, str] = {"Number Seres": "Number Series"}
"""Spellings in the published files, and the type's name for each."""


def type_named(written: str) -> QuestionType:
    """Return the type that a row names; raises ValueError if it is none of the 18."""
    name = " ".join(written.replace("’", "'").split())
    question_type = TYPES.get(SPELLINGS.get(name, name))
    if question_type is None:
        raise ValueError(f"question type {written!r} is none of the 18 ({', '.join(TYPES)})")
    return question_type


def q_matrix() -> pd.DataFrame:
    """Return a table of 18 question types x `FACTORS`: 1 if the type requires the factor. A type
    that requires I, RG or RQ also requires Gf.
    """
    rows = {name: [int(f in t.factors) for f in FACTORS] for name, t in TYPES.items()}
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(FACTORS))
    return frame.rename_axis(index="type", columns="factor")


def items_per_factor() -> dict[str, int]:
    """Return the number of items per language that require each factor (from table 3)."""
    return {f: sum(t.per_language for t in TYPES.values() if f in t.factors) for f in FACTORS}


def items_per_cluster() -> dict[str, int]:
    """Return the number of items per language in each cluster."""
    counts: dict[str, int] = {}
    for kind in TYPES.values():
        counts[kind.cluster] = counts.get(kind.cluster, 0) + kind.per_language
    return counts
