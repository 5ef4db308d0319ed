"""The living scale: models are added to a calibration, and items are watched for drift.

The calibration is the anchor. The added models are placed on it; each item keeps the calibrated
parameters and their covariance as its prior, and the answers of added models are added to that
(fixed-parameter linking: there are no constants to estimate, and unit and origin stay). Items that
drift are not used to link: once they are found, the models are placed again without them, and their
curves are estimated from the added models alone. The result is a function of the calibration and of
the set of all added models, so the order of updates and of merges makes no difference.

References
----------
Kim, S. (2006). A comparative study of IRT fixed parameter calibration methods. Journal of
    Educational Measurement 43, 355-381.
Kolen, M. J., Brennan, R. L. (2014). Test equating, scaling, and linking. 3rd ed. Springer
    (drifting anchor items are taken out of the link).
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.added_models import (
    adjusted_drift,
    effects_on,
    family_shares,
    placed_effects,
    readable,
)
from gfactor.psychometrics.irt.anchors.additions import Additions, base_of
from gfactor.psychometrics.irt.anchors.anchor_set import ADDED, AnchorBenchmark, Anchors
from gfactor.psychometrics.irt.anchors.combining import additions_of, combined
from gfactor.psychometrics.irt.anchors.drift import (
    EASIER,
    FEWEST_FAMILIES,
    HARDER,
    RATE,
    ItemDrift,
)
from gfactor.psychometrics.irt.anchors.estimation import (
    item_population,
    items_given_priors,
)
from gfactor.psychometrics.irt.anchors.files import read_anchors, write_anchors
from gfactor.psychometrics.irt.anchors.placing import evidence
from gfactor.psychometrics.irt.anchors.population import EffectPopulation, extended_population
from gfactor.psychometrics.irt.anchors.update_results import CalibrationUpdate, update_of
from gfactor.psychometrics.irt.likelihood.curves import Floats

_ROUNDS = 3
"""Number of searches for drifted items; each leaves out those found before."""


def update_anchors(
    anchors: Anchors,
    answers: pd.DataFrame,
    families: Mapping[str, str] | pd.Series,
    *,
    contents: Mapping[str, str] | None = None,
    laboratory: str = "",
    date: str = "",
) -> CalibrationUpdate:
    """Add models to a scale.

    Parameters
    ----------
    anchors : Anchors
        The scale, or a later version of it.
    answers : DataFrame (models x items)
        1, 0 or NaN; columns are `BENCHMARK:INDEX`. Models of the calibration are not counted again.
    families : mapping or Series
        Family of every new model; relatives of calibrated models have their family.
    contents : mapping, optional
        Checksum of the content of items by `BENCHMARK:INDEX`; merging compares them.
    laboratory, date : str
        Name of the person who adds the models, and date; they stand in the history.

    Returns
    -------
    CalibrationUpdate
        The updated scale, and the items that drifted.

    Raises
    ------
    ParameterError
        If an answer fits no item, a model has no family, no model is new, or a model that was added
        before has other answers now.
    """
    written = as_written(anchors)
    added = additions_of(written, answers, families, contents, laboratory, date)
    calibrated = [str(who) for who in answers.index if who in base_of(anchors).models.index]
    if not len(added.answers):
        raise ParameterError(
            f"no model is new: {len(calibrated)} of {len(answers)} are among the calibrated "
            "models, and the others have no answers"
        )
    if written.additions is not None:
        before = written.additions
        if added.answers.index.isin(before.answers.index).all() and _holds(before, added):
            added = replace(added, updates=())
        added = combined([before, added])
    return _updated(anchors, added, calibrated)


def merge_anchors(versions: Sequence[Anchors]) -> CalibrationUpdate:
    """Merge versions of one scale; every added model counts once, and the order of the versions
    does not matter.

    Parameters
    ----------
    versions : sequence of Anchors
        Versions of one calibration, with models added by several laboratories.

    Returns
    -------
    CalibrationUpdate
        The merged scale, and the items that drifted.

    Raises
    ------
    ParameterError
        If the versions stem from different calibrations, or differ in the answers or the family of
        a model or in the content of an item.
    """
    parts = [one.additions for one in versions if one.additions is not None]
    if not parts:
        raise ParameterError("no version has added models; there is nothing to merge")
    bare = [one for one in versions if one.additions is None]
    nothing = parts[0].answers.iloc[:0]
    parts += [Additions(as_written(one), nothing, parts[0].families.iloc[:0]) for one in bare]
    merged = combined(parts)
    return _updated(versions[0], replace(merged, base=as_written(merged.base)), [])


def as_written(anchors: Anchors) -> Anchors:
    """Return a scale rounded to the digits of its files, so that all laboratories start from the
    same numbers."""
    with tempfile.TemporaryDirectory() as folder:
        return read_anchors(write_anchors(anchors, Path(folder)))


def _holds(before: Additions, added: Additions) -> bool:
    """Return True if all answers were there before."""
    stored = before.answers.reindex(index=added.answers.index, columns=added.answers.columns)
    return bool((added.answers.isna() | stored.eq(added.answers)).to_numpy().all())


def _updated(anchors: Anchors, added: Additions, calibrated: Sequence[str]) -> CalibrationUpdate:
    growth = _Growth.of(added)
    return update_of(
        anchors, growth.anchors(), growth.drift_table(), calibrated, growth.unread, growth.tested
    )


@dataclass(frozen=True)
class _Growth:
    """The effects of all added models on the calibration, and the drift that they show."""

    added: Additions
    rows: list[list[Floats]]
    unread: list[tuple[str, str]]
    effects: Floats
    spreads: Floats
    drift: list[ItemDrift]
    adjusted: list[Floats]
    tested: bool

    @classmethod
    def of(cls, added: Additions) -> _Growth:
        base = added.base
        rows, unread = readable(base, added.answers)
        families = [str(label) for label in added.families]
        tested = len(set(families)) >= FEWEST_FAMILIES
        drifted = [np.zeros(len(b.items), dtype=bool) for b in base.benchmarks]
        drift: list[ItemDrift] = []
        adjusted: list[Floats] = []
        effects, spreads = placed_effects(base, rows, drifted)
        for _ in range(_ROUNDS):
            drift, adjusted = adjusted_drift(
                base, rows, families, drifted, effects, spreads, tested
            )
            drifts_now = [np.nan_to_num(p, nan=1.0) <= RATE for p in adjusted]
            if all((a == b).all() for a, b in zip(drifts_now, drifted, strict=True)):
                break
            drifted = drifts_now
            effects, spreads = placed_effects(base, rows, drifted)
        return cls(added, rows, unread, effects, spreads, drift, adjusted, tested)

    def _drifted(self, b: int) -> NDArray[np.bool_]:
        return np.nan_to_num(self.adjusted[b], nan=1.0) <= RATE

    def anchors(self) -> Anchors:
        """The scale with the added models."""
        base = self.added.base
        population = self._population()
        return replace(
            base,
            benchmarks=tuple(self._benchmark(b) for b in range(len(base.benchmarks))),
            mean=population.mean, covariance=population.covariance, models=self._models(),
            additions=self.added,
        )  # fmt: skip

    def _benchmark(self, b: int) -> AnchorBenchmark:
        before, drifted = self.added.base.benchmarks[b], self._drifted(b)
        seen = effects_on(before, self.rows, b, self.effects, self.spreads)
        mean = np.column_stack([before.curves.slopes, before.curves.intercepts])
        covariance = before.curves.covariance.copy()
        offsets = seen.logits - seen.points @ mean.T
        mean[drifted], covariance[drifted] = item_population(before.curves)
        curves = items_given_priors(
            seen.answers, seen.points, offsets, seen.spreads, mean, covariance, before.curves.lower
        )
        there = np.isfinite(seen.answers)
        stable = ~drifted
        easier = self.drift[b].shift > 0
        return replace(
            before, curves=curves,
            status=tuple(
                (EASIER if easy else HARDER) if moved else state
                for state, moved, easy in zip(before.status, drifted, easier, strict=True)
            ),
            right=before.right * stable + np.nansum(seen.answers, axis=0),
            asked=before.asked * stable + there.sum(0),
        )  # fmt: skip

    def _population(self) -> EffectPopulation:
        """The calibrated population, extended by the added models."""
        base = self.added.base
        seen = [evidence(base.pool, *one) for one in zip(self.effects, self.spreads, strict=True)]
        old = base.models["family"].tolist()
        size = len(old)
        share = family_shares([*old, *self.added.families.tolist()])[size:]
        return extended_population(
            base.mean, base.covariance, float(family_shares(old).sum()),
            np.array([precision for precision, _ in seen]), np.array([pull for _, pull in seen]),
            share,
        )  # fmt: skip

    def _models(self) -> pd.DataFrame:
        base = self.added.base
        table = pd.DataFrame({"family": self.added.families}, index=self.added.answers.index)
        first = 0
        for b, benchmark in enumerate(base.benchmarks):
            answers = np.array([row[b] for row in base.rows(self.added.answers)])
            whole = np.isfinite(answers).all(1)
            table[f"accuracy:{benchmark.name}"] = np.where(whole, answers.mean(1), np.nan)
            there = np.isfinite(answers).any(1)
            for effect in benchmark.effect_names:
                table[f"{effect}:{benchmark.name}"] = np.where(
                    there, self.effects[:, first], np.nan
                )
                first += 1
        return pd.concat([base.models.assign(**{ADDED: 0.0}), table.assign(**{ADDED: 1.0})])

    def drift_table(self) -> pd.DataFrame:
        """A row for every item that was tested."""
        parts = [
            pd.DataFrame({
                "benchmark": benchmark.name, "item": list(benchmark.items),
                "asked": drift.asked.astype(int), "right": drift.right.astype(int),
                "expected": drift.expected, "shift": drift.shift, "se": drift.se, "p": drift.p,
                "p_adjusted": adjusted,
            })
            for benchmark, drift, adjusted in zip(
                self.added.base.benchmarks, self.drift, self.adjusted, strict=True
            )
        ]  # fmt: skip
        table: Any = pd.concat(parts, ignore_index=True)
        table["drift"] = np.where(
            table["p_adjusted"].fillna(1.0) > RATE, "", np.where(table["shift"] > 0, EASIER, HARDER)
        )
        return table[table["p_adjusted"].notna()].reset_index(drop=True)
