"""A fitted PLS model: its tables, a summary, and values for JSON.

The score of a product is standardized like every other, so its path depends on the spread of the
product. Divided by that spread, it is the change in the slope of one construct when the other rises
by one standard deviation (Henseler and Fassott 2010; seminr reports it so).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.pls import measures
from gfactor.psychometrics.pls.data import ModelColumns
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pls.solution import PathSettings, PathSolution
from gfactor.psychometrics.pls.stages import CorrelationSamples
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.validity import fornell_larcker, htmt
from gfactor.results import Result, by_row, rounded


def moderation_table(solution: PathSolution) -> pd.DataFrame:
    """Return one row per interaction and target.

    `path` of the standardized product; `unit`, its spread (mean of the items' standard deviations,
    weighted by absolute loading); `per_unit` = path / unit; `slope_low`, `slope_mean`,
    `slope_high`: effect of the first construct at -1, 0 and +1 standard deviations of the second.
    """
    rows, design, estimates = [], solution.design, solution.estimates
    for j, name in enumerate(solution.constructs):
        if ":" not in name:
            continue
        first, second = name.split(":")
        block = design.blocks[j]
        spread = np.array([solution.units[solution.items[i]][0] for i in block])
        loading = np.abs(estimates.loadings[0, block])
        unit = float((spread * loading).sum() / loading.sum())
        for target in np.flatnonzero(design.arrows[j]):
            path = float(estimates.paths[0, j, target])
            simple = float(estimates.paths[0, solution.constructs.index(first), target])
            change = path / unit
            slopes = (simple - change, simple, simple + change)
            rows.append((first, second, solution.constructs[target], path, unit, change, *slopes))
    columns = ["construct", "moderator", "target", "path", "unit", "per_unit"]
    return pd.DataFrame(rows, columns=[*columns, "slope_low", "slope_mean", "slope_high"])


@dataclass(frozen=True, eq=False, repr=False)
class PLSFit(Result):
    """A fitted PLS path model; every table is computed when it is first used.

    Parameters
    ----------
    model : PLSModel
        Model that was fitted.
    settings : Settings
        Settings of the fit.
    table : ModelColumns
        The analyzed data, with `n` rows.
    sample : Sample
        The correlations that were analyzed.
    solution : PathSolution
        The estimates.
    diagnostics : list of Diagnostic
        Limits to the use of the results, errors first.
    further : mapping of str to Result
        Further results: "bootstrap", "prediction", "cvpat", "groups".
    source : str
        Name of the data's file, "" for a table.
    """

    model: PLSModel
    settings: PathSettings
    table: ModelColumns
    sample: CorrelationSamples
    solution: PathSolution
    diagnostics: tuple[Diagnostic, ...] = ()
    further: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def n(self) -> int:
        """Number of analyzed rows."""
        return self.table.n

    @property
    def constructs(self) -> tuple[str, ...]:
        """Constructs, then interactions, then parts of second-order constructs."""
        return self.solution.constructs

    @property
    def iterations(self) -> int:
        """Number of iterations of the last stage, without the first, as in seminr."""
        return int(self.solution.estimates.iterations[0])

    @property
    def converged(self) -> bool:
        return bool(self.solution.estimates.converged[0])

    @cached_property
    def measurement(self) -> pd.DataFrame:
        """See `measures.measurement_table`."""
        return measures.measurement_table(self.solution)

    @cached_property
    def weights(self) -> pd.DataFrame:
        """Items x constructs; 0 if the item does not belong to the construct."""
        wide = self.solution.estimates.weight_matrix()[0]
        return pd.DataFrame(wide, list(self.solution.items), list(self.constructs))

    @cached_property
    def loadings(self) -> pd.DataFrame:
        """Items x constructs; 0 if the item does not belong to the construct."""
        wide = self.solution.estimates.loadings[0][:, None] * self.solution.design.member
        return pd.DataFrame(wide, list(self.solution.items), list(self.constructs))

    @cached_property
    def cross_loadings(self) -> pd.DataFrame:
        """Correlations of items with the scores of all constructs (uncorrected in PLSc)."""
        return self._wide(cleared(self.solution.estimates.cross[0]), self.solution.items)

    @cached_property
    def paths(self) -> pd.DataFrame:
        """Standardized path coefficients: sources in rows, targets in columns, 0 if there is no
        path."""
        return self._wide(self.solution.estimates.paths[0])

    @cached_property
    def correlations(self) -> pd.DataFrame:
        """Return the correlations of the constructs; corrected for unreliability in PLSc."""
        return self._wide(self.solution.estimates.correlations[0])

    @cached_property
    def r2(self) -> pd.DataFrame:
        """See `measures.structure_table`."""
        return measures.structure_table(self.solution, self.n)

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Direct, indirect and total effects; see `measures.effects_table`."""
        return measures.effects_table(self.solution)

    @cached_property
    def total_effects(self) -> pd.DataFrame:
        """Sources in rows, targets in columns."""
        return self._wide(measures.total_effects(self.solution.estimates.paths)[0])

    @cached_property
    def f2(self) -> pd.DataFrame:
        """See `measures.effect_sizes`."""
        return measures.effect_sizes(self.model, self.sample, self.settings, self.solution)

    @cached_property
    def reliability(self) -> pd.DataFrame:
        """See `measures.reliability_table`."""
        return measures.reliability_table(self.solution, self.table)

    @cached_property
    def htmt(self) -> pd.DataFrame:
        """HTMT of all pairs, symmetric; see `gfactor.psychometrics.validity.heterotrait`."""
        return self.heterotrait_monotrait()

    def heterotrait_monotrait(self, variant: Any = "htmt") -> pd.DataFrame:
        """Return HTMT in one of its variants ("htmt", "htmt2", "raw", "gold"); without
        interactions."""
        ratios = self._wide(htmt(self.solution.r[0], self.solution.design.member, variant))
        plain = [name for name in self.constructs if ":" not in name]
        return ratios.loc[plain, plain]

    @cached_property
    def fornell_larcker(self) -> pd.DataFrame:
        """Square roots of AVE on the diagonal, correlations of the scores elsewhere."""
        scores = self._wide(cleared(self.solution.plain.correlations[0]))
        ave = pd.Series(self.reliability["ave"].to_numpy(float), self.reliability.index)
        return fornell_larcker(ave, scores)

    @cached_property
    def antecedent_vif(self) -> pd.DataFrame:
        """See `measures.antecedent_inflation`."""
        return measures.antecedent_inflation(self.solution)

    @cached_property
    def fit(self) -> pd.DataFrame:
        """SRMR, d_ULS and d_G; see `measures.fit_table`."""
        return measures.fit_table(self.solution)

    @property
    def srmr(self) -> float:
        """SRMR of the saturated model, with =~ blocks as common factors and <~ blocks as
        composites."""
        return float(self.fit["srmr"].iloc[0])

    @cached_property
    def moderation(self) -> pd.DataFrame:
        """Interactions per unit of the product, with simple slopes; see `moderation_table`."""
        return moderation_table(self.solution)

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Standardized scores, rows x constructs; NaN in rows with a missing cell (pairwise)."""
        scores = self.solution.scores
        if scores is not None:
            return pd.DataFrame(scores[0], self.table.rows, list(self.constructs))
        z = (self.table.x - self.table.mean) / self.table.sd
        return pd.DataFrame(z @ self.composites, self.table.rows, list(self.constructs))

    @cached_property
    def composites(self) -> np.ndarray:
        """Weights of the standardized columns of the table in each construct's score, (p, J)."""
        columns, weights = list(self.table.columns), self.solution.plain.weight_matrix()[0]
        wide = np.zeros((len(columns), len(self.constructs)))
        order = [*range(self.solution.last, len(self.constructs)), *range(self.solution.last)]
        for j in order:  # parts first, because other constructs may be formed from them
            for i in self.solution.design.blocks[j]:
                name = self.solution.items[i]
                if name in columns:
                    wide[columns.index(name), j] += weights[i, j]
                elif name in self.constructs:
                    wide[:, j] += weights[i, j] * wide[:, self.constructs.index(name)]
                else:  # a product is not linear in the columns
                    wide[:, j] = np.nan
        return wide

    @cached_property
    def raw_scores(self) -> pd.DataFrame:
        """Return scores in the unit of the indicators.

        They are weighted means of the raw columns: weights are divided by the columns' standard
        deviations and scaled to sum to 1. They are meaningful if a construct's indicators share a
        unit. They are NaN for products, and if the rescaled weights sum to about 0."""
        weights = self.composites / self.table.sd[:, None]
        total = weights.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            unit = np.where(np.abs(total) > 1e-9, weights / total, np.nan)
        return pd.DataFrame(self.table.x @ unit, self.table.rows, list(self.constructs))

    @property
    def fit_measures(self) -> pd.Series:
        """SRMR, d_ULS and d_G of the saturated model; see `fit` for the others."""
        return self.fit.iloc[0]

    @property
    def title(self) -> str:
        return (
            f"PLS path model, {self.settings.scheme} scheme, n = {self.n}, "
            f"{self.iterations} iterations"
            + ("" if self.converged else " (not converged)")
            + (", consistent (PLSc)" if self.settings.consistent else "")
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "n": self.n,
            "scheme": self.settings.scheme,
            "consistent": self.settings.consistent,
            "missing": {"treatment": self.table.missing, "cells": self.table.n_missing},
            "iterations": self.iterations,
            "converged": self.converged,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "measurement": self.measurement,
            "effects": self.effects.assign(f2=self._f2_of_effects()),
            "r2": self.r2,
            "reliability": self.reliability,
            "htmt": self.htmt,
            "fit": self.fit,
        }

    @property
    def formative(self) -> tuple[str, ...]:
        """Constructs of several indicators in mode B: alpha, rho_c, AVE and HTMT do not apply."""
        design = self.solution.design
        each = zip(self.constructs, design.modes, design.blocks, strict=True)
        return tuple(name for name, mode, block in each if mode == "B" and len(block) > 1)

    def _lines(self) -> list[str]:
        reliability = self.reliability.drop(columns="component_rho")
        reflective = [name for name in reliability if name != "n_indicators"]
        reliability.loc[list(self.formative), reflective] = np.nan
        measurement = self.measurement.drop(columns=["communality", "redundancy"])
        return [
            self.title,
            "",
            rounded(measurement, 3).to_string(index=False),
            "",
            rounded(self.tables["effects"], 3).to_string(index=False),
            "",
            rounded(self.r2, 3).to_string(),
            "",
            rounded(reliability, 3).to_string(na_rep="-"),
            "",
            f"SRMR {self.srmr:.3f} (=~ as common factors, <~ as composites; saturated)",
            *(f"\n{one.summary()}" for one in self.further.values()),
        ]

    def _document(self) -> Mapping[str, Any]:
        """`paths[source][target]`, `htmt[a][b]` both ways."""
        table, names = self.measurement, self.solution.items
        keys = [
            name if names.count(name) == 1 else f"{owner}: {name}"
            for name, owner in zip(table["indicator"], table["construct"], strict=True)
        ]

        def column(name: str) -> dict[str, float]:
            return dict(zip(keys, table[name], strict=True))

        pairs = {(s, t) for s, t, _, _ in self.f2.itertuples(index=False)}
        return {
            **self.facts,
            "diagnostics": self.diagnostics,
            "constructs": {
                name: {
                    "mode": self.solution.design.modes[j],
                    "indicators": [self.solution.items[i] for i in self.solution.design.blocks[j]],
                }
                for j, name in enumerate(self.constructs)
            },
            "loadings": column("loading"),
            "weights": column("weight"),
            "cross_loadings": by_row(self.cross_loadings.set_axis(keys)),
            "paths": _by_source(self.effects, "direct", pairs),
            "r2": self.r2["r2"],
            "adj_r2": self.r2["adj_r2"],
            "f2": _by_source(self.f2, "f2", pairs),
            "effects": self.effects,
            "moderation": self.moderation,
            "reliability": by_row(self.reliability.astype(float)),
            "htmt": by_row(self.htmt),
            "htmt2": by_row(self.heterotrait_monotrait("htmt2")),
            "fornell_larcker": by_row(self.fornell_larcker),
            "vif": column("vif"),
            "vif_all": column("vif_all"),
            "antecedent_vif": self.antecedent_vif,
            "srmr": self.srmr,
            "fit": self.fit,
            **self.further,
        }

    def _f2_of_effects(self) -> list[float]:
        f2 = {(s, t): v for s, t, v, _ in self.f2.itertuples(index=False)}
        pairs = zip(self.effects["source"], self.effects["target"], strict=True)
        return [f2.get(pair, np.nan) for pair in pairs]

    def _wide(self, values: np.ndarray, rows: tuple[str, ...] | None = None) -> pd.DataFrame:
        names = list(self.constructs)
        return pd.DataFrame(values, list(rows or names), names)


def _by_source(
    frame: pd.DataFrame, column: str, pairs: set[tuple[str, str]]
) -> dict[str, dict[str, float]]:
    targets: dict[str, dict[str, float]] = {}
    for source, target, value in zip(frame["source"], frame["target"], frame[column], strict=True):
        if (source, target) in pairs:
            targets.setdefault(source, {})[target] = value
    return targets
