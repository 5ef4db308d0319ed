"""A random sample of every combination of labels."""

from __future__ import annotations

from collections import defaultdict

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.selection.allocation import ALLOCATIONS, allocate
from gfactor.benchmarks.selection.candidates import Pool
from gfactor.benchmarks.selection.method import Method, Selected, register
from gfactor.benchmarks.selection.parsing import one_of, whole, words
from gfactor.errors import ParameterError
from gfactor.items import ItemRandom


def choose(pool: Pool, seed: int, *, by: tuple[str, ...], n: int, allocation: str) -> Selected:
    """`n` items over the strata; the draw of a stratum depends on seed and stratum alone."""
    if not by:
        raise ParameterError("by: name the labels to stratify by, such as --by level,type")
    pool.check_labels(by)
    if n > len(pool.items):
        raise ParameterError(f"n: {n:,} items are asked for, and the bank has {len(pool.items):,}")
    strata: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item in pool.items:
        strata[item.stratum(by)].append(item.id)
    ordered = {key: strata[key] for key in sorted(strata)}
    given = allocate({key: len(ids) for key, ids in ordered.items()}, n, allocation)
    chosen: list[str] = []
    rows = []
    for key, ids in ordered.items():
        draw = ItemRandom({"select": "stratified", "seed": seed, "stratum": "\n".join(key)}, 0)
        # Sorted first: the same items in another order are the same stratum.
        chosen += draw.sample(sorted(ids), given[key])
        rows.append({"stratum": dict(zip(by, key, strict=True)), "of": len(ids), "n": given[key]})
    empty = sum(row["n"] == 0 for row in rows)
    warnings = (
        (f"{empty} of {len(rows)} strata have no item in the sample; ask for more items.",)
        if empty
        else ()
    )
    return Selected(tuple(chosen), {"chosen": len(chosen), "strata": rows}, warnings)


METHOD = register(
    Method(
        name="stratified",
        about="A random sample of every combination of labels.",
        source="Cochran, W. G. (1977). Sampling techniques, chapter 5",
        options=(
            Option("by", "", "A,B", "Labels whose combinations are the strata.", words),
            Option("n", "500", "N", "How many items.", whole("n", 1)),
            Option(
                "allocation",
                "proportional",
                "HOW",
                "proportional to the strata's sizes, or equal.",
                one_of("allocation", ALLOCATIONS),
            ),
        ),
        choose=choose,
    )
)
