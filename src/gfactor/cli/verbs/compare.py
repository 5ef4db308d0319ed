"""gfactor compare: compare examinees on the same items: differences, ranks and their intervals.

gfactor compare c.db
gfactor compare c.db --by domain --json
gfactor compare multi.db --ratio
gfactor compare c.db --sequential --gate 'observer:ideal - baseline:random'
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put
from gfactor.cli.spelling import ITEMS_OF_BANK, options_with

HEADING = "Results"


@derived(
    __doc__,
    "compare",
    ITEMS_OF_BANK,
    options=[
        options_with(
            "With --sequential", "compare_sequentially", ("order_seed", "gate"),
            {"gate": "--gate 'A - B'"},
        )
    ],
    twins=["compare_sequentially"],
)  # fmt: skip
def command(sequential: bool = False, *, as_json: bool, **given: Any) -> int:
    """Compare examinees, at the end or while the run goes on.

    Parameters
    ----------
    sequential : bool
        Compare examinees during a run: decisions stay valid however often you look at them.
    """
    if not sequential:
        return put(called("compare", given, "is for --sequential; add it"), as_json)
    reason = "does not go with --sequential, which takes units in random order"
    return put(called("compare_sequentially", given, reason, beside=["sequential"]), as_json)
