"""The page of several profiles: their abilities in one table and one figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.scores.profiles import WITHHELD, Profile
from gfactor.reports.answers.model_names import names_for_print
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank, drawing_style, shortened
from gfactor.reports.figure_registry import Figure
from gfactor.reports.pages.analysis import AnalysisReport, write_analysis
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.parts import link
from gfactor.reports.writing.report_folder import Written

_SPREAD = 0.7
"""Height of a row of the figure over which examinees are spread."""


def write_profiles(profiles: Mapping[str, Profile], folder: Path | str) -> Written:
    """Write `report.html`, `tables/` and `figures/` of several profiles into a folder.

    Parameters
    ----------
    profiles : mapping of str to Profile
        Two profiles or more, by the folder of their own page below `folder`.
    folder : path
        Made if it does not exist.

    Returns
    -------
    Written
        The paths of the files.

    Raises
    ------
    ParameterError
        If the folder cannot be written.
    """
    rows = joint_abilities(profiles)
    table = Table(
        "Abilities, with 95 % intervals", rows,
        headings={"theta": "ability, SD", "se": "standard error"},
        notes=("SD: standard deviations of the calibrated population, from its middle. Intervals "
               "are those of each examinee; gfactor profile --rank decides an order.",),
    )  # fmt: skip
    with drawing_style():
        figure = _figure(rows)
    pages = tuple((one.examinee, link(f"{name}/report.html")) for name, one in profiles.items())
    return write_analysis(
        AnalysisReport(
            f"{len(profiles)} profiles", (("Pages of their own", ""), *pages),
            diagnostics=_diagnostics(profiles),
            figures={"abilities": figure}, tables={"abilities": table},
        ),
        folder,
    )  # fmt: skip


def _diagnostics(profiles: Mapping[str, Profile]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of all profiles: those of everybody once, others with the name."""
    every = [one.diagnostics for one in profiles.values()]
    shared = [one for one in every[0] if all(one in others for others in every)]
    named = [
        replace(one, sentence=f"{profile.examinee}: {one.sentence}")
        for profile in profiles.values() for one in profile.diagnostics if one not in shared
    ]  # fmt: skip
    return by_severity([*shared, *named])


def joint_abilities(profiles: Mapping[str, Profile]) -> pd.DataFrame:
    """Return the abilities of several profiles in rows, one ability after the other.

    Parameters
    ----------
    profiles : mapping of str to Profile
        Profiles by any name.

    Returns
    -------
    DataFrame
        `ability`, `examinee`, `theta`, `theta_low`, `theta_high`, `se`, `items`, `claim`.
    """
    parts = [
        one.abilities.assign(
            examinee=one.examinee, ability=one.abilities["name"],
            claim=[f"no: {WITHHELD[str(why)]}" if why else "yes"
                   for why in one.abilities["withheld"]],
        )
        for one in profiles.values()
    ]  # fmt: skip
    rows = pd.concat(parts, ignore_index=True).rename(
        columns={"ci_lower": "theta_low", "ci_upper": "theta_high"}
    )
    order = list(dict.fromkeys(rows["ability"]))
    ranks = [order.index(ability) for ability in rows["ability"]]
    columns = ["ability", "examinee", "theta", "theta_low", "theta_high", "se", "items", "claim"]
    return rows.loc[np.argsort(ranks, kind="stable"), columns].reset_index(drop=True)


def _figure(rows: pd.DataFrame) -> Figure:
    """Draw the abilities of each examinee beside those of the others."""
    abilities = list(dict.fromkeys(rows["ability"]))
    names = {
        one: one.partition(":")[2] if one == name else name
        for one, name in names_for_print(rows["examinee"]).items()
    }
    drawing = blank(6.6, 0.9 + (0.24 + 0.16 * len(names)) * len(abilities))
    axes: Any = drawing.subplots()
    axes.axvline(0, color=GUIDE, linewidth=0.7, linestyle=":")
    for number, name in enumerate(names):
        here = rows.loc[(rows["examinee"] == name).to_numpy()]
        shift = _SPREAD * ((number + 0.5) / len(names) - 0.5)
        at = [abilities.index(ability) + shift for ability in here["ability"]]
        color = COLORS[number % len(COLORS)]
        axes.hlines(at, here["theta_low"], here["theta_high"], color=color, linewidth=1.5)
        for height, row in zip(at, here.to_dict("records"), strict=True):
            face = color if row["claim"] == "yes" else "#fdfdfc"
            axes.plot(row["theta"], height, "o", color=color, markerfacecolor=face, markersize=5)
        axes.plot(
            [],
            [],
            "o-",
            color=color,
            markersize=5,
            linewidth=1.5,
            label=shortened(names[name], 34),
        )
    axes.set_yticks(range(len(abilities)), abilities)
    axes.set_ylim(len(abilities) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("ability in standard deviations of the calibrated population; 0 is its middle")
    axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    return Figure(
        "The profiles", f"Abilities of {len(names)} examinees with intervals.", ("abilities",),
        drawing, ("Lines: 95 % intervals. Hollow: no claim, for the reason in the table.",),
    )  # fmt: skip
