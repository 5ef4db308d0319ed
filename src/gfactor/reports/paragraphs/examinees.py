"""Sentences on examinees compared on the same items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gfactor.numbers_in_text import p_value, share
from gfactor.psychometrics.inference.differences import Differences, from_the_higher
from gfactor.psychometrics.inference.ranks import RankSets
from gfactor.reports.paragraphs.wording import MOST_LISTED, limits_of, listed, software
from gfactor.results import number_of


def sentences_on_examinees(
    differences: Differences, ranks: RankSets, missing: Mapping[str, int], *, who: str,
    benchmark: str, reading: str, claim: str,
) -> Iterable[str]:  # fmt: skip
    """Yield the sentences on examinees compared on the items of one benchmark.

    Parameters
    ----------
    differences, ranks : Differences, RankSets
        Their paired differences, and the ranks that these leave possible.
    missing : mapping of str to int
        Failed attempts of each examinee.
    who, benchmark, reading, claim : str
        Number of examinees, name of the benchmark ("" for none), reading of the answers, and claim
        of the intervals, in words.
    """
    level = differences.settings.level
    items = number_of(len(differences.runs.scores), "item")
    yield (
        f"{who} were compared pair by pair on {items}{f' of {benchmark}' if benchmark else ''} "
        f"({reading} reading of the answers) with {software()}; the {level:.0%} interval of a "
        f"difference {claim}."
    )
    failed = sum(missing.values())
    if failed:
        verb = "is" if failed == 1 else "are"
        yield f"{number_of(failed, 'failed attempt')} {verb} missing and left out."
    order = {str(run): position for position, run in enumerate(ranks.table.index)}
    if len(order) <= MOST_LISTED:
        means = [
            f"{run} {share(row['mean'])} ({number_of(row['n'], 'answer')})"
            for run, row in ranks.table.to_dict("index").items()
        ]
        yield f"Means: {'; '.join(means)}."
    pairs = [from_the_higher(row, order) for row in differences.table.to_dict("records")]
    sure = [row for row in pairs if row["p_holm"] < 1 - level]
    count = number_of(len(pairs), "pair")
    alpha = share(1 - level, 2)
    if not sure:
        yield (
            f"No difference was found at {alpha} (adjusted by Holm) in {count}, which does not "
            f"show {'the two' if len(pairs) == 1 else 'any two'} to be equal."
        )
    else:
        verb = "differs" if len(sure) == 1 else "differ"
        open_ones = len(pairs) - len(sure)
        rest = ""
        if open_ones:
            rest = f"; the order of the other {'pair' if open_ones == 1 else open_ones} is open"
        yield f"At {alpha} (adjusted by Holm), {len(sure)} of {count} {verb}{rest}."
    listed_pairs = pairs if len(pairs) <= MOST_LISTED else sure
    if 0 < len(listed_pairs) <= MOST_LISTED:
        yield f"Differences: {'; '.join(_pair(row, level) for row in listed_pairs)}."
    spans = ranks.spans()
    if len(spans) <= MOST_LISTED:
        sets = listed([f"{run} {span}" for run, span in spans.items()])
        yield f"Ranks that remain possible, all together at {ranks.level:.0%}: {sets}."


def _pair(row: Mapping[Any, Any], level: float) -> str:
    return (
        f"{row['first']} minus {row['second']} = {share(row['estimate'])}, "
        f"{limits_of(row['low'], row['high'], level)}, adjusted p {p_value(row['p_holm'], '= ')} "
        f"({number_of(row['n'], 'common item')})"
    )
