"""Comparison of examinees on the same items, with their possible ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.storing.deviations import run_deviations
from gfactor.api.comparisons.comparison_texts import text_of
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, scoring_of
from gfactor.api.inputs.taking import BankLike, JournalLike, opened
from gfactor.api.scores.answer_warnings import (
    chosen_items,
    fewer_items,
    unread_replies,
    with_answers,
)
from gfactor.api.scores.compared_runs import (
    Compared,
    ComparedQuestion,
    adjusted_together,
    by_benchmark,
    compare_runs,
    ordered_runs,
    with_runs,
)
from gfactor.api.scores.item_versions import several_contents
from gfactor.api.scores.linked_runs import linked_rows
from gfactor.errors import ParameterError
from gfactor.frames import pick, row_tuples
from gfactor.parameters import Level
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.results import Result, number_of, shown
from gfactor.scoring import by_label, with_chance
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.unread import unread_shares


def compare(
    journal: JournalLike,
    *,
    by: str | None = None,
    claim: str | None = None,
    domain_label: str = DOMAIN,
    benchmark: str | None = None,
    over_benchmarks: bool = False,
    cluster: str | None = None,
    level: Level = 0.95,
    lenient: bool = False,
    ratio: bool = False,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    bank: BankLike | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> Comparison:
    """Compare examinees, each pair on the items that both answered, one benchmark at a time.

    For every pair, the table has the difference of the means with its interval and p value. Two
    further p values are adjusted for the number of pairs: `p_holm`, which the rank sets use, and
    `p_fdr`, for looking through the table for differences. The rank set of an examinee holds all
    ranks that are compatible with its differences. Failed attempts are missing values and are left
    out. If all examinees answered under all conditions of a journal, or `examinees` names some,
    they are compared under each condition; otherwise one has to be chosen. The rank sets under the
    other claim stand beside the chosen ones. If no common items link all examinees, the largest
    group that they link is ranked, and a warning names the others.

    Parameters
    ----------
    journal : Journal or path
        Journal of a run, or its file.
    by : str, optional
        Label of the items, such as "domain", "size" or "skill". Examinees are also compared within
        each of its values.
    claim : {"same-domains", "other-domains", "these-items"}, optional
        Population that the differences generalize to: other items of the same domains (the
        default), other domains, or these items alone (which needs several occasions).
    domain_label : str
        Label of the items whose values are their domains (default "domain").
    benchmark : str, optional
        Benchmark on which examinees are compared. By default they are compared on each benchmark
        of the journal separately.
    over_benchmarks : bool
        Compare one mean over all benchmarks, on the items that all examinees answered.
    cluster : str, optional
        Older way to state the claim; use `claim` instead. The name of a label means
        "other-domains", with the label's values as domains; "unit" means "same-domains" without
        domains; "none" treats items as independent.
    level : float
        Confidence level of intervals, rank sets and decisions, between 0 and 1 (default 0.95).
    lenient : bool
        Read the answers in replies leniently, instead of by the benchmark's own rule.
    ratio : bool
        Compare the shares of points earned (partial credit), instead of the shares of items that
        are right as a whole.
    examinees : list of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition whose answers count. Needed if some examinees lack answers under some conditions,
        unless `examinees` names those to compare.
    bank : ItemBank or path, optional
        Bank whose items count, as in `score`.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    Comparison
        `differences` (a DataFrame with each pair, its difference, interval and adjusted p values)
        and `ranks` (each examinee with its rank set); `tables["differences_by_LABEL"]` has the
        differences within each value of the label `by`.

    Raises
    ------
    ParameterError
        If there are fewer than two examinees, options contradict each other, the level is not
        between 0 and 1, or the journal has too few items, domains or occasions for the claim.
    UnknownNameError
        For an unknown label, claim or benchmark.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6, 65-70.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> comparison = gf.compare(journal)
    >>> comparison.differences[["first", "second", "n"]]
                first             second   n
    0  observer:ideal  baseline:constant  20
    >>> comparison.generalizes_to["percept-v"]
    'generalizes to other items of this kind'
    """
    if lenient and ratio:
        lenient_option = option("lenient")
        raise ParameterError(
            f"points are given by the benchmark's own rule; leave out {lenient_option}"
        )
    with opened(journal) as open_journal:
        scoring = scoring_of(examinees, condition, judge, policy, reach, bank)
        question = ComparedQuestion.of(
            claim, domain_label, cluster, benchmark, over_benchmarks, level
        )
        return Comparison.of(open_journal, scoring, by, question, lenient, ratio)


def _require_comparable_conditions(table: pd.DataFrame, *, named: bool) -> None:
    """Raise ParameterError, which lists the conditions, if examinees differ in them."""
    runs = set(row_tuples(table, ("examinee", "condition")))
    examinees = {who for who, _ in runs}
    conditions = sorted({condition for _, condition in runs})
    if named or len(runs) == len(examinees) * len(conditions):
        return
    numbers = Counter(condition for _, condition in runs)
    counts = [f"{one}: {number_of(numbers[one], 'examinee')}" for one in conditions]
    raise ParameterError(
        f"the journal holds {len(conditions)} conditions ({'; '.join(counts)}), which are "
        "different measurements, and not every examinee answered under each; choose one with "
        f"{option('condition')}, or name with {option('examinees')} those that are to be compared "
        "under all of theirs"
    )


_MANY_PEOPLE = 10
"""People from which on a comparison says that a report takes them as a group."""


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Examinees compared pair by pair, on each benchmark separately.

    Parameters
    ----------
    wholes: comparison on all items of each benchmark, by its name; or the comparison of a mean
        over benchmarks.
    within: comparisons by benchmark, then by value of the label `by`; empty if no label was given.
    question: the claim, and the domains that it uses.
    lenient, ratio: way of scoring the answers.
    left_out: benchmarks that fewer than two answered.
    notes: findings about runs that were not answered as requested, or have fewer items than
        others.
    journal: name of the journal, for the text.
    """

    wholes: Mapping[str, Compared]
    within: Mapping[str, Mapping[str, Compared]]
    by: str | None
    question: ComparedQuestion
    lenient: bool
    ratio: bool
    left_out: tuple[str, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    journal: str = ""

    @classmethod
    def of(
        cls,
        journal: Journal,
        scoring: Scoring,
        by: str | None,
        question: ComparedQuestion,
        lenient: bool,
        ratio: bool,
    ) -> Comparison:
        """Compare the examinees of an open journal."""
        reading = "points" if ratio else "correct_lenient" if lenient else "correct"
        items = journal.items()
        table = scoring.table(journal)
        _require_comparable_conditions(table, named=bool(scoring.names))
        table = with_runs(with_chance(table, items), reading)
        wholes, parts, left_out = {}, {}, []
        unanswered: list[Diagnostic] = []
        unlinked: list[str] = []
        for name, every in by_benchmark(table, question):
            answered, none = with_answers(every)
            rows, apart = linked_rows(answered, name)
            unanswered += [*none, *apart]
            if apart and rows.empty:
                unlinked.append(name)
                continue
            runs = ordered_runs(rows)
            if len(runs) < 2:
                left_out.append(name)
                continue
            wholes[name] = compare_runs(rows, runs, question)
            groups = by_label(rows, by) if by else {}
            of_values = {
                str(value): compare_runs(part, runs, question, within=True)
                for value, part in groups.items()
            }
            parts[name] = dict(zip(of_values, adjusted_together(of_values.values()), strict=True))
        if not wholes and unlinked:
            raise ParameterError(
                f"no two examinees answered the same item of {' or '.join(unlinked)}, and a "
                "comparison needs two on the same items; if the items are the same, make ids and "
                "texts equal in all files, and import again"
            )
        if not wholes:
            raise ParameterError(
                f"each benchmark of the journal ({', '.join(left_out)}) was answered by only one "
                "examinee, and a comparison needs two on the same items; have a second examinee "
                "answer one of the benchmarks, into the same journal (gfactor run)"
            )
        fewer = (
            replace(one, remedy=_FEWER_ITEMS) for one in fewer_items(table)
            if one.code == "fewer_items"
        )  # fmt: skip
        notes = (
            *unread_replies(table, items, journal=journal),
            *unread_shares(table, items, journal.name),
            *chosen_items(journal, table),
            *several_contents(pick(table, ~table["missing"].to_numpy(bool))),
            *unanswered,
            *run_deviations(journal, set(table["examinee"])),
            *fewer,
        )
        return cls(
            wholes, parts, by, question, lenient, ratio, tuple(left_out), notes, journal.name
        )

    def drawers(self) -> Mapping[str, Any]:
        """Return the functions that draw the figures of `plot`: rank sets and differences of each
        benchmark. For two examinees the difference comes first, because it says more than two
        ranks."""
        # Loads Matplotlib, which a comparison does not need.
        from gfactor.reports.drawing.interval_figures import (  # noqa: PLC0415
            difference_figures,
            rank_figures,
        )

        every, names = list(self.wholes.values()), list(self.wholes)
        ranks = rank_figures(*(one.ranks for one in every), names=names)
        orders = [[str(run) for run in one.ranks.table.index] for one in every]
        pairs = difference_figures(*(one.differences for one in every), orders=orders, names=names)
        only_pairs = all(len(order) == 2 for order in orders)
        return {**pairs, **ranks} if only_pairs else {**ranks, **pairs}

    def sentences(self) -> Iterator[str]:
        """Return the sentences of `paragraph`, one benchmark after the other."""
        # Loads what writes all paragraphs, which a comparison does not need.
        from gfactor.reports.paragraphs.examinees import (  # noqa: PLC0415
            sentences_on_examinees,
        )

        reading = "lenient" if self.lenient else "strict"
        for name, whole in self.wholes.items():
            yield from sentences_on_examinees(
                whole.differences, whole.ranks, whole.missing, who=whole.who, benchmark=name,
                reading=reading, claim=whole.words,
            )  # fmt: skip

    @property
    def whole(self) -> Compared:
        """The comparison of the only benchmark; ParameterError if there are several."""
        if len(self.wholes) > 1:
            raise ParameterError(
                f"the comparison holds {len(self.wholes)} benchmarks ({', '.join(self.wholes)}), "
                "each compared by itself; choose one with --benchmark (in Python: benchmark=...)"
            )
        return next(iter(self.wholes.values()))

    @property
    def parts(self) -> Mapping[str, Compared]:
        """The comparisons within every value of `by`, of the only benchmark; ParameterError if
        there are several."""
        assert self.whole
        return next(iter(self.within.values()))

    @property
    def compared_examinees(self) -> tuple[str, ...]:
        """Return the examinees that are compared, without their conditions."""
        runs = [str(run) for whole in self.wholes.values() for run in whole.ranks.table.index]
        return tuple(dict.fromkeys(run.partition(" | ")[0] for run in runs))

    @property
    def claim(self) -> str | None:
        """Return the claim, which names the population that the differences generalize to; None if
        each item is taken by itself."""
        return self.question.claim

    @property
    def generalizes_to(self) -> dict[str, str]:
        """The claim in words, by benchmark."""
        return {name: whole.words for name, whole in self.wholes.items()}

    @property
    def differences(self) -> pd.DataFrame:
        """A row per pair: `first`, `second`, their means, `estimate` (of the difference) with
        `ci_lower`, `ci_upper`, `se`, `p`, `p_holm` (adjusted over both directions of the pairs of
        a benchmark or value of `by`), `p_fdr` (adjusted over all pairs), `effect`, `n`, and
        numbers of items that were left out. `benchmark` is the first column if there are
        several."""
        return self._together(lambda whole: whole.differences.table.rename(columns=_ENDS))

    @property
    def ranks(self) -> pd.DataFrame:
        """Table with a row per examinee, the best first: `mean`, `n`, `rank`, `best`, `worst`.

        `best` to `worst` is the rank set. `benchmark` is the first column if there are several."""
        return self._together(lambda whole: whole.ranks.table)

    def _together(self, table: Callable[[Compared], pd.DataFrame]) -> pd.DataFrame:
        if len(self.wholes) == 1:
            return table(self.whole)
        named = [
            table(whole).reset_index().assign(benchmark=name) for name, whole in self.wholes.items()
        ]
        frame = pd.concat(named, ignore_index=True).drop(columns="index", errors="ignore")
        return pick(frame, ["benchmark", *(c for c in frame if c != "benchmark")])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return diagnostics of differences and rank sets, and of answers that were left out."""
        both = [
            note
            for whole in self.wholes.values()
            for note in (*whole.differences.diagnostics, *whole.ranks.diagnostics)
        ]
        both += self.notes
        if self.left_out:
            both.append(
                Diagnostic(
                    "answered_by_one",
                    "note",
                    f"{', '.join(self.left_out)}: answered by one examinee, so not compared.",
                    "Run another on the same bank.",
                )
            )
        pairs = self.differences
        people = {who for who in (*pairs["first"], *pairs["second"]) if who.startswith("person:")}
        if len(people) >= _MANY_PEOPLE:
            both.append(
                Diagnostic(
                    "many_people",
                    "note",
                    f"{len(people)} of the examinees are people, who are compared one by one.",
                    "Take gfactor report for people as a group, or name examinees to compare.",
                )
            )
        if self.question.note:
            message = f"{self.question.note[0].upper()}{self.question.note[1:]}."
            both.append(Diagnostic("older_option", "note", message, "Use claim instead."))
        return by_severity(one for k, one in enumerate(both) if one not in both[:k])

    @property
    def title(self) -> str:
        """Return the best examinees, and the number of pairs that differ."""
        if len(self.wholes) == 1:
            return f"{self.whole.differences.title}; {self.whole.words}"
        return "; ".join(f"{n}: {w.differences.title}" for n, w in self.wholes.items())

    @property
    def facts(self) -> Mapping[str, Any]:
        """Return the journal, the compared runs and the claim."""
        return {
            "journal": self.journal, "pairs": len(self.differences),
            "reading": "lenient" if self.lenient else "strict", "claim": self.claim,
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Return the tables `ranks` and `differences`, and with a label `by` also
        `differences_by_LABEL`."""
        tables = {"ranks": self.ranks, "differences": self.differences}
        if self.by and (parts := [*self._differences_within()]):
            tables[f"differences_by_{self.by}"] = pd.concat(parts, ignore_index=True)
        return tables

    def _differences_within(self) -> Iterator[pd.DataFrame]:
        """Yield the differences within each value of the label `by`, with the value in a column of
        the label's name; `benchmark` is the first column if there are several."""
        for name, parts in self.within.items():
            for value, part in parts.items():
                table = part.differences.table.rename(columns=_ENDS).reset_index(drop=True)
                table.insert(0, str(self.by), value, allow_duplicates=True)
                if len(self.within) > 1:
                    table.insert(0, "benchmark", name, allow_duplicates=True)
                yield table

    def _document(self) -> Mapping[str, Any]:
        """Return the document of `gfactor compare --json`."""
        documents = {name: whole.to_dict() for name, whole in self.wholes.items()}
        first = next(iter(documents.values()))
        settings = {k: v for k, v in first.items() if k not in ("differences", "ranks", "words")}
        return {
            "reading": "lenient" if self.lenient else "strict",
            "ratio": self.ratio,
            "claim": self.claim,
            "generalizes_to": self.generalizes_to,
            "cluster": self.question.cluster,
            **settings,
            **_flat(documents),
            "left_out": list(self.left_out),
            "diagnostics": self.diagnostics,
            **({"by": self.by, "parts": self._parts()} if self.by else {}),
        }

    def _parts(self) -> dict[str, Any]:
        """Return the rows of all benchmarks that have the label, by its value."""
        by_value: dict[str, dict[str, Any]] = {}
        for name, parts in self.within.items():
            for value, part in parts.items():
                by_value.setdefault(value, {})[name] = part.to_dict()
        return {value: _flat(documents) for value, documents in by_value.items()}

    def _lines(self) -> list[str]:
        return [text_of(self)]

    def _head(self) -> list[str]:
        rows = self.differences.head(_PAIRS_SHOWN).to_dict("records")
        lines = [
            f"  {row['first']} - {row['second']}: {shown(row['estimate'])} "
            f"[{shown(row['ci_lower'])}, {shown(row['ci_upper'])}]" for row in rows
        ]  # fmt: skip
        left = len(self.differences) - len(rows)
        return [*lines, *([f"  and {left:,} more pairs in .differences"] if left else [])]


_FEWER_ITEMS = "Order, ranks and differences rest on the items that both of a pair answered."

_PAIRS_SHOWN = 5
"""Pairs whose difference the short form of a comparison has."""

_ENDS = {"low": "ci_lower", "high": "ci_upper"}


def _flat(documents: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The rows of all benchmarks, each with the name of its own."""
    return {
        kind: [{"benchmark": name, **row} for name, one in documents.items() for row in one[kind]]
        for kind in ("differences", "ranks")
    }
