"""The page of a generalizability study: design, coefficients, sources of variance, D-study."""

from __future__ import annotations

import math

import pandas as pd

from gfactor.numbers_in_text import fixed
from gfactor.psychometrics.generalizability import Generalizability
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.drawing.interval_figures import component_figures
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.paragraphs.generalizability import (
    ESTIMATORS,
    INTERVALS,
    conditions_of,
    sentence_on_coefficients,
)
from gfactor.reports.paragraphs.wording import listed
from gfactor.reports.table_registry import Table

TITLE = "Generalizability study"

REFERENCES = {
    "anova": ("Brennan, R. L. (2001). Generalizability Theory. Springer.",),
    "reml": (
        "Brennan, R. L. (2001). Generalizability Theory. Springer.",
        "Bates, D., Maechler, M., Bolker, B., Walker, S. (2015). Fitting linear mixed-effects "
        "models using lme4. Journal of Statistical Software 67 (1).",
    ),
}

_COEFFICIENTS = {
    "universe_score_variance": "universe score variance",
    "relative_error": "relative error variance",
    "absolute_error": "absolute error variance",
    "e_rho2": "generalizability coefficient Eρ²",
    "phi": "index of dependability Φ",
}


def generalizability_report(
    study: Generalizability, designs: pd.DataFrame | None = None, cut: float | None = None
) -> AnalysisReport:
    """Return the content of the page of a generalizability study.

    Parameters
    ----------
    study : Generalizability
        The study.
    designs : DataFrame, optional
        Other designs with their coefficients, as `d_study` returns them.
    cut : float, optional
        Cut score whose dependability is reported.
    """
    tables = {"components": _components(study)}
    if designs is not None:
        tables["d_study"] = _designs(study, designs)
    with drawing_style():
        figures = {name: draw() for name, draw in component_figures(study).items()}
    sound = not any(one.severity == "error" for one in study.diagnostics)
    omitted = study.design.omit
    return AnalysisReport(
        TITLE,
        _facts(study, cut),
        study.diagnostics,
        figures,
        tables,
        (
            f"Variance components were estimated {ESTIMATORS[study.estimator]}, with "
            f"{INTERVALS[study.estimator]}.",
            *((f"{listed(omitted)} taken as 0.",) if omitted else ()),
        ),
        REFERENCES.get(study.estimator, REFERENCES["reml"]),
        (sentence_on_coefficients(study),) if sound else (),
    )


def _facts(study: Generalizability, cut: float | None) -> tuple[tuple[str, str], ...]:
    at = study.coefficients()
    facts = [
        ("Object of measurement", f"{study.design.object} ({study.n_objects:,})"),
        *((f"Facet {name}", conditions_of(study, name)) for name in study.design.facets),
        ("Scores", f"{study.n:,}"),
        ("Mean" if study.estimator != "logistic" else "Mean in logits", fixed(study.mean, 3)),
        ("Estimated", ESTIMATORS[study.estimator]),
    ]
    if math.isfinite(study.criterion):
        name = "Log-likelihood" if study.estimator == "logistic" else "REML criterion"
        facts.append((name, fixed(study.criterion, 3)))
    for name, words in _COEFFICIENTS.items():
        low, high = (at.get(f"{name}_ci_{end}", math.nan) for end in ("lower", "upper"))
        there = math.isfinite(low) and math.isfinite(high)
        interval = f" [{fixed(low, 3)}, {fixed(high, 3)}]" if there else ""
        facts.append((words[:1].upper() + words[1:], fixed(at[name], 3) + interval))
    if cut is not None:
        facts.append((f"Dependability Φ({cut:g}) at the cut", fixed(study.phi_lambda(cut), 3)))
    facts.append(("Intervals", f"{study.level:.0%}"))
    return tuple(facts)


def _components(study: Generalizability) -> Table:
    frame = study.components.reset_index(names="effect")
    frame.insert(1, "source", study.sources)
    if study.estimator != "anova":
        frame = frame.drop(columns=["df", "ms"])  # Only mean squares have them.
    return Table(
        "Sources of variance",
        frame,
        percent=("share",),
        headings={
            "source": "source of variance",
            "variance": "variance component",
            "share": "share of total",
            "ms": "mean square",
            "se": "standard error",
            "ci_lower": f"{study.level:.0%} interval from",
            "ci_upper": "to",
        },
        notes=(
            "Components are those of one score: one condition of each facet. A negative estimate "
            "counts as 0 in the shares.",
        ),
        decimals=3,
        csv_only=("effect",),  # by this name plans find a component
    )


def _designs(study: Generalizability, designs: pd.DataFrame) -> Table:
    frame = designs.copy()
    headings = dict(_COEFFICIENTS)
    for name in study.design.facets:
        column = f"n_{name}"
        if column in frame:
            headings[column] = f"conditions of {name}"
            if all(float(size).is_integer() for size in frame[column].tolist()):
                frame[column] = frame[column].astype(int)
    for name in ("e_rho2", "phi"):
        headings[f"{name}_ci_lower"] = f"{study.level:.0%} interval from"
        headings[f"{name}_ci_upper"] = "to"
    order = [name for name in frame if not str(name).endswith(("_ci_lower", "_ci_upper"))]
    ends = [f"{name}_ci_{end}" for name in ("e_rho2", "phi") for end in ("lower", "upper")]
    for name in (one for one in ends if one in frame):
        after = name.split("_ci_")[0]
        order.insert(order.index(after) + 1 + name.endswith("_upper"), name)
    others = [name for name in study.design.facets if f"n_{name}" not in frame]
    as_in_data = listed([conditions_of(study, name, f" of {name}") for name in others])
    return Table(
        "D-study: means over other numbers of conditions",
        frame.loc[:, order],
        headings=headings,
        notes=(f"With {as_in_data}, as in the data.",) if others else (),
        decimals=3,
    )
