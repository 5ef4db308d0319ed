"""gfactor compare: compare examinees on the same items: differences, ranks and their intervals.

gfactor compare c.db
gfactor compare c.db --by domain --json
gfactor compare multi.db --ratio
gfactor compare c.db --sequential --gate 'observer:ideal - baseline:random'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived
from gfactor.cli.scoring import SCORED, say_shares, scoring_options
from gfactor.cli.values import range_of
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.compared_runs import Compared
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
        "--level",
        type=range_of("Level"),
        metavar="P",
        help="Confidence level of intervals and decisions of --sequential, by default 0.95.",
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
    lenient: bool,
    ratio: bool,
    sequential: bool,
    level: float | None,
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
                opened, scoring, level or 0.95, lenient, ratio, order_seed, claim=claim,
                benchmark=benchmark,
            )  # fmt: skip
        return _say_decided(ranking, gate, as_json) or scoring.code
    for name, value in (("--gate", gate), ("--level", level), ("--order-seed", order_seed)):
        if value is not None:
            raise ParameterError(f"{name} is for --sequential; add it")
    question = Question.of(claim, domain_label, cluster, benchmark, over_benchmarks)
    with opened_journal(journal) as opened:
        comparison = Comparison.of(opened, scoring, by, question, lenient, ratio)
    if as_json:
        put_json(comparison.to_dict())
        return scoring.code
    for note in comparison.diagnostics:
        say(str(note))
    for name, whole in comparison.wholes.items():
        title = f"{journal}: {name}" if name and len(comparison.wholes) > 1 else journal
        _say_whole(whole, title)
        if by:
            _say_parts(by, comparison.within[name], whole)
        say_shares({f"#{number}": whole.read[run] for run, number in _numbers(whole).items()})
    return scoring.code


def _say_decided(ranking: SequentialRanking, gate: str | None, as_json: bool) -> int:
    """Print what is decided; the exit code of the gate, 0 without one."""
    import pandas as pd

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
    for note in ranking.diagnostics:
        say(str(note))
    say(f"{ranking.title}; {ranking.generalizes_to}\n")
    numbers = {str(run): k for k, run in enumerate(ranking.ranks.index, 1)}
    rows = [
        {
            "#": numbers[str(run)],
            "ranks": str(row["best"])
            if row["best"] == row["worst"]
            else f"{row['best']}-{row['worst']}",
            "mean": _decimal(row["mean"], ".3f"),
            "interval": f"[{row['ci_lower']:.3f}, {row['ci_upper']:.3f}]",
            "n": int(row["n"]),
            "examinee": run,
        }
        for run, row in zip(ranking.ranks.index, ranking.ranks.to_dict("records"), strict=True)
    ]
    say(f"{pd.DataFrame(rows).to_string(index=False)}\n")
    pairs = [
        {
            "pair": f"#{numbers[row['first']]} - #{numbers[row['second']]}",
            "decision": {"first": "better", "second": "worse"}.get(row["decision"], "undecided"),
            "difference": _decimal(row["estimate"], "+.3f"),
            "interval": f"[{row['ci_lower']:+.3f}, {row['ci_upper']:+.3f}]",
            "e": _decimal(row["e_value"], ".3g"),
            "p": _decimal(row["p"], ".2g"),
            "p_holm": _decimal(row["p_holm"], ".2g"),
            "n": row["n"],
            "decided at": _decimal(row["decided_at"], ".0f"),
            "naive alarms": _decimal(row["naive_false_alarm"], ".1%"),
        }
        for row in ranking.pairs.to_dict("records")
    ]
    say(pd.DataFrame(pairs).to_string(index=False))
    say(
        f"\nintervals, p and ranks hold at all looks together at {ranking.level:.0%}. "
        "naive alarms: how often an ordinary McNemar test, looked at after every discordant item "
        "from the 20th, would by now have called equal examinees different"
    )
    if ranking.naive_false_alarm == ranking.naive_false_alarm:
        say(
            "an ordinary 95 % interval of one mean, looked at after every item from the 20th, "
            f"would have missed in {ranking.naive_false_alarm:.1%} of such runs"
        )
    if decision:
        say(f"\n{gate}: {decision}")
    return GATE_CODES[decision] if decision else 0


def _say_whole(whole: Compared, title: str) -> None:
    import numpy as np
    import pandas as pd

    settings, ranks = whole.differences.settings, whole.ranks.table
    items = len(whole.differences.runs.scores)
    say(f"{title}: {whole.who}, {items:,} items; {whole.words}\n")
    beside = None if whole.other is None else whole.other.ranks.spans()
    spans, first_in = whole.ranks.spans(), whole.ranks.probabilities[1]
    rows = [
        {
            "#": number,
            "ranks": spans[run],
            **({} if beside is None else {"ranks, other claim": beside[run]}),
            "mean": _decimal(float(ranks["mean"].iloc[number - 1]), ".3f"),
            "n": ranks["n"].iloc[number - 1],
            "missing": whole.missing[run],
            "chance": _decimal(whole.chance.get(run, np.nan), ".3f"),
            "first in": f"{first_in.iloc[number - 1]:.0%}",
            "examinee": run,
        }
        for run, number in _numbers(whole).items()
    ]
    say(pd.DataFrame(rows).to_string(index=False))
    say(
        f"\nranks: those left possible, all together at {settings.level:.0%}; first in: share of "
        f"{whole.ranks.draws:,} bootstrap draws\n"
    )
    if whole.other is not None:
        say(f"other claim: {whole.other.words}\n")
    say(pd.DataFrame(_pair_rows(whole, whole)).to_string(index=False))
    say("")


def _say_parts(by: str, parts: Mapping[str, Compared], whole: Compared) -> None:
    import pandas as pd

    pairs = [{by: v} | row for v, part in parts.items() for row in _pair_rows(part, whole)]
    say(f"{pd.DataFrame(pairs).to_string(index=False)}\n")
    numbers = _numbers(whole)
    spans = [
        {by: value} | {f"#{number}": part.ranks.spans()[run] for run, number in numbers.items()}
        for value, part in parts.items()
    ]
    say(f"ranks in every {by}\n{pd.DataFrame(spans).to_string(index=False)}")


def _pair_rows(part: Compared, whole: Compared) -> list[dict[str, Any]]:
    number = _numbers(whole)
    return [
        {
            "pair": f"#{number[row['first']]} - #{number[row['second']]}",
            "difference": _decimal(row["estimate"], "+.3f"),
            "interval": f"[{_decimal(row['low'], '+.3f')}, {_decimal(row['high'], '+.3f')}]",
            **{name: _decimal(row[name], ".2g") for name in ("p", "p_holm", "p_fdr")},
            "n": row["n"],
            "unpaired": row["first_only"] + row["second_only"],
            "effect": _decimal(row["effect"], ".2f"),
            "method": row["method"],
        }
        for row in part.differences.table.to_dict("records")
    ]


def _decimal(value: float, form: str) -> str:
    import numpy as np

    return "-" if np.isnan(value) else format(value, form)


def _numbers(whole: Compared) -> dict[str, int]:
    """Every run with the number that stands for it in the tables."""
    return {str(run): number for number, run in enumerate(whole.ranks.table.index, 1)}
