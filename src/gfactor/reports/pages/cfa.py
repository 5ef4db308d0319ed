"""The page of a latent variable model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from gfactor.psychometrics.sem import Fit
from gfactor.psychometrics.sem.bootstrapping import FitBootstrap
from gfactor.psychometrics.sem.measures.selection import reported
from gfactor.psychometrics.sem.model_reliability import meanings, reliability
from gfactor.psychometrics.sem.modification import modification_indices
from gfactor.psychometrics.sem.parameters import REGRESSIONS
from gfactor.psychometrics.sem.results.apa import is_determined
from gfactor.psychometrics.sem.results.text import (
    TREATMENTS,
    exact_fit_text,
    indices_text,
    missing_text,
)
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.drawing.factor_figures import loading_intervals, residual_heat_map
from gfactor.reports.drawing.path_drawing import path_diagram
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.paragraphs.sem import sem_gaps
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.formatting import written

REFERENCES = (
    "Bollen, K. A. (1989). Structural equations with latent variables. Wiley.",
    "Yuan, K.-H., Bentler, P. M. (2000). Three likelihood-based methods for mean and covariance "
    "structure analysis with nonnormal missing data. Sociological Methodology 30, 165-200.",
    "Rosseel, Y. (2012). lavaan: an R package for structural equation modeling. Journal of "
    "Statistical Software 48(2). (names of options and measures)",
    "Rodriguez, A., Reise, S. P., Haviland, M. G. (2016). Evaluating bifactor models. "
    "Psychological Methods 21, 137-150.",
    "Saris, W. E., Satorra, A., Sorbom, D. (1987). The detection and correction of specification "
    "errors in structural equation models. Sociological Methodology 17, 105-129.",
)
_ESTIMATE_NAMES = {
    "est": "B",
    "se": "SE",
    "pvalue": "p",
    "std.all": "beta",
    "lhs": "left",
    "rhs": "right",
    "op": "",
}
_INDICES = 20


def cfa_report(fit: Fit, again: FitBootstrap | None = None, *, data: str = "") -> AnalysisReport:
    """Return tables, a path diagram per group and sentences of a fitted model.

    Parameters
    ----------
    again: the model's bootstrap, shown if given.
    data: name of the table, for the head of the page.
    """
    measures = fit.measures
    tables = {"estimates": _estimates(fit)}
    if fit.problem.df > 0:
        tables["fit_indices"] = _indices_table(fit)
    tables["fit"] = _fit_table(fit)
    diagnostics = list(fit.diagnostics)
    if not is_determined(fit):
        tables["estimates"].frame["beta"] = np.nan
    elif fit.table.latent:
        shares = reliability(fit)
        tables["reliability"] = _reliability_table(shares.indices)
        codes = {one.code for one in diagnostics}
        diagnostics += [one for one in shares.diagnostics if one.code not in codes]
    if fit.converged:
        tables["modification"] = _modification_table(fit)
    tables["residuals"] = _residual_table(fit)
    if again:
        tables["bootstrap"] = _bootstrap_table(again)
        diagnostics += again.diagnostics
    with drawing_style():
        figures = {name: draw() for name, draw in cfa_figures(fit).items()}
    facts = [
        ("Data", data),
        ("Cases", fit.sample_sizes),
        ("Estimator", fit.options.estimator),
        ("Standard errors", str(fit.options.se)),
        ("Missing values", missing_text(fit) or TREATMENTS.get(fit.options.missing, "listwise")),
        ("Parameters", str(fit.problem.n_parameters)),
        ("Search", fit.convergence.sentence),
        ("Exact fit", exact_fit_text(measures)),
        ("Fit indices", indices_text(measures) if fit.problem.df > 0 else ""),
    ]
    return AnalysisReport(
        "Latent variable model",
        tuple(fact for fact in facts if fact[1]),
        tuple(diagnostics),
        figures,
        tables,
        _methods(fit),
        REFERENCES,
    )


def _estimates(fit: Fit) -> Table:
    frame = fit.estimates.copy()
    frame = frame.loc[~frame["op"].isin(["==", "<", ">"])]
    several = len(fit.sample.groups) > 1
    names = dict(enumerate(fit.sample.labels, start=1))
    table = pd.DataFrame({"parameter": frame["lhs"] + " " + frame["op"] + " " + frame["rhs"]})
    if several:
        table["group"] = [names.get(int(number), "") for number in frame["group"]]
    for name in ("est", "se", "z", "pvalue"):
        table[_ESTIMATE_NAMES.get(name, name)] = frame[name]
    moves = frame["se"] > 0
    table["SE"] = frame["se"].where(moves)
    table["B_low"] = frame["ci.lower"].where(moves)
    table["B_high"] = frame["ci.upper"].where(moves)
    table["beta"] = frame["std.all"]
    return Table(
        "Estimates",
        table.reset_index(drop=True),
        headings={"beta": "β (standardized)"},
        notes=(
            f"=~ loadings, ~ regressions, ~~ variances and covariances, ~1 intercepts and means, "
            f":= defined. B with its {fit.options.ci_level:.0%} interval; a parameter without "
            "standard error is fixed, or its standard error cannot be computed.",
        ),
        decimals=3,
        p_values=("p",),
    )


def _indices_table(fit: Fit) -> Table:
    """Return the row that a paper prints; the table of all fit measures has lavaan's names."""
    m = reported(fit.measures)
    row = {
        "estimator": fit.options.estimator, "chisq": m.chisq, "df": m.df, "pvalue": m.pvalue,
        "cfi": m.cfi, "tli": m.tli, "rmsea": m.rmsea, "rmsea_low": m.rmsea_low,
        "rmsea_high": m.rmsea_high, "srmr": m.srmr,
    }  # fmt: skip
    kinds = (("the test", m.test), ("CFI, TLI and RMSEA", m.indices))
    variants = "".join(f" The variant of {what}: {kind}." for what, kind in kinds if kind)
    return Table(
        "Fit",
        pd.DataFrame([{name: np.nan if one is None else one for name, one in row.items()}]),
        headings={"chisq": "χ²", "pvalue": "p"}
        | {name: name.upper() for name in ("cfi", "tli", "rmsea", "srmr")},
        notes=(f"RMSEA with its {m.level:.0%} interval.{variants}",),
        decimals=3,
        p_values=("pvalue",),
    )


def _fit_table(fit: Fit) -> Table:
    rows = [
        (name, int(value) if _is_count(name, value) else float(written(value)))
        for name, value in fit.measures.items()
        if value is not None
    ]
    return Table(
        "All fit measures",
        pd.DataFrame(rows, columns=["measure", "value"], dtype=object),
        notes=("Names are lavaan's; 0.0000 stands for less than .00005.",),
        folded=True,
        decimals=4,
    )


def _is_count(name: str, value: float) -> bool:
    """Return True for parameters, cases and whole degrees of freedom."""
    parts = name.split(".")
    return value.is_integer() and (parts[0] in {"npar", "ntotal"} or "df" in parts)


def _reliability_table(indices: pd.DataFrame) -> Table:
    frame = indices.rename(columns={"low": "est_low", "high": "est_high"})
    frame = frame.assign(meaning=meanings(frame))
    if not any(frame["group"]):
        frame = frame.drop(columns="group")
    return Table(
        "Reliability",
        frame,
        headings={"est": "estimate", "se": "SE"},
        notes=("Intervals by the delta method, on the logit scale.",),
        decimals=3,
    )


def _modification_table(fit: Fit) -> Table:
    indices = modification_indices(fit).head(_INDICES)
    labels = dict(enumerate(fit.sample.labels, start=1))
    table = pd.DataFrame({"parameter": indices["lhs"] + " " + indices["op"] + " " + indices["rhs"]})
    if len(labels) > 1:
        table["group"] = [labels[int(number)] for number in indices["group"]]
    for name in ("mi", "pvalue", "epc", "sepc_all"):
        table[name] = indices[name]
    return Table(
        "Modification indices",
        table,
        headings={
            "mi": "MI",
            "pvalue": "p",
            "epc": "expected change",
            "sepc_all": "expected change, standardized",
        },
        notes=(
            f"The {_INDICES} largest. What is freed because of this table must be confirmed in "
            "new data.",
        ),
        folded=True,
        decimals=3,
    )


def _bootstrap_table(again: FitBootstrap) -> Table:
    frame = again.intervals
    frame = frame.loc[frame["low"].notna()]
    table = pd.DataFrame({"parameter": frame["lhs"] + " " + frame["op"] + " " + frame["rhs"]})
    if frame["group"].max() > 1:
        table["group"] = frame["group"]
    table["B"], table["B_low"], table["B_high"] = frame["est"], frame["low"], frame["high"]
    table["SE"] = frame["se"]
    return Table(
        "Bootstrap",
        table.reset_index(drop=True),
        notes=(
            f"{again.title} Percentile intervals, {again.level:.0%}; no SE where solutions lie "
            "at infinity.",
        ),
        decimals=3,
    )


def _residual_table(fit: Fit) -> Table:
    """Every pair of variables, the largest residual correlation first."""
    several, parts = len(fit.sample.groups) > 1, []
    for number, label in enumerate(fit.sample.labels, start=1):
        frame = fit.residuals("cor", number)
        row, column = np.tril_indices(len(frame), -1)
        names = frame.index.to_numpy()
        pairs = {
            "left": names[row],
            "right": names[column],
            "residual": frame.to_numpy()[row, column],
        }
        parts.append(pd.DataFrame({"group": label, **pairs} if several else pairs))
    whole = pd.concat(parts, ignore_index=True)
    size = whole["residual"].abs().to_numpy()
    return Table(
        "Residual correlations: observed less implied",
        whole.iloc[np.argsort(-size.round(9), kind="stable")].reset_index(drop=True),
        decimals=3,
        folded=True,
    )


def cfa_figures(fit: Fit) -> Drawers:
    """Return functions that draw the figures of a model by name; of several groups for each
    group."""
    solution = fit.standardized()
    column = "est.std" if "est.std" in solution else "est"
    figures: Drawers = {}
    ends = _endings(fit.sample.labels)
    for number, label in enumerate(fit.sample.labels, start=1):
        rows = solution.loc[solution["group"] == number].rename(columns={column: "est"})
        of_group, end = f", {label}" * bool(label), ends[number - 1]
        if rows["op"].isin(["=~", *REGRESSIONS]).any():
            figures[f"paths{end}"] = partial(_diagram, f"Path diagram{of_group}", rows)
        loadings = rows.loc[rows["op"] == "=~"]
        if len(loadings):
            figures[f"loadings{end}"] = partial(
                loading_intervals, loadings, f"Loadings{of_group}", fit.options.ci_level
            )
        figures[f"residuals{end}"] = partial(_residuals, fit, number, of_group)
    return figures


def _endings(labels: Sequence[str]) -> list[str]:
    """Ends of the figures' names: the groups' labels, numbers if two would be alike or a label has
    letters that a file's name should not have."""
    if len(labels) == 1:
        return [""]
    plain = [re.sub(r"[^A-Za-z0-9.-]+", "_", label).strip("_") for label in labels]
    alike = {name.lower() for name in plain}
    if len(alike) < len(plain) or not all(plain):
        plain = [str(number) for number in range(1, len(labels) + 1)]
    return [f"_{name}" for name in plain]


def _residuals(fit: Fit, group: int, of_group: str) -> Figure:
    frame = fit.residuals("cor", group)
    return residual_heat_map(frame, f"Residual correlations{of_group}", ("residuals",))


def _diagram(title: str, rows: pd.DataFrame) -> Figure:
    return Figure(
        title,
        f"{title}: latent variables as ellipses, observed ones as boxes, arrows with "
        "standardized estimates; the numbers stand in the table of estimates.",
        ("estimates",),
        path_diagram(rows),
    )


def _methods(fit: Fit) -> tuple[str, ...]:
    options = fit.options
    incomplete = TREATMENTS.get(options.missing, "left out")
    kinds = {
        "standard": "from the information matrix, right under normality only",
        "robust.huber.white": "robust (sandwich), right without normality",
        "robust.cluster": "robust (sandwich of clusters), right where cases of a cluster depend on "
        "each other",
        "robust.sem": "robust (Satorra and Bentler), right without normality",
        "two.stage": "of two stages (Savalei and Bentler), right under normality only",
        "robust.two.stage": "of two stages, robust (Savalei and Bentler)",
        "bootstrap": "from resamples of the cases",
        "first.order": "from the cross-products of casewise scores",
        "none": "not computed",
    }
    sentences = [
        f"Estimator {options.estimator}; incomplete cases: {incomplete}. {sem_gaps(fit)}".strip(),
        f"Standard errors {kinds.get(str(options.se), str(options.se))}; test {options.test}.",
        *fit.remarks,
    ]
    if options.sampling_weights:
        sentences.append(f"Cases are weighted by {options.sampling_weights}.")
    if options.cluster:
        sentences.append(f"Cases of one {options.cluster} may depend on each other.")
    if options.group_equal:
        sentences.append(f"Equal between groups: {', '.join(options.group_equal)}.")
    return tuple(sentences)
