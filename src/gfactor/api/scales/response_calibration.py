"""The calibration of responses, by item or by design cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pandas as pd

from gfactor.api.inputs.progress_bars import counter, ticks
from gfactor.api.inputs.scoring import Scoring
from gfactor.api.scales.design_cells import (
    cells_of,
    checked_cell_labels,
    constant_items,
    digests_of_cells,
    labels_of_cells,
    levels_of_cells,
    without_constant_cells,
)
from gfactor.api.scales.irt_data import Counting, ItemResponses
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.data import extreme_persons
from gfactor.psychometrics.irt.estimation.errors import FEW_CLUSTERS
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.models.explanatory import design_matrix
from gfactor.psychometrics.irt.models.hierarchical import fit_hierarchical
from gfactor.psychometrics.irt.models.itemfamilies import FamilyFit, fit_families
from gfactor.psychometrics.irt.models.testlets import FittedTestlets, fit_testlets
from gfactor.psychometrics.irt.request import named_model
from gfactor.psychometrics.irt.scales.calibration import (
    By,
    Calibration,
    calibrate_cells,
    calibrate_items,
)
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration
from gfactor.psychometrics.irt.scales.calibration_linking import link_calibration
from gfactor.psychometrics.irt.scales.constant_cells import (
    LeftOut,
    constant_cells_diagnostic,
    uncertain_difficulties,
)
from gfactor.psychometrics.irt.scales.linking import LinkingMethod

TESTLET = ("family", "domain")
"""Labels whose values are testlets: persons differ in one beyond their ability."""
FEWEST = 10
"""Respondents below whom no testlet variance is estimated."""


def calibration_of_responses(
    responses: ItemResponses, scoring: Scoring, scene_digests: Sequence[str], *, by: By,
    model: str, guess: float | str | None, cells: Sequence[str], design: str | None,
    cluster: str | None, counting: Counting, shrink: bool,
    link: Calibration | Path | str | None, link_method: LinkingMethod | None,
    population: str | None, date: str | None, force: bool,
) -> Calibration:  # fmt: skip
    """Return the calibration of responses. `scoring` describes how they were scored,
    `scene_digests` which banks were administered; the other arguments are those of `calibrate`."""
    if by not in get_args(By):
        raise UnknownNameError("way to calibrate", by, get_args(By))
    model = named_model(model)
    if by == "item" and (cells or design):
        raise ParameterError(
            "cells and design are options of a calibration by design; add "
            "by='design', or leave them out"
        )
    if by == "design" and shrink:
        raise ParameterError("a calibration by design needs no shrinkage; leave out shrink")
    if by == "design" and (model != "rasch" or counting == "points"):
        raise ParameterError(
            "a calibration by design uses the Rasch model and items that are right or wrong as a "
            "whole; leave out the model and points, or calibrate by item"
        )
    whole, labels = responses, list[str]()
    left_out: list[LeftOut] = []
    if by == "design":
        labels = checked_cell_labels(responses.items, cells)
        responses, left_out = without_constant_cells(
            responses, labels, borrowing=design is not None
        )
    diagnostics = list(responses.diagnostics)
    if left_out and by == "design":
        diagnostics.append(constant_cells_diagnostic(left_out))
    levels, notes = _levels(responses, guess)
    diagnostics += notes
    groups = _clusters(responses, cluster, diagnostics)
    about = {
        **_about(responses, scoring, counting, groups, cluster, population, date),
        "bank": _bank(whole, scene_digests),
    }  # fmt: skip
    if population is None:
        diagnostics.append(Diagnostic(
            "population_unnamed", "note", "The file does not say who was calibrated.",
            "Say it with --population: abilities are read against it.",
        ))  # fmt: skip
    with counter(0, "calibrate", "step") as bar:
        tick = ticks(bar)
        if by == "item":
            fit = (fit_hierarchical if shrink else fit_irt)(
                model, responses.scores, guess=levels, clusters=groups, force=force, progress=tick
            )
            calibration = calibrate_items(fit, _item_facts(responses), about)
            left_out = constant_items(responses, besides=calibration.position)
        else:
            calibration = _by_design(responses, labels, design, levels, groups, about, tick)
    if link is not None:
        old = link if isinstance(link, Calibration) else read_calibration(link)
        calibration = link_calibration(calibration, old, link_method)
    elif link_method is not None:
        raise ParameterError("a method of linking needs the calibration to link to")
    diagnostics = [
        *uncertain_difficulties(calibration.table),
        *(_of_calibration(one, bool(left_out)) for one in calibration.diagnostics),
        *diagnostics,
    ]
    return replace(
        calibration, diagnostics=by_severity(diagnostics),
        about={**calibration.about, **({"left_out": left_out} if left_out else {})},
    )  # fmt: skip


def _of_calibration(diagnostic: Diagnostic, left_out: bool) -> Diagnostic:
    """Return a diagnostic of a fit with a remedy that a calibration has (it takes no theta_lim),
    and with words for cells that the fit has never seen."""
    if left_out and diagnostic.code == "extreme_persons":
        count = diagnostic.values
        return extreme_persons(count["all"], count["none"], count["persons"], left_out)
    if diagnostic.code != "grid_too_narrow":
        return diagnostic
    return replace(
        diagnostic,
        remedy="A spread of abilities this large is often that of two populations, or of too few "
        "respondents: calibrate populations by themselves, or have more respondents answer.",
    )


def _levels(
    responses: ItemResponses, guess: float | str | None
) -> tuple[float | dict[str, float] | None, tuple[Diagnostic, ...]]:
    if guess == "format":
        return responses.guessing()
    try:
        return (None if guess is None else float(guess)), ()
    except ValueError as error:
        raise ParameterError(f"guess is a number or 'format', not {guess!r}") from error


def _count(who: pd.DataFrame, cluster: str | None) -> int:
    """Return the number of clusters of respondents whose answers count as independent."""
    if cluster is None:
        return len(who)
    labels: Any = who[cluster]
    return int(labels.nunique())


def _clusters(
    responses: ItemResponses, cluster: str | None, diagnostics: list[Diagnostic]
) -> list[str] | None:
    """The cluster of every respondent; None if each is one by itself."""
    if cluster is None:
        return None
    if cluster not in responses.respondents:
        raise UnknownNameError("column of respondents", cluster, responses.respondents.columns)
    labels = [str(value) for value in responses.respondents[cluster]]
    count = len(set(labels))
    if count == len(labels):
        return None
    if count < 2:
        diagnostics.append(Diagnostic(
            "one_cluster", "warning",
            f"All {len(labels)} respondents are of one {cluster}; standard errors take them to be "
            "independent and are too small.",
            "Have respondents of other families answer.", values={"n": len(labels)},
        ))  # fmt: skip
        return None
    if count < FEW_CLUSTERS:
        diagnostics.append(Diagnostic(
            "clusters_named", "note",
            f"The {len(labels)} respondents are in {count} clusters by their column {cluster!r}.",
            "--cluster names another column, or none if respondents are independent.",
            values={"n": len(labels), "clusters": count, "column": cluster},
        ))  # fmt: skip
    return labels


def _about(
    responses: ItemResponses, scoring: Scoring, counting: Counting, groups: Sequence[str] | None,
    cluster: str | None, population: str | None, date: str | None,
) -> dict[str, Any]:  # fmt: skip
    who = responses.respondents
    kinds: Any = who["kind"]
    families: dict[str, int] = {}
    for name in groups or ():
        families[name] = families.get(name, 0) + 1
    return {
        "population": population,
        "date": date,
        "respondents": {
            "n": len(who), "kinds": dict(sorted(kinds.value_counts().to_dict().items())),
            "families": len(families) or _count(who, cluster),
            "clustered_by": cluster if groups else None,
            "members": dict(sorted(families.items())) if groups else None,
            "examinees": sorted(map(str, who["examinee"][(kinds != "person").to_numpy()])),
        },
        "scoring": {
            "counting": counting, "policy": scoring.policy, "judge": scoring.judge_name or None,
            "condition": str(who["condition"].iloc[0]),
        },
        "linking": None,
    }  # fmt: skip


def _bank(responses: ItemResponses, scene_digests: Sequence[str]) -> dict[str, Any]:
    return {
        "digest": responses.digest, "items": len(responses.items),
        "benchmarks": sorted({str(name) for name in responses.items["benchmark"]}),
        "scene_digests": list(scene_digests),
    }  # fmt: skip


def _item_facts(responses: ItemResponses) -> dict[str, dict[str, Any]]:
    return {
        str(name): {"content_hash": str(row["content_hash"]), "id": str(row["id"])}
        for name, row in responses.items.iterrows()
    }


def _by_design(
    responses: ItemResponses, labels: Sequence[str], design: str | None, levels: Any,
    groups: list[str] | None, about: Mapping[str, Any], tick: Any,
) -> Calibration:  # fmt: skip
    items = responses.items
    cells = labels_of_cells(items, labels)
    names = cells_of(items, labels)
    frame = pick(items, list(labels)).set_axis(names, axis=0)
    frame = frame.loc[~frame.index.duplicated()].sort_index()
    x = None if design is None else design_matrix(design, frame)
    families = fit_families(
        responses.scores, names, design=x, guess=levels, clusters=groups, progress=tick
    )
    low = levels_of_cells(levels, list(map(str, items.index)), names)
    diagnostics: list[Diagnostic] = []
    testlet = next((name for name in TESTLET if name in labels), None)
    testlets = _testlets(responses, families, testlet, levels, diagnostics)
    calibration = calibrate_cells(
        families, cells, low, {**about, "design": design, "cell": list(labels)}, testlets, testlet,
        digests_of_cells(items, names),
    )  # fmt: skip
    return replace(calibration, diagnostics=by_severity([*calibration.diagnostics, *diagnostics]))


def _testlets(
    responses: ItemResponses, families: FamilyFit, testlet: str | None, levels: Any,
    diagnostics: list[Diagnostic],
) -> FittedTestlets | None:  # fmt: skip
    """Estimate how persons differ in one family beyond ability; None, with a reason, if unknown."""
    why = ""
    if testlet is None:
        why = f"items have no label {' or '.join(map(repr, TESTLET))} in their cells"
    elif len(responses.scores) < FEWEST:
        why = f"{len(responses.scores)} respondents are too few (fewer than {FEWEST})"
    else:
        groups = [str(value) for value in responses.items[testlet]]
        try:
            return fit_testlets(responses.scores, families, groups, levels)
        except ParameterError as error:
            why = str(error)
    diagnostics.append(Diagnostic(
        "no_testlet_variance", "note",
        f"The variance of what persons differ by in one family is not estimated: {why}. Standard "
        "errors of ability take answers to a family to be independent, and are too small where "
        "persons differ in it.",
        "Calibrate two or more families, each answered several times by 10 or more respondents.",
    ))  # fmt: skip
    return None
