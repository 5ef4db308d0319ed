"""A written paragraph on a fit, with what journals ask for.

It has what was not met, sample, missing values, model, estimator, software, convergence, fit and
the main estimates with intervals, and the limits that the diagnostics name.

References
----------
Appelbaum, M., Cooper, H., Kline, R. B., Mayo-Wilson, E., Nezu, A. M., Rao, S. M. (2018). Journal
    article reporting standards for quantitative research in psychology. American Psychologist 73,
    3-25.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.psychometrics.class_results import LatentClasses
from gfactor.psychometrics.classical.consistency.scores import Reliability
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.factor.exploratory import Efa
from gfactor.psychometrics.generalizability import Generalizability
from gfactor.psychometrics.generalizability.multivariate import MultivariateGeneralizability
from gfactor.psychometrics.irt.checks.comparison import IRTComparison
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.psychometrics.irt.estimation.conditional import ConditionalFit
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.norms import Norms
from gfactor.psychometrics.pls import PLSFit
from gfactor.psychometrics.pls.ability import PLSPredictiveAbility
from gfactor.psychometrics.pls.permutation import PLSGroups
from gfactor.psychometrics.sem import Fit
from gfactor.psychometrics.sem.comparison import ChiSquareDifference
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance
from gfactor.psychometrics.sem.model_reliability import ModelReliability
from gfactor.psychometrics.sem.vuong import NonNestedFits
from gfactor.psychometrics.sem.wald import WaldTest
from gfactor.psychometrics.validity.assess import DiscriminantValidity
from gfactor.reports.answers.model_names import names_for_print, with_names
from gfactor.reports.paragraphs.classes import sentences_on_classes
from gfactor.reports.paragraphs.comparisons import (
    sentences_on_difference,
    sentences_on_irt_comparison,
    sentences_on_non_nested,
    sentences_on_wald,
)
from gfactor.reports.paragraphs.conditional import sentences_on_conditional
from gfactor.reports.paragraphs.dif import sentences_on_dif
from gfactor.reports.paragraphs.efa import sentences_on_efa
from gfactor.reports.paragraphs.generalizability import (
    sentences_on_generalizability,
    sentences_on_multivariate,
)
from gfactor.reports.paragraphs.invariance import sentences_on_invariance
from gfactor.reports.paragraphs.irt import sentences_on_irt
from gfactor.reports.paragraphs.norms import sentences_on_norms
from gfactor.reports.paragraphs.pls import sentences_on_pls
from gfactor.reports.paragraphs.pls_groups import (
    sentences_on_pls_groups,
    sentences_on_predictive_ability,
)
from gfactor.reports.paragraphs.reliability import (
    sentences_on_model_reliability,
    sentences_on_reliability,
)
from gfactor.reports.paragraphs.sem import sentences_on_sem
from gfactor.reports.paragraphs.validity import sentences_on_validity
from gfactor.results import Result

FILE = "paragraph.txt"
"""Name of the file beside a page."""

_WRITERS: tuple[tuple[type[Result], Callable[[Any], Iterable[str]]], ...] = (
    (Fit, sentences_on_sem),
    (Efa, sentences_on_efa),
    (PLSFit, sentences_on_pls),
    (IRTFit, sentences_on_irt),
    (LatentClasses, sentences_on_classes),
    (Generalizability, sentences_on_generalizability),
    (Invariance, sentences_on_invariance),
    (Reliability, sentences_on_reliability),
    (DIF, sentences_on_dif),
    (ModelReliability, sentences_on_model_reliability),
    (ChiSquareDifference, sentences_on_difference),
    (NonNestedFits, sentences_on_non_nested),
    (IRTComparison, sentences_on_irt_comparison),
    (WaldTest, sentences_on_wald),
    (MultivariateGeneralizability, sentences_on_multivariate),
    (ConditionalFit, sentences_on_conditional),
    (DiscriminantValidity, sentences_on_validity),
    (PLSGroups, sentences_on_pls_groups),
    (PLSPredictiveAbility, sentences_on_predictive_ability),
    (Norms, sentences_on_norms),
)

_MISFITS = frozenset({
    "best_start_alone", "configural_misfit", "convenience_sample", "exact_fit_rejected",
    "local_misfit", "negative_scaling", "negative_variance", "one_factor_misfits",
    "poor_approximate_fit", "worse_with_more_parameters",
})  # fmt: skip
"""Codes of warnings that a reader must know before the estimates."""


def paragraph_of(result: Result) -> str:
    """Return a paragraph on a result.

    Parameters
    ----------
    result : Result
        A fitted model, a comparison of models or examinees, an analysis of reliability,
        generalizability, invariance or validity, or norms.

    Returns
    -------
    str
        Sentences in one line.

    Raises
    ------
    ParameterError
        For another kind of result.
    """
    writer = _writer_for(result)
    if writer is None:
        raise ParameterError(
            "there is a paragraph for structural equation, exploratory factor, PLS, item response "
            "and latent class models and their comparisons, DIF, generalizability, invariance, "
            "reliability, validity, norms and compared examinees, not for "
            f"{type(result).__name__}; summary() has its numbers"
        )
    before, after = _findings(result)
    text = " ".join(one for one in [before, *writer(result), after] if one)
    return with_names(text, names_for_print(getattr(result, "compared_examinees", ())))


def has_paragraph(result: Result) -> bool:
    """Return True if there is a paragraph for results of this kind."""
    return _writer_for(result) is not None


def write_paragraph(result: Result, folder: Path | str) -> None:
    """Write the paragraph beside the page in a folder."""
    (Path(folder) / FILE).write_text(paragraph_of(result) + "\n", encoding="utf-8")


def _writer_for(result: Result) -> Callable[[Any], Iterable[str]] | None:
    """The function that writes the sentences; results of other packages bring `sentences`."""
    of_kind = (writer for kind, writer in _WRITERS if isinstance(result, kind))
    return next(of_kind, getattr(type(result), "sentences", None))


def _findings(result: Result) -> tuple[str, str]:
    """The diagnostics that stand before the estimates, and the limits that stand after them."""
    serious = [one for one in result.diagnostics if one.severity == "error"]
    warned = [one for one in result.diagnostics if one.severity == "warning"]
    first = [*serious, *(one for one in warned if one.code in _MISFITS)]
    later = [one for one in warned if one.code not in _MISFITS]
    return _joined("Not met", first), _joined("Limits", later)


def _joined(title: str, findings: Iterable[Diagnostic]) -> str:
    sentences = " ".join(one.sentence for one in findings)
    return f"{title}: {sentences}" if sentences else ""
