"""A campaign that calibrates generated families to a wanted precision, planned and written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.api.asking.profiling import calibrations_of
from gfactor.api.campaign.looking import plan as plan_campaign
from gfactor.api.campaign.reporting import CampaignPlan
from gfactor.api.scales.calibrated import cell_name
from gfactor.api.scales.irt_data import family_of
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.chc.main_radicals import calibration_cells
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.items.files import check_writable
from gfactor.items.toml_files import read_toml
from gfactor.parameters import Seed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.models.itemfamilies import MOST_ITEMS
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.planning.cells import (
    CellPrior,
    ClusteredPersons,
    items_needed,
    planned_se,
)
from gfactor.reports.answers.results import role_of
from gfactor.results import Result, number_of

PARTS = ("servers", "models", "conditions")
"""Tables that a file of models may hold."""
LEAST_ITEMS = 2
"""Items of a cell, at least: one says nothing of how much clones differ."""
FEWEST_BEYOND = 2
"""Expected models beyond a cell, with fewer of which the planned standard error is too small."""


@dataclass(frozen=True, repr=False)
class CalibrationPlan(Result):
    """A planned calibration and the campaign that was written for it.

    Parameters
    ----------
    path : Path
        The campaign's file.
    se : float
        Wanted standard error of the mean difficulty of each design cell, in standard deviations of
        ability in the calibrated population.
    models, model_families : int
        Number of models, and number of families of models.
    abilities : DataFrame
        A row per broad ability: `ability`, `cells`, `per_cell` (items of each cell), `items`,
        `answers` (of all models), `planned_se` (of the least precise cell), `least_se` (the
        smallest that more items could reach).
    cells : DataFrame
        A row per design cell: `ability`, `cell`, `b` and `clone_sd` (logits) that were assumed,
        `calibrated` (True if an earlier calibration has the cell), `planned_se`, `models_beyond`
        (number of models whose ability is expected above the difficulty of the cell, or below it,
        whichever is smaller).
    campaign : CampaignPlan
        Questions, tokens, money and hours, as `gf.campaign.plan` of the file says.
    diagnostics : tuple of Diagnostic
        Assumptions of the plan.
    """

    path: Path
    se: float
    models: int
    model_families: int
    abilities: pd.DataFrame
    cells: pd.DataFrame
    campaign: CampaignPlan
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        """Return one line with the cells, the models and the precision of the calibration."""
        return (
            f"Calibration of {len(self.cells)} cells by {self.models} models of "
            f"{self.model_families} families: standard error {self.se:g} SD or less"
        )

    def _lines(self) -> list[str]:
        return [*super()._lines(), "", f"{self.path}: next: gfactor campaign run {self.path}"]

    @property
    def facts(self) -> Mapping[str, Any]:
        """Answers, tokens, money and hours of the campaign."""
        return {
            "campaign": str(self.path), "se": self.se,
            "planned_se": float(self.cells["planned_se"].to_numpy(float).max()),
            "models": self.models, "model_families": self.model_families, **self.campaign.facts,
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Abilities and cells."""
        return {"abilities": self.abilities, "cells": self.cells}


def plan_calibration(
    models: Path | str | Sequence[str],
    path: Path | str,
    *,
    se: float = 0.3,
    abilities: Sequence[str] = (),
    item_families: Sequence[str] = (),
    family_icc: float = 0.5,
    occasions: int = 1,
    budget: float | None = None,
    seed: Seed = 0,
    calibration: Calibration | Mapping[str, Calibration] | Path | str | None = None,
) -> CalibrationPlan:
    """Plan a calibration by design of a wanted precision, and write the campaign file for it.

    The mean difficulty of a cell is uncertain for three reasons. Models are a sample of their
    population, and models of one family resemble each other. Answers are right or wrong by chance.
    The items of a cell are a sample of all its possible items. Only the last two parts become
    smaller with more items. All three are estimated from an earlier calibration. All cells of an
    ability get the same number of items, the smallest one with which each cell reaches the wanted
    standard error.

    Parameters
    ----------
    models : path or list of str
        Models to ask: a campaign file with the tables `[[models]]`, `[servers.NAME]` and
        optionally `[conditions]`; or a list of examinees, as "SCHEME:NAME?key=value".
    path : path
        Campaign file to write, such as "calibration.toml". Its banks and its journal are beside
        it.
    se : float
        Largest standard error that the mean difficulty of a cell may have, in standard deviations
        of ability in the calibrated population.
    abilities : list of str
        Broad abilities to calibrate, such as "Gf"; by default all of the earlier calibration.
    item_families : list of str
        Generated families whose items are asked; by default all of the earlier calibration.
    family_icc : float
        Share of the variance of ability that lies between families of models, from 0 to 1
        (intraclass correlation).
    occasions : int
        Number of times that every item is asked. The precision is computed from the first time
        only, because new items tell more than repeated ones.
    budget : float, optional
        Budget of the campaign, in the currency of the prices.
    seed : int
        Seed of the items.
    calibration : Calibration, mapping or path, optional
        Earlier calibration by design (a folder, as `gfactor calibrate --each ability` writes it);
        by default the one that comes with gfactor.

    Returns
    -------
    CalibrationPlan
        `abilities` (a row for each, with its number of items and precision), `cells`, and the plan
        of the campaign with its cost.

    Raises
    ------
    ParameterError
        If no number of items reaches the precision with these models; the message says which
        precision they reach, and how many models would be enough.

    References
    ----------
    Glas, C. A. W., van der Linden, W. J. (2003). Computerized adaptive testing with item cloning.
    Applied Psychological Measurement 27, 247-261.

    Examples
    --------
    >>> import gfactor as gf
    >>> models = [f"observer:limited?capacity={k}&seed={k}" for k in range(3, 33)]
    >>> plan = gf.plan_calibration(models, "c.toml", item_families=["letter_series"], se=0.4)
    >>> plan.abilities[["ability", "cells", "per_cell"]].to_dict("records")
    [{'ability': 'Gf', 'cells': 2, 'per_cell': 2}]
    >>> len(gf.campaign.run("c.toml").cells), plan.campaign.facts["answers"]
    (30, 120)
    """
    if not 0 < se < 10:
        raise ParameterError(f"se must be above 0 and below 10 standard deviations, not {se:g}")
    if not 0 <= family_icc <= 1:
        raise ParameterError(f"family_icc must be from 0 to 1, not {family_icc:g}")
    target = Path(path)
    check_writable(target)
    text, names = _models(models)
    sizes = Counter(map(family_of, names))
    persons = ClusteredPersons(tuple(sizes.values()), family_icc)
    chosen = _chosen(calibrations_of(calibration, abilities), abilities, item_families)
    rows, cells, banks, constant = [], [], [], set[str]()
    for ability, families in chosen.items():
        prior = calibrations_of(calibration, [ability])[ability]
        priors = _priors(prior, families)
        constant |= {cell_name(dict(one["labels"])) for one in prior.left_out}
        per_cell = _per_cell(ability, [one for _, one, _ in priors], persons, se)
        planned = [planned_se(one, persons, per_cell) for _, one, _ in priors]
        least = max(planned_se(one, persons, None) for _, one, _ in priors)
        items = per_cell * len(priors)
        rows.append({
            "ability": ability, "cells": len(priors), "per_cell": per_cell, "items": items,
            "answers": items * len(names), "planned_se": max(planned), "least_se": least,
        })  # fmt: skip
        for (name, one, is_calibrated), value in zip(priors, planned, strict=True):
            distance = abs(one.b - prior.mean) / np.sqrt(prior.variance)
            cells.append({
                "ability": ability, "cell": name, "b": one.b, "clone_sd": one.clone_sd,
                "calibrated": is_calibrated, "planned_se": value,
                "models_beyond": len(names) * float(special.ndtr(-distance)),
            })  # fmt: skip
        banks.append((ability, families, per_cell))
    written = _written(target, banks, text, occasions, budget, seed, se)
    campaign = _campaign(target, written, models)
    table = pd.DataFrame(cells)
    return CalibrationPlan(
        target, se, len(names), len(sizes), pd.DataFrame(rows), table, campaign,
        tuple(_assumptions(table, sizes, family_icc, constant)),
    )  # fmt: skip


def _campaign(target: Path, text: str, models: Path | str | Sequence[str]) -> CampaignPlan:
    """Write the campaign file and return its plan; leave no file that a campaign would refuse."""
    before = target.read_bytes() if target.exists() else None
    target.write_text(text, "utf-8")
    try:
        return plan_campaign(target)
    except GfactorError as error:
        if before is None:
            target.unlink()
        else:
            target.write_bytes(before)
        source = f"file of models {str(models)!r}" if isinstance(models, Path | str) else "models"
        message = str(error).replace(f"campaign file {str(target)!r}", source)
        raise ParameterError(message) from None


def _models(models: Path | str | Sequence[str]) -> tuple[str, list[str]]:
    """Return the tables of models as TOML, and the specifications in them."""
    if not isinstance(models, Path | str):
        names = list(models)
        text = "\n".join(f"[[models]]\nspec = {json.dumps(name)}\n" for name in names)
    else:
        tables, text = read_toml(models, "file of models")
        for name in tables:
            if name not in PARTS:
                raise UnknownNameError("table of a file of models", name, PARTS)
        listed = [one for one in tables.get("models") or () if isinstance(one, dict)]
        for number, one in enumerate(listed, 1):
            if "spec" not in one:
                raise ParameterError(
                    f"file of models {str(models)!r}: table {number} of [[models]] has no spec, "
                    f'such as spec = "openai:gpt-4o"; it has {", ".join(one) or "no entry"}'
                )
        names = [str(one["spec"]) for one in listed]
    # Baselines and the ideal observer are bounds, which calibrations leave out.
    members = [name for name in names if role_of(name) not in ("baseline", "ideal")]
    if len(set(members)) < 2:
        raise ParameterError("a calibration needs two models or more; name them as [[models]]")
    return text, members


def _chosen(
    priors: Mapping[str, Calibration], abilities: Sequence[str], item_families: Sequence[str]
) -> dict[str, list[str]]:
    """Return the families to calibrate, sorted, by broad ability."""
    for name in item_families:
        family = FAMILIES[name]
        if abilities and family.broad not in abilities:
            raise ParameterError(
                f"family {name!r} belongs to {family.broad}, which is none of the abilities "
                f"({', '.join(abilities)})"
            )
        if family.broad not in priors:
            raise ParameterError(
                f"the earlier calibration has no {family.broad}, to which family {name!r} "
                "belongs; leave the family out, or name another calibration"
            )
    chosen: dict[str, list[str]] = {}
    for ability, prior in priors.items():
        calibrated = {str(entry.facts["labels"].get("family")) for entry in prior.entries}
        named = [name for name in item_families if FAMILIES[name].broad == ability]
        families = sorted(set(named if item_families else calibrated & set(FAMILIES)))
        if families:
            chosen[ability] = families
    return chosen


def _priors(prior: Calibration, families: Sequence[str]) -> list[tuple[str, CellPrior, bool]]:
    """The name of every cell, its prior, and True if a calibration has it."""
    information, table = _information(prior), prior.table
    position = {cell_name(dict(e.facts["labels"])): k for k, e in enumerate(prior.entries)}
    shared = {"variance": prior.variance, "testlet_variance": prior.testlet_variance}
    usual = CellPrior(
        b=float(np.median(table["b"].to_numpy(float))),
        clone_sd=float(np.median(table["clone_sd"].to_numpy(float))),
        information=float(np.median(information)), **shared,
    )  # fmt: skip
    # A cell that nobody answered right is at least as difficult as the most difficult other one.
    extremes = {0.0: int(table["b"].argmax()), 1.0: int(table["b"].argmin())}
    constant = {
        cell_name(dict(one["labels"])): extremes.get(one["score"]) for one in prior.left_out
    }
    result = []
    for family in families:
        for _, levels in calibration_cells(FAMILIES[family]):
            radicals = {f"radical.{name}": level for name, level in levels.items()}
            name = cell_name(dict(sorted({"family": family, **radicals}.items())))
            k = position.get(name, constant.get(name))
            prior_of_cell = usual if k is None else CellPrior(
                b=float(table["b"].to_numpy(float)[k]),
                clone_sd=float(table["clone_sd"].to_numpy(float)[k]),
                information=float(information[k]), **shared,
            )  # fmt: skip
            result.append((name, prior_of_cell, name in position))
    return result


def _information(prior: Calibration) -> NDArray[np.float64]:
    """Expected information of one answer to an item of each cell, over persons and clones."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    result = []
    for entry in prior.entries:
        # Slopes are 1: clones that differ in difficulty are as persons who differ in ability.
        alone = replace(prior, entries=(replace(entry, clone_sd=0.0),))
        spread = np.sqrt(prior.variance + entry.clone_sd**2)
        at = alone.information(prior.mean + spread * nodes)[0]
        result.append(float(at @ (weights / weights.sum())))
    return np.array(result)


def _per_cell(
    ability: str, priors: Sequence[CellPrior], persons: ClusteredPersons, se: float
) -> int:
    """The items of every cell of an ability, or the error that no number is enough."""
    needed = [items_needed(one, persons, se) for one in priors]
    if any(one is None for one in needed):
        least = max(planned_se(one, persons, None) for one in priors)
        enough = max(one.models_needed(se, persons) or 0 for one in priors)
        advice = (
            f"name about {enough} models in families as large as these"
            if enough else "name models of more families"
        )  # fmt: skip
        families = number_of(len(persons.families), "family", "families")
        raise ParameterError(
            f"{ability}: {persons.count} models of {families} reach a standard error of "
            f"{least:.2f} SD with any number of items, not {se:g}; {advice}, or "
            f"--se {np.ceil(100 * least + 1) / 100:.2f}"
        )
    per_cell = max(LEAST_ITEMS, *(one for one in needed if one is not None))
    if per_cell * len(priors) > MOST_ITEMS:
        raise ParameterError(
            f"{ability}: {per_cell} items of each of {len(priors)} cells are more than the "
            f"{MOST_ITEMS:,} items that a calibration can have; name fewer item families, or a "
            "larger --se"
        )
    return per_cell


def _written(
    path: Path, banks: Sequence[tuple[str, Sequence[str], int]], models: str, occasions: int,
    budget: float | None, seed: int, se: float,
) -> str:  # fmt: skip
    """The campaign as TOML."""
    lines = [
        f"# A calibration by design to a standard error of {se:g} SD, planned by gfactor calibrate",
        f"# --plan. Run: gfactor campaign run {path.name}",
        f"# Then: gfactor calibrate {path.stem}.db --by design --each ability -o {path.stem}/",
        "",
        "[campaign]",
        f"journal = {json.dumps(f'{path.stem}.db')}",
        f"occasions = {occasions}",
        *([f"budget = {budget}"] if budget is not None else []),
    ]
    for ability, families, per_cell in banks:
        options = f'{{families = {json.dumps(list(families))}, cells = "main", '
        lines += [
            "", "[[banks]]", f"path = {json.dumps(f'{path.stem}-{ability}.parquet')}",
            'build = "chc"', f"seed = {seed}", f"options = {options}per_cell = {per_cell}}}",
        ]  # fmt: skip
    return "\n".join([*lines, "", models.strip(), ""])


def _assumptions(
    cells: pd.DataFrame, sizes: Mapping[str, int], family_icc: float, constant: Collection[str]
) -> list[Diagnostic]:
    """Notes on assumptions of the plan; `constant` are cells that the earlier calibration names
    without a difficulty."""
    notes = []
    new = cells.loc[~cells["calibrated"].to_numpy(bool), "cell"]
    without = tuple(str(cell) for cell in new if cell in constant)
    if without:
        notes.append(Diagnostic(
            "cells_without_difficulty", "warning",
            f"{len(without)} of {len(cells)} cells have no difficulty in the earlier calibration, "
            "whose models answered them all right, or all wrong: they are taken to be like its "
            "easiest or most difficult cell, and are likely to lie beyond it.",
            "Add models that are less able, or abler; or leave the cells out.", without,
        ))  # fmt: skip
    new = new.loc[[cell not in constant for cell in new]]
    if len(new):
        notes.append(Diagnostic(
            "cells_assumed", "note",
            f"{len(new)} of {len(cells)} cells are in no earlier calibration: they are taken to be "
            "like the median cell of their ability.",
            "Calibrate them by few models first, and plan with --calibration FOLDER.",
            tuple(map(str, new)),
        ))  # fmt: skip
    edge = cells.loc[cells["models_beyond"].to_numpy(float) < FEWEST_BEYOND, "cell"]
    if len(edge):
        notes.append(Diagnostic(
            "cells_at_the_edge", "warning",
            f"{len(edge)} of {len(cells)} cells are so difficult, or so easy, that fewer than "
            f"{FEWEST_BEYOND} of the models are expected beyond them. Their standard errors will "
            "be larger than planned, and a calibration may find no right answer to them at all.",
            "Add models that are abler, or less able; or leave the cells out.",
            tuple(map(str, edge)),
        ))  # fmt: skip
    if max(sizes.values()) > 1:
        notes.append(Diagnostic(
            "family_icc_assumed", "note",
            f"{100 * family_icc:g} % of the variance of ability are taken to lie between the "
            f"{len(sizes)} families of models.",
            "Say another share with --family-icc.", values={"family_icc": family_icc},
        ))  # fmt: skip
    return notes
