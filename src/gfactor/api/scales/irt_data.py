"""A journal as an item response model reads it: who answered which item with how many points."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration import Journal
from gfactor.api.inputs.scoring import Scoring, nothing_counts
from gfactor.api.scales.languages_of_items import TABLE_OF_ONE, across_languages, translations
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.examinees import Spec
from gfactor.frames import pick
from gfactor.items import ItemBank
from gfactor.items.formats import option_from_json
from gfactor.items.hashing import digest_of
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.checks.brokenitems import BrokenItems
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.reports.answers.results import role_of
from gfactor.scoring import item_chance
from gfactor.scoring.score_matrix import item_names
from gfactor.scoring.summaries import require_one_condition

Counting = Literal["points", "whole", "lenient"]
"""Content of a cell: points earned, 1 if the item is right as a whole, or the same read leniently.
"""

_EARNED: Mapping[Counting, str] = {
    "points": "points", "whole": "correct", "lenient": "correct_lenient",
}  # fmt: skip
BOUNDS = ("baseline", "ideal")
"""Roles that are bounds and no members of a population."""
_ROW = "respondent"


@dataclass(frozen=True)
class ItemResponses:
    """The responses of a journal, one row per respondent and one column per item.

    A respondent is an examinee or, if conditions or languages are compared, an examinee under one
    of them.

    Parameters
    ----------
    scores : DataFrame (P, J)
        Points, or 1 and 0; missing where an item was not asked or the attempt failed.
    respondents : DataFrame (P, ...)
        `examinee`, `condition`, `language`, `kind` (person, model, population, ideal, baseline),
        `scheme`, `name`, `family` and the parameters of its specification.
    items : DataFrame (J, ...)
        Properties of the items in the journal, with `options` (their number, 0 without), `chance`
        (probability of a right answer without looking, NaN if unknown) and `key`.
    answers : DataFrame
        The responses behind the cells, a row each, as `gfactor.scoring.scored` gives them, with
        `respondent` and `item`, their names in `scores`.
    source : str
        The journal's name.
    diagnostics : tuple of Diagnostic
        Notes on what was left out.
    """

    scores: pd.DataFrame
    respondents: pd.DataFrame
    items: pd.DataFrame
    answers: pd.DataFrame
    source: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over the content hashes of the items, in the order of the hashes."""
        return digest_of(sorted(map(str, self.items["content_hash"])))

    @cached_property
    def choices(self) -> pd.DataFrame:
        """The option that every respondent chose (P, J'), for items whose answer is a choice."""
        names = list(pick(self.items, (self.items["answer_type"] == "choice").to_numpy()).index)
        rows = pick(self.answers, self.answers["item"].isin(names).to_numpy())
        chosen = [option_from_json(text) for text in rows["answer_lenient"]]
        table = rows.assign(chosen=chosen).pivot(index=_ROW, columns="item", values="chosen")
        return table.reindex(index=self.scores.index, columns=names)

    @property
    def key(self) -> dict[str, str]:
        """The keyed option of every item whose answer is a choice."""
        chosen: Any = pick(self.items, (self.items["answer_type"] == "choice").to_numpy())
        return {str(name): str(option_from_json(text)) for name, text in chosen["target"].items()}

    @property
    def n_options(self) -> dict[str, int]:
        """The number of options of every item, 0 for an item without options."""
        names = map(str, self.items.index)
        return dict(zip(names, map(int, self.items["options"].tolist()), strict=True))

    def guessing(self) -> tuple[dict[str, float], tuple[Diagnostic, ...]]:
        """Return the lower asymptote of every item, from its answer format, and a note."""
        levels = self.items["chance"].to_numpy(float)
        chance = dict(zip(map(str, self.items.index), map(float, levels), strict=True))
        lacking = tuple(name for name, level in chance.items() if np.isnan(level))
        asymptotes = {name: 0.0 if np.isnan(level) else level for name, level in chance.items()}
        if not lacking:
            return asymptotes, ()
        return asymptotes, (Diagnostic(
            "chance_unknown", "note",
            f"What guessing earns is not known for {len(lacking)} items without options that "
            f"stand alone in their domain, {first_few(lacking, 3)}; it is taken to be 0.",
            "Give their level in the column 'chance' of --item-table.", lacking,
        ),)  # fmt: skip

    def columns(self, names: Sequence[str]) -> pd.DataFrame:
        """Return columns of `respondents`, in the order of the scores; raise UnknownNameError if a
        column is missing."""
        for name in names:
            if name not in self.respondents:
                raise UnknownNameError("column of respondents", name, self.respondents.columns)
            if name in self.scores:
                raise ParameterError(f"{name!r} is an item and a column of respondents; rename it")
        return self.scores.join(self.respondents[list(names)])

    def of_rows(self, rows: NDArray[np.bool_]) -> ItemResponses:
        """Return the responses of some respondents; items that none of them answered are left
        out."""
        scores = self.scores.loc[rows]
        scores = scores.loc[:, scores.notna().any(axis=0).to_numpy()]
        here = self.answers["respondent"].isin(list(scores.index))
        return replace(
            self, scores=scores, respondents=self.respondents.loc[rows],
            items=self.items.loc[list(scores.columns)],
            answers=pick(self.answers, (here & self.answers["item"].isin(list(scores))).to_numpy()),
        )  # fmt: skip

    def of_items(self, names: Sequence[str]) -> ItemResponses:
        """Return the responses to some items, of those who answered any of them."""
        scores = pick(self.scores, list(names))
        scores = scores.loc[scores.notna().any(axis=1).to_numpy()]
        answers = pick(self.answers, self.answers["item"].isin(list(names)).to_numpy())
        return replace(
            self, scores=scores, respondents=self.respondents.loc[scores.index],
            items=self.items.loc[list(names)], answers=answers,
        )  # fmt: skip

    def with_table(self, table: pd.DataFrame, source: str) -> ItemResponses:
        """Return the data with a user's columns on examinees. The index of `table` holds the names
        of the examinees; "person:" may be left out.

        Raises ParameterError if an examinee of the journal has no row.
        """
        twice = table.index[table.index.duplicated()]
        if len(twice):
            raise ParameterError(f"{source!r}: examinee {twice[0]!r} has two rows")
        names = [
            name if name in table.index else str(name).removeprefix("person:")
            for name in self.respondents["examinee"]
        ]
        lacking = [name for name in names if name not in table.index]
        if lacking:
            raise ParameterError(
                f"{source!r} has no row of examinee {lacking[0]!r} ({len(lacking)} lacking)"
            )
        added = table.loc[names].set_axis(self.respondents.index, axis=0)
        respondents = self.respondents.drop(columns=list(added.columns), errors="ignore")
        return replace(self, respondents=respondents.join(added))


def item_responses(
    journal: Journal, scoring: Scoring, *, counting: Counting = "points", groups: str | None = None,
    bounds: bool = False, choose: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    one_language: str = TABLE_OF_ONE,
) -> ItemResponses:  # fmt: skip
    """Read a journal as respondents by items.

    Parameters
    ----------
    journal : Journal
        An open journal.
    scoring : Scoring
        Choice of examinees, condition, judge and policy; examinees that it names are included even
        if they are baselines or the ideal observer.
    counting : {"points", "whole", "lenient"}
        Content of the cells: points by the benchmark's rule (partial credit), 1 if an item is right
        as a whole, or the same with replies read leniently.
    groups : str or None
        "condition": an examinee is one respondent under every condition; "language": one in every
        language, and the versions of an item in several languages are one column.
    bounds : bool
        Keep baselines and the ideal observer, which are bounds and no members of a population.
    choose : callable, optional
        Function that chooses rows of the scored table, as those of one benchmark.
    one_language : str
        Remedy of the warning about questions that were asked in several languages.

    Returns
    -------
    ItemResponses
        Scored responses, persons x items, with facts about both.

    Raises
    ------
    ParameterError
        If conditions are mixed, or no answer counts.
    """
    table = scoring.table(journal)
    table = table if choose is None else choose(table)
    if groups != "condition":
        require_one_condition(table)
    diagnostics: list[Diagnostic] = []
    if not bounds and not scoring.names:
        members = _members(table, diagnostics)
        if len(table) and members.empty:
            raise ParameterError(
                f"journal {journal.name!r} holds only answers of baselines and the ideal "
                "observer, which do not belong to a population of examinees; to analyze them, "
                "name them with --examinee (in Python: examinees=...)"
            )
        table = members
    counted = pick(table, ~table["missing"].astype(bool))
    if counted.empty:
        raise nothing_counts(journal, table)
    counted = _first_occasions(counted, diagnostics)
    names: Any = journal.items()[["content_hash", "id", "language"]]
    names = names.rename(columns={"content_hash": "item_hash", "id": "item_id"})
    counted = counted.drop(columns="language", errors="ignore").merge(
        names.drop_duplicates(["item_hash", "item_id"]), on=["item_hash", "item_id"], how="left"
    )
    counted = counted.assign(item=item_names(counted), **{_ROW: _rows(counted, groups)})
    if groups == "language":
        counted = across_languages(counted, _ROW, diagnostics)
    else:
        diagnostics += translations(counted, one_language)
    items = _items(journal, counted)
    order = list(items.index)
    scores: Any = counted.pivot(index=_ROW, columns="item", values=_EARNED[counting])
    scores = scores[order].rename_axis(index="examinee", columns="item")
    respondents = _respondents(counted).loc[scores.index]
    return ItemResponses(scores, respondents, items, counted, journal.name, tuple(diagnostics))


def broken_replies(
    responses: ItemResponses, fit: IRTFit, broken: BrokenItems, bank: ItemBank | None = None
) -> pd.DataFrame:
    """Return the replies to the broken items, for people who look at them.

    Parameters
    ----------
    responses : ItemResponses
        Responses that the model was fitted to.
    fit : IRTFit
        The model; abilities are its EAP.
    broken : BrokenItems
        Its broken items.
    bank : ItemBank or None
        The bank, for names of pictures; `picture` is "" without it.

    Returns
    -------
    DataFrame
        A row per reply, the ablest examinee first: `item`, `item_id`, `reasons`, `picture` (names
        of the files in the bank), `key`, `examinee`, `ability`, `answer`, `correct`, `reply`.
    """
    reasons: dict[str, list[str]] = {}
    for row in broken.table.to_dict("records"):
        for name in (row["item"], row["with_item"] if row["reason"] == "locally_dependent" else ""):
            if name and row["reason"] not in reasons.setdefault(str(name), []):
                reasons[str(name)].append(str(row["reason"]))
    ability = dict(zip(fit.table.persons, fit.scores("eap")["theta"].to_numpy(float), strict=True))
    rows = pick(responses.answers, responses.answers["item"].isin(reasons).to_numpy())
    order = {name: k for k, name in enumerate(reasons)}
    ids = {name: str(responses.items.loc[name, "id"]) for name in reasons}
    replies = pd.DataFrame({
        "item": rows["item"], "item_id": [ids[i] for i in rows["item"]],
        "reasons": ["; ".join(reasons[i]) for i in rows["item"]],
        "picture": [pictures(bank, ids[i]) for i in rows["item"]],
        "key": [str(responses.items.loc[i, "target"]) for i in rows["item"]],
        "examinee": rows[_ROW], "ability": [ability[str(r)] for r in rows[_ROW]],
        "answer": rows["answer_lenient"], "correct": rows["correct"], "reply": rows["text"],
        "_place": [order[i] for i in rows["item"]],
    })  # fmt: skip
    replies = replies.sort_values(["_place", "ability"], ascending=[True, False], kind="stable")
    return replies.drop(columns="_place").reset_index(drop=True)


def pictures(bank: ItemBank | None, item_id: str) -> str:
    """Return the names of an item's picture files in its bank, as it shows them; "" if it has
    none."""
    if bank is None or item_id not in bank:
        return ""
    return "; ".join(image.path for image in bank.item(item_id).images)


def family_of(examinee: str) -> str:
    """Return the family of a model by its name: the letters that the name's last part begins with.

    "openai:gpt-4o-mini" is of the family gpt, "vllm:Qwen/Qwen2.5-VL-7B" of qwen. Each person, each
    observer and each model without such letters is a family of its own.

    Examples
    --------
    >>> family_of("openai:gpt-4o-mini"), family_of("vllm:Qwen/Qwen2.5-VL-7B"), family_of("person:7")
    ('gpt', 'qwen', 'person:7')
    """
    if role_of(examinee) != "model" or examinee.startswith("observer:"):
        return examinee
    letters = re.match(r"[^\W\d_]+", _spec(examinee).argument.rsplit("/", maxsplit=1)[-1])
    return letters[0].lower() if letters else examinee


def _spec(examinee: str) -> Spec:
    try:
        return Spec.parse(examinee)
    except GfactorError:
        return Spec("", examinee)


def _members(table: pd.DataFrame, diagnostics: list[Diagnostic]) -> pd.DataFrame:
    """The rows without those of bounds."""
    names = tuple(sorted(n for n in map(str, table["examinee"].unique()) if role_of(n) in BOUNDS))
    if names:
        diagnostics.append(Diagnostic(
            "bounds_left_out", "note",
            f"Left out: {first_few(names, 3)}. Baselines and the ideal observer mark bounds and do "
            "not belong to a population of examinees.",
            "Name them with --examinee to have them in.", names,
        ))  # fmt: skip
    return pick(table, ~table["examinee"].isin(names).to_numpy())


def _first_occasions(counted: pd.DataFrame, diagnostics: list[Diagnostic]) -> pd.DataFrame:
    """One response per examinee, condition and item: that of the first occasion."""
    key = ["examinee", "condition", "item_id", "item_hash"]
    ordered = counted.sort_values([*key, "occasion"], kind="stable")
    first = ordered.drop_duplicates(key)
    more = len(counted) - len(first)
    if more:
        diagnostics.append(Diagnostic(
            "occasions_left_out", "note",
            f"{more:,} responses are to items that their examinee had answered before; the first "
            "response counts.",
            "Responses to the same item are not independent given ability.", values={"n": more},
        ))  # fmt: skip
    return first


def _rows(counted: pd.DataFrame, groups: str | None) -> list[str]:
    """The name of every response's respondent."""
    names = [str(name) for name in counted["examinee"]]
    if groups not in ("condition", "language"):
        return names
    values = [str(value) for value in counted[groups]]
    if len(set(values)) < 2:
        return names
    return [f"{name} [{value}]" for name, value in zip(names, values, strict=True)]


def _items(journal: Journal, counted: pd.DataFrame) -> pd.DataFrame:
    """Return the properties of answered items, indexed by their column's name, sorted."""
    items = journal.items()
    items = items.assign(
        chance=item_chance(items)["chance"].to_numpy(),
        options=[len(choices) if kind == "choice" else 0
                 for choices, kind in zip(items["choices"], items["answer_type"], strict=True)],
    )  # fmt: skip
    names: Any = counted.drop_duplicates("item")[["item", "item_hash", "item_id"]]
    names = names.rename(columns={"item_hash": "content_hash", "item_id": "id"})
    answered = names.merge(items, on=["content_hash", "id"], how="left").set_index("item")
    return answered.sort_index(kind="stable")


def _respondents(counted: pd.DataFrame) -> pd.DataFrame:
    rows = counted.drop_duplicates(_ROW)
    described = []
    for name, condition, language in zip(
        rows["examinee"], rows["condition"], rows["language"], strict=True
    ):
        spec = _spec(str(name))
        usage = {
            "examinee": str(name), "condition": condition, "language": language,
            "kind": role_of(str(name)), "scheme": spec.scheme, "name": spec.argument,
            "family": family_of(str(name)),
        }  # fmt: skip
        described.append({**spec.parameters, **usage})
    frame = pd.DataFrame(described, index=pd.Index(rows[_ROW], name="examinee"))
    first = ["examinee", "condition", "language", "kind", "scheme", "name", "family"]
    return pick(frame, [*first, *(c for c in frame.columns if c not in first)])
