"""Result of an analysis of measurement invariance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from gfactor.numbers_in_text import p_value, printed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.comparison import ChiSquareDifference
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.measurement_invariance.steps import Level
from gfactor.results import Result

_MEANS = {
    "est": "mean", "se": "se", "z": "z", "pvalue": "pvalue",
    "ci.lower": "ci_lower", "ci.upper": "ci_upper",
}  # fmt: skip
"""Columns of estimates, and what they are called in the table of latent means."""


@dataclass(frozen=True)
class ReleasedEquality:
    """One step of a search for partial invariance.

    Parameters
    ----------
    level: the step of invariance. parameter: what was released, in all groups.
    score, df: the score statistic of the equality that named it, the largest of all.
    pvalue: p-value of the score test, unscaled and not corrected for the search.
    difference: test of the constraints that are left after the release.
    """

    level: str
    parameter: str
    score: float
    df: int
    pvalue: float
    difference: ChiSquareDifference


@dataclass(frozen=True)
class InvarianceStep:
    """One level of invariance, fitted.

    Parameters
    ----------
    full: the fit with all parameters of the level equal.
    fit: the fit that the next level is compared with: `full`, or the partially invariant one.
    difference: `full` against the level before; None for the first.
    final: the same for `fit`, after releases.
    carried: names of parameters left free because of releases before.
    released: names of all parameters that are not equal in `fit`.
    holds: True if the level (or its remaining constraints) and all levels below it hold by the
    criterion.
    """

    level: Level
    full: Fit
    fit: Fit
    difference: ChiSquareDifference | None
    final: ChiSquareDifference | None
    carried: tuple[str, ...]
    released: tuple[str, ...]
    holds: bool


@dataclass(frozen=True, repr=False)
class Invariance(Result):
    """Measurement invariance over groups.

    Parameters
    ----------
    steps: result of each level. groups: names and sizes.
    trace: freed constraints in their order.
    criterion, alpha: criterion for a level: "p" (the difference test at `alpha`) or "fit" (changes
        of fit).
    cfi: variant of CFI and RMSEA: "robust", "scaled" or "" (plain).
    diagnostics: limits to the use of the result, errors first.
    """

    steps: tuple[InvarianceStep, ...]
    groups: tuple[tuple[str, int], ...]
    trace: tuple[ReleasedEquality, ...]
    criterion: str
    alpha: float
    cfi: str
    diagnostics: tuple[Diagnostic, ...]

    @property
    def level(self) -> str:
        """The highest level that holds together with all lower ones; "" if not even the first one
        holds."""
        reached = ""
        for step in self.steps:
            if not step.holds:
                break
            partial = "partial " if step.released else ""
            reached = partial + step.level.name
        return reached

    @property
    def table(self) -> pd.DataFrame:
        """A row per level: fit, the difference test against the level before, changes of fit."""
        rows: list[dict[str, Any]] = []
        before: InvarianceStep | None = None
        for step in self.steps:
            rows.append(self._row(step, before, step.full, step.difference, step.carried))
            if step.fit is not step.full:
                rows.append(self._row(step, before, step.fit, step.final, step.released))
            before = step
        return pd.DataFrame(rows)

    def _row(
        self,
        step: InvarianceStep,
        before: InvarianceStep | None,
        fit: Fit,
        difference: ChiSquareDifference | None,
        released: tuple[str, ...],
    ) -> dict[str, Any]:
        measures = measures_of(fit, self.cfi)
        last = measures_of(before.fit, self.cfi) if before is not None else {}
        partial = "partial " if released else ""
        counts = {name: int(measures[name]) for name in ("npar", "df")}
        row: dict[str, Any] = {"level": partial + step.level.name, **measures, **counts}
        row["d_chisq"] = math.nan if difference is None else difference.chisq
        row["d_df"] = 0 if difference is None else difference.df
        row["d_pvalue"] = math.nan if difference is None else difference.pvalue
        for name in ("cfi", "rmsea", "srmr"):
            row[f"d_{name}"] = measures[name] - last[name] if last else math.nan
        row["holds"] = step.holds if fit is step.fit else False
        row["released"] = ", ".join(released)
        return row

    @property
    def latent_means(self) -> pd.DataFrame:
        """Means of latent variables relative to the first group, whose means are 0: `level`,
        `factor`, `group`, `mean`, `se`, `z`, `pvalue`, `ci_lower`, `ci_upper`.

        They come from the highest supported level with equal intercepts; without one there are no
        rows. Factors that others predict are left out, because they have intercepts instead of
        means.
        """
        columns = ["level", "factor", "group", *_MEANS.values()]
        comparable = None
        for step in self.steps:
            if not step.holds:
                break
            comparable = step if "intercepts" in step.level.equal else None
        if comparable is None:
            return pd.DataFrame(columns=columns)
        fit, labels = comparable.fit, [name for name, _ in self.groups]
        caused = {row.lhs for row in fit.table.rows if row.op == "~"}
        caused |= {row.rhs for row in fit.table.rows if row.op == "=~"}
        compared = set(fit.table.latent) - caused
        rows = [
            {
                "level": "partial " * bool(comparable.released) + comparable.level.name,
                "factor": row["lhs"],
                "group": labels[row["group"] - 1],
                **{name: row[column] for column, name in _MEANS.items()},
            }
            for row in fit.estimates.to_dict("records")
            if row["op"] == "~1" and row["group"] > 1 and row["lhs"] in compared
        ]
        return pd.DataFrame(rows, columns=columns)

    @property
    def test(self) -> str:
        """lavaan's name of the test that `chisq` belongs to: "standard", or the name of the scaled
        test."""
        return str(self.steps[0].fit.options.test)

    @property
    def title(self) -> str:
        sizes = ", ".join(f"{name} {n}" for name, n in self.groups)
        return f"measurement invariance over groups ({sizes}): {self.level or 'none'}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "level": self.level,
            "criterion": self.criterion,
            "alpha": self.alpha,
            "test": self.test,
            "measures": self.cfi or "plain",
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"steps": self.table, "latent_means": self.latent_means}

    def _document(self) -> Mapping[str, Any]:
        return {
            **self.facts,
            "groups": [{"group": name, "n": n} for name, n in self.groups],
            **self.tables,
            "differences": [
                {"level": s.level.name, **s.difference.to_dict()}
                for s in self.steps
                if s.difference
            ],
            "trace": self.trace,
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        sizes = ", ".join(f"{name} {n}" for name, n in self.groups)
        method = next((s.difference.method for s in self.steps if s.difference), "standard")
        rule = (
            f"the difference test at {self.alpha:g}"
            if self.criterion == "p"
            else "changes of CFI, RMSEA and SRMR (Chen 2007)"
        )
        lines = [
            f"groups: {sizes}; differences by {method}; decided by {rule}",
            f"chisq and pvalue: test {self.test}; CFI and RMSEA: {self.cfi or 'plain'}",
            printed(self.table, index=False),
            f"invariance: {self.level or 'none'}",
        ]
        names = [step.level.name for step in self.steps]
        rejected = next((k for k, step in enumerate(self.steps) if not step.holds), None)
        if rejected is not None and rejected + 1 < len(names):
            lines.append(
                f"{' and '.join(names[rejected + 1 :])}: not tested on its own merits, because "
                f"{names[rejected]} does not hold"
            )
        lines += [
            f"released at {one.level}: {one.parameter} (score {one.score:.2f}, df {one.df}); then "
            f"difference {one.difference.chisq:.2f}, df {one.difference.df}, p "
            f"{p_value(one.difference.pvalue, '= ')}"
            for one in self.trace
        ]
        return [*lines, *self._lines_of_means()]

    def _lines_of_means(self) -> list[str]:
        if not len(self.latent_means):
            return ["latent means: not compared; they need equal (or partly equal) intercepts"]
        scaled = self.steps[0].fit.options.std_lv
        unit = "standard deviations of the first group" if scaled else "units of the markers"
        table = printed(self.latent_means, index=False)
        return [f"latent means (first group: 0), in {unit}", table]


def measures_of(fit: Fit, kind: str) -> dict[str, float]:
    """Return number of parameters, chi-square and fit in a variant; NaN if it does not exist."""
    measures = fit.measures
    scaled = ".scaled" if measures.get("chisq.scaled") is not None else ""
    suffix = f".{kind}" if kind else ""
    names = {
        "npar": "npar",
        "chisq": "chisq" + scaled,
        "df": "df",
        "pvalue": "pvalue" + scaled,
        "cfi": "cfi" + suffix,
        "rmsea": "rmsea" + suffix,
        "rmsea_low": "rmsea.ci.lower" + suffix,
        "rmsea_high": "rmsea.ci.upper" + suffix,
        "srmr": "srmr",
    }
    return {name: _number(measures.get(key)) for name, key in names.items()}


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
