"""Every item, except those that people decided to drop."""

from __future__ import annotations

from gfactor.benchmarks.selection.candidates import CandidatePool
from gfactor.benchmarks.selection.method import Method, Selected, register


def choose(pool: CandidatePool, seed: int) -> Selected:
    """Return all items of the pool."""
    return Selected(tuple(item.id for item in pool.items), {"chosen": len(pool.items)})


METHOD = register(
    Method(
        name="all",
        about="Every item; with --decisions, all but those that people decided to drop.",
        source="",
        options=(),
        choose=choose,
    )
)
