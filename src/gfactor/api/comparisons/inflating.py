"""Tests of whether a model's score on public items is higher than fresh items predict."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from gfactor.api.comparisons.inflation_items import GivenAnswers, given_answers, with_samples
from gfactor.api.comparisons.inflation_unread import with_unread
from gfactor.api.inputs.calls import names_checked
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank
from gfactor.benchmarks.postprocess import twins_of
from gfactor.errors import ParameterError
from gfactor.items import Item, ItemBank
from gfactor.listing import first_few
from gfactor.parameters import Level
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of
from gfactor.psychometrics.inference.inflation_each import Inflations, inflation_of_each

Items: TypeAlias = Sequence[str] | BankLike
"""Names of items, one pattern of names such as "public*", a text file with a name per line, or the
bank that holds the items."""


@names_checked
def inflation(
    answers: JournalLike,
    *,
    examinee: str,
    public: Items,
    fresh: Items,
    references: Sequence[str] | None = None,
    twins: Mapping[str, str] | None = None,
    wrong_keys: Items | None = None,
    level: Level = 0.95,
    condition: str | None = None,
) -> Inflation:
    """Estimate how far a model's public score is above the score that fresh items predict.

    A model that has seen the public items solves more of them than its ability explains. Reference
    models show how large a difference between public and fresh items is to be expected; public
    items may therefore be easier than fresh ones. The result is about scores; it does not show why
    they differ.

    Parameters
    ----------
    answers : DataFrame, Journal or path
        Table with a row per model and a column per item (1 right, 0 wrong, a share for several
        occasions, empty if not answered), or a journal with all answers.
    examinee : str
        Model to examine: the name of a row, or an examinee of the journal (parameters may be left
        out of its name).
    public : list of str, str or bank
        Public items: a list of names, a pattern of names ("public*"), a text file with a name per
        line ("public.txt"), or their bank.
    fresh : list of str, str or bank
        Fresh items, given in one of the ways of `public`.
    references : list of str, optional
        Reference models, preferably of other model families than the examined model; by default
        all other models. The estimate needs at least 5 of them, and the rank test at least 19.
    twins : mapping of str to str, optional
        Fresh twin of each public item, if the public one of the two was drawn at random. For two
        banks made by `variants` these are by default their pairs.
    wrong_keys : list of str, str or bank, optional
        Public items whose published answer key is wrong, given in one of the ways of `public`. The
        model's agreement with these keys is compared with that of the reference models.
    level : float
        Confidence level of the interval (default .95).
    condition : str, optional
        Condition whose answers count; needed if the journal holds answers to an item under several
        conditions.

    Returns
    -------
    Inflation
        `estimate`, `ci_lower` and `ci_upper` in percentage points, `tests`, `power`, `items`,
        `references`, `sentence` (the result in words) and `diagnostics`. `report(folder)` writes a
        page that shows the items with pictures and replies.

    Raises
    ------
    ParameterError
        If a model or an item is missing, an item is both public and fresh, answers lie outside 0
        to 1, or the examined model has fewer than 20 answers to public or to fresh items.

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
    given = given_answers(answers, condition)
    forms = [_Form.of(items, given.table, what)
             for items, what in ((public, "public"), (fresh, "fresh"))]  # fmt: skip
    model = given.model(str(examinee))
    result = inflation_of(
        given.table,
        examinee=model,
        public=forms[0].names,
        fresh=forms[1].names,
        references=_references(references, given, (model,)),
        twins=twins if twins is not None else _twins(*forms),
        wrong_keys=_named(wrong_keys, given.table),
        level=level,
    )
    result = with_unread(result, given.responses, forms[0].names, forms[1].names)
    return with_samples(result, given, forms[0].item)


@names_checked
def inflation_each(
    answers: JournalLike,
    *,
    examinees: Sequence[str],
    public: Items,
    fresh: Items,
    references: Sequence[str] | None = None,
    twins: Mapping[str, str] | None = None,
    wrong_keys: Items | None = None,
    level: Level = 0.95,
    condition: str | None = None,
) -> Inflations:
    """Estimate the inflation of several models' scores, with p values adjusted for their number.

    Models that are examined are not used as reference models of each other.

    Parameters
    ----------
    answers : DataFrame, Journal or path
        As in `inflation`.
    examinees : list of str
        Models to examine. In a journal, a name with only some of its parameters, or none, stands
        for all examinees that it fits.
    public : list of str, str or bank
        As in `inflation`.
    fresh : list of str, str or bank
        As in `inflation`.
    references : list of str, optional
        Reference models; by default all models that are not examined.
    twins : mapping of str to str, optional
        As in `inflation`.
    wrong_keys : list of str, str or bank, optional
        As in `inflation`.
    level : float
        Confidence level of each interval, without adjustment for their number (default .95).
    condition : str, optional
        As in `inflation`.

    Returns
    -------
    Inflations
        `models` (a row per model, with p values before and after Holm's adjustment) and `results`
        (what `inflation` returns, by model).

    Raises
    ------
    ParameterError
        As in `inflation`; also if no model is named, or one is named twice or is also a reference
        model.

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
    given = given_answers(answers, condition)
    forms = [_Form.of(items, given.table, what)
             for items, what in ((public, "public"), (fresh, "fresh"))]  # fmt: skip
    models = examinees if isinstance(examinees, str) else given.models(examinees)
    result = inflation_of_each(
        given.table,
        examinees=models,
        public=forms[0].names,
        fresh=forms[1].names,
        references=_references(references, given, models),
        twins=twins if twins is not None else _twins(*forms),
        wrong_keys=_named(wrong_keys, given.table),
        level=level,
    )
    result = replace(result, results={
        name: with_unread(one, given.responses, forms[0].names, forms[1].names)
        for name, one in result.results.items()
    })  # fmt: skip
    unread = [d for one in result.results.values() for d in one.diagnostics
              if d.code == "unread_replies"]  # fmt: skip
    results = {
        name: with_samples(one, given, forms[0].item) if name in result.inflated else one
        for name, one in result.results.items()
    }
    diagnostics = by_severity([*result.diagnostics, *unread])
    return replace(result, results=results, diagnostics=diagnostics)


_Names = (list, tuple, set, frozenset, np.ndarray, pd.Index, pd.Series)
"""Types that are read as lists of item names."""


@dataclass(frozen=True)
class _Form:
    """The columns of a form; if its bank is given, also the column of each item, by item id."""

    names: Sequence[str]
    bank: ItemBank | None = None
    column_of: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Items, table: pd.DataFrame, what: str) -> _Form:
        """Return the form that is meant by names, a pattern of names or a bank."""
        if isinstance(items, str | Path) and str(items).endswith(".txt"):
            items = _lines(Path(items))
        if isinstance(items, str) and not items.endswith(".parquet"):
            named = [name for name in table.columns if fnmatch.fnmatchcase(name, items)]
            if not named:
                raise ParameterError(
                    f"no item of the answers is called like {items!r} ({what}); they are called "
                    f"{first_few(map(repr, table.columns), 3)}"
                )
            return cls(named)
        if isinstance(items, _Names):
            names = [str(name) for name in items]
            return cls(sorted(names) if isinstance(items, set | frozenset) else names)
        given: Any = items
        bank = as_bank(given)
        column_of = _columns(bank, table)
        if not column_of:
            raise ParameterError(
                f"the answers hold no item of the {what} bank; did anybody answer it?"
            )
        return cls(list(column_of.values()), bank, column_of)

    def item(self, name: str) -> Item | None:
        """Return the item of a column from the bank; None without one."""
        ids = [item for item, column in self.column_of.items() if column == name]
        return self.bank.item(ids[0]) if self.bank is not None and ids else None


def _references(
    references: Sequence[str] | None, given: GivenAnswers, examined: Sequence[str]
) -> list[str] | None:
    """Return the references; a name that stands for several means those that are not examined."""
    if isinstance(references, str):
        raise ParameterError(
            f"references is a list of names of models; got the text {references!r}"
        )
    if references is None:
        return None
    named = {str(name) for name in references}
    return [one for one in given.models(references) if one in named or one not in examined]


def _lines(path: Path) -> list[str]:
    """Return the names in a text file, one a line."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"{str(path)!r} cannot be read as a list of names: {error}") from error
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if not names:
        raise ParameterError(f"{str(path)!r} names no item; write one name per line")
    return names


def _named(wrong_keys: Items | None, table: pd.DataFrame) -> Sequence[str]:
    """Return the items with wrong keys by the names of their columns."""
    if wrong_keys is None or (isinstance(wrong_keys, _Names) and not len(wrong_keys)):
        return ()
    return _Form.of(wrong_keys, table, "wrong keys").names


def _twins(public: _Form, fresh: _Form) -> dict[str, str] | None:
    """Return the pairs of two banks of one draw that the answers hold; None for other items."""
    if public.bank is None or fresh.bank is None:
        return None
    first, second = public.column_of, fresh.column_of
    pairs = twins_of(public.bank, fresh.bank).items()
    return {first[a]: second[b] for a, b in pairs if a in first and b in second} or None


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
