"""The page of a profile: abilities with intervals, thresholds with curves, what does not fit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

from gfactor.frames import pick
from gfactor.items.formats import readable_turns
from gfactor.psychometrics.irt.checks.misfit_power import TOGETHER
from gfactor.psychometrics.irt.scores.profiles import WITHHELD, Profile
from gfactor.reports.answers.results import ability_title, examinee_title
from gfactor.reports.answers.samples import SampledItem, ShownReply, shown_parts
from gfactor.reports.drawing.canvas import BROKEN, COLORS, GUIDE, INK, blank, drawing_style, grid_of
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport, write_analysis
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.report_folder import Written, put

REFERENCES = (
    "Glas, C. A. W., van der Linden, W. J. (2003). Computerized adaptive testing with item "
    "cloning. Applied Psychological Measurement 27, 247-261.",
    "van der Linden, W. J. (1998). Bayesian item selection criteria for adaptive testing. "
    "Psychometrika 63, 201-216.",
    "Drasgow, F., Levine, M. V., Williams, E. A. (1985). Appropriateness measurement with "
    "polychotomous item response models and standardized indices. British Journal of Mathematical "
    "and Statistical Psychology 38, 67-86.",
)
_OTHERS = 8
"""Other examinees that are drawn."""
_LISTED = 8
"""Thresholds that the page lists unfolded; the findings say all of them in words."""
_CURVES = 12
"""Families whose curves are drawn, those with most answers."""


def write_profile(profile: Profile, folder: Path | str) -> Written:
    """Write `report.html`, `profile.json`, `tables/` and `figures/` of a profile into a folder.

    Parameters
    ----------
    profile : Profile
        Profile that was measured.
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
    written = write_analysis(profile_report(profile), folder)
    text = json.dumps(profile.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)
    put(Path(folder) / "profile.json", (text + "\n").encode())
    return written


def profile_report(profile: Profile) -> AnalysisReport:
    """Return tables, figures and sentences of a profile.

    Parameters
    ----------
    profile : Profile

    Returns
    -------
    AnalysisReport
        For `gfactor.reports.write_analysis`.
    """
    tables = _tables(profile)
    with drawing_style():
        figures = {name: draw() for name, draw in profile_figures(profile).items()}
    return AnalysisReport(
        f"Profile of {examinee_title(profile.examinee)}",
        tuple(fact for fact in _facts(profile) if fact[1]),
        profile.diagnostics,
        figures,
        tables,
        _limits(profile),
        REFERENCES,
        tuple(f"{says}." for says in profile.thresholds["says"] if says) + _twin_words(profile),
        _samples(profile),
        sheets=True,
    )


def profile_figures(profile: Profile) -> Drawers:
    """Return functions that draw the figures of a profile by name."""
    figures = {"profile": partial(_profile_figure, profile)}
    if len(profile.curves):
        figures["thresholds"] = partial(_curves_figure, profile)
    return figures


def _facts(profile: Profile) -> list[tuple[str, str]]:
    calibration = profile.calibration
    settings = profile.settings
    return [
        ("Examinee", profile.examinee),
        ("Condition", profile.condition if profile.condition != "default" else ""),
        ("Items", f"{profile.items:,}"),
        ("Tokens", "" if profile.tokens is None else f"{profile.tokens:,}"),
        ("Money", "not known: no prices were given" if profile.cost is None
         else f"{profile.cost:.4g}"),
        ("Calibration", f"{calibration['population'] or 'an unnamed population'}, digest "
                        f"{str(calibration['digest'])[:12]}"),
        ("Seed of the items", str(settings.get("seed", ""))),
        ("Questions in flight", str(settings.get("in_flight", ""))),
    ]  # fmt: skip


def _tables(profile: Profile) -> dict[str, Table]:
    abilities = profile.abilities.rename(
        columns={"ci_lower": "theta_low", "ci_upper": "theta_high"}
    )
    abilities = abilities.assign(
        stop=[profile.stop_in_words(row) for row in abilities.to_dict("records")],
        claim=[f"no: {WITHHELD[str(why)]}" if why else "yes" for why in abilities["withheld"]],
        ability=abilities["name"],
    )
    tables = {
        "abilities": Table(
            "Abilities, with 95 % intervals", pick(abilities, [
                "ability", "theta", "theta_low", "theta_high", "se", "claim", "items", "stop",
                "theta_logits", "se_logits"]),
            headings={"theta": "ability, SD", "se": "standard error", "theta_logits": "logits",
                      "se_logits": "standard error, logits"},
            notes=("SD: standard deviations of the calibrated population, from its middle.",),
        ),
    }  # fmt: skip
    if len(profile.thresholds):
        lines = profile.thresholds.rename(
            columns={"ci_lower": "threshold_low", "ci_upper": "threshold_high"}
        )
        tables["thresholds"] = Table(
            "Thresholds, with 95 % intervals", pick(lines, [
                "family", "radical", "threshold", "threshold_low", "threshold_high", "n", "right",
                "p_falls", "supported"]), p_values=("p_falls",),
            notes=("Where accuracy has fallen halfway to chance; a dash if that lies beyond the "
                   "levels that were asked. An interval that reaches beyond them is open at that "
                   "end (3.4 or more). p_falls: exact test of accuracy that falls with the "
                   "level, adjusted for the number of families. A threshold is supported where "
                   "this is below .05 and the interval lies within the levels that were asked.",
                   ), folded=len(lines) > _LISTED,
            open_ends=True,
        )  # fmt: skip
    if len(profile.twins):
        tables["twins"] = Table(
            "The same scenes as pictures and in words", profile.twins.rename(
                columns={"ci_lower": "difference_low", "ci_upper": "difference_high"}),
            percent=("image", "text", "difference"),
            notes=("Newcombe's interval of paired shares.",),
        )  # fmt: skip
    if len(profile.others):
        tables["others"] = Table("Other examinees on these scales", profile.others, folded=True)
    if len(profile.norms):
        tables["norms"] = Table(
            "Where the abilities stand among people", profile.norms,
            notes=("Percentile: per cent of these people with a lower ability, half of those with "
                   "the same. t_area: 50 + 10 z of the percentile; t_linear: of the people's mean "
                   "and standard deviation. Intervals hold the choice of persons and the error of "
                   "the ability. A convenience sample is no norm.",),
        )  # fmt: skip
    if len(profile.not_measured):
        tables["not_measured"] = Table(
            "Families that were not measured",
            profile.not_measured.assign(ability=list(map(ability_title,
                                                         profile.not_measured["ability"]))),
            notes=("Families of these abilities that the calibration does not hold. The abilities "
                   "say nothing of them.",), folded=True,
        )  # fmt: skip
    tables["families"] = Table(
        "Families: answers, and what the others of their ability predict", profile.families,
        p_values=("p", "p_adjusted"), folded=True,
        notes=("detectable: the smallest shift of a family, in standard deviations of the "
               "calibrated population, that its test would have seen with a chance of 80 %; empty "
               "where it could have seen none.",),
    )  # fmt: skip
    tables["fit"] = Table(
        "Parts of the errors, person fit, and estimates from the answers alone",
        pick(profile.abilities, ["ability", "se_measurement", "se_calibration", "zh", "p_fit",
                                 "outfit", "p_families", "power", "p_apart", "difference",
                                 "p_guessing", "wle",
                                 "wle_lower", "wle_upper"]).rename(
            columns={"wle_lower": "wle_low", "wle_upper": "wle_high"}),
        p_values=("p_fit", "p_families", "p_apart", "p_guessing"), folded=True,
        notes=("p_families: whether the families of an ability differ more than the calibration "
               "says. power: the chance of seeing that where half of them lie `difference` "
               "standard deviations above the ability and half below, or half of the narrow "
               f"abilities, {TOGETHER} times as far. p_apart: the probability of "
               "answers as good in that case. p_guessing: the probability that guesses alone give "
               "answers as good. wle: Warm's weighted "
               "likelihood estimate with its 95 % interval, without the population's "
               "distribution.",),
    )  # fmt: skip
    if len(profile.curves):
        tables["curves"] = Table("Answers by level", profile.curves, folded=True)
    hidden = ["counted", "priced"]
    tables["answers"] = Table(
        "Every question",
        profile.answers.drop(columns=hidden).assign(
            reply=profile.answers["reply"].map(readable_turns)
        ),
        folded=True,
        decimals=3,
    )
    return tables


def _profile_figure(profile: Profile) -> Figure:
    tables = ("abilities", "others") if len(profile.others) else ("abilities",)
    rows: Any = profile.abilities.to_dict("records")
    others = profile.others
    drawing = blank(6.6, 0.9 + 0.42 * max(len(rows), 2))
    axes = drawing.subplots()
    people = pick(others, (others["kind"] == "person").to_numpy(bool))
    models = pick(others, (others["kind"] != "person").to_numpy(bool))
    drawn_models = list(dict.fromkeys(models["examinee"]))[:_OTHERS]
    names = _names_of_others([str(name) for name in drawn_models])
    bands = 0
    for at, row in enumerate(rows):
        theta = people.loc[(people["ability"] == row["ability"]).to_numpy(), "theta"]
        if len(theta) >= 3:
            low, high = np.percentile(theta.to_numpy(float), [10, 90])
            axes.fill_betweenx([at - 0.36, at + 0.36], low, high, color="#d9dde2", linewidth=0,
                               label=None if bands else "people, the middle 80 %")  # fmt: skip
            bands += 1
        color = COLORS[0] if row["claim"] else BROKEN
        axes.hlines(at, row["ci_lower"], row["ci_upper"], color=color, linewidth=2)
        face = color if row["claim"] else "#fdfdfc"
        axes.plot(row["theta"], at, "o", color=color, markerfacecolor=face, markersize=6)
    for number, name in enumerate(drawn_models):
        here = models.loc[(models["examinee"] == name).to_numpy()]
        below = 0.12 + 0.32 * (number + 1) / (len(drawn_models) + 1)
        at = [[r["ability"] for r in rows].index(a) + below for a in here["ability"]]
        color, half = COLORS[1 + number % 7], ndtri(0.975) * here["se"]
        axes.hlines(at, here["theta"] - half, here["theta"] + half, color=color, linewidth=0.8)
        axes.plot(here["theta"], at, "v", markersize=4, color=color, label=names[str(name)])
    axes.axvline(0, color=GUIDE, linewidth=0.7, linestyle=":")
    axes.set_yticks(range(len(rows)), [str(row["name"]) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("ability in standard deviations of the calibrated population; 0 is its middle")
    if drawn_models or bands:
        axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    description = "; ".join(
        f"{row['ability']} {row['theta']:.2f} [{row['ci_lower']:z.2f}, {row['ci_upper']:z.2f}]"
        for row in rows
    )
    notes = ["Lines: 95 % intervals. "]
    if bands:
        count = people["examinee"].nunique()
        notes.append(f"Gray: the middle 80 % of {count} people. ")
    if not all(row["claim"] for row in rows):
        notes.append("Red and hollow: no claim, for the reason in the table. ")
    if any(one.startswith("observer:") and name.endswith(" 1") for one, name in names.items()):
        notes.append("Observers of a kind are numbered as they stand in the table of others. ")
    return Figure("The profile", f"Abilities with intervals: {description}.", tables, drawing,
                  ("".join(notes),))  # fmt: skip


def _names_of_others(examinees: Sequence[str]) -> dict[str, str]:
    """Return names for a legend; those that would be alike are numbered or stay whole."""
    titles = {one: examinee_title(one).removeprefix("a ").removeprefix("the ") for one in examinees}
    names, seen = {}, Counter[str]()
    for one, title in titles.items():
        seen[title] += 1
        alike = list(titles.values()).count(title) > 1
        simulated = one.startswith("observer:")
        names[one] = f"{title} {seen[title]}" if alike and simulated else one if alike else title
    return names


def _curves_figure(profile: Profile) -> Figure:
    order = profile.thresholds.sort_values(["n", "family"], ascending=[False, True])
    families = [str(name) for name in order["family"]][:_CURVES]
    columns = min(4, len(families))
    lines = -(-len(families) // columns)
    drawing = blank(1.75 * columns + 0.3, 1.35 * lines + 0.2)
    panels = grid_of(drawing, len(families), columns, sharey=True).ravel()
    for axes, family in zip(panels, families, strict=False):
        _curve(axes, profile, family)
    for axes in panels[len(families) :]:
        axes.set_axis_off()
    description = "; ".join(str(text) for text in profile.thresholds["says"] if text)
    description = description or "no threshold is supported by the answers"
    left_out = len(profile.thresholds) - len(families)
    return Figure(
        "Accuracy by level", f"Accuracy by level: {description}.", ("curves", "thresholds"),
        drawing,
        ("Points: shares right, larger with more answers. Line: posterior mean of the curve. "
         "Band: 95 % interval of a threshold that the answers support."
         + f" {left_out} families with fewer answers are in the table." * (left_out > 0),),
    )  # fmt: skip


def _curve(axes: Any, profile: Profile, family: str) -> None:
    here = profile.curves.loc[(profile.curves["family"] == family).to_numpy()]
    row: Any = profile.thresholds.set_index("family").loc[family]
    level = here["level"].to_numpy(float)
    answered = here["n"].to_numpy(float)
    low, high = (row[name] for name in ("ci_lower", "ci_upper"))
    if row["supported"]:
        axes.axvspan(low, high, color="#e6ebf1", linewidth=0)
        axes.axvline(row["threshold"], color=COLORS[0], linewidth=0.8)
    axes.plot(level, here["fitted"], color=INK, linewidth=1)
    seen = answered > 0
    share = here["right"].to_numpy(float)[seen] / answered[seen]
    axes.scatter(level[seen], share, s=6 + 3 * answered[seen], color=COLORS[0], alpha=0.8, zorder=3)
    axes.set_title(family.replace("_", " "), fontsize=7, loc="left")
    axes.set_xlabel(str(row["radical"]), fontsize=7)
    axes.set_xticks(level)
    axes.set_ylim(-0.05, 1.05)
    axes.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.tick_params(labelsize=6)


def _twin_words(profile: Profile) -> tuple[str, ...]:
    whole = profile.twins.loc[(profile.twins["ability"] == "all").to_numpy()]
    return tuple(
        f"Image against text: {100 * row['image']:.0f} % of the pictures and "
        f"{100 * row['text']:.0f} % of the same scenes in words are right, a difference of "
        f"{100 * row['difference']:.0f} points [{100 * row['ci_lower']:z.0f}, "
        f"{100 * row['ci_upper']:z.0f}], n {row['n']}."
        for row in whole.to_dict("records")
    )


def _samples(profile: Profile) -> tuple[SampledItem, ...]:
    """Answers that fit least, as they were asked."""
    rows: Any = profile.answers.drop_duplicates("item_hash").set_index("item_hash")
    samples = []
    for item, content in profile.pictures.items():
        row = rows.loc[item]
        right = row["score"] == 1
        samples.append(SampledItem(
            str(row["family"]), str(item), shown_parts(content, str(row["family"])),
            (("step", str(row["step"])), ("ability", str(row["ability"])),
             ("chance of being right", f"{100 * row['chance']:.0f} %")),
            (ShownReply(profile.examinee, readable_turns(str(row["reply"]), "\n"),
                        "right" if right else "wrong"),),
        ))  # fmt: skip
    return tuple(samples)


def _missing(profile: Profile) -> str:
    """Return the names of families missing from the calibration, in parentheses."""
    if not len(profile.not_measured):
        return ""
    names = ", ".join(str(name).replace("_", " ") for name in profile.not_measured["family"])
    return f" (not measured: {names}; the table of families that were not measured says why)"


def _limits(profile: Profile) -> tuple[str, ...]:
    """Return sentences about what the profile cannot say."""
    settings = profile.settings
    sentences = [
        "Abilities took turns. So did the families of an ability: none was more than one question "
        "ahead of its equal share. Each question came from the design cell that was expected to "
        "reduce the posterior variance most. The expectation averages over the items that the "
        "cell can produce.",
        "Abilities are posterior means under a normal prior, that of the calibrated population; "
        "abilities are taken to be independent. The standard error holds the measurement's and the "
        "calibration's part; the rule that stops looks at the measurement's.",
        "It cannot say what was not asked: abilities that are missing here (knowledge, reading, "
        f"hearing), and families outside the calibration{_missing(profile)}.",
        "It cannot say more about a family than its few answers carry; thresholds come with n, and "
        "families with fewer than six answers have none.",
        "It holds for this examinee, this prompt and these conditions; answers by chance or by "
        "lot differ when they are asked again.",
    ]
    if profile.calibration["simulated"]:
        sentences.append(
            "It says nothing about people: nobody real was calibrated. 0 is the middle of "
            "simulated observers whose errors come from blur, noise and a small memory; a model's "
            "errors may come from elsewhere, and the order of the cells may differ for it."
        )
    if "person" not in set(profile.others["kind"]):
        sentences.append("No people answered these cells here; give their journal with --people.")
    memory = [str(row["name"]) for row in profile.abilities.to_dict("records")
              if row["ability"] in ("Gwm", "Gl")]  # fmt: skip
    if memory:
        sentences.append(
            f"{' and '.join(memory)}: over an interface that resends every earlier turn the "
            "examinee still has the earlier pictures before it when it answers, so that retrieval "
            "from context is measured, not memory as in people."
        )
    if settings.get("twin"):
        sentences.append("Scenes in words count for the comparison only, never for abilities.")
    return tuple(sentences)
