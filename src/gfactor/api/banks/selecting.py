"""Banks made of banks: items selected, transformed, and brought back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any, Unpack

from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import progress
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, scoring_of
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank, opened
from gfactor.benchmarks import postprocess, read_decisions, selection
from gfactor.benchmarks.postprocess import Transformed, Variants
from gfactor.benchmarks.selection import METHODS, Errors, Selection
from gfactor.benchmarks.selection.parsing import exact
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.parameters import Jobs, Seed
from gfactor.scoring.policies import BENCHMARKS_POLICY


def select(
    bank: BankLike,
    method: str,
    *,
    path: Path | str,
    seed: Seed = 0,
    errors: JournalLike | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    decisions: Path | str | None = None,
    jobs: Jobs = 1,
    by: Sequence[str] | str | None = None,
    n: int | None = None,
    quota: str | None = None,
    allocation: str | None = None,
    types: Sequence[str] | str | None = None,
    difficulty: str | None = None,
    quality: str | None = None,
    weights: Sequence[float] | str | None = None,
    alpha: float | str | None = None,
    p: float | str | None = None,
    m: int | None = None,
    a: float | str | None = None,
    b: float | str | None = None,
    normalize: str | None = None,
    **reach: Unpack[ReachOptions],
) -> Selection:
    """Select items of a bank by a method, and write them as a new bank in the same order.

    The same seed and options give the same file. The metadata of the new bank record the selection
    (`derived`).

    Parameters
    ----------
    bank : ItemBank or path
        Bank from which items are selected.
    method : str
        Method of selection: "all", "stratified", "quota", "elite" or "appendix-d"; `gfactor select
        --help` describes each.
    path : path
        The Parquet file to write.
    seed : int
        Seed of all random draws.
    errors : Journal or path, optional
        For "elite": answers of examinees to the bank's items.
    examinees : list of str
        Examinees whose answers in `errors` are used; all if none is named.
    condition : str, optional
        Condition of the answers in `errors`; needed if it holds several.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    decisions : path, optional
        File of people's decisions; items that people dropped are removed before the method
        selects.
    jobs : int
        Number of parallel processes; the result does not depend on it.
    by : list of str, optional
        Labels of the items. For "stratified" and "quota" their combinations are the strata;
        "elite" spreads items over their values; for "appendix-d" the label that holds the pieces
        of knowledge. None, here and below, stands for the default of the method.
    n : int, optional
        For "stratified" and "elite": number of items to select.
    quota : str, optional
        For "quota": number of items of every stratum, and of single strata: "10,Math=20" takes 20
        items of Math and 10 of every other stratum.
    allocation : {"equal", "proportional"}, optional
        For "stratified" and "elite": sizes of the strata in the selection.
    types : list of str, optional
        For "elite": answer types to choose from.
    difficulty : str, optional
        For "elite": label of the items that holds their difficulty.
    quality : str, optional
        For "elite": label of the items that holds their quality.
    weights : list of float, optional
        For "elite": weights of difficulty, of quality and of the models' errors.
    alpha : float, optional
        For "appendix-d": factor alpha of N_k = ceil(alpha lg n_k), the number of items taken from
        the n_k items of a piece of knowledge.
    p : float, optional
        For "appendix-d": probability of selecting an item among the m first and the m last ones,
        when items are ranked by content.
    m : int, optional
        For "appendix-d": number of items at each end of the ranking (see `p`).
    a : float, optional
        For "appendix-d": weight of the number of characters in the ranking.
    b : float, optional
        For "appendix-d": weight of the number of images in the ranking.
    normalize : {"ratio", "harmonic"}, optional
        For "appendix-d": normalization of the numbers of characters and images by their mean M
        within a piece of knowledge: "ratio" is 2LM/(L²+M²), "harmonic" is 2LM/(L+M).
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    Selection
        `built` (the file of the new bank), `step` (a record of the selection, with `warnings`) and
        `summary()`.

    Raises
    ------
    UnknownNameError
        For an unknown method, label or stratum.
    ParameterError
        If the method does not have an option, or the option has an impossible value.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> done = gf.select(bank, "stratified", by=["domain", "size"], n=6, path="few.parquet")
    >>> len(gf.open_bank("few.parquet"))
    6
    """
    options = {
        "by": by, "n": n, "quota": quota, "allocation": allocation, "types": types,
        "difficulty": difficulty, "quality": quality, "weights": weights, "alpha": alpha, "p": p,
        "m": m, "a": a, "b": b, "normalize": normalize,
    }  # fmt: skip
    typed = {name: _as_typed(value) for name, value in options.items() if value is not None}
    return selected(
        bank, method, typed, path=path, seed=seed, errors=errors, decisions=decisions, jobs=jobs,
        examinees=examinees, condition=condition, judge=judge, policy=policy, **reach,
    )  # fmt: skip


def selected(
    bank: BankLike,
    method: str,
    typed: Mapping[str, str],
    *,
    path: Path | str,
    seed: int,
    errors: JournalLike | None,
    decisions: Path | str | None,
    jobs: int,
    examinees: Sequence[str],
    condition: str | None,
    judge: str | None,
    policy: str,
    **reach: Unpack[ReachOptions],
) -> Selection:
    """Select items as `select` does; the method's options are given as text."""
    opened_bank = as_bank(bank)
    scoring = scoring_of(examinees, condition, judge, policy, reach)
    if scoring.named and errors is None:
        raise ParameterError(
            f"{scoring.named[0]} is for {option('errors')} JOURNAL; name the journal"
        )
    if errors is not None and not METHODS[method].uses_errors:
        able = ", ".join(name for name, one in METHODS.items() if one.uses_errors)
        raise ParameterError(f"--errors is not an option of {method}; it is for: {able}")
    return selection.select(
        opened_bank,
        path,
        method,
        seed=seed,
        errors=_model_errors(errors, opened_bank, scoring) if errors is not None else None,
        decisions=read_decisions(Path(decisions)) if decisions else None,
        typed=typed,
        jobs=jobs,
        watch=progress,
    )


def _model_errors(journal: JournalLike, bank: ItemBank, scoring: Scoring) -> Errors:
    """The share of wrong answers to every item, averaged over occasions, then over examinees.

    `scoring` says whose answers, and how they are read, as in `gfactor score`. Raises
    ParameterError if nobody answered an item of the bank, or answers are of several conditions.
    """
    with opened(journal) as open_journal:
        table, name = scoring.one_condition(open_journal), open_journal.name
    frame = bank.frame()
    ids: dict[str, list[str]] = {}
    for item_id, content in zip(frame["id"], frame["content_hash"], strict=True):
        ids.setdefault(content, []).append(item_id)
    wrong: dict[str, dict[str, list[float]]] = {}
    columns = (table[name] for name in ("examinee", "item_hash", "correct"))
    for examinee, item_hash, correct in zip(*columns, strict=True):
        if not math.isnan(correct):
            for item_id in ids.get(item_hash, ()):
                wrong.setdefault(item_id, {}).setdefault(examinee, []).append(1 - correct)
    if not wrong:
        raise ParameterError(
            f"journal {name!r} has no answers to items of {str(bank.path)!r}; ask them first with "
            "`gfactor run`, or name the journal that holds answers to them"
        )
    names = {examinee for by_examinee in wrong.values() for examinee in by_examinee}
    shares = {item: fmean(map(fmean, by_examinee.values())) for item, by_examinee in wrong.items()}
    return Errors(tuple(sorted(names)), shares)


def transform(
    bank: BankLike,
    names: Sequence[str] | str,
    *,
    path: Path | str,
    share: Fraction | float | str = 1,
    seed: Seed = 0,
    jobs: Jobs = 1,
) -> Transformed:
    """Change the items of a bank, and write them as a new bank.

    The provenance of every changed item records the change and the original item, so that `undo`
    can restore it.

    Parameters
    ----------
    bank : ItemBank or path
        Bank whose items are changed.
    names : list of str
        Transformations, which are applied in this order; `gfactor transform --help` describes
        each.
    path : path
        The Parquet file to write.
    share : float
        Share of the items that are changed, above 0 and at most 1 (default). They are drawn at
        random from those to which the transformation applies.
    seed : int
        Seed of this random draw.
    jobs : int
        Number of parallel processes; the result does not depend on it.

    Returns
    -------
    Transformed
        `built` (the file of the new bank) and `items` (number of items changed by each
        transformation).

    Raises
    ------
    UnknownNameError
        For an unknown transformation.
    ParameterError
        If `share` is not above 0 and at most 1.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> dict(gf.transform(bank, ["html-to-markdown"], path="plain.parquet").items)
    {'html-to-markdown': 0}
    """
    given = (names,) if isinstance(names, str) else tuple(names)
    part = exact("share", 1)(str(share))
    return postprocess.transform(
        as_bank(bank), path, given, share=part, seed=seed, jobs=jobs, watch=progress
    )


def variants(
    bank: BankLike,
    names: Sequence[str] | str,
    *,
    path: Path | str,
    seed: Seed = 0,
    jobs: Jobs = 1,
) -> Variants:
    """Make two variants of each item, and draw at random which of them becomes public.

    Publish the public bank, keep the fresh one secret, and have models answer both later:
    `inflation` then has an exact test that needs no reference models.

    Parameters
    ----------
    bank : ItemBank or path
        The items.
    names : list of str
        Transformations that do not change the question: "shuffle-options", "move-key",
        "change-names", "change-numbers", "reframe-images", "redraw-images".
    path : path
        Parquet file for the public variants, NAME.parquet. The others are written beside it as
        NAME.fresh.parquet, and the record of the draw as NAME.draw.json.
    seed : int
        Seed of the variants and of the draw. Keep it secret for as long as you keep the fresh bank
        secret.
    jobs : int
        Number of parallel processes; the result does not depend on it.

    Returns
    -------
    Variants
        `public` and `fresh` (the banks), `record` (of the draw), `draw` (a hash that both banks
        hold) and `left_out` (items for which two variants could not be made).

    Raises
    ------
    UnknownNameError
        For an unknown transformation.
    ParameterError
        If a transformation changes the question, or no item has two variants.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["sort_lines"], sizes=[1, 5], path="pv.parquet")
    >>> made = gf.variants(bank, "reframe-images", path="v.parquet", seed=1)
    >>> made.public.items == made.fresh.items
    True
    """
    given = (names,) if isinstance(names, str) else tuple(names)
    return postprocess.draw_variants(
        as_bank(bank), path, given, seed=seed, jobs=jobs, watch=progress
    )


def undo(
    bank: BankLike, *, path: Path | str, last_only: bool = False, jobs: Jobs = 1
) -> Transformed:
    """Undo transformations: write a bank with the original items.

    Parameters
    ----------
    bank : ItemBank or path
        A bank that `transform` wrote.
    path : path
        The Parquet file to write.
    last_only : bool
        Undo only the last transformation of each item.
    jobs : int
        Number of parallel processes; the result does not depend on it.

    Returns
    -------
    Transformed
        `built` (the file of the new bank) and `items` (number of items restored, by
        transformation).

    Raises
    ------
    ParameterError
        If no item was transformed, or an image cannot be restored because it was removed with a
        part of its item.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.errors import ParameterError
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> try:
    ...     gf.undo(bank, path="before.parquet")
    ... except ParameterError as error:
    ...     print(str(error).split(";")[0])
    no item of 'pv.parquet' was transformed, so there is nothing to undo
    """
    return postprocess.undo(as_bank(bank), path, last_only=last_only, jobs=jobs, watch=progress)


def _as_typed(value: Any) -> str:
    """An option's value as it is typed on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)
