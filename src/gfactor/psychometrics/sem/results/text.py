"""A fit as text, HTML and JSON."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit


def _p(value: object) -> str:
    if isinstance(value, float) and value < 0.001:
        return "< .001"
    return _number(value)


_SHOWN = ("est", "se", "z", "pvalue", "ci.lower", "ci.upper", "std.all")


def _number(value: object, places: int = 3) -> str:
    if value is None or not isinstance(value, (int, float)) or not math.isfinite(value):
        return "-"
    return f"{value:.{places}f}"


def _headline(fit: Fit) -> list[str]:
    """Estimator, n, fit: two lines."""
    options, m = fit.options, fit.measures
    groups = len(fit.sample.groups)
    n = " + ".join(str(group.n) for group in fit.sample.groups)
    lines = [
        f"Estimator {options.estimator} (standard errors {options.se}, test {options.test}), "
        f"n = {n}{' in ' + str(groups) + ' groups' if groups > 1 else ''}, "
        f"{fit.problem.n_parameters} parameters; {fit.convergence.sentence} "
        f"(largest slope {fit.convergence.max_gradient:.0e}, {fit.convergence.iterations} steps)."
    ]
    tag = ".scaled" if "chisq.scaled" in m else ""
    robust = ".robust" if m.get("cfi.robust") is not None else tag
    lines.append(
        f"chi-square({_number(m.get('df' + tag), 0)}) = {_number(m.get('chisq' + tag))}, p = "
        f"{_p(m.get('pvalue' + tag))}; CFI = {_number(m.get('cfi' + robust))}, TLI = "
        f"{_number(m.get('tli' + robust))}, RMSEA = {_number(m.get('rmsea' + robust))} "
        f"[{_number(m.get('rmsea.ci.lower' + robust))}, "
        f"{_number(m.get('rmsea.ci.upper' + robust))}], SRMR = {_number(m.get('srmr'))}."
    )
    return lines


def _table(fit: Fit) -> pd.DataFrame:
    frame = fit.estimates
    several = len(fit.sample.groups) > 1
    labelled = any(frame["label"])
    names = ["lhs", "op", "rhs", *(["group"] if several else []), *(["label"] if labelled else [])]
    columns: dict[str, list[Any]] = {name: list(frame[name]) for name in names}
    for name in _SHOWN:
        columns[name] = [_p(v) if name == "pvalue" else _number(v) for v in frame[name]]
    return pd.DataFrame(columns)


def fit_as_text(fit: Fit) -> str:
    """Diagnostics first, then fit, then one line per parameter."""
    lines = [str(found) for found in fit.diagnostics]
    lines += [*([""] if lines else []), *_headline(fit), ""]
    lines.append(_table(fit).to_string(index=False))
    return "\n".join(lines)


def fit_as_html(fit: Fit) -> str:
    """The same as HTML."""
    notes = "".join(f"<li>{html.escape(str(found))}</li>" for found in fit.diagnostics)
    head = "".join(f"<p>{html.escape(line)}</p>" for line in _headline(fit))
    table = _table(fit).to_html(index=False, border=0)
    return f"{f'<ul>{notes}</ul>' if notes else ''}{head}{table}"


def _plain(value: object) -> object:
    """Without NaN and numpy types."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


def fit_as_dict(fit: Fit) -> dict[str, Any]:
    """JSON-safe; names of fit measures and of columns are lavaan's."""
    rows = fit.estimates.to_dict(orient="records")
    end = fit.convergence
    return {
        "estimates": [{str(k): _plain(v) for k, v in row.items()} for row in rows],
        "fit": dict(fit.measures),
        "converged": fit.converged,
        "convergence": {
            "status": end.status,
            "iterations": end.iterations,
            "max_gradient": _plain(end.max_gradient),
            "smallest_curvature": _plain(end.smallest_curvature),
            "identified": end.identified,
            "running": [fit.names[place] for place in end.running],
            "at_bound": [fit.names[place] for place in end.at_bound],
        },
        "n": [group.n for group in fit.sample.groups],
        "groups": [group.label for group in fit.sample.groups],
        "estimator": fit.options.estimator,
        "se": fit.options.se,
        "test": fit.options.test,
        "diagnostics": [found.to_dict() for found in fit.diagnostics],
    }
