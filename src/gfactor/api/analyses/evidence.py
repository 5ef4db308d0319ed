"""Generalizability analysis of a journal: examinees, items, occasions and conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.storing.opening import is_journal
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, one_benchmark, scoring_of
from gfactor.api.inputs.table_selection import EVERYTHING, item_scores
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.errors import ParameterError
from gfactor.items.table_files import read_frame
from gfactor.parameters import Level, Seed
from gfactor.psychometrics.generalizability import Generalizability
from gfactor.psychometrics.generalizability import gtheory as estimated
from gfactor.psychometrics.generalizability.study import Estimator
from gfactor.reports.pages.of_results import write_generalizability
from gfactor.reports.writing.report_folder import Written
from gfactor.scoring.judging import judges
from gfactor.scoring.policies import BENCHMARKS_POLICY


@dataclass(frozen=True, repr=False)
class DesignStudy(Generalizability):
    """Variance components, coefficients of other designs, and the dependability of a cut score.

    Parameters
    ----------
    designs : DataFrame, optional
        Other designs that were tried, with their coefficients (`d_study`).
    cut : float, optional
        Cut score whose dependability is reported.
    """

    designs: pd.DataFrame | None = None
    cut: float | None = None

    def _document(self) -> Mapping[str, Any]:
        document = {**super()._document()}
        if self.designs is not None:
            document["d_study"] = self.designs
        if self.cut is not None:
            document["phi_lambda"] = {"cut": self.cut, "estimate": self.phi_lambda(self.cut)}
        return document

    def _lines(self) -> list[str]:
        lines = super()._lines()
        if self.designs is not None:
            lines += ["", "d study", self.designs.to_string(index=False, float_format="%.3f")]
        if self.cut is not None:
            lines += ["", f"Phi({self.cut:g})  {self.phi_lambda(self.cut):.3f}"]
        return lines

    def report(self, folder: Path | str) -> Written:
        """Write the page, with the designs and the cut."""
        return write_generalizability(self, folder, self.designs, self.cut)


_ALIASES = {"item": "item_id"}
"""Words for facets, and the columns of a scored table that hold them."""


def gtheory(
    data: JournalLike,
    *,
    facets: Sequence[str],
    object: str = "examinee",
    value: str | None = None,
    nested: Mapping[str, str] | None = None,
    omit: Sequence[str] = (),
    estimator: Estimator = "auto",
    grid: Mapping[str, Sequence[float]] | None = None,
    fixed: Sequence[str] = (),
    cut: float | None = None,
    level: Level = 0.95,
    seed: Seed = 0,
    benchmark: str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> DesignStudy:
    """Estimate variance components of scores: object of measurement, facets and their interactions.

    Parameters
    ----------
    data : DataFrame, Journal or path
        Long table with a row per score; or a journal, or a table of right and wrong answers with a
        row per examinee. A journal offers these facets: "item", "occasion", "condition", a
        parameter of conditions (`cot`, `temperature`), a label of the items (`domain`, `language`,
        `template`), and "judge" (every judge whose verdicts the journal holds scores all answers).
    facets : sequence of str
        Facets of the design: columns of the table, or facets of the journal.
    object : str
        Object of measurement: a column of the table; by default the examinee.
    value : str, optional
        Column of the scores, by default "score". For a journal "points" (share of an item's points
        earned, the default), "correct" or "correct_lenient" (read leniently).
    nested : mapping of facet to facet, optional
        Nested facets: facet A by the facet B in which it is nested, if A has other levels within
        each level of B (items within templates: item:template).
    omit : sequence of str
        Names of effects whose variance is assumed to be 0, such as "examinee x occasion".
    estimator : {"auto", "anova", "reml", "logistic"}
        Estimator of the variance components: "anova" (mean squares), "reml" (restricted maximum
        likelihood) or "logistic" (for right and wrong answers). "auto" uses mean squares for
        complete data, else REML.
    grid : mapping of facet to sequence of float, optional
        Numbers of conditions of a facet for which coefficients are computed: item=50,100,200.
    fixed : sequence of str
        Fixed facets: their conditions are all that exist, not a sample of a larger population.
    cut : float, optional
        Cut score, in the unit of the scores, for which the dependability Phi(lambda) is also
        reported.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the random draws by which intervals are computed.
    benchmark : str, optional
        Benchmark of the journal whose answers count; needed if it has several, unless benchmarks
        are a facet.
    examinees : sequence of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition of the journal whose answers count; needed if it has several, unless conditions
        are a facet.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    DesignStudy
        `components` (variance components), `coefficients(sizes)` (for numbers of conditions),
        `d_study(grid)` (a table for several), `phi_lambda(cut)` and `diagnostics`.

    Raises
    ------
    ParameterError
        If a facet is unknown, or the effects of the design cannot be estimated from the data.

    References
    ----------
    Brennan, R. L. (2001). Generalizability Theory. Springer.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[2, 6], path="pv.parquet")
    >>> who = [f"observer:limited?acuity=0.{a}&capacity={a}&seed={a}" for a in (1, 2, 3, 4)]
    >>> journal = gf.run(bank, who, journal="c.db", occasions=2)
    >>> study = gf.gtheory(journal, facets=["item", "occasion"])
    >>> sorted(study.components.index)[:3]
    ['examinee', 'examinee x item', 'examinee x item x occasion']
    """
    table = _table(data)
    if table is not None and not {object, *facets, value or "score"} & set(map(str, table)):
        # A row per examinee and a column per item.
        of_file = isinstance(data, Path | str)
        data = (
            item_scores(EVERYTHING.of(table, str(data)), Path(str(data)), EVERYTHING)
            if of_file
            else table
        )
        table = None
    if table is None:
        with opened(data) as journal:
            scoring = scoring_of(examinees, condition, judge, policy, reach)
            table = facet_table(
                journal, scoring, [object, *facets], value or "points", benchmark
            )  # fmt: skip
        value = "score"
    else:
        of_journal = {"examinees": examinees, "condition": condition, "judge": judge, **reach,
                      "benchmark": benchmark, "policy": policy != BENCHMARKS_POLICY}  # fmt: skip
        for name in (name for name, given in of_journal.items() if given):
            if name == "score":
                raise ParameterError("score is no option; name the column of the scores with value")
            what = "the data" if isinstance(data, pd.DataFrame) else repr(str(data))
            raise ParameterError(
                f"{option(name)} is for a journal; {what} is a table, so choose its rows"
            )
    study = estimated(
        table,
        object=object,
        facets=facets,
        value=value or "score",
        nested=nested,
        omit=omit,
        estimator=estimator,
        level=level,
        seed=seed,
    )
    tried = study.d_study(grid, fixed=fixed) if grid else None
    return DesignStudy(**vars(study), designs=tried, cut=cut)


def _table(data: JournalLike) -> pd.DataFrame | None:
    """Return a table, or the table in a file; None for a journal."""
    if isinstance(data, Path | str):
        is_table = not is_journal(data) and not Path(data).is_dir()
        return read_frame(Path(data)) if is_table else None
    return data if isinstance(data, pd.DataFrame) else None


def facet_table(
    journal: Journal,
    scoring: Scoring,
    facets: Sequence[str],
    value: str,
    benchmark: str | None = None,
) -> pd.DataFrame:
    """Return a journal as a long table with the named facets and `score`; rows without a score are
    left out.

    ParameterError if a facet or value is unknown, if several benchmarks would be pooled, or
    if several answers fall into one cell because a facet that varies was left out.
    """
    rows = _of_every_judge(journal, scoring) if "judge" in facets else scoring.table(journal)
    if benchmark is not None or "benchmark" not in facets:
        rows = one_benchmark(rows, benchmark)
    values = {
        "points": rows["points"] / rows["points_possible"],
        "correct": rows["correct"],
        "correct_lenient": rows["correct_lenient"],
    }
    if value not in values:
        raise ParameterError(f"a journal's scores are {', '.join(values)}; got {value!r}")
    parameters = pd.DataFrame([_parameters(text) for text in rows["condition"]], index=rows.index)
    columns: dict[str, Any] = {}
    for facet in facets:
        name = _ALIASES.get(facet, facet)
        if name in rows.columns:
            columns[facet] = rows[name]
        elif facet in parameters.columns:
            columns[facet] = parameters[facet].fillna("default")
        else:
            available = ["item", "occasion", "condition", *parameters.columns]
            raise ParameterError(
                f"facet {facet!r} is not in the journal; it has {', '.join(available)}, and the "
                "items' labels"
            )
    table = pd.DataFrame({**columns, "score": values[value].astype(float)}).dropna()
    repeated = table.duplicated(list(facets)).to_numpy()
    if repeated.any():
        left = [
            name
            for name in ("item_id", "occasion", "condition")
            if len(set(rows[name].tolist())) > 1
            and name not in {_ALIASES.get(f, f) for f in facets}
        ]
        if left and "item_id" not in left:
            raise ParameterError(
                f"{int(repeated.sum()):,} of {len(table):,} answers share their "
                f"{' x '.join(facets)} with another answer, as items were answered under more than "
                f"one {' and '.join(left)}; name {' and '.join(left)} among the facets too"
            )
    return table


def _of_every_judge(journal: Journal, scoring: Scoring) -> pd.DataFrame:
    """Return the answers, scored by each judge of the journal, with a column `judge`."""
    if scoring.judge:
        raise ParameterError(
            "the facet judge uses all judges of the journal; leave out the option judge"
        )
    names = judges(journal)
    if len(names) < 2:
        raise ParameterError(
            "the facet judge needs the verdicts of at least two judges, and the journal has those "
            f"of {len(names)}; ask them with gfactor score --judge SPEC"
        )
    tables = [replace(scoring, judge_name=name).table(journal) for name in names]
    return pd.concat(
        [table.assign(judge=name) for table, name in zip(tables, names, strict=True)],
        ignore_index=True,
    )


def _parameters(condition: str) -> dict[str, str]:
    """The parameters of a condition's key: "cot=on,temperature=0"."""
    pairs = (part.partition("=") for part in condition.split(",") if "=" in part)
    return {name: value for name, _, value in pairs}
