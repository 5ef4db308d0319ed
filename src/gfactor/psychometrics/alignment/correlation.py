"""Correlation of scores with an external criterion, and the data from which it was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.frames import column, values_of
from gfactor.psychometrics.alignment.coefficients import FEWEST, KINDS, Coefficient, coefficient
from gfactor.psychometrics.alignment.criterion import Criterion, CriterionOverlap, overlap
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class Alignment(Result):
    """Correlations of scores with a criterion, over the models that have both.

    Parameters
    ----------
    criterion: its name.
    coefficients: Pearson, Spearman, Kendall.
    reliability: reliability of the criterion among the shared models; NaN if its errors are
        unknown.
    corrected: Pearson's r divided by the root of that reliability (Spearman 1904): the correlation
        with the ratings that infinitely many votes would give; NaN if unknown.
    corrected_for_range: Pearson's r as expected among all models of the scores (Thorndike 1949,
        case 2): larger than r if the rated models differ less than all models do.
    pairs: one row per shared model: model, criterion_model, score, rating, se.
    overlap: models that were matched and models that were not.
    diagnostics: limits to the use of the numbers, errors first.
    """

    criterion: str
    coefficients: Mapping[str, Coefficient]
    reliability: float
    corrected: float
    corrected_for_range: float
    pairs: pd.DataFrame
    overlap: CriterionOverlap
    diagnostics: tuple[Diagnostic, ...]

    @property
    def pearson(self) -> Coefficient:
        return self.coefficients["pearson"]

    @property
    def n(self) -> int:
        return len(self.pairs)

    @property
    def title(self) -> str:
        return f"alignment of scores with {self.criterion}: {self.pearson}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "criterion": self.criterion,
            "n": self.n,
            **{kind: str(coefficient) for kind, coefficient in self.coefficients.items()},
            "reliability": self.reliability,
            "corrected_for_attenuation": self.corrected,
            "corrected_for_range": self.corrected_for_range,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"pairs": self.pairs}

    def _document(self) -> Mapping[str, Any]:
        return {
            "criterion": self.criterion,
            "n": self.n,
            "coefficients": self.coefficients,
            "reliability": self.reliability,
            "corrected_for_attenuation": self.corrected,
            "corrected_for_range": self.corrected_for_range,
            "matched": self.overlap.pairs,
            "unmatched": self.overlap.only_scores,
            "unmatched_in_criterion": self.overlap.only_criterion,
            "close": self.overlap.close or {},
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        return [f"{kind} with {self.criterion}: {c}" for kind, c in self.coefficients.items()]


def align(
    scores: pd.Series,
    criterion: Criterion,
    names: Mapping[str, str] | None = None,
    *,
    approximate: frozenset[str] = frozenset(),
    level: float = 0.95,
) -> Alignment:
    """Correlate `scores` (by model) with a criterion over the models that both have.

    Parameters
    ----------
    names: name in the scores to name in the criterion, if they differ.
    approximate: models whose partner is only nearly the same (another date of the same model).

    The intervals generalize to other models. The ratings' own errors lower the correlation;
    `corrected` is corrected for this attenuation. Raises ParameterError if fewer than five models
    are shared.
    """
    scored = cast(pd.Series, scores.dropna().astype(float))
    shared = overlap(pd.Index(scored.index), criterion, names, approximate)
    if len(shared.pairs) < FEWEST:
        raise ParameterError(_too_few(shared, criterion, len(scored)))
    partners = list(shared.pairs.values())
    pairs = pd.DataFrame(
        {
            "model": list(shared.pairs),
            "criterion_model": list(shared.pairs.values()),
            "score": values_of(scored, list(shared.pairs)),
            "rating": values_of(criterion.ratings, partners),
            "se": values_of(criterion.se, partners),
        }
    )
    correlations = {k: coefficient(pairs["score"], pairs["rating"], k, level) for k in KINDS}
    reliability = criterion.of(pd.Index(partners)).reliability()
    r = correlations["pearson"].estimate
    corrected = float(np.clip(r / np.sqrt(reliability), -1, 1)) if reliability > 0 else np.nan
    wide = _spread(scored) / max(_spread(column(pairs, "score")), 1e-300)
    whole = r * wide / np.sqrt(1 + r**2 * (wide**2 - 1))
    diagnostics = _diagnostics(shared, pairs, scored, criterion, reliability, wide, float(whole))
    return Alignment(
        criterion.name, correlations, reliability, corrected, float(whole), pairs, shared,
        by_severity(diagnostics),
    )  # fmt: skip


def _too_few(shared: CriterionOverlap, criterion: Criterion, n: int) -> str:
    who = f" ({', '.join(shared.pairs)})" if shared.pairs else ""
    close = shared.close or {}
    hint = "; ".join(f"{a!r} may be {b!r}" for a, b in list(close.items())[:3])
    return (
        f"the {n} models with scores and the {len(criterion.ratings)} of the criterion "
        f"{criterion.name!r} share {len(shared.pairs)}{who}; at least {FEWEST} are needed for a "
        "correlation with an interval: add a name map"
        + (f" ({hint})" if hint else " or other ratings")
    )


def _diagnostics(
    shared: CriterionOverlap,
    pairs: pd.DataFrame,
    scored: pd.Series,
    criterion: Criterion,
    reliability: float,
    wide: float,
    whole: float,
) -> list[Diagnostic]:
    n, every = len(pairs), len(scored)
    diagnostics = []
    if n < every or shared.only_criterion:
        diagnostics.append(
            Diagnostic(
                "partial_overlap",
                "warning" if n < every / 2 else "note",
                f"{n} of {every} models have a rating in {criterion.name!r}, and {n} of its "
                f"{len(criterion.ratings)} models have scores: the correlation holds for these "
                f"{n} only.",
                "Look at the unmatched names; add those that are the same to the name map.",
                values={"shared": n, "scores": every, "criterion": len(criterion.ratings)},
            )
        )
    if n < 20:
        diagnostics.append(
            Diagnostic(
                "few_models",
                "warning",
                f"{n} models are shared; at a true correlation of 0.5 the 95 % interval is "
                f"{_typical_width(n):.2f} wide.",
                "Do not rank benchmarks by this correlation.",
                values={"n": n},
            )
        )
    if wide > 1.3 or wide < 1 / 1.3:
        diagnostics.append(
            Diagnostic(
                "rated_models_selected",
                "warning",
                f"The scores of the rated models spread {1 / wide:.2f} times as much as those of "
                f"all models; at full range the correlation would be about {whole:.2f}.",
                "Compare correlations only over the same models.",
                values={"spread": 1 / wide, "corrected_for_range": whole},
            )
        )
    if reliability < 0.8:
        diagnostics.append(
            Diagnostic(
                "unreliable_criterion",
                "warning",
                f"The ratings of the shared models have a reliability of {reliability:.2f}.",
                "Read the correlation corrected for attenuation beside the raw one.",
                values={"reliability": reliability},
            )
        )
    if shared.approximate:
        diagnostics.append(
            Diagnostic(
                "approximate_names",
                "note",
                f"{len(shared.approximate)} of {n} models are matched with a rating of a nearly "
                "identical model.",
                "Leave them out to see whether they matter.",
                where=shared.approximate,
            )
        )
    return diagnostics


def _spread(values: pd.Series) -> float:
    return float(np.std(values.to_numpy(dtype=float), ddof=1))


def _typical_width(n: int) -> float:
    z, half = np.arctanh(0.5), 1.96 / np.sqrt(max(n - 3, 1))
    return float(np.tanh(z + half) - np.tanh(z - half))
