"""Anchors: calibrated items of real benchmarks, and the real models that answered them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.irt.anchors.estimation import ItemCurves
from gfactor.psychometrics.irt.anchors.pool import COMMON_EFFECTS, ItemPool, item_pool
from gfactor.psychometrics.irt.anchors.population import DEGREES
from gfactor.psychometrics.irt.anchors.testlets import TESTLET_SIZES
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.results import Result

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.anchors.additions import Additions

_LEAST_PRECISION = 0.01
BROKEN = ("negative", "nobody", "easier", "harder")
"""States of items that are left out: better models do worse; at most 2 % of models are right; or
models that were added find the item easier or harder than calibrated ones."""
ADDED = "added"
"""Column of `Anchors.models`: 1 for models that were added after the calibration."""


@dataclass(frozen=True)
class AnchorBenchmark:
    """Calibrated items of one benchmark.

    Parameters
    ----------
    name : str
        Name of the benchmark, as in `BENCHMARK:INDEX`.
    items : tuple of str
        INDEX of every item.
    curves : ItemCurves
        One or several dimensions, in standard deviations of the calibrated models.
    status : tuple of str
        "" for a good item, otherwise one of `BROKEN`.
    right, asked : array (J,)
        Number of models that were right, and of models that answered.
    misfit_sd : float
        Standard deviation of the difference between the full score of a new family and its
        prediction, beyond the errors of abilities and answers, as a share of right answers.
    testlet_variances : tuple of two float
        Variances of the effects of 20 and of 100 neighboring items, in squared logits.
    """

    name: str
    items: tuple[str, ...]
    curves: ItemCurves
    status: tuple[str, ...]
    right: Floats
    asked: Floats
    misfit_sd: float = 0.0
    testlet_variances: tuple[float, float] = (0.0, 0.0)

    @property
    def usable(self) -> NDArray[np.bool_]:
        """True for items that may be asked and are used to estimate ability."""
        return np.array([not entry for entry in self.status])

    @property
    def effect_names(self) -> tuple[str, ...]:
        """Names of the effects of the whole benchmark: abilities, level, loss of easy items."""
        further = (f"ability{k + 2}" for k in range(self.curves.slopes.shape[1] - 1))
        return ("ability", *further, *COMMON_EFFECTS)


@dataclass(frozen=True, repr=False)
class Anchors(Result):
    """A scale: items of several benchmarks and the models that set its unit.

    Parameters
    ----------
    name : str
        Name and version of the scale.
    benchmarks : tuple of AnchorBenchmark
    mean, covariance : array (D,), (D, D)
        Population of the effects of each benchmark (`effect_names`); each family counts by the
        square root of its size.
    models : DataFrame
        By model: `family`, `accuracy:BENCHMARK` and its effects, as `ability:BENCHMARK` (NaN where
        it was not asked).
    ability_inflation : float
        Factor that multiplies the part of a prediction's variance that comes from abilities;
        estimated from families left out.
    about : mapping
        `source`, `license`, `scoring`, `date`, `digest` of the answers, `validation`.
    diagnostics : tuple of Diagnostic
    additions : Additions, optional
        Models that were added after the calibration, with the calibration itself.
    """

    name: str
    benchmarks: tuple[AnchorBenchmark, ...]
    mean: Floats
    covariance: Floats
    models: pd.DataFrame
    ability_inflation: float = 1.0
    about: Mapping[str, Any] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    additions: Additions | None = None

    @property
    def calibrated_models(self) -> pd.DataFrame:
        """The models that define the unit of the scale, without those that were added later."""
        if ADDED not in self.models:
            return self.models
        models: Any = self.models[self.models[ADDED] == 0]
        return models

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the benchmarks."""
        return tuple(benchmark.name for benchmark in self.benchmarks)

    @cached_property
    def pool(self) -> ItemPool:
        """The items as they are asked together."""
        return item_pool(
            [b.curves for b in self.benchmarks], [b.usable for b in self.benchmarks],
            self.mean, self.covariance, TESTLET_SIZES,
            [b.testlet_variances for b in self.benchmarks], DEGREES,
        )  # fmt: skip

    def restricted(self, wanted: Sequence[int]) -> Anchors:
        """Return the scale with only the given benchmarks; their results stay the same."""
        per_benchmark = len(self.mean) // len(self.benchmarks)
        rows = [per_benchmark * b + e for b in wanted for e in range(per_benchmark)]
        return replace(
            self, benchmarks=tuple(self.benchmarks[b] for b in wanted), mean=self.mean[rows],
            covariance=self.covariance[np.ix_(rows, rows)], additions=None,
        )  # fmt: skip

    @cached_property
    def columns(self) -> tuple[dict[str, int], ...]:
        """Return the position of each column `BENCHMARK:INDEX`, by benchmark."""
        return tuple(
            {f"{b.name}:{item}": k for k, item in enumerate(b.items)} for b in self.benchmarks
        )

    def rows(self, answers: pd.DataFrame) -> list[list[Floats]]:
        """Return the answers of each model by benchmark, in the order of the items.

        Raises
        ------
        ParameterError
            If a column is not an item of the scale, or an answer is not 1, 0 or missing.
        """
        if not answers.size:
            raise ParameterError(
                f"the table has {len(answers)} models and {answers.shape[1]} items; give a row for "
                "each model and a column BENCHMARK:INDEX for each item"
            )
        items = {column for positions in self.columns for column in positions}
        odd = next((str(c) for c in answers.columns if str(c) not in items), None)
        if odd is not None:
            raise ParameterError(
                f"column {odd!r} is not an item of the calibration {self.name}; give answers to "
                f"{', '.join(self.names)} in columns BENCHMARK:INDEX, with the index of "
                "VLMEvalKit's TSV, and leave other columns out"
            )
        if answers.columns.has_duplicates:
            twice = str(answers.columns[answers.columns.duplicated()][0])
            raise ParameterError(f"column {twice!r} occurs twice; keep one of them")
        try:
            table = answers.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"answers are 1, 0 or missing, got text ({error})") from error
        wrong = np.argwhere(~(np.isnan(table) | (table == 0) | (table == 1)))
        if len(wrong):
            row, column = wrong[0]
            raise ParameterError(
                f"answers are 1, 0 or missing; model {str(answers.index[row])!r} has "
                f"{table[row, column]:g} in column {str(answers.columns[column])!r}"
            )
        columns = [
            np.array([positions.get(str(c), -1) for c in answers.columns])
            for positions in self.columns
        ]
        result = []
        for values in table:
            parts = []
            for column, benchmark in zip(columns, self.benchmarks, strict=True):
                part = np.full(len(benchmark.items), np.nan)
                part[column[column >= 0]] = values[column >= 0]
                parts.append(part)
            result.append(parts)
        return result

    @cached_property
    def items(self) -> pd.DataFrame:
        """A row per item: slope `a`, intercept `d`, their standard errors, state and counts."""
        return pd.concat([_item_table(benchmark) for benchmark in self.benchmarks])

    @property
    def broken(self) -> pd.DataFrame:
        """Items that are left out, with the reason."""
        items: Any = self.items
        return items[items["status"] != ""].reset_index(drop=True)

    @property
    def title(self) -> str:
        total = sum(len(benchmark.items) for benchmark in self.benchmarks)
        models = self.calibrated_models
        later = len(self.models) - len(models)
        return (
            f"{self.name}: {total:,} items of {', '.join(self.names)} calibrated on "
            f"{len(models)} models of {models['family'].nunique()} families"
            + (f", with {later} added later" if later else "")
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "name": self.name, "models": len(self.models),
            "families": self.models["family"].nunique(),
            **{f"items of {b.name}": len(b.items) for b in self.benchmarks},
            **{f"left out of {b.name}": int((~b.usable).sum()) for b in self.benchmarks},
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"broken_items": self.broken, "models": self.models.reset_index()}


def _item_table(benchmark: AnchorBenchmark) -> pd.DataFrame:
    curves = benchmark.curves
    return pd.DataFrame({
        "benchmark": benchmark.name, "item": list(benchmark.items),
        "a": curves.slopes[:, 0], "d": curves.intercepts,
        "se_a": np.sqrt(curves.covariance[:, 0, 0]), "se_d": np.sqrt(curves.covariance[:, -1, -1]),
        "c": curves.lower, "status": list(benchmark.status),
        "right": benchmark.right.astype(int), "asked": benchmark.asked.astype(int),
    })  # fmt: skip


def item_states(
    curves: ItemCurves,
    item_mean: Floats,
    item_covariance: Floats,
    right: Floats,
    answered: Floats,
    z: float,
) -> tuple[str, ...]:
    """Return the state of every item.

    "negative" if its slope, estimated from the answers alone (without the prior `item_mean`,
    `item_covariance`), is below 0 by `z` standard errors; "nobody" if at most 2 % of the models
    were right.
    """
    whole = inv(curves.covariance)
    prior = inv(item_covariance)
    values = np.column_stack([curves.slopes, curves.intercepts])
    alone = inv(whole - prior + _LEAST_PRECISION * np.eye(len(item_mean)))
    pull = (whole @ values[..., None])[..., 0] - prior @ item_mean
    slopes = (alone @ pull[..., None])[..., 0, 0]
    negative = slopes + z * np.sqrt(alone[:, 0, 0]) < 0
    nobody = right <= 0.02 * answered
    return tuple(
        "negative" if low else "nobody" if none else ""
        for low, none in zip(negative.tolist(), nobody.tolist(), strict=True)
    )
