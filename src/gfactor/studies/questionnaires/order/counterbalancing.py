"""Allocation of conditions and order of blocks, balanced as people enter.

References
----------
Williams, E. J. (1949). Experimental designs balanced for the estimation of residual effects of
    treatments. Australian Journal of Scientific Research A 2, 149-168.
"""

from __future__ import annotations

from gfactor.errors import ParameterError
from gfactor.items import ItemRandom
from gfactor.studies.questionnaires.study.definition import Study


def williams_rows(count: int) -> list[list[int]]:
    """Return the orders of `count` blocks of a Williams design, in which each block is equally
    often at every position and directly after every other block: `count` orders if it is even, else
    twice as many."""
    first = [0]
    for step in range(1, count):
        first.append((step + 1) // 2 if step % 2 else count - step // 2)
    rows = [[(block + shift) % count for block in first] for shift in range(count)]
    return rows if count % 2 == 0 else [*rows, *(row[::-1] for row in rows)]


def condition_of(study: Study, number: int) -> str:
    """Return the condition of the participant with this number (from 0); "" in a study without
    conditions. Participants are allocated in blocks of as many people as there are conditions, each
    to a different one, in random order."""
    names = study.conditions or ("",)
    return _random(study, "condition", number // len(names)).shuffled(names)[number % len(names)]


def page_order(study: Study, number: int) -> list[int]:
    """Return the pages of the participant with this number, by their positions among the study's
    pages.

    Counterbalanced blocks exchange their positions by the rows of a Williams design. Among as many
    people of a condition as there are rows, each row is used once, in random order.
    """
    pages, condition = study.pages or (), condition_of(study, number)
    order = [k for k, page in enumerate(pages) if page.condition in ("", condition)]
    if not study.counterbalance:
        return order
    rows = williams_rows(len(study.counterbalance))
    within = number // len(study.conditions or ("",))
    random = _random(study, f"order {condition}".strip(), within // len(rows))
    row = random.shuffled(rows)[within % len(rows)]
    moved = [k for k, page in enumerate(pages) if page.name in study.counterbalance]
    of_name = {pages[k].name: k for k in moved}
    turns = iter([of_name[study.counterbalance[block]] for block in row])
    return [next(turns) if k in moved else k for k in order]


def check_conditions(study: Study) -> None:
    """Raise ParameterError if conditions or counterbalanced blocks do not fit the pages."""
    pages, conditions = study.pages or (), study.conditions or ()
    for name, given in (("conditions", study.conditions), ("counterbalance", study.counterbalance)):
        if given is not None and (len(given) < 2 or len(set(given)) < len(given)):
            raise ParameterError(f"{name} are {list(given)}; give two or more different names")
    for k, page in enumerate(pages, 1):
        if page.condition and page.condition not in conditions:
            raise ParameterError(
                f"pages[{k}].condition is {page.condition!r}, which is none of the study's "
                f"conditions ({', '.join(conditions) or 'it has none'})"
            )
    free = [
        page.name
        for page in pages
        if page.kind == "block" and not page.condition and not page.show_if
    ]
    odd = next((name for name in study.counterbalance or () if name not in free), None)
    if odd is not None:
        raise ParameterError(
            f"counterbalance names {odd!r}, which is not a block for everybody; those are "
            f"{', '.join(free) or 'none'}"
        )
    for condition in conditions:
        if not any(p.kind == "block" and p.condition in ("", condition) for p in pages):
            raise ParameterError(f"the condition {condition!r} has no block of items")


def _random(study: Study, use: str, number: int) -> ItemRandom:
    return ItemRandom({"study": study.id, "seed": study.seed, "use": use}, number)
