"""The page of a PLS path model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.psychometrics.pls import PLSBootstrap, PLSFit, PLSGroups, PLSPrediction
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.drawing.path_drawing import path_diagram
from gfactor.reports.drawing.validity_figures import htmt_heat_map, loadings_against_vif
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.table_registry import Table

REFERENCES = (
    "Wold, H. (1982). Soft modeling: the basic design and some extensions.",
    "Dijkstra, T. K., Henseler, J. (2015). Consistent partial least squares path modeling. "
    "MIS Quarterly 39, 297-316.",
    "Henseler, J., Ringle, C. M., Sarstedt, M. (2015). A new criterion for assessing discriminant "
    "validity in variance-based SEM. Journal of the Academy of Marketing Science 43, 115-135.",
    "Henseler, J., Ringle, C. M., Sarstedt, M. (2016). Testing measurement invariance of "
    "composites using partial least squares. International Marketing Review 33, 405-431.",
    "Hair, J. F. et al. (2022). A primer on partial least squares structural equation modeling, "
    "3rd ed.",
)
_MEASUREMENT = [
    *("indicator", "construct", "mode", "loading", "loading_low", "loading_high"),
    *("weight", "communality", "redundancy", "vif", "vif_all"),
]


def pls_report(
    fit: PLSFit,
    bootstrap: PLSBootstrap | None = None,
    prediction: PLSPrediction | None = None,
    groups: PLSGroups | None = None,
    *,
    data: str = "",
) -> AnalysisReport:
    """Return the tables, figures and sentences of a fitted model.

    Parameters
    ----------
    bootstrap, prediction, groups: further results, which are shown if they are given.
    data: name of the table, for the head of the page.
    """
    tables = _tables(fit, bootstrap, prediction)
    if groups:
        tables |= _group_tables(groups)
    with drawing_style():
        figures = {name: draw() for name, draw in pls_figures(fit, bootstrap).items()}
    diagnostics = [*fit.diagnostics]
    diagnostics += bootstrap.diagnostics if bootstrap else ()
    diagnostics += prediction.diagnostics if prediction else ()
    diagnostics += groups.diagnostics if groups else ()
    facts = [
        ("Data", data),
        ("Rows", f"{fit.n}"),
        ("Scheme", fit.settings.scheme + (", consistent" if fit.settings.consistent else "")),
        ("Iterations", f"{fit.iterations}"),
        ("SRMR", f"{fit.srmr:.3f}"),
    ]
    if bootstrap:
        facts.append(("Resamples", f"{bootstrap.kept} of {bootstrap.n_bootstrap}"))
    return AnalysisReport(
        "PLS path model",
        tuple(fact for fact in facts if fact[1]),
        tuple(diagnostics),
        figures,
        tables,
        _methods(fit, bootstrap, prediction),
        REFERENCES,
    )


def _group_tables(groups: PLSGroups) -> dict[str, Table]:
    """Measurement invariance of composites, and paths by group."""
    composites = Table(
        "Measurement invariance of composites",
        groups.composites,
        headings={"p_composition": "p", "p_mean": "p (mean)", "p_variance": "p (variance)"},
        notes=(
            f"{groups.title}. Composites whose correlation lies below its limit are not the same "
            "in both groups. Partial invariance allows paths to be compared, full one means, too.",
        ),
        decimals=3,
    )
    paths = Table("Paths by group", groups.paths, notes=("p by permutation.",), decimals=3)
    return {"invariance": composites, "group_paths": paths}


def _tables(
    fit: PLSFit, bootstrap: PLSBootstrap | None, prediction: PLSPrediction | None
) -> dict[str, Table]:
    none = () if bootstrap else ("No intervals: run with --bootstrap 1000.",)
    tables = {
        "measurement": Table(
            "Indicators",
            _with_interval(
                fit.measurement, bootstrap, "loading", ("indicator", "construct")
            ).reindex(columns=_MEASUREMENT),
            headings={"vif": "VIF", "vif_all": "VIF, all indicators"},
            notes=("VIF among the indicators of the construct, and among all of the model.", *none),
            decimals=3,
        ),
        "paths": Table(
            "Effects of constructs",
            _effects(fit, bootstrap),
            headings={"f2": "f²", "vif": "VIF"},
            notes=("f² and VIF exist for direct paths only.", *none),
            decimals=3,
        ),
        "structure": Table(
            "Explained constructs",
            _with_interval(fit.r2.reset_index(), bootstrap, "r2", ("construct", None)),
            headings={"r2": "R²", "adj_r2": "adjusted R²", "aic": "AIC", "bic": "BIC"},
            decimals=3,
        ),
        "reliability": Table(
            "Reliability of constructs",
            fit.reliability.reset_index(),
            headings={
                "alpha": "α (standardized)",
                "alpha_raw": "α (raw)",
                "rho_a": "ρ_A",
                "rho_c": "ρ_C",
                "ave": "AVE",
                "omega": "ω",
                "component_rho": "ρ (first component)",
                "n_indicators": "indicators",
            },
            notes=(
                "The interval of raw α is Feldt's, 95 %. In mode B and for single indicators ρ_A "
                "is 1 by convention.",
            ),
            decimals=3,
        ),
        "htmt": Table(
            "Heterotrait-monotrait ratios",
            _ratios(fit, bootstrap),
            headings={"htmt": "HTMT", "htmt2": "HTMT2"},
            decimals=3,
        ),
        "fornell_larcker": Table(
            "Fornell-Larcker: √AVE on the diagonal, correlations of scores elsewhere",
            fit.fornell_larcker.rename_axis("construct").reset_index(),
            decimals=3,
            folded=True,
        ),
        "cross_loadings": Table(
            "Cross-loadings",
            fit.cross_loadings.rename_axis("indicator").reset_index(),
            decimals=3,
            folded=True,
        ),
        "fit": Table(
            "Distance between observed and implied correlations",
            fit.fit,
            headings={"srmr": "SRMR", "srmr_off_diagonal": "SRMR without diagonal"},
            notes=("As written: =~ blocks as common factors, <~ blocks as composites.",),
            decimals=3,
            folded=True,
        ),
    }
    if len(fit.moderation):
        tables["moderation"] = Table("Interactions", fit.moderation, decimals=3)
    if prediction:
        tables["prediction"] = Table(
            "Prediction out of sample", prediction.table.reset_index(), decimals=3
        )
    return tables


def pls_figures(fit: PLSFit, bootstrap: PLSBootstrap | None = None) -> Drawers:
    """Return functions that draw the figures of a path model by name."""
    figures: Drawers = {
        "paths": lambda bootstrap=bootstrap: _diagram(fit, bootstrap),
        "loadings_against_vif": lambda: loadings_against_vif(fit.measurement, ("measurement",)),
    }
    if len(fit.htmt) > 1:
        figures["htmt"] = lambda: htmt_heat_map(fit.htmt, ("htmt",))
    return figures


def _diagram(fit: PLSFit, bootstrap: PLSBootstrap | None) -> Figure:
    direct = fit.f2[["source", "target"]].merge(fit.effects, on=["source", "target"])
    rows = [
        (construct, "=~", indicator, loading)
        for construct, indicator, loading in zip(
            *(fit.measurement[name] for name in ("construct", "indicator", "loading")), strict=True
        )
        if construct not in fit.model.parts or fit.settings.second_order == "two-stage"
    ]
    rows += [
        (target, "~", source, path)
        for source, target, path in zip(
            *(direct[name] for name in ("source", "target", "direct")), strict=True
        )
    ]
    rows += [(str(name), "~~", str(name), 1 - r2) for name, r2 in fit.r2["r2"].items()]
    frame = pd.DataFrame(rows, columns=["lhs", "op", "rhs", "est"])
    notes = ["Loadings and paths; small figures are 1 - R²."]
    formative = [c.name for c in fit.model.constructs if c.mode == "B"]
    if formative:
        notes.append(f"In mode B (<~): {', '.join(formative)}.")
    if bootstrap:
        paths = bootstrap.of("path")
        ends = zip(*(paths[name] for name in ("left", "right", "low", "high")), strict=True)
        open_ = {(target, source) for source, target, low, high in ends if low <= 0 <= high}
        faint = [
            1.0 if op == "~" and (lhs, rhs) in open_ else 0.0
            for lhs, op, rhs in zip(*(frame[name] for name in ("lhs", "op", "rhs")), strict=True)
        ]
        frame = frame.assign(pvalue=faint)
        notes.append(f"Gray paths: the {100 * bootstrap.level:g} % bootstrap interval includes 0.")
    return Figure(
        "Path diagram",
        f"{len(fit.constructs)} constructs, {len(fit.measurement)} loadings, {len(direct)} paths; "
        "all numbers are in the tables.",
        ("measurement", "paths"),
        path_diagram(frame),
        tuple(notes),
    )


def _with_interval(
    frame: pd.DataFrame,
    bootstrap: PLSBootstrap | None,
    quantity: str,
    keys: tuple[str, str | None],
    column: str = "",
) -> pd.DataFrame:
    """The frame with percentile intervals beside the column named like the quantity."""
    name = column or quantity
    low, high = np.full(len(frame), np.nan), np.full(len(frame), np.nan)
    if bootstrap:
        rows = bootstrap.of(quantity)
        row_keys = zip(*(rows[name] for name in ("left", "right", "low", "high")), strict=True)
        ends = {(left, right): (a, b) for left, right, a, b in row_keys}
        second = frame[keys[1]] if keys[1] else [""] * len(frame)
        for i, key in enumerate(zip(frame[keys[0]], second, strict=True)):
            low[i], high[i] = ends.get(key, (np.nan, np.nan))
    table = frame.copy()
    index = list(table.columns).index(name) + 1
    table.insert(index, f"{name}_low", low)
    table.insert(index + 1, f"{name}_high", high)
    return table


def _effects(fit: PLSFit, bootstrap: PLSBootstrap | None) -> pd.DataFrame:
    table = fit.effects
    for column, quantity in (("direct", "path"), ("indirect", "indirect"), ("total", "total")):
        table = _with_interval(table, bootstrap, quantity, ("source", "target"), column)
    extra = fit.f2.drop(columns="f2_fixed").merge(fit.antecedent_vif, on=["source", "target"])
    return table.merge(extra, on=["source", "target"], how="left")


def _ratios(fit: PLSFit, bootstrap: PLSBootstrap | None) -> pd.DataFrame:
    one, two = fit.htmt, fit.heterotrait_monotrait("htmt2")
    names = list(one.index)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    table = pd.DataFrame(
        [(a, b, one.loc[a, b], two.loc[a, b]) for a, b in pairs],
        columns=["left", "right", "htmt", "htmt2"],
    )
    for quantity in ("htmt", "htmt2"):
        table = _with_interval(table, bootstrap, quantity, ("left", "right"))
    return table


def _methods(
    fit: PLSFit, bootstrap: PLSBootstrap | None, prediction: PLSPrediction | None
) -> tuple[str, ...]:
    sentences = [
        f"PLS on the correlations of {len(fit.table.columns)} columns, {fit.settings.scheme} "
        f"scheme, stopped when the weights changed by less than {fit.settings.tolerance:g} in sum; "
        "constructs are turned so that their loadings sum to a positive number.",
        f"Missing cells: {fit.table.missing}; {fit.table.n_missing} in the columns of the model.",
    ]
    if fit.settings.consistent:
        sentences.append(
            "Loadings, correlations and paths were corrected for unreliability by rho_A."
        )
    if fit.model.parts:
        sentences.append(f"Second-order constructs: {fit.settings.second_order}.")
    if fit.model.interactions:
        sentences.append(f"Interactions: {fit.settings.interaction}.")
    if bootstrap:
        sentences.append(
            f"{bootstrap.kept} bootstrap resamples of rows, percentile intervals of "
            f"{100 * bootstrap.level:g} %; constructs were turned to agree with the data."
        )
    if prediction:
        sentences.append(
            f"PLSpredict with {prediction.folds} folds, {prediction.repeats} repeats, from "
            f"{prediction.technique} antecedents; benchmark: linear regression on indicators of "
            + ("these." if prediction.linear_model == "antecedents" else "all other constructs.")
        )
    return tuple(sentences)
