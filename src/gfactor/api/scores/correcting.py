"""Scores that a judge marked, corrected by people's marks of a part of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import one_benchmark, scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.errors import ParameterError
from gfactor.items.table_files import read_frame
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim
from gfactor.psychometrics.inference.intervals import checked_level
from gfactor.psychometrics.inference.judged import MIN_MARKS, corrected_score, mean_difference
from gfactor.results import Result, number_of
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.score_matrix import item_names

Marks: TypeAlias = pd.DataFrame | Path | str
"""A table with a row per answer that somebody marked."""

_WORDS = {"right": 1.0, "wrong": 0.0, "true": 1.0, "false": 0.0}
_GROUPS = 3
"""Groups of reply lengths, of equally many answers each."""
_ALPHA = 0.01


@dataclass(frozen=True, repr=False)
class CorrectedScores(Result):
    """Scores from a judge's marks, corrected by the marks of people.

    Parameters
    ----------
    scores : DataFrame
        A row per model: `n` (answers), `marked` (by people), `judge` (mean of its marks),
        `corrected` with `ci_lower` and `ci_upper`, `people` with `people_lower` and `people_upper`
        (from people's marks alone), `weight` of the judge's marks, and `width_ratio` (width of the
        corrected interval divided by that from people's marks alone).
    errors : DataFrame
        A row per model: `sensitivity`, `specificity` and `bias` (its mark minus people's) of the
        judge, each with `_lower` and `_upper`.
    by_length : DataFrame
        Bias of the judge by length of the reply: `shortest`, `longest` (characters), `marked`,
        `bias`, `bias_lower`, `bias_upper`; empty if the replies are not given.
    claim : str
        Population that the intervals generalize to.
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
    """

    scores: pd.DataFrame
    errors: pd.DataFrame
    by_length: pd.DataFrame
    claim: str
    level: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        corrected = int(np.isfinite(self.scores["corrected"].to_numpy(float)).sum())
        if not corrected:
            return (
                "Scores by a judge's marks, without intervals. People marked too few answers to "
                "correct them, and a judge's errors are not in any interval."
            )
        return (
            f"Scores of {corrected} of {len(self.scores)} models corrected by people's marks of "
            f"{_total(self.scores, 'marked'):,} of {_total(self.scores, 'n'):,} answers."
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"claim": self.claim, "level": self.level}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        tables = {"scores": self.scores, "errors": self.errors}
        return tables | ({"by_length": self.by_length} if len(self.by_length) else {})


def _total(table: pd.DataFrame, column: str) -> int:
    return int(table[column].to_numpy(float).sum())


def correct_scores(
    answers: JournalLike | pd.DataFrame,
    *,
    people: Marks | None = None,
    claim: str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    benchmark: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    level: float = 0.95,
    **reach: Unpack[ReachOptions],
) -> CorrectedScores:
    """Correct scores from rules or a judge, with the marks that people gave to a sample of answers.

    The estimate is prediction-powered: it is the mean of the judge's marks on all answers, plus
    the mean difference between people's and judge's marks on the answers that both marked. It is
    unbiased if the answers that people marked were drawn at random for each model.

    Parameters
    ----------
    answers : Journal, path or DataFrame
        Journal, whose answers are marked by rules and judge as in `score`. Or a table with the
        columns `examinee`, `item` and `judge` (its mark, 0 to 1) and, if known, `people` (their
        mark, 0 to 1) and `length` (of the reply).
    people : DataFrame or path, optional
        Table with a row per answer that somebody marked: the columns `examinee`, `item` and either
        `mark` (0 to 1) or `category` (right, wrong), as `gfactor annotate responses -o` writes it.
        Marks of several people are averaged. Without people's marks nothing is corrected.
    claim : {"same-domains", "these-items"}, optional
        Population that the intervals generalize to: other items of the same domains (the default),
        or these items alone.
    examinees : sequence of str
        Examinees of the journal whose scores are corrected; all by default.
    condition : str, optional
        Condition of the journal whose answers count; needed if it has several.
    benchmark : str, optional
        Benchmark of the journal whose scores are corrected; needed if it has several.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    level : float
        Confidence level of the intervals (default .95).
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    CorrectedScores
        `scores` (a row per model), `errors` (sensitivity, specificity and bias of the judge by
        model), `by_length` (bias by length of the reply) and `diagnostics`.

    Raises
    ------
    ParameterError
        If columns are missing, marks are not from 0 to 1, or people marked answers that `answers`
        does not hold.

    References
    ----------
    Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I., Zrnic, T. (2023).
    Prediction-powered inference. Science 382, 669-674.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> import gfactor as gf
    >>> rng = np.random.default_rng(1)
    >>> right = rng.random(500) < 0.6
    >>> judge = np.where(rng.random(500) < 0.85, right, ~right)
    >>> table = pd.DataFrame({"examinee": "m", "item": range(500), "judge": judge * 1.0})
    >>> marks = pd.DataFrame({"examinee": "m", "item": range(100), "mark": right[:100] * 1.0})
    >>> row = gf.correct_scores(table, people=marks).scores.loc["m"]
    >>> bool(row["ci_lower"] < 0.6 < row["ci_upper"])
    True
    """
    if isinstance(answers, pd.DataFrame):
        return corrected_table(_as_answers(answers), people, claim=claim, level=level)
    scoring = scoring_of(examinees, condition, judge, policy, reach)
    with opened(answers) as stored:
        scored = one_benchmark(scoring.one_condition(stored), benchmark)
    scored = scored.loc[~scored["missing"].to_numpy(bool)]
    table = pd.DataFrame({
        "examinee": scored["examinee"].astype(str), "item": item_names(scored),
        "judge": scored["correct"].astype(float), "length": scored["text"].str.len(),
    })  # fmt: skip
    averaged: Any = table.groupby(["examinee", "item"], sort=True).mean()
    return corrected_table(averaged.reset_index(), people, claim=claim, level=level)


def corrected_table(
    answers: pd.DataFrame, people: Marks | None, *, claim: str | None, level: float
) -> CorrectedScores:
    """Correct the scores of a table with the columns examinee, item and judge."""
    checked_level(level)
    chosen = checked_claim(claim or DEFAULT_CLAIM)
    if chosen == "other-domains":
        raise ParameterError(
            "corrected scores generalize to other items of the same domains, or to these items; "
            "the claim other-domains is not possible"
        )
    table = answers
    if people is not None:
        table = _with_marks(answers.drop(columns="people", errors="ignore"), _read_marks(people))
    elif "people" not in table:
        table = table.assign(people=np.nan)
    if table.empty:
        raise ParameterError(
            "there is no answer to correct: the items were not asked, or all attempts failed; ask "
            "them first with `gfactor run`"
        )
    rows, errors = {}, {}
    for name, group in table.groupby("examinee", sort=True):
        score = corrected_score(
            group["judge"].to_numpy(float), group["people"].to_numpy(float),
            these_items=chosen == "these-items", level=level,
        )  # fmt: skip
        alone = score.people_upper - score.people_lower
        rows[str(name)] = {
            "n": score.n, "marked": score.marked, "judge": score.judge,
            "corrected": score.estimate, "ci_lower": score.ci_lower, "ci_upper": score.ci_upper,
            "people": score.people, "people_lower": score.people_lower,
            "people_upper": score.people_upper, "weight": score.weight,
            "width_ratio": (score.ci_upper - score.ci_lower) / alone if alone > 0 else np.nan,
        }  # fmt: skip
        errors[str(name)] = {
            f"{what}{end}": value
            for what in ("sensitivity", "specificity", "bias")
            for end, value in zip(("", "_lower", "_upper"), getattr(score, what), strict=True)
        }
    scores = pd.DataFrame.from_dict(rows, orient="index").rename_axis("examinee")
    return CorrectedScores(
        scores=scores,
        errors=pd.DataFrame.from_dict(errors, orient="index").rename_axis("examinee"),
        by_length=_by_length(table, level),
        claim=chosen,
        level=level,
        diagnostics=_diagnostics(scores, table),
    )


def _as_answers(given: pd.DataFrame) -> pd.DataFrame:
    _need(given, ("examinee", "item", "judge"), "the table of answers")
    table = given.assign(
        examinee=given["examinee"].astype(str), item=given["item"].astype(str),
        **{name: _numbers(given[name], name) for name in ("judge", "people") if name in given},
    )  # fmt: skip
    twice = table.duplicated(["examinee", "item"])
    if twice.any():
        who, item = table.loc[twice, ["examinee", "item"]].iloc[0]
        raise ParameterError(f"the answer of {who!r} to item {item!r} is in the table twice")
    return table


def _read_marks(people: Marks) -> pd.DataFrame:
    """Return people's marks, one of each answer: the mean of all who marked it."""
    table = people if isinstance(people, pd.DataFrame) else read_frame(Path(people))
    if "mark" not in table and "category" in table:
        table = table.assign(mark=table["category"])
    _need(table, ("examinee", "item", "mark"), "the table of people's marks")
    unnamed = table["examinee"].isna().to_numpy() | (table["examinee"].astype(str) == "").to_numpy()
    if unnamed.any():
        raise ParameterError(
            "the table of people's marks does not name the examinees; until all answers are "
            "labeled, write it with gfactor annotate responses --unblind"
        )
    marks = pd.DataFrame({
        "examinee": table["examinee"].astype(str), "item": table["item"].astype(str),
        "people": _numbers(table["mark"], "mark"),
    })  # fmt: skip
    if not np.isfinite(marks["people"].to_numpy(float)).any():
        raise ParameterError(
            "the table of people's marks holds no mark; give a row per answer that was marked, or "
            "leave the table out"
        )
    averaged: Any = marks.groupby(["examinee", "item"], sort=False)["people"].mean()
    return averaged.reset_index()


def _numbers(column: Any, name: str) -> pd.Series:
    """Return marks as numbers; right and wrong are 1 and 0."""
    words = column.map(lambda v: _WORDS.get(str(v).strip().casefold(), v))
    numbers: Any = pd.to_numeric(words, errors="coerce")
    bad = (numbers.isna() & column.notna()) | (numbers < 0) | (numbers > 1)
    if bad.any():
        row = int(np.flatnonzero(bad.to_numpy())[0])
        raise ParameterError(
            f"{name}, row {row + 1}: {str(column.iloc[row])!r} is not a mark; marks are numbers "
            "from 0 to 1, or right and wrong"
        )
    return numbers.astype(float)


def _need(table: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    for name in columns:
        if name not in table:
            raise ParameterError(
                f"{what} has no column {name!r}; it has {', '.join(map(str, table.columns))}"
            )


def _with_marks(answers: pd.DataFrame, marks: pd.DataFrame) -> pd.DataFrame:
    joined = answers.merge(marks, on=["examinee", "item"], how="left")
    matched, given = (np.isfinite(t["people"].to_numpy(float)).sum() for t in (joined, marks))
    unknown = int(given - matched)
    if unknown:
        merged = marks.merge(answers, on=["examinee", "item"], how="left")
        who, item = merged.loc[merged["judge"].isna(), ["examinee", "item"]].iloc[0]
        raise ParameterError(
            f"of the marks of people, {unknown:,} {'is' if unknown == 1 else 'are'} for answers "
            f"that are not there, such as that of {who!r} to item {item!r}; name the examinees and "
            "items as the answers do"
        )
    return joined


def _by_length(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return the judge's bias in three groups of reply lengths."""
    columns = ["shortest", "longest", "marked", "bias", "bias_lower", "bias_upper"]
    marked = table.loc[table["people"].notna()]
    if "length" not in table or len(marked) < _GROUPS * MIN_MARKS:
        return pd.DataFrame(columns=columns)
    order = marked["length"].rank(method="first").to_numpy(float) - 1
    group = np.floor(order * _GROUPS / len(marked)).astype(int)
    rows = []
    for _, part in marked.groupby(group):
        difference = (part["judge"] - part["people"]).to_numpy(float)
        ends = mean_difference(difference, level)
        lengths = part["length"].to_numpy(float)
        rows.append((int(lengths.min()), int(lengths.max()), len(part), *ends))
    return pd.DataFrame(rows, columns=columns)


def _differ(first: Any, second: Any, alpha: float) -> bool:
    """Return True if two means differ by Welch's test; if neither varies, if they are not equal."""
    spreads = first.std(ddof=1), second.std(ddof=1)
    if not any(spreads):
        return bool(first.mean() != second.mean())
    test: Any = stats.ttest_ind_from_stats(
        first.mean(), spreads[0], len(first), second.mean(), spreads[1], len(second),
        equal_var=False,
    )  # fmt: skip
    return float(test.pvalue) < alpha


def _one_sided(marked: pd.DataFrame) -> tuple[str, ...]:
    """Return the models all of whose marks by people are one, while the judge's are several."""

    def kinds(part: pd.DataFrame, who: str) -> int:
        return len(set(part[who].to_numpy(float)))

    return tuple(
        str(name) for name, part in marked.groupby("examinee", sort=True)
        if len(part) >= MIN_MARKS and kinds(part, "people") == 1 < kinds(part, "judge")
    )  # fmt: skip


def _diagnostics(scores: pd.DataFrame, table: pd.DataFrame) -> tuple[Diagnostic, ...]:
    diagnostics = []
    few = tuple(map(str, scores.index[(scores["marked"] < MIN_MARKS).to_numpy(bool)]))
    if few:
        diagnostics.append(Diagnostic(
            "not_corrected", "warning",
            f"People marked fewer than {MIN_MARKS} answers of {number_of(len(few), 'model')}: no "
            "corrected score and no interval. The intervals of gfactor score do not hold a judge's "
            "errors.",
            f"Have people mark {MIN_MARKS} or more answers of each model, drawn at random.", few,
        ))  # fmt: skip
    marked = table.loc[table["people"].notna()]
    chosen = []
    for name, group in table.groupby("examinee", sort=True):
        judged = group["judge"].to_numpy(float)
        by_people = group["people"].notna().to_numpy(bool)
        enough = min(by_people.sum(), (~by_people).sum()) >= MIN_MARKS
        if enough and _differ(judged[by_people], judged[~by_people], _ALPHA / len(scores)):
            chosen.append(str(name))
    if chosen:
        diagnostics.append(Diagnostic(
            "marks_not_random", "error",
            f"The judge marks the answers that people marked differently from the other answers of "
            f"{number_of(len(chosen), 'model')}: they were not drawn at random, and the correction "
            "is biased.",
            "Draw the answers that people mark at random (gfactor annotate responses --of all).",
            tuple(chosen),
        ))  # fmt: skip
    if one_sided := _one_sided(marked):
        diagnostics.append(Diagnostic(
            "one_mark", "note",
            f"People gave all answers of {number_of(len(one_sided), 'model')} one mark, though the "
            "judge gave several. If only answers of one kind were marked, the correction is "
            "biased.", "Check that the answers that people mark were drawn at random.", one_sided,
        ))  # fmt: skip
    groups = [
        (part["judge"] - part["people"]).to_numpy(float)
        for _, part in marked.groupby("examinee")
        if len(part) >= MIN_MARKS
    ]
    if len(groups) > 1 and any(part.std() > 0 for part in groups):
        p = float(stats.f_oneway(*groups).pvalue)
        if p < _ALPHA:
            diagnostics.append(Diagnostic(
                "bias_differs", "note",
                f"The judge's bias differs between models (p {p_value(p, '= ')}): by its marks "
                "alone some models score too high beside others.", "Compare corrected scores.",
            ))  # fmt: skip
    return by_severity(diagnostics)
