"""People beside a profile: how many there are, and on how many answers their abilities rest."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import number_of

_FEWEST = 10
"""Answers to cells of the calibration below which people's abilities say little."""

_REMEDY = (
    "Have people answer items of the calibration's cells: gfactor build chc --cells main -o "
    "bank.parquet, then gfactor study new bank.parquet."
)


def people_beside(
    others: pd.DataFrame, abilities: pd.DataFrame, answered: Mapping[str, int]
) -> list[Diagnostic]:
    """Return the comparison of a profile with people, an entry per ability.

    Parameters
    ----------
    others : DataFrame
        Abilities of other examinees, as a profile has them.
    abilities : DataFrame
        Abilities of the profile.
    answered : mapping of str to int
        Number of items that each person of the journal answered.

    Returns
    -------
    list of Diagnostic
        A note; a warning if half of the people answered fewer than 10 items of the calibration's
        cells, or there is nobody.
    """
    people = others.loc[(others["kind"] == "person").to_numpy()]
    if people.empty:
        return [Diagnostic(
            "no_people", "warning", "The journal of --people holds no answers of people to cells "
            "that the calibration knows; there is no band of people.", _REMEDY,
        )]  # fmt: skip
    entries = []
    for ability, here in people.groupby("ability", sort=False):
        profiled = abilities.loc[(abilities["ability"] == ability).to_numpy()]
        lower = int((here["theta"].to_numpy() < float(profiled["theta"].iloc[0])).sum())
        n, se = float(here["n"].median()), float(here["se"].median())
        every = median(answered.get(str(who), 0) for who in here["examinee"])
        few = n < _FEWEST
        entries.append(Diagnostic(
            "people_beside", "warning" if few else "note",
            f"{ability}: beside {number_of(len(here), 'person', 'people')}, {lower} of them with "
            f"a lower ability. The middle person answered {every:g} items, {n:g} of them of the "
            f"calibration's cells; only these place people (median standard error {se:.2f})"
            + (", and the band of people says little." if few else "."),
            _REMEDY if few else "",
            values={"ability": str(ability), "people": len(here), "lower": lower, "answers": n,
                    "answered": float(every), "se": se},
        ))  # fmt: skip
    return entries
