"""PLS path models of constructs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import counter
from gfactor.api.inputs.score_tables import read_path_model
from gfactor.api.inputs.table_selection import TableOptions, selected_table
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.frames import composed, with_composed_names
from gfactor.parameters import Draws, Seed
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.given import TableLike
from gfactor.psychometrics.pls import (
    PLSFit,
    PLSModel,
    bootstrap_pls,
    compare_groups_pls,
    cvpat,
    fit_pls,
    predict_pls,
)
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.predict import LinearModel, Technique
from gfactor.psychometrics.pls.stages import Interaction, SecondOrder

PERMUTATIONS = 1000
"""Permutations behind a comparison of groups, if nobody says."""


def pls(
    model: PLSModel | Path | str,
    data: TableLike | Path | str,
    *,
    scheme: Scheme = "path",
    consistent: bool = False,
    second_order: SecondOrder = "two-stage",
    interaction: Interaction = "two-stage",
    missing: Missing = "error",
    n_bootstrap: Draws | None = None,
    group: str | None = None,
    permutations: Draws | None = None,
    seed: Seed = 0,
    folds: int | Literal["loo"] | None = None,
    against: PLSModel | Path | str | None = None,
    technique: Technique | None = None,
    linear_model: LinearModel | None = None,
    **table: Unpack[TableOptions],
) -> PLSFit:
    """Fit a PLS path model, with the results of the R package seminr.

    Parameters
    ----------
    model : PLSModel, str or path
        Model of lines such as "A =~ x1 + x2" (construct in mode A), "B <~ x3 + x4" (construct in
        mode B) and "B ~ A" (path from A to B), separated by newlines or ";"; or a file with such
        lines.
    data : DataFrame or path
        One row per case.
    scheme : str
        Inner weighting scheme of PLS: "path", "factorial" or "centroid".
    consistent : bool
        Use consistent PLS (PLSc), which corrects loadings and paths for unreliability by rho_A.
    second_order : str
        Method by which second-order constructs are estimated: "two-stage" or "repeated"
        (indicators).
    interaction : str
        Method by which interaction terms are formed: "two-stage", "product" (of indicators) or
        "orthogonal".
    missing : str
        Treatment of missing values: "error" refuses data that have any, "listwise" leaves out
        their rows, "pairwise" uses all rows that have both columns, "mean" fills in the mean of
        the column, "em" fills in expected values by the EM algorithm.
    n_bootstrap : int, optional
        Number of bootstrap samples for the intervals: 1000 for a first look, 10000 for a report;
        by default none.
    group : str, optional
        Column whose two groups are compared by permutation tests: measurement invariance of the
        composites (MICOM), then paths.
    permutations : int, optional
        Number of permutations for `group` (default 1000).
    seed : int
        Seed of the bootstrap samples, folds and permutations.
    folds : int or "loo", optional
        Number of folds of PLSpredict, which compares predictions with those of a linear model;
        "loo" leaves out one case at a time. By default there is no prediction.
    against : PLSModel, str or path, optional
        Second model with which the predictions of `folds` are compared (CVPAT), instead of the
        comparison with averages and the linear model.
    technique : str, optional
        Predictors of a construct in `folds`: "direct" (the default) uses its direct antecedents
        (seminr's predict_DA), "earliest" the earliest antecedents along all paths (predict_EA).
    linear_model : str, optional
        Predictors of the linear model: the indicators of the antecedents ("antecedents", as in
        seminr from 2.4 on; the default), or of all other constructs ("others", as in earlier
        seminr).
    **table : any
        Choice of rows and columns of the table: `columns`, `drop`, `identifier` and `where`, as
        `TableOptions` describes them.

    Returns
    -------
    PLSFit
        `paths`, `loadings`, `reliability`, `htmt`, `diagnostics`, `summary()`, and
        `report(folder)`, which writes a page. `further` holds "bootstrap", "prediction", "cvpat"
        and "groups", if they were requested.

    Raises
    ------
    ParameterError
        If the model cannot be fitted to the data, or an option lacks another one that it needs;
        the message says why.
    UnknownNameError
        If the table has no column of that name, or for an unknown option.

    References
    ----------
    Wold, H. (1982). Soft modeling: the basic design and some extensions.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 200))
    >>> data = pd.DataFrame({f"a{k}": a + random.normal(size=200) for k in (1, 2, 3)})
    >>> for k in (1, 2, 3):
    ...     data[f"b{k}"] = a + b + random.normal(size=200)
    >>> fit = gf.pls("A =~ a1 + a2 + a3; B =~ b1 + b2 + b3; B ~ A", data)
    >>> fit.n, fit.converged
    (200, True)
    """
    _check_needed(
        {"against": against, "technique": technique, "linear_model": linear_model},
        folds, f"is for PLSpredict; give {option('folds')}",
    )  # fmt: skip
    _check_needed(
        {"permutations": permutations}, group, f"is for comparing groups; give {option('group')}"
    )
    frame, source = selected_table(data, table, [group] if group else [])
    frame, group = with_composed_names(frame), group and composed(group)
    if group and group not in frame.columns:
        raise UnknownNameError("column", group, tuple(map(str, frame.columns)))
    how: dict[str, Any] = {
        "scheme": scheme, "consistent": consistent, "second_order": second_order,
        "interaction": interaction, "missing": missing,
    }  # fmt: skip
    try:
        fit = fit_pls(_model(model), frame, **how)
    except GfactorError as error:
        if not source:
            raise
        raise ParameterError(f"{source}: {error}") from error
    further: dict[str, Any] = {}
    if n_bootstrap:
        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            further["bootstrap"] = bootstrap_pls(fit, n_bootstrap, seed=seed, watch=bar.update)
    if folds:
        rival = None if against is None else fit_pls(_model(against), frame, **how)
        further |= _predicted(fit, rival, folds, seed, technique, linear_model)
    if group:
        members = frame[group].tolist()
        compared = _compared(fit, members, permutations or PERMUTATIONS, seed)
        # Each limit stands once: with those of the fit, which its paragraph and page show.
        fit = replace(fit, diagnostics=by_severity([*fit.diagnostics, *compared.diagnostics]))
        further["groups"] = replace(compared, diagnostics=())
    return replace(fit, further=further, source=source)


def _check_needed(given: Mapping[str, Any], needed: Any, reason: str) -> None:
    """Raise ParameterError for an option without the one that it needs."""
    names = [name for name, value in given.items() if value is not None]
    if names and not needed:
        raise ParameterError(f"{option(names[0])} {reason}")


def _model(given: PLSModel | Path | str) -> PLSModel:
    return given if isinstance(given, PLSModel) else read_path_model(str(given))


def _predicted(
    fit: PLSFit,
    rival: PLSFit | None,
    folds: int | Literal["loo"],
    seed: int,
    technique: Technique | None,
    linear_model: LinearModel | None,
) -> dict[str, Any]:
    """The predictions of a model, and their comparison with those of another or with averages."""
    fits = [fit] if rival is None else [fit, rival]
    steps = (fit.n if folds == "loo" else folds) * len(fits)
    with counter(steps, "predict", "fit") as bar:
        prediction, *other = (
            predict_pls(
                one, folds=folds, seed=seed, technique=technique or "direct",
                linear_model=linear_model or "antecedents", watch=bar.update,
            )
            for one in fits
        )  # fmt: skip
    return {"prediction": prediction, "cvpat": cvpat(prediction, *other)}


def _compared(fit: PLSFit, groups: Sequence[Any], permutations: int, seed: int) -> Any:
    """The comparison of two groups by permutation."""
    with counter(permutations, "permutations", "division") as bar:
        return compare_groups_pls(
            fit, list(groups), permutations=permutations, seed=seed, watch=bar.update
        )
