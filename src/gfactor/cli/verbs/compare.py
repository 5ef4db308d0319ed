"""gfactor compare: compare examinees on the same items: differences, ranks and their intervals.

gfactor compare c.db
gfactor compare c.db --by domain --json
gfactor compare multi.db --ratio
gfactor compare c.db --sequential --gate 'observer:ideal - baseline:random'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived, put
from gfactor.cli.scoring import SCORED, scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring
    from gfactor.psychometrics.inference.deciding import SequentialRanking

HEADING = "Results"

INDEPENDENT = declared("gfactor.api.compared_runs", "INDEPENDENT")

GATE_CODES = {"better": 0, "worse": 3, "undecided": 4}
"""Exit codes of a gate; 1 and 2 say that a judge failed and that a call was wrong."""


SEQUENTIAL = [
    click.option(
        "--sequential",
        is_flag=True,
        help="Compare while the run goes on: what is decided holds however often this is called.",
    ),
    click.option(
        "--order-seed",
        type=int,
        metavar="N",
        help="For --sequential: the seed of the items' order, by default that of the run.",
    ),
    click.option(
        "--gate",
        metavar="'A - B'",
        help="For --sequential: the exit code says whether A is better than B (0), worse (3) or "
        "whether that is undecided (4).",
    ),
]


@derived(
    __doc__,
    "compare",
    {
        "journal": "JOURNAL",
        "by": "--by LABEL",
        "domain_label": "--domain-label LABEL",
        "benchmark": "--benchmark NAME",
        "cluster": "--cluster LABEL",
    },
    without=SCORED,
    options=[*SEQUENTIAL, scoring_options],
    twins=["compare_sequentially"],
)
def command(
    journal: str,
    by: str | None,
    claim: str | None,
    domain_label: str,
    benchmark: str | None,
    over_benchmarks: bool,
    cluster: str | None,
    level: float,
    lenient: bool,
    ratio: bool,
    sequential: bool,
    order_seed: int | None,
    gate: str | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    from gfactor.api.compared_runs import Question
    from gfactor.api.comparing import Comparison
    from gfactor.api.deciding import decided
    from gfactor.api.taking import opened as opened_journal

    if lenient and ratio:
        raise ParameterError("points are given by the benchmark's own rule; leave out --lenient")
    if sequential:
        if by or over_benchmarks or cluster not in (None, INDEPENDENT):
            raise ParameterError(
                "--sequential takes units in random order; leave out --by, --over-benchmarks and "
                "--cluster"
            )
        with opened_journal(journal) as opened:
            ranking = decided(
                opened, scoring, level, lenient, ratio, order_seed, claim=claim,
                benchmark=benchmark,
            )  # fmt: skip
        return _say_decided(ranking, gate, as_json) or scoring.code
    for name, value in (("--gate", gate), ("--order-seed", order_seed)):
        if value is not None:
            raise ParameterError(f"{name} is for --sequential; add it")
    question = Question.of(claim, domain_label, cluster, benchmark, over_benchmarks, level)
    with opened_journal(journal) as opened:
        comparison = Comparison.of(opened, scoring, by, question, lenient, ratio)
    put(comparison, as_json)
    return scoring.code


def _say_decided(ranking: SequentialRanking, gate: str | None, as_json: bool) -> int:
    """Print what is decided; the exit code of the gate, 0 without one."""
    from gfactor.api.deciding import pair_named

    decision = (
        ranking.between(*pair_named(gate, [str(run) for run in ranking.ranks.index]))
        if gate
        else None
    )
    if as_json:
        put_json(
            ranking.to_dict() | ({"gate": {"pair": gate, "decision": decision}} if gate else {})
        )
        return GATE_CODES[decision] if decision else 0
    say(ranking.summary())
    if decision:
        say(f"\n{gate}: {decision}")
    return GATE_CODES[decision] if decision else 0
