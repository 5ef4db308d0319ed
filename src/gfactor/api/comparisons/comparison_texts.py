"""The text of a comparison: what `gfactor compare` prints and `Comparison.summary` returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.inference.differences import from_the_higher
from gfactor.results import decimal
from gfactor.scoring.summaries import text_of_readers

if TYPE_CHECKING:
    from gfactor.api.comparisons.comparing import Comparison
    from gfactor.api.scores.compared_runs import Compared


def text_of(comparison: Comparison) -> str:
    """Return as text the rank sets and differences of each benchmark, then those within each value
    of a label."""
    return "\n\n".join(filter(None, _blocks(comparison)))


def _blocks(comparison: Comparison) -> Iterator[str]:
    several = len(comparison.wholes) > 1
    for name, whole in comparison.wholes.items():
        named = f"{comparison.journal}: {name}" if name and several else comparison.journal
        yield from _whole(whole, named)
        if comparison.by:
            yield from _parts(comparison.by, comparison.within[name], whole)
        numbers = _numbers(whole)
        yield text_of_readers({f"#{numbers[run]}": read for run, read in whole.read.items()})


def _whole(whole: Compared, name: str) -> Iterator[str]:
    settings, ranks = whole.differences.settings, whole.ranks.table
    items = len(whole.differences.runs.scores)
    yield f"{f'{name}: ' * bool(name)}{whole.who}, {items:,} items; {whole.words}"
    beside = None if whole.other is None else whole.other.ranks.spans()
    spans, first_in = whole.ranks.spans(), whole.ranks.probabilities[1]
    rows = [
        {
            "#": number,
            "ranks": spans[run],
            **({} if beside is None else {"ranks, other claim": beside[run]}),
            "mean": decimal(float(ranks["mean"].iloc[number - 1]), ".3f"),
            "n": ranks["n"].iloc[number - 1],
            "missing": whole.missing[run],
            "chance": decimal(whole.chance.get(run, np.nan), ".3f"),
            "first in": f"{first_in.iloc[number - 1]:.0%}",
            "examinee": run,
        }
        for run, number in _numbers(whole).items()
    ]
    yield pd.DataFrame(rows).to_string(index=False)
    if not ranks["mean"].is_monotonic_decreasing:
        yield (
            "#: by how many examinees are ahead on the items of both, not by the means, which are "
            "of the items that each answered"
        )
    yield (
        f"ranks: those left possible, all together at {100 * settings.level:g}%; first in: share "
        f"of {whole.ranks.draws:,} bootstrap draws"
    )
    yield "" if whole.other is None else f"other claim: {whole.other.words}"
    yield pd.DataFrame(_pair_rows(whole, whole)).to_string(index=False)


def _parts(by: str, parts: Mapping[str, Compared], whole: Compared) -> Iterator[str]:
    pairs = [{by: v} | row for v, part in parts.items() for row in _pair_rows(part, whole)]
    yield pd.DataFrame(pairs).to_string(index=False)
    numbers = _numbers(whole)
    spans = [
        {by: value}
        | {f"#{number}": part.ranks.spans().get(run, "-") for run, number in numbers.items()}
        for value, part in parts.items()
    ]
    yield f"ranks in every {by}\n{pd.DataFrame(spans).to_string(index=False)}"


def _pair_rows(part: Compared, whole: Compared) -> list[dict[str, Any]]:
    """Return the pairs in the order of their numbers, the one that stands higher first."""
    number = _numbers(whole)
    rows = [from_the_higher(row, number) for row in part.differences.table.to_dict("records")]
    rows.sort(key=lambda row: (number[row["first"]], number[row["second"]]))
    return [
        {
            "pair": f"#{number[row['first']]} - #{number[row['second']]}",
            "difference": decimal(row["estimate"], "+z.3f"),
            "interval": f"[{decimal(row['low'], '+z.3f')}, {decimal(row['high'], '+z.3f')}]",
            **{name: p_value(row[name]) for name in ("p", "p_holm", "p_fdr")},
            "n": row["n"],
            "unpaired": row["first_only"] + row["second_only"],
            "effect": decimal(row["effect"], ".2f"),
            "method": row["method"],
        }
        for row in rows
    ]


def _numbers(whole: Compared) -> dict[str, int]:
    """Every run with the number that stands for it in the tables."""
    return {str(run): number for number, run in enumerate(whole.ranks.table.index, 1)}
