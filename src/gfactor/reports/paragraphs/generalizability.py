"""Sentences on a generalizability study."""

from __future__ import annotations

import math
from collections.abc import Iterable

from gfactor.numbers_in_text import share
from gfactor.psychometrics.generalizability import Generalizability
from gfactor.psychometrics.generalizability.multivariate import MultivariateGeneralizability
from gfactor.reports.paragraphs.wording import MOST_LISTED, limits_of, listed, range_of, software
from gfactor.results import number_of

ESTIMATORS = {
    "anova": "from mean squares",
    "reml": "by restricted maximum likelihood",
    "logistic": "by a logistic mixed model (Laplace), on the logit scale",
}

INTERVALS = {
    "anova": "generalized intervals of mean squares",
    "reml": "intervals of the profile likelihood",
    "logistic": "intervals of draws at the maximum of the likelihood",
}


def sentences_on_generalizability(study: Generalizability) -> Iterable[str]:
    design = study.design
    facets = [f"{name} ({conditions_of(study, name)})" for name in design.facets]
    omitted = f"; {listed(design.omit)} taken as 0" if design.omit else ""
    yield (
        f"A generalizability study took {number_of(study.n, 'score')} of "
        f"{number_of(study.n_objects, 'level')} of {design.object}, the object of measurement, "
        f"over {listed(facets)}. Variance components were estimated {ESTIMATORS[study.estimator]} "
        f"with {software()}{omitted}."
    )
    yield _cells(study)
    if any(one.severity == "error" for one in study.diagnostics):
        yield "The scores do not support the model, so that no estimates are reported."
        return
    yield (
        f"Components of the variance ({INTERVALS[study.estimator]}): "
        f"{'; '.join(_components(study))}."
    )
    yield f"The component {study.components.index[-1]} is confounded with error."
    yield sentence_on_coefficients(study)


def conditions_of(study: Generalizability, name: str, of: str = "") -> str:
    """Return the number of conditions of a facet in words: "4 conditions in each template"."""
    outer = study.design.nested.get(name)
    where = f" in each {outer}" if outer else ""
    size = study.sizes[name]
    if size == round(size):
        return f"{number_of(round(size), 'condition')}{of}{where}"
    return f"{size:.1f} conditions{of}{where} on average"


def _cells(study: Generalizability) -> str:
    if study.estimator == "anova":
        return "Every cell of the design holds one score; none is missing."
    if study.design.nested:
        return "Cells without a score were left out of the likelihood."
    cells = study.n_objects * round(math.prod(study.sizes.values()))
    left = "; cells without a score were left out of the likelihood" if study.n < cells else ""
    return (
        f"The crossed design has {number_of(cells, 'cell')} for these "
        f"{number_of(study.n, 'score')}{left}."
    )


def _components(study: Generalizability) -> Iterable[str]:
    for effect, row in study.components.to_dict("index").items():
        edge = " (at the boundary)" if row["variance"] == 0 else ""
        interval = limits_of(row["ci_lower"], row["ci_upper"], study.level, _short)
        yield (
            f"{effect} {_short(row['variance'])}{edge}, {interval} ({row['share']:.1%} of the "
            "total)"
        )


def _short(value: float) -> str:
    return f"{value:#.3g}".rstrip(".") if value else "0"


def sentence_on_coefficients(study: Generalizability) -> str:
    """Return the sentence with both coefficients, and the conditions over which they hold."""
    at = study.coefficients()
    over = listed([conditions_of(study, name, f" of {name}") for name in study.sizes])
    parts = []
    for name, word in (
        ("e_rho2", "the generalizability coefficient (relative decisions)"),
        ("phi", "the index of dependability (absolute decisions)"),
    ):
        if not math.isfinite(at[name]):
            parts.append(f"{word} is not defined")
            continue
        low, high = (at.get(f"{name}_ci_{end}", math.nan) for end in ("lower", "upper"))
        interval = limits_of(low, high, study.level, lambda end: share(end, 2))
        parts.append(f"{word} was {share(at[name], 2)}, {interval}")
    return f"For means over {over}, {parts[0]}, and {parts[1]}."


def sentences_on_multivariate(study: MultivariateGeneralizability) -> Iterable[str]:
    first = next(iter(study.strata.values()))
    facet = first.design.facets[0]
    sizes = [f"{name} ({one.sizes[facet]:.3g} conditions of {facet})"
             for name, one in study.strata.items()]  # fmt: skip
    yield (
        f"A multivariate generalizability study took {number_of(first.n_objects, 'level')} of "
        f"{first.design.object}, the object of measurement, over {listed(sizes)}, with other "
        f"conditions of {facet} in each. Variance components were estimated "
        f"{ESTIMATORS[first.estimator]} within, and covariances of universe scores from the "
        f"covariances of means, with {software()}."
    )
    if any(one.severity == "error" for one in study.diagnostics):
        yield "The scores do not support the model, so that no estimates are reported."
        return
    yield from (_stratum(name, one) for name, one in study.strata.items())
    names = list(study.strata)
    matrix = study.correlation.to_numpy(float)
    pairs = [
        (f"{names[i]} with {names[k]}", matrix[i, k])
        for i in range(len(names)) for k in range(i + 1, len(names))
    ]  # fmt: skip
    title = "Correlation" if len(pairs) == 1 else "Correlations"
    if len(pairs) > MOST_LISTED:
        yield f"{title} of universe scores (no intervals): {range_of(r for _, r in pairs)}."
        return
    undefined = "not defined, as a component is not above 0"
    parts = [f"{pair} {share(r, 2) if math.isfinite(r) else undefined}" for pair, r in pairs]
    yield f"{title} of universe scores (no interval{'s' * (len(pairs) > 1)}): {'; '.join(parts)}."


def _stratum(name: str, study: Generalizability) -> str:
    return f"{name}: {'; '.join(_components(study))}. {sentence_on_coefficients(study)}"
