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
    """Choose items of a bank by a method, and write them as a new bank in the same order.

    The same seed and options give the same file. The bank's metadata (`derived`) record the choice.

    Parameters
    ----------
    bank : ItemBank or path
        Bank from which items are chosen.
    method : str
        "all", "stratified", "quota", "elite", "appendix-d"; `gfactor select --help` says what each
        does.
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
        File of people's decisions; items that they dropped are removed before the method chooses.
    jobs : int
        Number of processes; the result does not depend on it.
    by : list of str, optional
        For "stratified", "quota", "elite" and "appendix-d": labels whose combinations are the
        strata, or over which items are spread. None here and below stands for the method's default.
    n : int, optional
        For "stratified" and "elite": number of items.
    quota : str, optional
        For "quota": number of items of every stratum, and of those named, as "10,Math=20".
    allocation : {"equal", "proportional"}, optional
        For "stratified" and "elite": sizes of the strata.
    types : list of str, optional
        For "elite": answer types to choose from.
    difficulty : str, optional
        For "elite": label with the difficulty.
    quality : str, optional
        For "elite": label with the quality.
    weights : list of float, optional
        For "elite": weights of difficulty, quality and errors.
    alpha : float, optional
        For "appendix-d": factor of the logarithm of a piece's items.
    p : float, optional
        For "appendix-d": probability of the places at both ends.
    m : int, optional
        For "appendix-d": number of places that an end has.
    a : float, optional
        For "appendix-d": weight of characters.
    b : float, optional
        For "appendix-d": weight of images.
    normalize : {"ratio", "harmonic"}, optional
        For "appendix-d": how lengths of characters and images are brought together.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    Selection
        `built` (the bank's file), `step` (a record of the change, with `warnings`), `summary()`.

    Raises
    ------
    UnknownNameError
        For an unknown method, label or stratum.
    ParameterError
        For an option that the method does not have, or a value it cannot take.

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
            f"journal {name!r} has no answers to items of {str(bank.path)!r}; have them asked "
            "first, with `gfactor run`, or name the journal that holds answers to them"
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
    """Change the items of a bank, and write them as a bank.

    The provenance of every changed item stores the change and the original item; `undo` restores
    the original items.

    Parameters
    ----------
    bank : ItemBank or path
        Bank whose items are changed.
    names : list of str
        Transformations, in this order; `gfactor transform --help` says what each does.
    path : path
        The Parquet file to write.
    share : float
        Share of the items to which a transformation applies, drawn at random; over 0, at most 1.
    seed : int
        Seed of the draw.
    jobs : int
        Number of processes; the result does not depend on it.

    Returns
    -------
    Transformed
        `built` (the bank's file) and `items` (how many were changed by each transformation).

    Raises
    ------
    UnknownNameError
        For an unknown transformation.
    ParameterError
        If `share` is not over 0 and at most 1.

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
    """Make two variants of each item and draw at random which of them becomes public.

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
        The Parquet file of the public variants. NAME.fresh.parquet and the record of the draw,
        NAME.draw.json, are written beside it.
    seed : int
        Seed of the variants and of the draw. Keep it secret as long as the fresh bank.
    jobs : int
        Number of parallel processes; the result does not depend on it.

    Returns
    -------
    Variants
        `public`, `fresh`, `record`, `draw` (a hash that both banks hold) and `left_out` (items of
        which no two variants could be made).

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
    """Write a bank as it was before its items were transformed.

    Parameters
    ----------
    bank : ItemBank or path
        A bank that `transform` wrote.
    path : path
        The Parquet file to write.
    last_only : bool
        Take only the last transformation of each item back.
    jobs : int
        Number of processes; the result does not depend on it.

    Returns
    -------
    Transformed
        `built` (the bank's file) and `items` (how many were changed back, by transformation).

    Raises
    ------
    ParameterError
        If no item was transformed, or an image was removed together with a part.

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
