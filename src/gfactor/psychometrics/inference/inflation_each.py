"""Inflation of several models at once, with p values adjusted for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of
from gfactor.psychometrics.inference.inflation_fit import least_p
from gfactor.psychometrics.inference.inflation_tests import ALPHA
from gfactor.psychometrics.inference.multiplicity import holm
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class Inflations(Result):
    """The differences between several models' public scores and the scores predicted from their
    fresh scores.

    Parameters
    ----------
    models : DataFrame
        A row per model: `estimate`, `ci_lower`, `ci_upper` in percentage points, and, for each
        available test, `p_NAME` and `adjusted_NAME` (Holm, over the models).
    results : mapping of str to Inflation
        The whole result of each model.
    level : float
        Confidence level of each interval by itself.
    diagnostics : tuple of Diagnostic
    """

    models: pd.DataFrame
    results: Mapping[str, Inflation]
    level: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def test(self) -> str:
        """The first available test; "" if there is none."""
        columns = [str(name) for name in self.models if str(name).startswith("adjusted_")]
        return columns[0].removeprefix("adjusted_") if columns else ""

    @property
    def inflated(self) -> tuple[str, ...]:
        """The models whose adjusted p of the first test is at most .05 and whose interval lies
        above 0, if the verdict is not withheld."""
        if not self.test:
            return ()
        adjusted = self.models[f"adjusted_{self.test}"].to_numpy(float) <= ALPHA
        above = self.models["ci_lower"].to_numpy(float) > 0
        names = self.models.index[adjusted & above]
        return tuple(str(name) for name in names if not self.results[str(name)].withheld)

    @property
    def title(self) -> str:
        if not self.test:
            return (
                f"None of {len(self.models)} models can be judged: there are too few references, "
                "which are models that are not examined."
            )
        if not self.inflated:
            return (
                f"No inflation shown in any of {len(self.models)} models (test {self.test}, "
                f"p adjusted for {len(self.models)} models)."
            )
        alone = "this model" if len(self.inflated) == 1 else "these models"
        return " ".join(self.results[name].sentence for name in self.inflated) + (
            f" Adjusted for {len(self.models)} models, p of the test {self.test} is at most "
            f"{ALPHA} for {alone} alone."
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"models examined": len(self.models), "level": self.level}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"models": self.models}

    def _document(self) -> Mapping[str, Any]:
        return {"sentence": self.title, **super()._document(), "results": self.results}


def inflation_of_each(
    answers: pd.DataFrame,
    *,
    examinees: Sequence[str],
    public: Sequence[str],
    fresh: Sequence[str],
    references: Sequence[str] | None = None,
    twins: Mapping[str, str] | None = None,
    wrong_keys: Sequence[str] = (),
    level: float = 0.95,
) -> Inflations:
    """Examine several models; none of them is a reference of another.

    `gfactor.inflation_each` describes the parameters; here `answers` is a table (models x items),
    and `public` and `fresh` are names of its columns.
    """
    if isinstance(examinees, str) or not examinees or len(set(examinees)) < len(examinees):
        raise ParameterError(
            f"examinees must be a list of the models to examine, each once; got {examinees!r}"
        )
    others = list(references) if references is not None else [
        str(name) for name in answers.index if name not in set(examinees)
    ]  # fmt: skip
    if both := sorted(set(others) & set(examinees)):
        raise ParameterError(f"{both[0]!r} is examined and cannot be a reference; leave it out")
    results = {
        name: inflation_of(
            answers, examinee=name, public=public, fresh=fresh, references=others, twins=twins,
            wrong_keys=wrong_keys, level=level,
        )
        for name in examinees
    }  # fmt: skip
    models = pd.DataFrame(
        {
            name: {n: getattr(result, n) for n in ("estimate", "ci_lower", "ci_upper")}
            for name, result in results.items()
        }
    ).T.rename_axis("examinee")
    first = next(iter(results.values()))
    for test in first.tests["test"]:
        p = np.array([
            result.tests.set_index("test")["p"].to_dict()[test] for result in results.values()
        ], float)  # fmt: skip
        if np.isfinite(p).any():
            models[f"p_{test}"], models[f"adjusted_{test}"] = p, holm(p)
    distinct = {(d.code, d.sentence): d for result in results.values() for d in result.diagnostics}
    few = _too_few(len(first.references), len(examinees))
    return Inflations(models, results, level, by_severity([*distinct.values(), *few]))


def _too_few(references: int, models: int) -> list[Diagnostic]:
    """Return a warning if no adjusted p of so many models can be small."""
    least = least_p(references)
    if models * least <= ALPHA:
        return []
    return [Diagnostic(
        "few_references_for_models", "warning",
        f"With {references} references p of the t test is at least {least:.3f}, so that adjusted "
        f"for {models} models it cannot be {ALPHA} or less.",
        "Examine fewer models at once, or add references.",
    )]  # fmt: skip
