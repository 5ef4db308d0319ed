"""A written paragraph on a fit, with what journals ask for.

It has sample, missing values, model, estimator, software, convergence, fit and the main estimates
with intervals, and the limits that the diagnostics name.

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
from gfactor.psychometrics.factor.exploratory import Efa
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.pls import PLSFit
from gfactor.psychometrics.sem import Fit
from gfactor.reports.paragraphs.efa import sentences_on_efa
from gfactor.reports.paragraphs.irt import sentences_on_irt
from gfactor.reports.paragraphs.pls import sentences_on_pls
from gfactor.reports.paragraphs.sem import sentences_on_sem
from gfactor.results import Result

FILE = "paragraph.txt"
"""Name of the file beside a page."""

_WRITERS: tuple[tuple[type[Result], Callable[[Any], Iterable[str]]], ...] = (
    (Fit, sentences_on_sem),
    (Efa, sentences_on_efa),
    (PLSFit, sentences_on_pls),
    (IRTFit, sentences_on_irt),
)


def paragraph_of(result: Result) -> str:
    """Return a paragraph on a result.

    Parameters
    ----------
    result : Result
        A structural equation, exploratory factor, PLS or item response model.

    Returns
    -------
    str
        Sentences in one line.

    Raises
    ------
    ParameterError
        For another kind of result.
    """
    return " ".join(one for one in [*_sentences(result), _limits(result)] if one)


def write_paragraph(result: Result, folder: Path | str) -> None:
    """Write the paragraph beside the page in a folder."""
    (Path(folder) / FILE).write_text(paragraph_of(result) + "\n", encoding="utf-8")


def _sentences(result: Result) -> Iterable[str]:
    for kind, writer in _WRITERS:
        if isinstance(result, kind):
            return writer(result)
    raise ParameterError(
        "there is a paragraph for structural equation, exploratory factor, PLS and item response "
        f"models, and not for {type(result).__name__}; summary() has its numbers"
    )


def _limits(result: Result) -> str:
    """The sentences of diagnostics that a reader of the results must know."""
    serious = [one.sentence for one in result.diagnostics if one.severity in ("error", "serious")]
    warned = [one.sentence for one in result.diagnostics if one.severity == "warning"]
    return f"Limits: {' '.join([*serious, *warned])}" if serious or warned else ""
