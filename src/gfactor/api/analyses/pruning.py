"""Fewer tasks, by redundancy and contribution, and how much the choice can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import counter
from gfactor.api.inputs.score_tables import (
    Scores,
    as_path_model,
    as_table,
    check_numbers,
    rated,
    without_models,
)
from gfactor.errors import GfactorError, ParameterError
from gfactor.parameters import Seed, TopSize, Whole
from gfactor.psychometrics import Diagnostic, by_severity
from gfactor.psychometrics import pruning as methods
from gfactor.psychometrics.alignment import Criterion
from gfactor.psychometrics.pls import PLSModel
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pruning import (
    Pruning,
    PruningRules,
    PruningStability,
    PruningValidation,
)
from gfactor.results import plain
from gfactor.scoring.tables import NameMap

_COMBINATIONS = 18
"""Thresholds and orders of an ablation."""


@dataclass(frozen=True)
class PrunedTasks:
    """A pruning of tasks, with its stability and validation.

    Parameters
    ----------
    pruning: retained and removed tasks, with the reason for each removal.
    stability: share of bootstrap samples in which each task is retained; None if not requested.
    ablation: the result under other thresholds, with a row for each; None if not requested.
    validation: the retained tasks, tested on other models; None if not requested.
    source: name of the scores.
    """

    pruning: Pruning
    stability: PruningStability | None = None
    ablation: pd.DataFrame | None = None
    validation: PruningValidation | None = None
    source: str = "data"

    @property
    def tasks(self) -> pd.DataFrame:
        """The tasks retained, with VIF and loading."""
        return self.pruning.tasks

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics that limit the result, errors first."""
        return by_severity(d for part in self._parts for d in part.diagnostics)

    @property
    def _parts(self) -> tuple[Pruning | PruningStability | PruningValidation, ...]:
        parts = (self.pruning, self.stability, self.validation)
        return tuple(part for part in parts if part is not None)

    @property
    def facts(self) -> Mapping[str, Any]:
        """Numbers about the whole pruning."""
        return self.pruning.facts

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The tasks, and the tables of requested further analyses."""
        extra = {} if self.ablation is None else {"ablation": self.ablation}
        return {**self.pruning.tables, **extra}

    def summary(self) -> str:
        """Return a text with diagnostics, all tasks, the retained ones, and the stability of the
        choice."""
        three, two = "{:z.3f}".format, "{:z.2f}".format
        parts = ["\n".join(map(str, self.diagnostics)), self.pruning.body()]
        parts += [_table(self.pruning.tasks, three), _table(self.pruning.three, three)]
        if self.stability is not None:
            parts.append(f"{self.stability.body()}\n{_table(self.stability.tasks, two)}")
        if self.ablation is not None:
            parts.append(_table(self.ablation, three))
        if self.validation is not None:
            parts.append(f"{self.validation.body()}\n{_table(self.validation.three, three)}")
        return "\n\n".join(filter(None, parts))

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor prune --json`."""
        document = self.pruning.to_dict()
        if self.stability is not None:
            document["stability"] = self.stability.to_dict()
        if self.ablation is not None:
            document["ablation"] = plain(self.ablation)
        if self.validation is not None:
            document["validation"] = self.validation.to_dict()
        return document

    def report(self, folder: Path | str) -> Any:
        """Write the page, with tables and figures, into a folder; return the written files."""
        from gfactor.reports.pages.analysis import write_analysis  # noqa: PLC0415  (needs an extra)
        from gfactor.reports.pages.pruning import pruning_report  # noqa: PLC0415

        page = pruning_report(
            self.pruning, self.stability, self.ablation, self.validation, self.source
        )
        return write_analysis(page, Path(folder))

    def _repr_html_(self) -> str:
        return self.tasks.round(3).to_html(index=False)


def _table(frame: pd.DataFrame, form: Callable[[float], str]) -> str:
    return frame.to_string(index=False, float_format=form, na_rep="-")


def prune(
    model: PLSModel | Path | str | None,
    data: Scores,
    *,
    vif: float = 5.0,
    loading: float = 0.75,
    floor: int = 2,
    order: Literal["one", "all"] = "one",
    scope: Literal["construct", "all"] = "construct",
    scheme: Scheme = "path",
    missing: Missing = "error",
    without: Sequence[str] = (),
    tasks: Path | str | None = None,
    condition: str | None = None,
    n_bootstrap: Whole = 0,
    ablation: bool = False,
    folds: Whole = 0,
    size: TopSize | None = None,
    criterion: pd.DataFrame | Criterion | Path | str | None = None,
    names: Mapping[str, str] | NameMap | Path | str | None = None,
    where: Mapping[str, str] | None = None,
    seed: Seed = 0,
) -> PrunedTasks:
    """Remove redundant tasks, then weak tasks, and give the reason for each removal.

    Tasks are removed one at a time, and the PLS model is fitted again after each. As long as a
    variance inflation factor (VIF) is above `vif`, the task with the largest VIF is removed. If
    VIFs differ by less than 5 %, the task with the smaller loading is removed. After that, as long
    as a loading is below `loading`, the task with the smallest loading is removed. Every construct
    keeps at least `floor` tasks.

    Parameters
    ----------
    model : PLSModel, str or path, optional
        PLS model of lines such as "A =~ x1 + x2" and "B ~ A", or a file with them; a construct
        with one indicator is an anchor. If None, the names of columns give the constructs:
        Benchmark.Category.task.
    data : DataFrame or path
        Table with a row per model and a column per task, or a file in any format of
        `import_scores`.
    vif : float
        Largest variance inflation factor that a task may have; tasks above it are redundant.
    loading : float
        Smallest loading that a task may have; tasks below it are weak.
    floor : int
        Smallest number of tasks that each construct keeps.
    order : str
        Order of removal: "one" removes one task per refit, as the tool of GOLD's authors does;
        "all" removes all at once, as the text of their paper says.
    scope : str
        Tasks from which a VIF is computed: those of the same "construct", or "all".
    scheme : str
        Inner weighting scheme of PLS: "path", "factorial" or "centroid".
    missing : str
        Treatment of missing values: "error" refuses data that have any, "listwise" leaves out
        their rows, "pairwise" uses all rows that have both columns, "mean" fills in the mean of
        the column, "em" fills in expected values by the EM algorithm.
    without : list of str
        Models to leave out, by name or pattern ("*7b*").
    tasks : str or path, optional
        Task of each item, if the columns are items (0 wrong, 1 right): a CSV file with the columns
        item and task, or a regular expression whose group in an item's name is the task.
    condition : str, optional
        Condition whose answers count, for a journal.
    n_bootstrap : int
        Number of bootstrap samples of the models on which the whole pruning is repeated, to show
        how stable it is; 0 for none.
    ablation : bool
        Also prune with other thresholds and orders, for comparison.
    folds : int
        Number of parts into which the models are divided for cross-validation: each part tests the
        tasks that were chosen by the other parts; 0 for no validation.
    size : int, optional
        Number of models in the top group and in the bottom group of the validation; half of the
        models if None.
    criterion : DataFrame or path, optional
        Table of external ratings for the validation, with the columns model and rating.
    names : dict or path, optional
        Names that models have in the criterion, by their names in the scores.
    where : dict, optional
        Columns and the values that they must have, to select rows of the criterion and of the
        table of names.
    seed : int
        Seed of the bootstrap samples and of the parts.

    Returns
    -------
    PrunedTasks
        `tasks` (the retained ones), `pruning` (each removal with its reason), `stability`,
        `ablation`, `validation`, `diagnostics`, `summary()`, `to_dict()`, and `report(folder)`,
        which writes a page.

    Raises
    ------
    ParameterError
        If the model cannot be fitted to the scores, or options contradict each other.
    UnknownNameError
        For an unknown column or model.

    References
    ----------
    Xiong, S., Zou, T., Wang, C., Li, X. (2025). Aligning MLLM benchmark with human preferences via
    structural equation modeling. Algorithm 1.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 120))
    >>> data = pd.DataFrame({f"Bench.A.t{k}": a + random.normal(size=120) for k in range(4)})
    >>> data["Bench.A.copy"] = data["Bench.A.t0"] + 0.05 * random.normal(size=120)
    >>> for k in range(3):
    ...     data[f"Bench.B.t{k}"] = a + b + random.normal(size=120)
    >>> pruned = gf.prune(None, data, loading=0.5)
    >>> pruned.pruning.trace["task"].tolist()
    ['Bench.A.copy']
    """
    for name, number in (("n_bootstrap", n_bootstrap), ("folds", folds)):
        if number == 1:
            raise ParameterError(f"{name} must be 0 or at least 2, not 1")
    _check(criterion, folds, n_bootstrap)
    rules = PruningRules(vif, loading, floor, order, scope=scope)
    judged = rated(criterion, names, where)
    table_read = as_table(data, tasks, condition)
    scores = without_models(table_read.scores, without, table_read.source)
    paths = as_path_model(model, scores.columns)
    check_numbers(table_read, paths)
    settings: dict[str, Any] = {"scheme": scheme, "missing": missing}
    try:
        pruning = methods.prune(paths, scores, rules, **settings)
        steady = table = validation = None
        if n_bootstrap:
            with counter(n_bootstrap, "resamples", "pruning") as bar:
                steady = methods.stability(
                    scores,
                    pruning,
                    missing=missing,
                    n_bootstrap=n_bootstrap,
                    seed=seed,
                    watch=bar.update,
                )
        if ablation:
            with counter(_COMBINATIONS, "ablation", "pruning") as bar:
                table = methods.ablation(paths, scores, rules, watch=bar.update, **settings)
        if folds:
            with counter(folds, "validation", "fold") as bar:
                validation = methods.validate(
                    scores, pruning, criterion=judged.criterion, names=judged.names.names,
                    folds=folds, size=size, missing=missing, seed=seed, watch=bar.update,
                )  # fmt: skip
    except GfactorError as error:
        raise ParameterError(f"{table_read.source}: {error}") from error
    return PrunedTasks(pruning, steady, table, validation, Path(table_read.source).name)


def _check(criterion: object, folds: int, n_bootstrap: int) -> None:
    if criterion is not None and not folds:
        raise ParameterError(
            f"{option('criterion')} is used by the validation only; give {option('folds')}, too"
        )
    if n_bootstrap == 1:
        raise ParameterError("stability needs at least 2 bootstrap samples, got 1")
