"""gfactor compare: compare examinees on the same items: differences, ranks and their intervals.

gfactor compare c.db
gfactor compare c.db --by domain --json
gfactor compare multi.db --ratio
gfactor compare c.db --sequential --gate 'observer:ideal - baseline:random'
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.common import put_json, refuse_typed, say
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of, put
from gfactor.errors import ParameterError

HEADING = "Results"

INDEPENDENT = declared("gfactor.api.compared_runs", "INDEPENDENT")

GATE_CODES = {"better": 0, "worse": 3, "undecided": 4}
"""Exit codes of a gate; 1 and 2 say that a judge failed and that a call was wrong."""


@derived(
    __doc__,
    "compare",
    {
        "journal": "JOURNAL",
        "by": "--by LABEL",
        "cluster": "--cluster LABEL",
        "gate": "--gate 'A - B'",
    },
    twins=["compare_sequentially"],
)
def command(
    by: str | None, over_benchmarks: bool, cluster: str | None, domain_label: str,
    sequential: bool = False, order_seed: int | None = None, gate: str | None = None, *,
    as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Compare examinees, at the end or while the run goes on.

    Parameters
    ----------
    sequential : bool
        Compare while the run goes on: decisions stay valid however often this is called.
    order_seed : int, optional
        For --sequential: the seed of the items' order, by default that of the run.
    gate : str, optional
        For --sequential: two examinees. The exit code is 0 if A is better than B, 3 if A is worse,
        and 4 if that is undecided.
    """
    if not sequential:
        refuse_typed("is for --sequential; add it", among=("gate", "order_seed"))
        compared = function_of("compare")(
            by=by, over_benchmarks=over_benchmarks, cluster=cluster, domain_label=domain_label,
            **given,
        )  # fmt: skip
        return put(compared, as_json)
    if by or over_benchmarks or cluster not in (None, INDEPENDENT):
        raise ParameterError(
            "--sequential takes units in random order; leave out --by, --over-benchmarks and "
            "--cluster"
        )
    ranking = function_of("compare_sequentially")(order_seed=order_seed, **given)
    if not gate:
        return put(ranking, as_json)
    from gfactor.api.deciding import pair_named

    decision = ranking.between(*pair_named(gate, [str(run) for run in ranking.ranks.index]))
    if as_json:
        put_json(ranking.to_dict() | {"gate": {"pair": gate, "decision": decision}})
    else:
        say(f"{ranking.summary()}\n\n{gate}: {decision}")
    return GATE_CODES[decision]
