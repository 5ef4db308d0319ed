"""Place models among real models by the answers that they gave to public benchmarks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

import pandas as pd

from gfactor.api.inputs.matrix_files import holds_scores as is_table_file
from gfactor.api.inputs.matrix_files import read_scores
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.api.scores.results import matrix_of
from gfactor.benchmarks.vlmevalkit.shipped import read_anchor_set
from gfactor.parameters import Level, Seed
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.placement import Placement, place_models
from gfactor.psychometrics.irt.anchors.update_results import CalibrationUpdate
from gfactor.scoring.policies import BENCHMARKS_POLICY

Version: TypeAlias = Anchors | CalibrationUpdate | Path | str
"""A version of a scale of real models: what was read or returned, its folder or its name."""


_MANY_UNREAD = 0.05
"""Share of unread replies from which on a placement has a warning."""


def place(
    answers: JournalLike | pd.Series,
    *,
    calibration: Version = "real-vlm-2025",
    items: int | Mapping[str, int] | None = None,
    select: Literal["given", "adaptive", "random", "stratified"] = "given",
    seed: Seed = 0,
    level: Level = 0.95,
) -> Placement:
    """Place models on a scale of real models, and predict their scores on the full benchmarks.

    Parameters
    ----------
    answers : DataFrame, Series, path or Journal
        Table with a row per model and a column per item, or its CSV file: 1 for right, 0 for
        wrong, NaN if a model was not asked; a Series is the row of one model. Columns are named
        `BENCHMARK:INDEX`, with the index of the item in VLMEvalKit's TSV file ("mmmu_dev_val:17").
        Or a journal with answers to banks of `gfactor build vlmevalkit`.
    calibration : Anchors, CalibrationUpdate, str or path
        Name of a scale (`gfactor list calibrations` has them), its folder, or a result of
        `update_calibration` (default "real-vlm-2025").
    items : int or mapping, optional
        Number of questions that are used of each model, in all (100) or by benchmark
        ({"mmmu_dev_val": 100}), to try out a choice of questions on models whose answers are all
        known.
    select : {"given", "adaptive", "random", "stratified"}
        Choice of these questions. "given" (default) uses all answers. "adaptive" takes next the
        question that is expected to reduce the variance of the predicted full scores most.
        "random" and "stratified" (by difficulty) draw the questions in advance.
    seed : int
        Seed of the random number generator, by default 0.
    level : float
        Confidence level of the intervals, by default 0.95.

    Returns
    -------
    Placement
        `abilities` (`model`, `dimension`, `theta` and `se` in standard deviations of the
        calibrated models, `ci_lower`, `ci_upper`, `items`), `predictions` of full scores (`model`,
        `benchmark`, `accuracy` as a share, `ci_lower`, `ci_upper`, `asked`), `transfer` (the same
        for benchmarks without any answers), `questions` (those used) and `diagnostics`.

    Raises
    ------
    ParameterError
        If a column is not an item of the calibration, an answer is not 1, 0 or missing, a model
        has no answers, or `items` and `select` contradict each other.
    UnknownNameError
        If there is no scale with this name.

    References
    ----------
    van der Linden, W. J. (1999). Multidimensional adaptive testing with a minimum error-variance
        criterion. Journal of Educational and Behavioral Statistics 24, 398-412.

    Examples
    --------
    >>> import gfactor as gf
    >>> answers = gf.datasets.load("vlm_items").answers.loc[["InternVL2-8B", "Moondream2"]]
    >>> placed = gf.place(answers, items={"mmmu_dev_val": 60}, select="adaptive")
    >>> placed.predictions["asked"].tolist()
    [60, 60]
    >>> placed.abilities["dimension"].unique().tolist()
    ['mmt_bench_val', 'mmmu_dev_val', 'ai2d_test', 'general']
    """
    table, responses = table_and_responses(answers)
    placed = place_models(
        version_of(calibration), table, items=items, select=select, seed=seed, level=level
    )
    return placed if responses is None else with_unread(placed, responses)


def version_of(version: Version) -> Anchors:
    """Return the scale of a version, which may be given by its name, folder or result."""
    if isinstance(version, CalibrationUpdate):
        return version.anchors
    return version if isinstance(version, Anchors) else read_anchor_set(version)


def with_unread(
    placed: Placement, responses: pd.DataFrame, model_of: Mapping[str, str] | None = None
) -> Placement:
    """Return the placement with a diagnostic for each model whose replies were not all read.

    `responses` are scored; `model_of` has the placed model of each examinee of the journal, if
    their names differ. A reply in which the scoring rules find no answer counts as wrong; the scale
    cannot distinguish it from an item that was too hard.
    """
    rows = responses.loc[responses["status"] != "failed"]
    administered = set(placed.questions["benchmark"] + ":" + placed.questions["item"].astype(str))
    models, notes = set(placed.abilities["model"]), []
    for who, one in rows.groupby("examinee", sort=True):
        model = str(who) if model_of is None else model_of.get(str(who), "")
        if model not in models:
            continue
        ours = one.loc[[column_of(str(name)) in administered for name in one["item_id"]]]
        lost = int((ours["status"] != "answered").sum())
        if lost:
            notes.append(Diagnostic(
                "unread_replies", "warning" if lost >= _MANY_UNREAD * len(ours) else "note",
                f"No answer was found in {lost} of {len(ours)} replies of {model}; they count as "
                "wrong, and the prediction is of scores that count them so.",
                "Read them (gfactor extract); where they hold an answer, have a judge read them.",
                (model,), {"replies": lost},
            ))  # fmt: skip
    return replace(placed, diagnostics=by_severity([*placed.diagnostics, *notes]))


_ITEM = re.compile(r"(?:.*[: ])?(?P<dataset>[^/:@ ]+)/(?P<index>[^/@]+)(?:@.*)?")


def column_of(item: str) -> str:
    """Return the column `BENCHMARK:INDEX` of an item of `gfactor build vlmevalkit`.

    Names that are no such items stay as they are.

    Examples
    --------
    >>> column_of("MMT-Bench_VAL/17")
    'mmt_bench_val:17'
    """
    match = _ITEM.fullmatch(item)
    if match is None:
        return item
    return f"{match['dataset'].casefold().replace('-', '_')}:{match['index']}"


def answers_table(answers: JournalLike | pd.Series) -> pd.DataFrame:
    """Return the given table of right and wrong answers, or that of a journal."""
    return table_and_responses(answers)[0]


def table_and_responses(
    answers: JournalLike | pd.Series,
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the table of right and wrong answers and, for a journal, the scored responses."""
    responses = None
    if isinstance(answers, pd.Series):
        table = answers.to_frame().T
    elif isinstance(answers, pd.DataFrame):
        table = answers
    elif isinstance(answers, str | Path) and is_table_file(Path(answers)):
        table = read_scores(Path(answers))
    else:
        scoring = scoring_of((), None, None, BENCHMARKS_POLICY, {})
        with opened(answers) as journal:
            scores, responses = matrix_of(journal, scoring, "item", False, False, False, {})
        table = scores.scores
    return table.rename(index=str, columns=lambda name: column_of(str(name))), responses
