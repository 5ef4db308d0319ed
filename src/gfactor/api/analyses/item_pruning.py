"""Fewer items of a benchmark, chosen from the answers in a journal, and what is lost."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from gfactor.api.analyses.journal_scores import scored_members
from gfactor.api.inputs.table_selection import named_columns
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank
from gfactor.benchmarks.derived import derive, in_parts, unchanged
from gfactor.benchmarks.selection.allocation import allocate
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items import ItemBank
from gfactor.listing import first_few
from gfactor.parameters import Seed
from gfactor.psychometrics import Diagnostic, by_severity
from gfactor.psychometrics import pruning as methods
from gfactor.psychometrics.pruning import PrunedItems
from gfactor.psychometrics.pruning.items import FEWEST_MODELS
from gfactor.scoring import by_label, matrix
from gfactor.scoring.score_matrix import item_names
from gfactor.scoring.summaries import label_column


def prune_items(
    data: JournalLike,
    items: int,
    *,
    by: str = "domain",
    drop: str | None = None,
    condition: str | None = None,
    benchmark: str | None = None,
    without: Sequence[str] = (),
    bank: BankLike | None = None,
    path: Path | str | None = None,
    seed: Seed = 0,
) -> PrunedItems:
    """Choose some items of a benchmark, and estimate what is lost by leaving out the others.

    Each domain keeps its share of the items, easy and hard ones. Items are chosen so that the
    accuracies of the models on them are as close as possible to their accuracies on all items.

    Parameters
    ----------
    data : Journal or path
        Journal with the answers of several models to the benchmark, or a table of right and wrong
        answers with a row per model and a column per item.
    items : int
        Number of items to keep.
    by : str
        Label of the items, such as "domain", whose values keep their shares of the items. Items
        without domains are one group.
    drop : str, optional
        Items to leave out, separated by commas: names, patterns ("item*") or ranges ("x1:x9").
    condition : str, optional
        Condition whose answers count; needed if the journal holds several.
    benchmark : str, optional
        Benchmark whose items are pruned; needed if the journal holds several.
    without : list of str
        Models to leave out, by name or pattern ("*7b*").
    bank : ItemBank or path, optional
        Bank of all items, from which the retained ones are taken for the new bank.
    path : path, optional
        File for a bank of the retained items; needs `bank`.
    seed : int
        Seed of the bootstrap samples of models, and of the random items for comparison.

    Returns
    -------
    PrunedItems
        `items` (a row for each; `retained` says whether it was chosen), `models` (accuracy before
        and after), `loss` (alpha before and after, rank correlation and errors of accuracy with
        intervals over models, each beside the value of randomly drawn items), `coverage` (items of
        each value of the label), `diagnostics`, `summary()`, and `report(folder)`, which writes a
        page.

    Raises
    ------
    ParameterError
        If fewer than three models answered, or at most `items` items are left.
    UnknownNameError
        For an unknown label, condition, benchmark or model.

    Examples
    --------
    >>> import gfactor as gf
    >>> domains = ["counting_circles", "sort_lines"]
    >>> options = {"sizes": [2, 4, 6], "instances": 2}
    >>> bank = gf.build("percept-v", domains=domains, path="b.parquet", **options)
    >>> who = [f"observer:limited?acuity=0.3&capacity={k}&seed={k}" for k in (2, 3, 4, 5)]
    >>> pruned = gf.prune_items(gf.run(bank, who, journal="c.db"), 6, bank=bank, path="six.parquet")
    >>> len(gf.open_bank("six.parquet")), pruned.coverage["retained"].tolist()
    (6, [3, 3])
    """
    if (bank is None) != (path is None):
        raise ParameterError(
            "a bank of the retained items needs both the bank that they are in and the file to "
            "write: bank=..., path=..."
        )
    answers = _without(scored_members(data, condition, benchmark), without)
    table = matrix(answers, "item").scores
    if drop:
        table = table.drop(columns=named_columns(drop, list(map(str, table.columns))))
    complete, left_out = _without_gaps(table, items)
    facts = answers.assign(_item=item_names(answers)).drop_duplicates("_item")
    complete, copies = _without_copies(complete, facts)
    if not 2 <= items < len(complete.columns):
        raise ParameterError(_too_few(table, complete, items))
    if by == "domain" and label_column(by, facts.columns) not in facts.columns:
        by = "benchmark"
    groups = {
        str(name): str(value)
        for value, rows in by_label(facts, by).items() for name in rows["_item"]
    }  # fmt: skip
    of_items = [groups.get(str(name), "") for name in complete.columns]
    sizes = {group: of_items.count(group) for group in sorted(set(of_items))}
    pruned = methods.prune_items(
        complete, of_items, allocate(sizes, items, "proportional"), by=by, seed=seed
    )
    if bank is not None and path is not None:
        ids = dict(zip(facts["_item"], facts["item_id"], strict=True))
        retained = [str(ids[name]) for name in pruned.retained]
        _write(as_bank(bank), Path(path), retained, seed)
    return replace(pruned, diagnostics=by_severity([*pruned.diagnostics, *left_out, *copies]))


def _without(answers: pd.DataFrame, without: Sequence[str]) -> pd.DataFrame:
    """Leave out models by name or pattern; UnknownNameError if a pattern meets none."""
    names = sorted(map(str, answers["examinee"].unique()))
    for pattern in without:
        if not fnmatch.filter(names, pattern):
            raise UnknownNameError("model", pattern, names)
    left = {name for name in names if not any(fnmatch.fnmatch(name, one) for one in without)}
    return pick(answers, answers["examinee"].isin(list(left)).to_numpy())


def _without_gaps(table: pd.DataFrame, items: int) -> tuple[pd.DataFrame, list[Diagnostic]]:
    """Leave out the items that somebody did not answer; if too few items remain, the models with
    gaps instead."""
    complete = table.loc[:, table.notna().all(axis=0).to_numpy()]
    rows = table.notna().all(axis=1).to_numpy()
    if len(complete.columns) > items or len(table.columns) <= items or rows.sum() < FEWEST_MODELS:
        return complete, _incomplete(table, complete)
    return table.loc[rows], [Diagnostic(
        "incomplete_models", "warning",
        f"{len(rows) - rows.sum()} of {len(rows)} examinees did not answer every item and are left "
        "out.",
        "Accuracies are of those who answered everything, who may be abler than the others.",
        values={"n": int(rows.sum())},
    )]  # fmt: skip


def _too_few(table: pd.DataFrame, complete: pd.DataFrame, items: int) -> str:
    """Return the sentence about a number of items that cannot be kept."""
    count = len(complete.columns)
    if count > 2:
        return (
            f"the number of items to keep must be from 2 to {count - 1} (all {len(complete)} "
            f"examinees answered {count} items), got {items}"
        )
    return (
        f"{items} items cannot be chosen: {int(table.notna().all(axis=1).sum())} of {len(table)} "
        f"examinees answered all {len(table.columns)} items, and all examinees answered {count}; "
        "leave out those with gaps (--without)"
    )


def _incomplete(table: pd.DataFrame, complete: pd.DataFrame) -> list[Diagnostic]:
    count = len(table.columns) - len(complete.columns)
    if not count:
        return []
    answered = table.notna().sum(axis=1)
    return [Diagnostic(
        "incomplete_items", "warning",
        f"{count} of {len(table.columns)} items were not answered by everybody and are left out.",
        f"Have everybody answer all items, or leave out those that did not (--without; "
        f"{answered.idxmin()} answered {int(answered.min())}).",
        values={"n": count},
    )]  # fmt: skip


def _without_copies(
    table: pd.DataFrame, facts: pd.DataFrame
) -> tuple[pd.DataFrame, list[Diagnostic]]:
    """Leave out items that ask the same as an earlier one, and note how many there are."""
    if "item_hash" not in facts:
        return table, []
    hashes = dict(zip(facts["_item"], facts["item_hash"], strict=True))
    contents = pd.Series([hashes[name] for name in table.columns], dtype=object)
    copied = contents.duplicated().to_numpy(bool)
    if not copied.any():
        return table, []
    names = [str(name) for name in table.columns[copied]]
    return table.loc[:, ~copied], [Diagnostic(
        "copied_items", "note",
        f"{len(names)} of {len(copied)} items ask the same as an earlier one and are left out: "
        f"{first_few(names)}.",
        "gfactor audit BANK lists them.", where=tuple(names), values={"n": len(names)},
    )]  # fmt: skip


def _write(bank: ItemBank, path: Path, retained: Sequence[str], seed: int) -> None:
    """Write the bank of the retained items, in the order of the bank."""
    lacking = [name for name in retained if name not in bank]
    if lacking:
        raise ParameterError(
            f"{str(bank.path)!r} has no item {lacking[0]!r}; give the bank that the models answered"
        )
    wanted = set(retained)
    ordered = [name for name in bank.ids if name in wanted]
    step = {"what": f"{len(retained)} of {len(bank)} items, pruned", "seed": seed}
    derive(bank, path, in_parts(ordered), unchanged, step)
