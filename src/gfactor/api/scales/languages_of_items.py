"""Items that were asked in several languages: the same question, named alike in all of them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import number_of
from gfactor.scoring.averaging import asked_again, in_all_languages

SEVERAL_LANGUAGES = "items_in_several_languages"
COPIED_ITEMS = "copied_items"
TABLE_OF_ONE = (
    "Take one language: gfactor matrix JOURNAL --by item --where language=TAG -o FILE writes its "
    "table."
)
"""Remedy where a table of one language is as good as the journal."""
CHOICE_OF_ONE = "Take one language: --where language=TAG (in Python: where={'language': 'TAG'})."
"""Remedy where items can be chosen by their labels."""
NONE_TO_TAKE = "Standard errors are too small; have every question asked in one language."
"""Remedy where items cannot be chosen."""

ONE_OF_EACH = "Leave out all but one of them; gfactor audit BANK lists copies."
"""Remedy where all items are in one language."""


def translations(answers: pd.DataFrame, remedy: str) -> list[Diagnostic]:
    """Return a warning if some items are translations or other forms of others; else nothing.

    Parameters
    ----------
    answers : DataFrame
        Rows of a scored table, with the labels of their items.
    remedy : str
        Advice to the user, in one sentence.
    """
    again, items = asked_again(answers)
    if not again:
        return []
    some, code = "differ in language or form alone", SEVERAL_LANGUAGES
    if len(set(answers["language"])) < 2:
        some, remedy = "are copies or other forms of others", ONE_OF_EACH
        code = COPIED_ITEMS
    sentence = (
        f"The {items} items are only {number_of(items - again, 'question')}: some {some}, and "
        "answers to the same question depend on each other."
    )
    return [Diagnostic(code, "warning", sentence, remedy, values={"n": again})]


def across_languages(
    counted: pd.DataFrame, respondent: str, diagnostics: list[Diagnostic]
) -> pd.DataFrame:
    """Return the responses to items that were asked in several languages, with the same name in
    each.

    Parameters
    ----------
    counted : DataFrame
        Responses, with the labels and the language of their items.
    respondent : str
        Column with the respondents.
    diagnostics : list of Diagnostic
        Takes a note on the items that were asked in one language.

    Raises
    ------
    ParameterError
        If no item was asked in several languages.
    """
    names = in_all_languages(counted)
    languages: Any = counted.groupby(names)["language"].transform("nunique")
    several = languages > 1
    shared = counted.assign(item=names).loc[(several & (names != "")).to_numpy()]
    if shared.empty:
        raise ParameterError(
            "groups of languages need items that were asked in several languages (M3GIA, MM-IQ, "
            "items whose ids differ only in the language at their end), and this journal has none"
        )
    left = counted["item_hash"].nunique() - shared["item_hash"].nunique()
    if left:
        diagnostics.append(Diagnostic(
            "one_language", "note", f"{left} items were asked in one language; they were left out.",
            "Items are compared over languages in which they were asked.", values={"n": left},
        ))  # fmt: skip
    return shared.drop_duplicates([respondent, "item"])
