"""gfactor analyze pls: a PLS path model of a table of scores.

gfactor analyze pls scores.csv --model gold.pls --bootstrap 1000 -o pls/
gfactor analyze pls scores.csv --model gold.pls --group open --permutations 1000
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.groups import table_options
from gfactor.cli.printing import PAGE_OPTION, function_of, put_parts
from gfactor.cli.values import PATH, NumberOrWord
from gfactor.errors import GfactorError, ParameterError, UnknownNameError

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection
    from gfactor.parameters import Draws, Seed
    from gfactor.psychometrics.pls.predict import LinearModel, Technique


@derived(
    __doc__,
    "pls",
    {
        "model": "--model FILE", "data": "DATA.csv", "n_bootstrap": "--bootstrap N",
        "group": "--group COLUMN", "permutations": "--permutations N", "folds": "--predict K",
        "against": "--against MODEL",
    },
    reads={"model": str, "data": PATH, "folds": NumberOrWord(("loo",))},
    helps={
        "model": "Lines such as  A =~ x1 + x2 (mode A),  A <~ x1 + x2 (mode B),  B ~ A (path),  "
        "G =~ A + B (second order); or these lines themselves, with ; between them.",
        "data": "One row per case, columns as in the model; others are ignored.",
    },
    options=[
        jobs_option("Processes for --bootstrap and --predict; the result does not depend on it."),
        PAGE_OPTION, table_options,
    ],
    about="docs/pls.md says how everything is computed.",
)  # fmt: skip
def command(
    model: str, data: Path, selection: TableSelection, page: Path | None, as_json: bool,
    n_bootstrap: Draws | None = None, group: str | None = None, permutations: Draws = 1000,
    seed: Seed = 0, folds: Any = None, against: str | None = None,
    technique: Technique = "direct", linear_model: LinearModel = "antecedents", **given: Any,
) -> None:  # fmt: skip
    """Fit a model, and what was asked for beside it.

    Parameters
    ----------
    n_bootstrap : int, optional
        Intervals of everything from N resamples; 1000 for a look, 10000 to report.
    group : str, optional
        Compare the two groups of this column by permutation: measurement invariance of the
        composites (MICOM) and paths.
    permutations : int
        Number of permutations for --group.
    seed : int
        Seed of the resamples, folds and permutations.
    folds : int or "loo", optional
        Number of folds of PLSpredict, or loo, for the comparison with a linear model.
    against : str, optional
        Compare the predictions of --predict with those of this model (CVPAT), in place of averages
        and the linear model.
    technique : str
        Predictors of a construct: its own antecedents (seminr's predict_DA), or the earliest ones
        along all paths (predict_EA).
    linear_model : str
        Regress on indicators of the antecedents predicted from (seminr from 2.4 on), or of all
        other constructs (seminr before).
    """
    from gfactor.api.matrix_files import read_table
    from gfactor.api.progress_bars import counter
    from gfactor.api.score_tables import read_path_model, with_row_names
    from gfactor.psychometrics.pls import bootstrap_pls, compare_groups_pls, cvpat, predict_pls

    if not folds:
        refuse_typed(
            "is for PLSpredict; give --predict K", among=("against", "technique", "linear_model")
        )
    if not group:
        refuse_typed("is for comparing groups; give --group COLUMN", among=("permutations",))
    path_model = read_path_model(model)
    chosen = selection.of(read_table(data), str(data), [group] if group else [])
    table = with_row_names(chosen, selection.identifier is not None)
    if group and group not in table.columns:
        raise UnknownNameError("column", group, tuple(map(str, table.columns)))
    try:
        fit = function_of("pls")(path_model, table, **given)
    except GfactorError as error:
        raise ParameterError(f"{data}: {error}") from error
    more: dict[str, Any] = {}
    if n_bootstrap:
        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            more["bootstrap"] = bootstrap_pls(fit, n_bootstrap, seed=seed, watch=bar.update)
    if folds:
        rivals = [fit]
        if against:
            rivals.append(function_of("pls")(read_path_model(against), table, **given))
        how: Any = {"folds": folds, "seed": seed, "technique": technique}
        with counter((fit.n if folds == "loo" else folds) * len(rivals), "predict", "fit") as bar:
            more["prediction"], *other = (
                predict_pls(one, **how, linear_model=linear_model, watch=bar.update)
                for one in rivals
            )
        more["cvpat"] = cvpat(more["prediction"], *other)
    if group:
        with counter(permutations, "permutations", "division") as bar:
            more["groups"] = compare_groups_pls(
                fit, table[group].tolist(), permutations=permutations, seed=seed, watch=bar.update
            )
    written = None
    if page:
        from gfactor.reports.analysis import write_analysis
        from gfactor.reports.pls import pls_report

        paged = (more.get(name) for name in ("bootstrap", "prediction", "groups"))
        written = write_analysis(pls_report(fit, *paged, data=data.name), page)
    document = fit.to_dict() | {name: one.to_dict() for name, one in more.items()}
    put_parts(document, [one.summary() for one in (fit, *more.values())], as_json, written)
