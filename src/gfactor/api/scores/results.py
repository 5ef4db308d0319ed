"""Results of a journal: scores and the score matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

import pandas as pd

from gfactor.administration import Journal, RunResult
from gfactor.api.inputs.answer_files import answers_selected
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, nothing_counts, scoring_of, shares_of, with_labels
from gfactor.api.inputs.taking import BankLike, JournalLike, opened
from gfactor.api.scores.answer_tokens import tokens_taken
from gfactor.api.scores.answer_warnings import notes_on_answers
from gfactor.api.scores.intervals import AnswerSnapshot, add_intervals, result_columns
from gfactor.api.scores.score_texts import text_of
from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim
from gfactor.results import plain, rounded
from gfactor.scoring import ScoreMatrix, summary, write_answers
from gfactor.scoring import matrix as matrix_of_scored
from gfactor.scoring.exporting import write_csv
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.score_matrix import counted
from gfactor.scoring.summaries import by_label
from gfactor.scoring.vlmevalkit import compared, differences

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.scales.calibration import Calibration
    from gfactor.psychometrics.irt.scores.calibrated_scores import CalibratedScores


def score(
    journal: JournalLike,
    *,
    by: Sequence[str] = (),
    claim: str = DEFAULT_CLAIM,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    bank: BankLike | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    calibration: Calibration | Path | str | None = None,
    path: Path | str | None = None,
    columns: str | None = None,
    drop: str | None = None,
    identifier: str | None = None,
    where: Sequence[str] = (),
    **reach: Unpack[ReachOptions],
) -> Scores:
    """Score the answers in a journal, for each benchmark as a whole and by domain, size and skill.

    The table has a row for each examinee on each benchmark under each condition; nothing is
    pooled. `accuracy` follows the benchmark's own rule: a reply in another format than the
    required one counts as wrong. `lenient` also accepts such replies if their answer is clear.
    Both are shares of items that are right as a whole; `ratio` is the share of points earned.
    Answers to an item on several occasions are averaged first, so `n` is a number of items. Failed
    attempts are missing, not wrong. The 95 % interval is for the population that `claim` names;
    the interval for another population stands beside it. `chance` is the score expected from
    answering without looking at the items.

    Parameters
    ----------
    journal : Journal or path
        Journal of a run, or its file.
    by : list of str
        Further labels of the items, such as a column of your own table of questions. Scores are
        broken down by their values, as they are by domain, size and skill.
    claim : {"same-domains", "other-domains", "these-items"}
        Population that scores generalize to: other items of the same domains, other domains, or
        these items alone (which needs several occasions).
    examinees : list of str
        Examinees whose answers count. A name with only some of its parameters, or none, stands for
        all examinees that it fits. All examinees if none is named.
    condition : str, optional
        Condition whose answers count; by default each examinee has a row for each condition.
    bank : ItemBank or path, optional
        Bank whose items count, with their present contents; by default all items of the journal,
        also those that a corrected bank no longer holds.
    judge : str, optional
        Examinee that reads the replies in which the rules found no answer; by default none. Its
        verdicts are stored in the journal, so that it is asked about each reply only once.
    policy : {"own", "random", "incorrect", "error", "none", "vlmevalkit"}
        Rule for replies without an answer: "own" is the rule of each benchmark; the others apply
        to all benchmarks. "random" draws an answer at random, "incorrect" counts the reply as
        wrong, "error" also as a format error, and "none" leaves it out. "vlmevalkit" scores every
        reply as VLMEvalKit does.
    calibration : Calibration or path, optional
        Calibration (the result of `calibrate`), or its file. It adds the ability of each examinee:
        the posterior mean in the calibrated population. Its standard error includes that of the
        calibration and, in calibrations by design, the variance of items within cells. Items that
        are not in the calibration are listed and left out.
    path : path, optional
        File (NAME.csv or NAME.parquet) for all replies, with the answer found in each, how it was
        found, and points. With a calibration, the abilities and their standard errors are written
        beside it as NAME.abilities.csv.
    columns : str, optional
        If `journal` is a table of right and wrong answers (1 and 0): columns with items, separated
        by commas, as names, patterns ("item*") or ranges ("x1:x9").
    drop : str, optional
        If `journal` is a table: columns to leave out.
    identifier : str, optional
        If `journal` is a table: column that names the rows.
    where : list of str
        If `journal` is a table: conditions that its rows must meet, such as "age>=18".
    **reach : any
        Options for a judge over HTTP, as in `run`.

    Returns
    -------
    Scores
        `table` has a row per examinee, benchmark and condition, with n, accuracy and interval;
        `abilities` has a row with ability and standard error.

    Raises
    ------
    JournalError
        If the journal cannot be read.
    UnknownNameError
        If the journal has no such examinee, condition or label.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal"], journal="c.db")
    >>> gf.score(journal).table[["examinee", "n", "accuracy", "ci_lower", "ci_upper"]].round(3)
             examinee   n  accuracy  ci_lower  ci_upper
    0  observer:ideal  20       1.0     0.839       1.0
    """
    # A file that is no calibration is said before a judge is paid.
    scale = calibration_given(calibration)
    table = {"columns": columns, "drop": drop, "identifier": identifier, "where": where}
    with opened(answers_selected(journal, table)) as open_journal:
        scoring = scoring_of(examinees, condition, judge, policy, reach, bank)
        scores = Scores.of(open_journal, scoring, scale, claim, by)
    if path is not None:
        write_answers(scores.responses, Path(path))
        if scale is not None:
            write_csv(scores.abilities, abilities_beside(Path(path)))
    return scores


def abilities_beside(path: Path) -> Path:
    """Return the file of abilities beside that of the replies."""
    return path.with_name(f"{path.stem}.abilities.csv")


def matrix(
    journal: JournalLike,
    by: str = "domain",
    *,
    lenient: bool = False,
    ratio: bool = False,
    count: bool = False,
    where: Mapping[str, str | float | bool] | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> ScoreMatrix:
    """Return a table of mean scores, examinees by indicators, with the number of items behind each.

    Answers to an item on several occasions are averaged first.

    Parameters
    ----------
    journal : Journal or path
        Journal of a run, or its file.
    by : str
        Label of the items each of whose values becomes a column ("domain", "size", "skill" ...),
        or "item" for a column per item.
    lenient : bool
        Read the answers in replies leniently, instead of by the benchmark's own rule.
    ratio : bool
        Return the share of points earned (partial credit), instead of the share of items that are
        right as a whole.
    count : bool
        Return numbers of right answers instead of shares; NaN if an item of the column was not
        answered.
    where : dict, optional
        Labels and their values that select items, such as {"domain": "change_colour"}.
    examinees : list of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition whose answers count; needed if the journal holds several.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    ScoreMatrix
        `scores` (a DataFrame, examinees x indicators, from 0 to 1), `n` and `answers` (numbers of
        items and answers behind each score) and `to_csv(path)`.

    Raises
    ------
    ParameterError
        If the journal holds several conditions and none is chosen, nothing was answered, or
        options contradict each other.
    UnknownNameError
        For an unknown label, value or name.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal"], journal="c.db")
    >>> gf.matrix(journal, by="size").scores.loc["observer:ideal"].tolist()
    [1.0, 1.0]
    """
    with opened(journal) as open_journal:
        scoring = scoring_of(examinees, condition, judge, policy, reach)
        scores, table = matrix_of(open_journal, scoring, by, lenient, ratio, count, where or {})
    return replace(scores, read=shares_of(table))


@dataclass(frozen=True, repr=False)
class Scores:
    """Scores of a journal.

    Parameters
    ----------
    journal: its name.
    responses: every scored response, one per row (`gfactor.scoring.scored`).
    snapshot: what `results` are computed from, as it was when the journal was scored.
    claim: population that the intervals of scores generalize to.
    beside: VLMEvalKit's figures beside ours by condition, with the policy of that name.
    judged: result of asking the judge; None without one.
    spent: money spent on the judge, if prices are known.
    calibrated: abilities on the scale of a calibration; None without one.
    diagnostics: replies without an answer, runs not answered as asked, items not yet asked.
    items: items of the journal.
    tokens: tokens and cost of the answers, by examinee and condition, as far as servers counted.

    Notes
    -----
    The journal is read once, when it is scored. What is computed on request afterwards
    (`results`, `table`) is about the answers that it held then, even if it has grown, or
    `responses` was changed.
    """

    journal: str
    responses: pd.DataFrame
    snapshot: AnswerSnapshot = field(compare=False)
    claim: str = DEFAULT_CLAIM
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    judged: RunResult | None = None
    spent: float | None = None
    calibrated: CalibratedScores | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    items: pd.DataFrame = field(default_factory=pd.DataFrame)
    tokens: pd.DataFrame = field(default_factory=pd.DataFrame)

    @classmethod
    def of(
        cls,
        journal: Journal,
        scoring: Scoring,
        calibration: Calibration | Path | str | None = None,
        claim: str = DEFAULT_CLAIM,
        by: Sequence[str] = (),
    ) -> Scores:
        """Score an open journal; the judge is asked first, if there is one."""
        checked_claim(claim)
        read = scoring.with_sources(journal)
        table, items, beside = read.responses, read.items, {}
        if scoring.policy == "vlmevalkit":
            ours = replace(scoring, policy=BENCHMARKS_POLICY, judge=None).table(journal)
            beside = {
                str(key): _beside(_under(ours, key), rows, items)
                for key, rows in table.groupby("condition", sort=True)
            }
        spent = scoring.reach.spent if scoring.judged and scoring.reach.prices else None
        abilities = None
        if calibration is not None:
            abilities = abilities_on_scale(journal, scoring, calibration)
        names, conditions = (list(table[name].unique()) for name in ("examinee", "condition"))
        notes = tuple(notes_on_answers(journal, read, names))
        snapshot = AnswerSnapshot.of(table, items, claim, by)
        what = journal.name, table, snapshot, claim, beside, scoring.judged, spent, abilities
        tokens = tokens_taken(journal, names)
        return cls(*what, notes, items, pick(tokens, tokens["condition"].isin(conditions)))

    @cached_property
    def results(self) -> Sequence[Mapping[str, Any]]:
        """A result for every examinee, benchmark and condition, as `gfactor score --json` has it;
        computed when it is first looked at."""
        return self.snapshot.results()

    @property
    def abilities(self) -> pd.DataFrame:
        """A row per condition and examinee: `theta`, `se`, `low`, `high`, `n`, `left_out`;
        ParameterError without a calibration."""
        if self.calibrated is None:
            raise ParameterError("abilities need a calibration: score(journal, calibration=...)")
        return self.calibrated.table

    @property
    def facts(self) -> dict[str, Any]:
        """The journal, the number of responses and examinees, and the claim, by name."""
        people = len(set(self.responses["examinee"]))
        return {"journal": self.journal, "responses": len(self.responses), "examinees": people,
                "claim": self.claim}  # fmt: skip

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by name: `scores`, with a calibration `abilities`, and `tokens` if counted."""
        return {
            "scores": self.table,
            **({"abilities": self.abilities} if self.calibrated else {}),
            **({"tokens": self.tokens} if len(self.tokens) else {}),
        }

    def of_run(
        self, examinee: str, *, benchmark: str | None = None, condition: str | None = None
    ) -> Mapping[str, Any]:
        """Return the result of an examinee; raise ParameterError if none fits, or several do."""
        fit = [
            one
            for one in self.results
            if one["examinee"] == examinee
            and benchmark in (None, one["benchmark"])
            and condition in (None, one["condition"])
        ]
        if len(fit) != 1:
            raise ParameterError(
                f"{len(fit)} results of {examinee!r} fit; name examinee, benchmark and condition"
            )
        return fit[0]

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row per condition, benchmark and examinee: `n` (items), `answers`, `accuracy` (by the
        benchmark's own rule) with `ci_lower` and `ci_upper` (95 %, under the claim), `lenient`
        (replies read leniently), `ratio` (points earned per possible point), `errors`, `missing`,
        `chance`."""
        return pd.DataFrame([_keys(one) | result_columns(one) for one in self.results])

    def groups(self, by: str = "domain") -> pd.DataFrame:
        """Return the scores for every value of a label of the items ("domain", "size", "category").

        Raises UnknownNameError if no item has the label.
        """
        if any(by in one["by"] for one in self.results):
            return pd.DataFrame([
                _keys(one) | {by: value} | result_columns(group)
                for one in self.results
                for value, group in one["by"].get(by, {}).items()
            ])  # fmt: skip
        rows = []
        for value, part in by_label(self.responses, by).items():
            results = summary(part)
            # Items of one domain are no sample of domains.
            domains: Any = part.get("domain")
            single = domains is not None and domains.nunique() < 2
            narrow = self.claim == "other-domains" and single
            add_intervals(results, part, self.items, DEFAULT_CLAIM if narrow else self.claim)
            rows += [_keys(one) | {by: value} | result_columns(one) for one in results]
        return pd.DataFrame(rows).sort_values(["condition", "benchmark", "examinee"], kind="stable",
                                              ignore_index=True)  # fmt: skip

    def plot(
        self,
        kind: str | None = None,
        *,
        ax: Any = None,
        figsize: tuple[float, float] | None = None,
    ) -> Any:
        """Draw a figure of the journal's report: accuracy by domain, by size, and others.

        Parameters
        ----------
        kind : str, optional
            Name of the figure, as `report` names its files; an unknown name gives an error that
            lists all names.
        ax, figsize
            As in `gfactor.results.Result.plot`.

        Returns
        -------
        Axes or array of Axes
            The axes drawn on; an array if the figure has several panels.

        Raises
        ------
        ParameterError
            For a figure that these answers do not have.
        """
        from gfactor.reports.pages.plotting import plot  # noqa: PLC0415  (loads what draws)
        from gfactor.reports.pages.result_figures import figures_of_answers  # noqa: PLC0415

        return plot(figures_of_answers(self.responses, self.items), kind, ax, figsize)

    def report(self, folder: Path | str) -> NoReturn:
        """Refuse, with the function that writes the page: it scores the journal by itself.

        Parameters
        ----------
        folder : path
            Folder of the page.

        Raises
        ------
        ParameterError
            Always; the page of scores is `gfactor.report(journal, folder)`.
        """
        raise ParameterError(
            "the page of scores is the report of their journal: "
            f"gf.report({self.journal!r}, {str(folder)!r}), with the options of gf.score"
        )

    def summary(self) -> str:
        """Return a text with diagnostics, then the scores as a whole and by each label, as
        `gfactor score` prints it."""
        return text_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor score --json`."""
        judged = {"judge": asdict(self.judged)} if self.judged else {}
        spent = {"spent": self.spent} if self.spent is not None else {}
        calibrated = {"calibrated": self.calibrated.to_dict()} if self.calibrated else {}
        beside = {"vlmevalkit": self.beside} if self.beside else {}
        notes = [one.to_dict() for one in self.diagnostics]
        changes = {"diagnostics": notes} if notes else {}
        tokens = {"tokens": plain(self.tokens)} if len(self.tokens) else {}
        return {
            "claim": self.claim, "results": self.results, **beside, **judged, **spent, **calibrated,
            **tokens, **changes,
        }  # fmt: skip

    def __repr__(self) -> str:
        table = rounded(self.table, 3).to_string(index=False)
        warned = [str(one)[:_REPR_WIDTH] for one in self.diagnostics if one.severity != "note"]
        return "\n".join([*warned, f"{self.journal}: {len(self.responses):,} responses", table])

    def _repr_html_(self) -> str:
        warned = [f"<p>{escape(str(one))}</p>" for one in self.diagnostics]
        table = self.table.round(3).to_html(index=False)
        return "".join([*warned, f"<p>{escape(self.journal)}</p>{table}"])


def matrix_of(
    journal: Journal,
    scoring: Scoring,
    by: str,
    lenient: bool,
    ratio: bool,
    count: bool,
    where: Mapping[str, Any],
) -> tuple[ScoreMatrix, pd.DataFrame]:
    """Return the score matrix of an open journal, and the scored responses behind it."""
    if count and ratio:
        count_option, ratio_option = option("count"), option("ratio")
        raise ParameterError(
            f"{count_option} counts right answers, and {ratio_option} computes shares of points; "
            "give only one of them"
        )
    table = scoring.table(journal)
    table = with_labels(table, where) if len(table) else table
    if bool(table["missing"].to_numpy(bool).all()):
        raise nothing_counts(journal, table)
    matrix = matrix_of_scored(table, by, lenient=lenient, ratio=ratio)
    return (counted(matrix) if count else matrix), table


_REPR_WIDTH = 300
"""Characters of a warning that the short form of scores has."""


def calibration_given(given: Calibration | Path | str | None) -> Calibration | None:
    """Return a calibration, read from its file if a path is given."""
    if not isinstance(given, Path | str):
        return given
    from gfactor.psychometrics.irt.scales.calibration_files import (  # noqa: PLC0415  (loads IRT models)
        read_calibration,
    )

    return read_calibration(given)


def abilities_on_scale(
    journal: Journal, scoring: Scoring, calibration: Calibration | Path | str
) -> CalibratedScores:
    """Return the abilities of a journal's examinees on the scale of a calibration."""
    from gfactor.api.scales.calibrated import abilities_of  # noqa: PLC0415  (loads IRT models)

    return abilities_of(journal, replace(scoring, judge=None), calibration)


def _keys(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one[name] for name in ("condition", "benchmark", "examinee")}


def _beside(ours: pd.DataFrame, table: pd.DataFrame, items: pd.DataFrame) -> dict[str, Any]:
    """VLMEvalKit's figures of a condition beside those of our own reading, and what differs."""
    figures, rows = compared(ours, table, items), differences(ours, table)
    return {"figures": _records(figures), "differences": _records(rows)}


def _under(table: pd.DataFrame, condition: Any) -> pd.DataFrame:
    return pick(table, table["condition"] == condition)


def _records(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """Rows as dicts, with None if nothing is."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")
