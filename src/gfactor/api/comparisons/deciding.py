"""Examinees of a journal compared while asking goes on: decisions that hold at every look."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.asking.order import keyed_order
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, one_benchmark, scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.api.scores.compared_runs import with_runs
from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.claim import (
    DEFAULT_CLAIM,
    checked_claim,
    claim_in_words,
)
from gfactor.psychometrics.inference.deciding import SequentialRanking, rank_sequentially
from gfactor.scoring import units
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.summaries import fitting


def compare_sequentially(
    journal: JournalLike,
    *,
    level: float = 0.95,
    claim: str | None = None,
    benchmark: str | None = None,
    lenient: bool = False,
    ratio: bool = False,
    order_seed: int | None = None,
    gate: str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> SequentialRanking:
    """Compare examinees while they are being asked; decisions are valid at every look.

    The probability of any wrong decision is at most 1 - level, however often the function is
    called while answers come in. Items are taken in the random order in which `run(...,
    until=...)` asks them; this order depends only on the items and a seed. A pair is compared on
    all items up to the first one that one of the two has not answered yet. Items that share a
    picture, a problem or a translation count as one item, as soon as all of them are answered.

    Parameters
    ----------
    journal : Journal or path
        Journal that `run` returned, or its file. The run may still be going on.
    level : float
        Confidence level of intervals, decisions and rank sets.
    claim : {"same-domains"}, optional
        Population that the decisions generalize to: other items of the same domains. The other
        claims of `compare` are refused, because they need the whole run.
    benchmark : str, optional
        Benchmark on which examinees are compared; needed if the journal holds several.
    lenient : bool
        Read the answers in replies leniently, instead of by the benchmark's own rule.
    ratio : bool
        Compare the shares of points earned (partial credit), instead of the shares of items that
        are right as a whole.
    order_seed : int, optional
        Seed of the random order of the items. By default the seed of the run that filled the
        journal, or 0 if there was none. Choose it before you look at answers.
    gate : str, optional
        Two examinees, as "A - B", for whom `decision` says whether A is better than B. The exit
        code of the command is 0 if A is better, 3 if A is worse, and 4 if that is undecided.
    examinees : list of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition whose answers count; needed if the journal holds several.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    SequentialRanking
        `pairs` (a row per pair with its decision), `ranks` (rank sets), `between(first, second)`
        (one pair) and `naive_false_alarm` (false alarm rate if ordinary tests were repeated at
        every look).

    Raises
    ------
    ParameterError
        If there are fewer than two examinees, or options contradict each other.

    References
    ----------
    Ramdas, A., Gruenwald, P., Vovk, V., Shafer, G. (2023). Game-theoretic statistics and safe
    anytime-valid inference. Statistical Science 38, 576-601.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> gf.compare_sequentially(journal).between("observer:ideal", "baseline:constant")
    'better'
    """
    if lenient and ratio:
        lenient_option = option("lenient")
        raise ParameterError(
            f"points are given by the benchmark's own rule; leave out {lenient_option}"
        )
    with opened(journal) as open_journal:
        scoring = scoring_of(examinees, condition, judge, policy, reach)
        ranking = decided(
            open_journal,
            scoring,
            level,
            lenient,
            ratio,
            order_seed,
            claim=claim,
            benchmark=benchmark,
        )
    if not gate:
        return ranking
    decision = ranking.between(*pair_named(gate, [str(run) for run in ranking.ranks.index]))
    return replace(ranking, gate=gate, decision=decision)


def decided(
    journal: Journal,
    scoring: Scoring,
    level: float = 0.95,
    lenient: bool = False,
    ratio: bool = False,
    order_seed: int | None = None,
    *,
    claim: str | None = None,
    benchmark: str | None = None,
) -> SequentialRanking:
    """Return the decisions that an open journal supports."""
    claim = DEFAULT_CLAIM if claim is None else checked_claim(claim)
    if claim != DEFAULT_CLAIM:
        raise ParameterError(
            f"decisions during a run generalize to other items of the same domains; the claim "
            f"{claim} needs the whole run: use gfactor compare --claim {claim} after it"
        )
    reading = "points" if ratio else "correct_lenient" if lenient else "correct"
    table = one_benchmark(with_runs(scoring.table(journal), reading), benchmark)
    graded = bool(ratio or (occasions_of(journal) > 1).any())
    scores, settled = in_order(journal, table, order_seed)
    items = table.drop_duplicates("item_hash")
    domains = len(set(items["domain"])) if "domain" in items else 0
    names = dict(zip(items["item_hash"], units(items), strict=True))
    scores, settled, several = of_units(scores, settled, names)
    ranking = rank_sequentially(
        scores, settled=settled, level=level, graded=True if graded or several else None
    )
    return replace(ranking, claim=claim, generalizes_to=claim_in_words(claim, domains))


def of_units(
    scores: pd.DataFrame, settled: pd.DataFrame, names: Mapping[str, str]
) -> tuple[pd.DataFrame, pd.DataFrame, bool]:
    """Return the scores with a row per unit, at the position of its last item, and True if a unit
    has several items.

    A unit's score is the sum over its items out of the largest unit's number of items, so that
    every item weighs the same and scores stay between 0 and 1.
    """
    unit = pd.Series([names.get(str(item), str(item)) for item in scores.index], scores.index)
    if not unit.duplicated().any():
        return scores, settled, False
    last = ~unit.duplicated(keep="last")
    last_of_unit: Any = unit[last]
    order = last_of_unit.to_numpy()
    most = int(unit.value_counts().max())
    grouped: Any = scores.groupby(unit.to_numpy())
    summed = grouped.sum(min_count=1).reindex(order) / most
    present: Any = scores.notna().groupby(unit.to_numpy())
    complete = present.all().reindex(order)
    of_units: Any = settled.groupby(unit.to_numpy())
    whole = of_units.all().reindex(order)
    return summed.where(complete), whole, True


def in_order(
    journal: Journal,
    table: pd.DataFrame,
    order_seed: int | None = None,
    within: Collection[str] | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return scores (items x runs) in the order of asking, and which of them are settled.

    `table` has the columns that `with_runs` adds. Identical items share an answer and count once.
    The occasions of an item are averaged when all planned ones have been answered or attempted.
    `within` names the items, by hash, if not all of the journal count.
    """
    seed = journal.order_seed() if order_seed is None else order_seed
    of_run: Any = table.drop_duplicates("run").set_index("run")[["examinee", "condition"]]
    given: Any = journal.administered()
    wanted = occasions_of(journal)
    share = table["score"].astype(float) / table["of"].astype(float)
    rows: Any = table.assign(share=share).drop_duplicates(
        ["run", "item_hash", "occasion"]
    )  # twins of an item share its answers
    grouped = rows.groupby(["item_hash", "run"])
    scores: Any = grouped["share"].mean().unstack("run")
    answers: Any = grouped.size().unstack("run")
    every = set(given["content_hash"]) if within is None else within
    order = keyed_order(every, seed)
    scores, answers = scores.reindex(order), answers.reindex(order).fillna(0)
    settled = pd.DataFrame(False, index=scores.index, columns=scores.columns)
    outside = pd.Series(True, index=scores.index)
    for run in scores.columns:
        who = tuple(of_run.loc[run])
        administered = set(given.loc[_both(given, who), "content_hash"])
        outside &= ~scores.index.isin(administered)
        # An item that a run is never asked is not part of its pairs, so no pair waits for it.
        settled[run] = (answers[run] >= wanted[who]) | ~scores.index.isin(administered)
    return scores.loc[~outside], settled.loc[~outside]


def _both(given: pd.DataFrame, who: tuple[Any, ...]) -> Any:
    return (given["examinee"] == who[0]) & (given["condition"] == who[1])


def occasions_of(journal: Journal) -> Any:
    """Return the planned number of answers per item, by examinee and condition."""
    campaigns = pd.DataFrame(
        journal.meta()["campaigns"], columns=["examinee", "condition", "occasions"]
    )
    return campaigns.groupby(["examinee", "condition"])["occasions"].max()


def run_named(text: str, runs: Sequence[str]) -> str:
    """Return the run that a text names, in full or by an examinee with some of its parameters.

    Raises UnknownNameError if none fits, ParameterError if several do.
    """
    if text in runs:
        return text
    who, _, condition = text.partition(" | ")
    parts = [run.partition(" | ") for run in runs]
    names = set(fitting(who, list(dict.fromkeys(part[0] for part in parts))))
    fit = [
        run
        for run, part in zip(runs, parts, strict=True)
        if part[0] in names and condition in ("", part[2])
    ]
    if len(fit) > 1:
        raise ParameterError(f"{text!r} names {' and '.join(fit)}; name one of them in full")
    return fit[0]


def pair_named(text: str, runs: Sequence[str]) -> tuple[str, str]:
    """Return both runs of "A - B"; raise ParameterError if the text does not name two runs."""
    first, between, second = text.partition(" - ")
    if not between or not second.strip():
        raise ParameterError(
            f"two examinees are named as 'A - B', got {text!r}; there are {', '.join(runs)}"
        )
    pair = run_named(first.strip(), runs), run_named(second.strip(), runs)
    if pair[0] == pair[1]:
        raise ParameterError(f"{text!r} names {pair[0]!r} twice; name two examinees")
    return pair
