"""Whether a model's score on public items is higher than fresh items predict."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pandas as pd

from gfactor.api.matrix_files import holds_scores as is_table_file
from gfactor.api.matrix_files import read_scores
from gfactor.api.results import matrix
from gfactor.api.taking import BankLike, JournalLike, as_bank
from gfactor.benchmarks.postprocess import twins_of
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.parameters import Level
from gfactor.psychometrics.given import as_frame, holds_scores
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of
from gfactor.psychometrics.inference.inflation_each import Inflations, inflation_of_each

Items: TypeAlias = Sequence[str] | BankLike
"""Names of items, one pattern of names such as "public*", or the bank that holds the items."""


def inflation(
    answers: JournalLike,
    *,
    examinee: str,
    public: Items,
    fresh: Items,
    references: Sequence[str] | None = None,
    twins: Mapping[str, str] | None = None,
    level: Level = 0.95,
    condition: str | None = None,
) -> Inflation:
    """Estimate how far a model's public score is above the score that fresh items predict.

    A model that has seen the public items answers more of them than its ability explains. What
    ability explains is learned from reference models, so the public form may be easier than the
    fresh one. The result speaks of scores; it does not say why they differ.

    Parameters
    ----------
    answers : DataFrame, Journal or path
        Models x items (1 right, 0 wrong, empty not answered), or a journal of all the answers.
    examinee : str
        The model to examine: a row, or an examinee of the journal.
    public : list of str, str or bank
        Names of the public items, a pattern of names ("public*"), or their bank.
    fresh : list of str, str or bank
        Names of the fresh items, a pattern of names, or their bank.
    references : list of str, optional
        The reference models, best of other families than the examinee; all others by default. At
        least 5 for an estimate and 19 for the rank test.
    twins : mapping of str to str, optional
        Public item -> its fresh twin, if it was drawn at random which of the two became public; of
        two banks that `variants` made, their pairs.
    level : float
        Confidence level of the interval (default .95).
    condition : str, optional
        The condition under which the models answered, if the journal holds several.

    Returns
    -------
    Inflation
        `estimate`, `ci_lower`, `ci_upper` in percentage points, `tests`, `power`, `items`,
        `references`, `sentence` and `diagnostics`.

    Raises
    ------
    ParameterError
        If a model or an item is missing, the forms share items, answers are not 0 or 1, or a form
        has fewer than 20 answers of the examinee.

    References
    ----------
    York, D., Evensen, N. M., Lopez Martinez, M., De Basabe Delgado, J. (2004). Unified equations
    for the slope, intercept, and standard errors of the best straight line. American Journal of
    Physics 72, 367-375.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> import gfactor as gf
    >>> rng = np.random.default_rng(1)
    >>> ability, easiness = rng.normal(0, 1, 31)[:, None], rng.normal(0, 1, 400)
    >>> right = rng.random((31, 400)) < 1 / (1 + np.exp(-ability - easiness))
    >>> right[0, :80] = True  # learned by heart
    >>> items = [f"public{k}" for k in range(200)] + [f"fresh{k}" for k in range(200)]
    >>> answers = pd.DataFrame(right * 1.0, [f"model {k}" for k in range(31)], items)
    >>> result = gf.inflation(answers, examinee="model 0", public="public*", fresh="fresh*")
    >>> bool(result.ci_lower > 0)
    True
    """
    table = _table(answers, condition)
    return inflation_of(
        table,
        examinee=examinee,
        public=_names(public, table, "public"),
        fresh=_names(fresh, table, "fresh"),
        references=references,
        twins=twins if twins is not None else _twins(public, fresh, table),
        level=level,
    )


def inflation_each(
    answers: JournalLike,
    *,
    examinees: Sequence[str],
    public: Items,
    fresh: Items,
    references: Sequence[str] | None = None,
    twins: Mapping[str, str] | None = None,
    level: Level = 0.95,
    condition: str | None = None,
) -> Inflations:
    """Estimate the inflation of several models, with p values adjusted for their number.

    No examined model is a reference of another one.

    Parameters
    ----------
    answers : DataFrame, Journal or path
        Models x items (1 right, 0 wrong, empty not answered), or a journal of all the answers.
    examinees : list of str
        The models to examine.
    public : list of str, str or bank
        Names of the public items, a pattern of names, or their bank.
    fresh : list of str, str or bank
        Names of the fresh items, a pattern of names, or their bank.
    references : list of str, optional
        The reference models; all models that are not examined by default.
    twins : mapping of str to str, optional
        As in `inflation`.
    level : float
        Confidence level of each interval by itself (default .95).
    condition : str, optional
        The condition under which the models answered, if the journal holds several.

    Returns
    -------
    Inflations
        `models` (a row per model, p values as they are and adjusted by Holm), `results` by model.

    Raises
    ------
    ParameterError
        As `inflation`, and if no model is named, one is named twice, or one is a reference too.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> import gfactor as gf
    >>> rng = np.random.default_rng(1)
    >>> ability, easiness = rng.normal(0, 1, 32)[:, None], rng.normal(0, 1, 400)
    >>> right = rng.random((32, 400)) < 1 / (1 + np.exp(-ability - easiness))
    >>> right[0, :80] = True  # learned by heart
    >>> items = [f"public{k}" for k in range(200)] + [f"fresh{k}" for k in range(200)]
    >>> answers = pd.DataFrame(right * 1.0, [f"model {k}" for k in range(32)], items)
    >>> result = gf.inflation_each(
    ...     answers, examinees=["model 0", "model 1"], public="public*", fresh="fresh*")
    >>> (result.models["adjusted_t"] < 0.05).tolist()
    [True, False]
    """
    table = _table(answers, condition)
    return inflation_of_each(
        table,
        examinees=[str(name) for name in examinees],
        public=_names(public, table, "public"),
        fresh=_names(fresh, table, "fresh"),
        references=references,
        twins=twins if twins is not None else _twins(public, fresh, table),
        level=level,
    )


def _twins(public: Items, fresh: Items, table: pd.DataFrame) -> dict[str, str] | None:
    """Return the pairs of two banks of one draw that the answers hold; None for other items."""
    banks = []
    for items in (public, fresh):
        is_pattern = isinstance(items, str) and not items.endswith(".parquet")
        if is_pattern or (isinstance(items, Sequence) and not isinstance(items, str)):
            return None
        banks.append(as_bank(items))
    first, second = (_columns(bank, table) for bank in banks)
    pairs = twins_of(banks[0], banks[1]).items()
    return {first[a]: second[b] for a, b in pairs if a in first and b in second} or None


def _table(answers: JournalLike, condition: str | None) -> pd.DataFrame:
    if holds_scores(answers):
        return as_frame(answers, "the answers").rename(index=str, columns=str)
    if isinstance(answers, str | Path) and is_table_file(Path(answers)):
        return read_scores(Path(answers)).rename(index=str, columns=str)
    return matrix(answers, by="item", condition=condition).scores.rename(index=str, columns=str)


def _names(items: Items, table: pd.DataFrame, what: str) -> list[str]:
    """Return the columns that are meant by names, a pattern or a bank."""
    if isinstance(items, str) and not items.endswith(".parquet"):
        named = [name for name in table.columns if fnmatch.fnmatchcase(name, items)]
        if not named:
            raise ParameterError(f"no item of the answers is called like {items!r} ({what})")
        return named
    if isinstance(items, Sequence) and not isinstance(items, str):
        return [str(name) for name in items]
    named = list(_columns(as_bank(items), table).values())
    if not named:
        raise ParameterError(f"the answers hold no item of the {what} bank; did anybody answer it?")
    return named


def _columns(bank: ItemBank, table: pd.DataFrame) -> dict[str, str]:
    """Return the column of each item of a bank that the answers hold, as `matrix` names items.

    Banks of one generator and two seeds give other items the same names; these columns hold the
    beginning of the item's hash.
    """
    frame = bank.frame()
    columns = set(table.columns)
    column_of = {}
    for item, content, benchmark in zip(
        frame["id"], frame["content_hash"], frame["benchmark"], strict=True
    ):
        exact = f"{item}@{content[:8]}"
        for name in (f"{benchmark}:{exact}", exact, f"{benchmark}:{item}", item):
            if name in columns:
                column_of[str(item)] = name
                break
    return column_of
