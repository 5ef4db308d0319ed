"""A random sample from every combination of labels, by a total size or by quotas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.selection.allocation import ALLOCATIONS, allocate
from gfactor.benchmarks.selection.candidates import CandidatePool
from gfactor.benchmarks.selection.method import Method, Selected, register
from gfactor.benchmarks.selection.parsing import Quotas, one_of, quotas, whole, words
from gfactor.errors import ParameterError
from gfactor.items import ItemRandom

Stratum = tuple[str, ...]


def choose(
    pool: CandidatePool, seed: int, *, by: tuple[str, ...], n: int, allocation: str
) -> Selected:
    """Return `n` items over the strata; the draw in a stratum depends only on seed and stratum."""
    strata = _strata(pool, by)
    if n > len(pool.items):
        raise ParameterError(f"n: {n:,} items are wanted, but the bank has {len(pool.items):,}")
    given = allocate({key: len(ids) for key, ids in strata.items()}, n, allocation)
    chosen, rows = _drawn(strata, given, by, seed)
    empty = sum(row["n"] == 0 for row in rows)
    warnings = (
        (f"{empty} of {len(rows)} strata have no item in the sample; ask for more items.",)
        if empty
        else ()
    )
    return Selected(chosen, {"chosen": len(chosen), "strata": rows}, warnings)


def _choose_quota(
    pool: CandidatePool, seed: int, *, by: tuple[str, ...], quota: Quotas
) -> Selected:
    """Draw each stratum's quota of items, or all its items if it has fewer."""
    strata = _strata(pool, by)
    names = {key: "/".join(key) for key in strata}
    quota.check(set(names.values()))
    given = {key: min(quota.of(names[key]), len(ids)) for key, ids in strata.items()}
    chosen, rows = _drawn(strata, given, by, seed)
    short = [
        f"{names[key]} has {given[key]} of {quota.of(names[key])}"
        for key in strata
        if given[key] < quota.of(names[key])
    ]
    warnings = (f"Strata with fewer items than their quota: {'; '.join(short)}.",) if short else ()
    return Selected(chosen, {"chosen": len(chosen), "strata": rows}, warnings)


def _strata(pool: CandidatePool, by: tuple[str, ...]) -> dict[Stratum, list[str]]:
    """The ids of every stratum, strata in the order of their names."""
    if not by:
        raise ParameterError("by: name the labels to stratify by, such as --by level,type")
    pool.check_labels(by)
    strata: dict[Stratum, list[str]] = defaultdict(list)
    for item in pool.items:
        strata[item.stratum(by)].append(item.id)
    return {key: strata[key] for key in sorted(strata)}


def _drawn(
    strata: Mapping[Stratum, list[str]], given: Mapping[Stratum, int], by: Stratum, seed: int
) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The drawn items, and the metadata of every stratum."""
    chosen: list[str] = []
    rows = []
    for key, ids in strata.items():
        draw = ItemRandom({"select": "stratified", "seed": seed, "stratum": "\n".join(key)}, 0)
        # Sorted first: the same items in another order are the same stratum.
        chosen += draw.sample(sorted(ids), given[key])
        rows.append({"stratum": dict(zip(by, key, strict=True)), "of": len(ids), "n": given[key]})
    return tuple(chosen), rows


METHOD = register(
    Method(
        name="stratified",
        about="A random sample of every combination of labels.",
        source="Cochran, W. G. (1977). Sampling techniques, chapter 5",
        options=(
            Option("by", "", "A,B", "Labels whose combinations are the strata.", words),
            Option("n", "500", "N", "Number of items to choose.", whole("n", 1)),
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

QUOTA = register(
    Method(
        name="quota",
        about="As many items of every combination of labels as a quota says.",
        source="MM-IQ (arXiv 2502.00698), section 4.3: ten per paradigm, twenty of mathematics",
        options=(
            Option("by", "", "A,B", "Labels whose combinations are the strata.", words),
            Option(
                "quota",
                "10",
                "N,NAME=N",
                "Items per stratum, and for single strata: 10,Math=20.",
                quotas,
            ),
        ),
        choose=_choose_quota,
    )
)
