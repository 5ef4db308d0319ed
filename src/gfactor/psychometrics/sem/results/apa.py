"""A fitted latent variable model in the style of the APA: tables with two decimals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.sem.diagnostics.inspection import NOT_IDENTIFIED
from gfactor.psychometrics.sem.model_reliability import ModelReliability, reliability
from gfactor.psychometrics.sem.modification import modification_indices
from gfactor.psychometrics.sem.results.text import fit_lines, missing_lines
from gfactor.results import aligned, plain

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping import FitBootstrap
    from gfactor.psychometrics.sem.fitted import Fit

SECTIONS: tuple[tuple[str, str], ...] = (
    ("=~", "Loadings"),
    ("<~", "Weights of composites"),
    ("~", "Regressions"),
    ("~~", "Covariances"),
    ("=", "Variances"),
    ("~1", "Intercepts and means"),
    ("|", "Thresholds"),
    ("~*~", "Scaling factors"),
    (":=", "Defined parameters"),
)
"""Kinds of rows in the order of the table; "=" stands for variances."""

_JOINED = {
    "=~": "{lhs} -> {rhs}",
    "<~": "{lhs} <- {rhs}",
    "~": "{lhs} <- {rhs}",
    "~~": "{lhs} <-> {rhs}",
    "|": "{lhs} {rhs}",
}


WORTH = 3.84
"""Modification index from which on a parameter is listed: chi-square at .05."""

_SHOWN_INDICES = 10

STANDARDIZED = {"std.lv", "std.all", "std.nox"}
"""Columns of the standardized solution."""

UNDETERMINED = (
    "Standardized values, explained variance and reliability are left out: the data do not "
    "determine them."
)


def fit_text(fit: Fit) -> str:
    """Return diagnostics, fit, estimates, R2, reliability and the largest modification indices, as
    text."""
    groups = fit.problem.n_groups
    n = fit.sample_sizes if fit.table.two_level else fit.n
    lines = [
        *map(str, fit.diagnostics),
        f"Estimator {fit.options.estimator}, n = {n}"
        f"{f' in {groups} groups' if groups > 1 else ''}, {fit.problem.n_parameters} parameters; "
        f"{fit.convergence.sentence}",
        *missing_lines(fit),
        *fit.remarks,
        *fit_lines(fit.measures),
        "",
        apa_table(fit),
    ]
    if not is_determined(fit):
        return "\n".join([*lines, "", UNDETERMINED])
    explained = explained_table(fit)
    lines += ["", explained] if explained else []
    if fit.table.latent:
        shares = reliability(fit)
        lines += ["", *map(str, shares.diagnostics), shares_table(shares)]
    worth = worth_freeing(fit)
    if worth:
        lines += ["", "Modification indices above 3.84 (confirm in new data what is freed)"]
        lines.append(_indices_table(worth, fit.sample.labels))
    return "\n".join(lines)


def is_determined(fit: Fit) -> bool:
    """Return False if the moments do not determine all parameters, and hence not the values derived
    from them."""
    return all(one.code != NOT_IDENTIFIED for one in fit.diagnostics)


def bootstrap_text(bootstrap: FitBootstrap) -> str:
    """Return diagnostics, the numbers of samples, and the intervals of a bootstrap."""
    lines = [*map(str, bootstrap.diagnostics), bootstrap.title, "", bootstrap_table(bootstrap)]
    return "\n".join(lines)


def document(fit: Fit) -> dict[str, Any]:
    """Return a fit for JSON, with reliability, explained variance and the largest modification
    indices."""
    if not is_determined(fit):
        content = fit.to_dict()
        estimates = [row | dict.fromkeys(STANDARDIZED & set(row)) for row in content["estimates"]]
        nothing = {"reliability": None, "r2": None, "modification_indices": []}
        return {**content, "estimates": estimates, **nothing}
    return {
        **fit.to_dict(),
        "reliability": reliability(fit).to_dict() if fit.table.latent else None,
        "r2": [plain(fit.r2(number)) for number in range(1, len(fit.sample.groups) + 1)],
        "modification_indices": plain(worth_freeing(fit)),
    }


def worth_freeing(fit: Fit) -> list[dict[str, Any]]:
    """Return the largest modification indices above `WORTH`; none if the search did not end."""
    if not fit.converged:
        return []
    indices = modification_indices(fit, WORTH).head(_SHOWN_INDICES)
    return [{str(k): v for k, v in row.items()} for row in indices.to_dict("records")]


def _indices_table(worth: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> str:
    rows = [
        [
            f"  {row['lhs']} {row['op']} {row['rhs']}"
            + (f" ({labels[row['group'] - 1]})" if len(labels) > 1 else ""),
            f"{row['mi']:.2f}",
            f"{row['epc']:.3f}",
            f"{row['sepc_all']:.3f}" if math.isfinite(row["sepc_all"]) else "-",
        ]
        for row in worth
    ]
    return aligned([["", "MI", "EPC", "standardized"], *rows])


def apa_table(fit: Fit) -> str:
    """Return sections of loadings, regressions, covariances ... with B, SE, interval, z, p and
    beta."""
    several = len(fit.sample.groups) > 1
    rows = [row for row in fit.estimates.to_dict("records") if row["op"] not in {"==", "<", ">"}]
    if not is_determined(fit):
        rows = [row | dict.fromkeys(STANDARDIZED & set(row), math.nan) for row in rows]
    head = ["", "B", "SE", f"{fit.options.ci_level:.0%} CI", "z", "p", "beta"]
    parts: list[str] = []
    for number in (0, *range(1, len(fit.sample.groups) + 1)):
        of_group = [row for row in rows if row["group"] == number]
        if several and number and of_group:
            sample = fit.sample.groups[number - 1]
            head_line = f"Group {sample.label} (n = {sample.n})"
            parts.append(
                f"Level {2 - number % 2}: {fit.table.level_in_words(number)}"
                if fit.table.two_level
                else head_line
            )
        parts += _sections(of_group, head)
    # Definitions belong to no group and come last.
    parts.sort(key=lambda part: part.startswith("Defined"))
    return "\n\n".join(parts)


def shares_table(reliability: ModelReliability) -> str:
    """Return omega and related coefficients, one line each, with intervals."""
    groups = any(reliability.indices["group"])
    rows = [[f"Reliability (n = {reliability.n})", "estimate", f"{reliability.level:.0%} CI"]]
    for row in reliability.indices.to_dict("records"):
        where = f" ({row['group']})" if groups else ""
        low, high = share(row["low"], 2), share(row["high"], 2)
        interval = "-" if low == high == "-" else f"[{low}, {high}]"
        rows.append([f"  {row['index']} of {row['latent']}{where}", share(row["est"], 2), interval])
    return aligned(rows)


def explained_table(fit: Fit) -> str:
    """Return R2 of every indicator and predicted variable, one line each; "" if there is none."""
    several = len(fit.sample.groups) > 1
    rows = [
        [f"  {name}" + (f" ({label})" if several else ""), share(float(value))]
        for number, label in enumerate(fit.sample.labels, start=1)
        for name, value in fit.r2(number).items()
    ]
    return aligned([["Explained variance", "R2"], *rows]) if rows else ""


def bootstrap_table(bootstrap: FitBootstrap) -> str:
    """Return standard errors and percentile intervals of the estimated parameters."""
    groups = max(bootstrap.intervals["group"].tolist(), default=0) > 1
    rows = [
        [
            f"Bootstrap ({bootstrap.kept} of {bootstrap.n_bootstrap})",
            "B",
            "SE",
            f"{bootstrap.level:.0%} CI",
        ]
    ]
    for row in bootstrap.intervals.to_dict("records"):
        if math.isnan(float(row["low"])):
            continue
        name = _JOINED.get(_kind(row), "{lhs} (mean)" if row["op"] == "~1" else "{lhs}")
        name = name.format(**row) + (f" ({row['group']})" if groups and row["group"] else "")
        interval = f"[{_limit(row['low'])}, {_limit(row['high'])}]"
        error = "-" if math.isnan(float(row["se"])) else fixed(row["se"])
        rows.append([f"  {name}", fixed(row["est"]), error, interval])
    return aligned(rows)


def _limit(value: float) -> str:
    """A limit that may lie at infinity."""
    return fixed(value) if math.isfinite(value) else f"{value:+}"


def _sections(rows: list[dict[str, Any]], head: list[str]) -> Iterator[str]:
    for kind, title in SECTIONS:
        chosen = [row for row in rows if _kind(row) == kind]
        if chosen:
            lines = [[title, *head[1:]], *(_line(row) for row in chosen)]
            yield aligned(lines)


def _kind(row: Mapping[str, Any]) -> str:
    return "=" if row["op"] == "~~" and row["lhs"] == row["rhs"] else str(row["op"])


def _line(row: Mapping[str, Any]) -> list[str]:
    name = _JOINED.get(_kind(row), "{lhs}").format(**row)
    if row.get("label") and row["label"] != row["lhs"] and not str(row["label"]).startswith(".p"):
        name += f" ({row['label']})"
    if not row["se"] or not math.isfinite(row["se"]):
        none = "n/a" if row["se"] else "-"  # not computable, or fixed
        return ["  " + name, fixed(row["est"]), none, "-", "-", "-", share(row["std.all"], 2)]
    return [
        "  " + name,
        fixed(row["est"]),
        fixed(row["se"]),
        f"[{fixed(row['ci.lower'])}, {fixed(row['ci.upper'])}]",
        fixed(row["z"]),
        p_value(row["pvalue"]),
        share(row["std.all"], 2),
    ]
