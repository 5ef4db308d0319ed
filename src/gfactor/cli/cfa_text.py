"""A fitted latent variable model as a table in APA style."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from gfactor.cli.lines import aligned
from gfactor.psychometrics.sem import Fit
from gfactor.psychometrics.sem.bootstrap import Bootstrap
from gfactor.psychometrics.sem.reliability import ModelReliability

SECTIONS: tuple[tuple[str, str], ...] = (
    ("=~", "Loadings"),
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
    "~": "{lhs} <- {rhs}",
    "~~": "{lhs} <-> {rhs}",
    "|": "{lhs} {rhs}",
}


def fit_line(measures: Mapping[str, float | None]) -> str:
    """chi-square, CFI, TLI, RMSEA and SRMR in one line; scaled or robust ones where there are."""
    scaled = ".scaled" if measures.get("chisq.scaled") is not None else ""
    robust = next(
        (tag for tag in (".robust", ".scaled", "") if measures.get("rmsea" + tag) is not None), ""
    )
    level = measures.get("rmsea.ci.level") or 0.9
    named = {"": "", ".scaled": " (scaled)", ".robust": " (robust)"}
    return (
        f"chi-square({_fixed(measures.get('df' + scaled), 0)}) = "
        f"{_fixed(measures.get('chisq' + scaled))}{named[scaled]}, "
        f"p {_equals(measures.get('pvalue' + scaled))}; "
        f"CFI = {_share(measures.get('cfi' + robust))}, "
        f"TLI = {_share(measures.get('tli' + robust))}, "
        f"RMSEA = {_share(measures.get('rmsea' + robust))}, {level:.0%} CI "
        f"[{_share(measures.get('rmsea.ci.lower' + robust))}, "
        f"{_share(measures.get('rmsea.ci.upper' + robust))}]{named[robust]}, "
        f"SRMR = {_share(measures.get('srmr'))}"
    )


def apa_table(fit: Fit) -> str:
    """Sections of loadings, regressions, covariances ... with B, SE, interval, z, p and beta."""
    several = len(fit.sample.groups) > 1
    rows = [row for row in fit.estimates.to_dict("records") if row["op"] not in {"==", "<", ">"}]
    head = ["", "B", "SE", f"{fit.options.ci_level:.0%} CI", "z", "p", "beta"]
    parts: list[str] = []
    for number in (0, *range(1, len(fit.sample.groups) + 1)):
        mine = [row for row in rows if row["group"] == number]
        if several and number and mine:
            sample = fit.sample.groups[number - 1]
            parts.append(f"Group {sample.label} (n = {sample.n})")
        parts += _sections(mine, head)
    # Definitions belong to no group and come last.
    parts.sort(key=lambda part: part.startswith("Defined"))
    return "\n\n".join(parts)


def shares_table(found: ModelReliability) -> str:
    """Omega and its relatives, one line each, with intervals."""
    groups = any(found.indices["group"])
    rows = [[f"Reliability (n = {found.n})", "estimate", f"{found.level:.0%} CI"]]
    for row in found.indices.to_dict("records"):
        where = f" ({row['group']})" if groups else ""
        interval = f"[{_share(row['low'])}, {_share(row['high'])}]"
        rows.append([f"  {row['index']} of {row['latent']}{where}", _share(row["est"]), interval])
    return aligned(rows)


def bootstrap_table(found: Bootstrap) -> str:
    """Standard errors and percentile intervals of what was estimated."""
    groups = max(found.intervals["group"].tolist(), default=0) > 1
    rows = [[f"Bootstrap ({found.kept} of {found.asked})", "B", "SE", f"{found.level:.0%} CI"]]
    for row in found.intervals.to_dict("records"):
        if math.isnan(float(row["low"])):
            continue
        name = _JOINED.get(_kind(row), "{lhs} (mean)" if row["op"] == "~1" else "{lhs}")
        name = name.format(**row) + (f" ({row['group']})" if groups and row["group"] else "")
        interval = f"[{_limit(row['low'])}, {_limit(row['high'])}]"
        error = "-" if math.isnan(float(row["se"])) else _fixed(row["se"])
        rows.append([f"  {name}", _fixed(row["est"]), error, interval])
    return aligned(rows)


def _limit(value: float) -> str:
    """A limit that may lie at infinity."""
    return _fixed(value) if math.isfinite(value) else f"{value:+}"


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
        return ["  " + name, _fixed(row["est"]), none, "-", "-", "-", _share(row["std.all"])]
    return [
        "  " + name,
        _fixed(row["est"]),
        _fixed(row["se"]),
        f"[{_fixed(row['ci.lower'])}, {_fixed(row['ci.upper'])}]",
        _fixed(row["z"]),
        _p(row["pvalue"]),
        _share(row["std.all"]),
    ]


def _fixed(value: Any, places: int = 2) -> str:
    if value is None or not math.isfinite(value):
        return "-"
    return f"{value:.{places}f}".replace("-0.00", "0.00")


def _share(value: Any) -> str:
    """Without the nought before the point, as APA writes what lies between -1 and 1."""
    text = _fixed(value)
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _p(value: Any) -> str:
    if value is None or not math.isfinite(value):
        return "-"
    return "< .001" if value < 0.001 else f"{value:.3f}".replace("0.", ".", 1)


def _equals(value: Any) -> str:
    text = _p(value)
    return text if text.startswith("<") else f"= {text}"
