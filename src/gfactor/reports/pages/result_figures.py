"""The figures of every kind of result: those of its page, drawn there and by `plot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.class_results import LatentClasses
from gfactor.psychometrics.factor.exploratory import Efa
from gfactor.psychometrics.factor.exploratory.parallel import Parallel
from gfactor.psychometrics.generalizability.study import Generalizability
from gfactor.psychometrics.gold import BenchmarkComparison
from gfactor.psychometrics.inference.differences import Differences
from gfactor.psychometrics.inference.inflation import Inflation
from gfactor.psychometrics.inference.ranks import RankSets
from gfactor.psychometrics.irt.anchors.placement import Placement
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.psychometrics.irt.models.explanatory import DesignFit
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.psychometrics.pls import PLSFit
from gfactor.psychometrics.pruning import Pruning, PruningStability, PruningValidation
from gfactor.psychometrics.sem import Fit
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance
from gfactor.psychometrics.trees import GapAnalysis
from gfactor.replications.m3gia import Gia, RouteComparison
from gfactor.reports.answers.results import Results, labeled, with_own_domains
from gfactor.reports.drawing.factor_figures import loading_heat_map, residual_heat_map, scree
from gfactor.reports.drawing.interval_figures import (
    class_figures,
    component_figures,
    difference_figures,
    invariance_figures,
    rank_figures,
)
from gfactor.reports.figure_registry import FIGURES, Drawers, Figure
from gfactor.reports.figures.domain_intervals import MOST as MOST_IN_A_ROW
from gfactor.reports.pages.benchmark_comparison import comparison_figures
from gfactor.reports.pages.cfa import cfa_figures
from gfactor.reports.pages.gap import gap_figures
from gfactor.reports.pages.inflation import inflation_figures
from gfactor.reports.pages.irt_plots import design_figures, dif_figures, irt_figures
from gfactor.reports.pages.m3gia import gia_figures, study_figures
from gfactor.reports.pages.placement import placement_figures
from gfactor.reports.pages.pls import pls_figures
from gfactor.reports.pages.profile import profile_figures
from gfactor.reports.pages.pruning import pruning_figures, stability_figures, validation_figures
from gfactor.reports.table_registry import Maker, can_be_made, make_tables
from gfactor.results import Result
from gfactor.scoring import with_chance


def figures_of(result: Result) -> Drawers:
    """Return the functions that draw a result's figures, the most important first. Results of
    `gfactor.api` have an attribute `drawers` with theirs."""
    drawers = getattr(result, "drawers", None)
    if drawers is not None:
        return drawers()
    kind = next((kind for kind in type(result).__mro__ if kind in _FIGURES), None)
    return {} if kind is None else _FIGURES[kind](result)


def figures_of_answers(answers: pd.DataFrame, items: pd.DataFrame) -> Drawers:
    """Return the functions that draw the figures of a journal's report.

    Parameters
    ----------
    answers : DataFrame
        Scored answers, as `gfactor.scoring.scored` gives them.
    items : DataFrame
        The journal's items.
    """
    results = Results(with_own_domains(labeled(with_chance(answers, items))))
    many = len(set(results.answers["label"])) > MOST_IN_A_ROW
    ordered = sorted(FIGURES.items(), key=lambda entry: (entry[1].order, entry[0]))
    return {
        name: partial(_of_answers, name, maker, results)
        for name, maker in ordered
        if all(can_be_made(table, results) for table in maker.needs)
        and not (many and name == "accuracy_by_domain")
    }


def _of_answers(name: str, maker: Maker[Figure], results: Results) -> Figure:
    tables = make_tables(results, maker.needs)
    figure = maker.make(tables) if set(maker.needs) <= set(tables) else None
    if figure is None:
        raise ParameterError(f"these answers do not give the figure {name!r}: its table is empty")
    return figure


def _efa_figures(efa: Efa) -> Drawers:
    # Parallel analyses of common factors have other eigenvalues than the matrix itself.
    table = pd.DataFrame({"observed": np.linalg.eigvalsh(efa.correlations.to_numpy(float))[::-1]})
    plain = partial(scree, table, efa.factors, "", ())
    return {
        "loadings": partial(loading_heat_map, efa.loadings, ("loadings",)),
        "residuals": partial(
            residual_heat_map, efa.residuals, "Residual correlations", ("residuals",)
        ),
        **({"scree": plain} if efa.parallel is None else _parallel_figures(efa.parallel)),
    }


def _parallel_figures(parallel: Parallel) -> Drawers:
    reference = f"{parallel.percentile:g}th percentile of {parallel.draws} random tables"
    table = ("eigenvalues",)
    return {"scree": partial(scree, parallel.eigenvalues, parallel.factors, reference, table)}


_FIGURES: Mapping[type, Callable[[Any], Drawers]] = {
    BenchmarkComparison: comparison_figures,
    DIF: dif_figures,
    DesignFit: design_figures,
    Differences: difference_figures,
    Efa: _efa_figures,
    Fit: cfa_figures,
    GapAnalysis: gap_figures,
    Generalizability: component_figures,
    Gia: gia_figures,
    IRTFit: irt_figures,
    Inflation: inflation_figures,
    Invariance: invariance_figures,
    LatentClasses: class_figures,
    PLSFit: pls_figures,
    Parallel: _parallel_figures,
    Placement: placement_figures,
    Profile: profile_figures,
    Pruning: pruning_figures,
    PruningStability: stability_figures,
    PruningValidation: validation_figures,
    RankSets: rank_figures,
    RouteComparison: study_figures,
}
