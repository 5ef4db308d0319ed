"""Calibrations of journals: the options, and the responses that they choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from gfactor.administration.adaptive.calibrated import plain_label
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, one_benchmark, scoring_of, with_labels
from gfactor.api.inputs.taking import JournalLike, opened, several
from gfactor.api.scales.irt_data import Counting, ItemResponses, item_responses
from gfactor.api.scales.laboratories import calibrated_together, laboratory_names
from gfactor.api.scales.languages_of_items import CHOICE_OF_ONE
from gfactor.api.scales.response_calibration import calibration_of_responses
from gfactor.api.scales.table_rows import rows_as_respondents, with_columns_aside
from gfactor.benchmarks.chc.family import broad_ability
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items.files import check_writable
from gfactor.items.table_files import read_frame
from gfactor.psychometrics.irt.scales.calibration import By, Calibration
from gfactor.psychometrics.irt.scales.calibration_files import write_calibration, write_calibrations
from gfactor.psychometrics.irt.scales.linking import LinkingMethod
from gfactor.scoring.policies import BENCHMARKS_POLICY


def calibrate(
    journal: JournalLike | Sequence[JournalLike],
    *,
    by: By = "item",
    model: str = "rasch",
    guess: float | str | None = None,
    cells: Sequence[str] = (),
    design: str | None = None,
    cluster: str | None = "family",
    examinee_table: Path | str | None = None,
    benchmark: str | None = None,
    where: Mapping[str, str | float | bool] | None = None,
    counting: Counting = "whole",
    shrink: bool = False,
    link: Calibration | Path | str | None = None,
    link_method: LinkingMethod | None = None,
    population: str | None = None,
    date: str | None = None,
    force: bool = False,
    path: Path | str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> Calibration:
    """Calibrate the items of a journal, or the cells of their design.

    Parameters
    ----------
    journal : Journal or path, or several
        Journal of a run, or its file. Journals of several laboratories are calibrated together: an
        examinee that occurs in two of them counts once, and design cells whose difficulty differs
        between laboratories are named and left out.
    by : {"item", "design"}
        Unit of the calibration: each item by itself, or each cell of the design. A cell gets a
        mean difficulty and the variance of its items around this mean, so new items of the cell
        need no calibration.
    model : str
        Item response model, such as "rasch" or "2pl"; any model of `gfactor.irt` for by="item",
        only "rasch" for by="design".
    guess : float, "format" or None
        Fixed lower asymptote (probability of a right guess, 0 to 1); "format" uses the chance
        level of each item's answer format.
    cells : list of str
        Labels of the items whose combined values define a cell. By default these are the family
        and its radicals for generated items, else domain and size.
    design : str, optional
        Formula for the mean difficulties of cells, such as "~ size + C(domain)". By default each
        cell has a mean of its own.
    cluster : str or None
        Column of examinees that names families of models, such as "family". Models of a family are
        not taken as independent. None takes all examinees as independent, as are the rows of a
        table of answers without such a column.
    examinee_table : path, optional
        Table of examinees' properties, with a row per examinee and its name in the first column.
    benchmark : str, optional
        Benchmark whose items are calibrated; needed if the journal holds several.
    where : dict, optional
        Labels and their values that select items, such as {"language": "en"}.
    counting : {"whole", "points", "lenient"}
        Score of an item: "whole" (1 if it is right as a whole), "points" (partial credit) or
        "lenient" (like "whole", with replies read leniently).
    shrink : bool
        Shrink the parameters of items toward their common mean, by a variance that is estimated
        from the data; for calibrations by item with few respondents.
    link : Calibration or path, optional
        Earlier calibration to whose scale the items are linked, by the items that both have in
        common.
    link_method : str, optional
        Method of linking: "mean-mean", "mean-sigma", "mean-geometric", "haebara" or
        "stocking-lord". By default "mean-mean" for "rasch", "pcm" and "rsm", else "stocking-lord".
    population : str, optional
        Description of the calibrated population, in words.
    date : str, optional
        Date to write into the file. By default the file has no date, so that the same journal
        always gives the same file.
    force : bool
        Calibrate although there are too few respondents for the model. The file then keeps the
        warning.
    path : path, optional
        File to write, by convention NAME.calibration.json.
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
    Calibration
        `table` (a row per item or cell), `covariance` (of the estimates), `diagnostics`,
        `information(theta)` and `probabilities(theta)`.

    Raises
    ------
    ParameterError
        If the answers in the journal are not enough for the calibration; the message says why.

    References
    ----------
    Glas, C. A. W., van der Linden, W. J. (2003). Computerized adaptive testing with item cloning.
    Applied Psychological Measurement 27, 247-261.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[2, 6], path="pv.parquet")
    >>> who = [f"observer:limited?acuity=0.{a}&capacity={a}&seed={a}" for a in (1, 2, 3, 4)]
    >>> known = gf.calibrate(gf.run(bank, who, journal="c.db"), by="design")
    >>> known.table["entry"].to_list()
    ['domain=counting_circles,size=2', 'domain=counting_circles,size=6']
    >>> gf.score("c.db", calibration=known).abilities["n"].to_list()
    [20, 20, 20, 20]
    """
    if path is not None:
        check_writable(Path(path))
    scoring = scoring_of(examinees, condition, judge, policy, reach)
    choice = (examinee_table, benchmark, where or {}, cluster)
    parts, digests = _laboratories(journal, scoring, counting, choice)

    def make(responses: ItemResponses) -> Calibration:
        return calibration_of_responses(
            responses, scoring, digests, by=by, model=model, guess=guess, cells=cells,
            design=design, cluster=cluster, counting=counting, shrink=shrink, link=link,
            link_method=link_method, population=population, date=date, force=force,
        )  # fmt: skip

    calibration = calibrated_together(parts, make, by, cells)
    if path is not None:
        write_calibration(calibration, path)
    return calibration


def calibrate_each(
    journal: JournalLike | Sequence[JournalLike],
    each: str,
    *,
    by: By = "design",
    model: str = "rasch",
    guess: float | str | None = "format",
    cells: Sequence[str] = (),
    design: str | None = None,
    cluster: str | None = "family",
    examinee_table: Path | str | None = None,
    benchmark: str | None = None,
    where: Mapping[str, str | float | bool] | None = None,
    counting: Counting = "whole",
    shrink: bool = False,
    link: Calibration | Path | str | None = None,
    link_method: LinkingMethod | None = None,
    population: str | None = None,
    date: str | None = None,
    force: bool = False,
    path: Path | str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> dict[str, Calibration]:
    """Calibrate the items of each value of a label separately, such as the items of each ability.

    Parameters
    ----------
    journal : Journal or path, or several
        Journal of a run, or its file; or journals of several laboratories, as in `calibrate`.
    each : str
        Label of the items; each of its values gets a calibration. "ability" stands for the broad
        ability: items of Gf-I and Gf-RQ belong to Gf.
    by : {"design", "item"}
        Unit of the calibration, as in `calibrate`.
    model : str
        Model of the items, as in `calibrate`.
    guess : float, "format" or None
        Lower asymptote, as in `calibrate`.
    cells : list of str
        Labels that form cells, as in `calibrate`.
    design : str, optional
        Formula of the cell means, as in `calibrate`.
    cluster : str or None
        Column of examinees with families of models that are not independent, as in `calibrate`.
    examinee_table : path, optional
        Table of examinees' properties, as in `calibrate`.
    benchmark : str, optional
        Benchmark whose items are calibrated, as in `calibrate`.
    where : dict, optional
        Values of labels that select items, as in `calibrate`.
    counting : str
        Score of an item, as in `calibrate`.
    shrink : bool
        Shrink parameters toward their common mean, as in `calibrate`.
    link : Calibration or path, optional
        Not possible here: only a single calibration can be linked (`calibrate`).
    link_method : str, optional
        Method of linking, as in `calibrate`.
    population : str, optional
        Description of the calibrated population, in words.
    date : str, optional
        Date of the calibration, as in `calibrate`.
    force : bool
        Calibrate in spite of too few respondents, as in `calibrate`.
    path : path, optional
        Folder to write, with a file for each value: Gf.json, Gv.json ...
    examinees : list of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition whose answers count, as in `score`.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    dict of str to Calibration
        The calibration of each value of the label.

    Raises
    ------
    UnknownNameError
        If no item has the label.
    ParameterError
        If the answers in the journal are not enough for one of the calibrations; the message says
        why.

    Examples
    --------
    >>> import gfactor as gf
    >>> names = ["number_series", "running_span"]
    >>> bank = gf.build("chc", families=names, cells="main", per_cell=2, path="chc.parquet")
    >>> who = [f"observer:limited?acuity=0.{k}&capacity={k}&seed={k}" for k in range(2, 10)]
    >>> known = gf.calibrate_each(gf.run(bank, who, journal="c.db"), "ability")
    >>> {ability: len(one.entries) for ability, one in known.items()}
    {'Gf': 2, 'Gwm': 4}
    """
    if link is not None:
        raise ParameterError("a calibration of each value cannot be linked; calibrate one of them")
    scoring = scoring_of(examinees, condition, judge, policy, reach)
    choice = (examinee_table, benchmark, where or {}, cluster)
    parts, digests = _laboratories(journal, scoring, counting, choice)

    def make(responses: ItemResponses) -> Calibration:
        return calibration_of_responses(
            responses, scoring, digests, by=by, model=model, guess=guess,
            cells=cells, design=design, cluster=cluster, counting=counting, shrink=shrink,
            link=None, link_method=link_method, population=population, date=date, force=force,
        )  # fmt: skip

    values = {name: parts_of(part.items, each) for name, part in parts.items()}
    calibrations = {}
    for value in sorted({value for names in values.values() for value in names}):
        having = {
            name: part.of_items(values[name][value])
            for name, part in parts.items() if value in values[name]
        }  # fmt: skip
        calibration = calibrated_together(having, make, by, cells)
        calibrations[value] = replace(calibration, about={**calibration.about, "ability": value})
    if path is not None:
        write_calibrations(calibrations, path)
    return calibrations


def parts_of(items: pd.DataFrame, each: str) -> dict[str, list[str]]:
    """Return the items of every value of a label, sorted. Of `ability` the values are broad
    abilities: Gf-I and Gf-RQ are Gf.

    Raises UnknownNameError for a label that items do not have, ParameterError if one lacks it.
    """
    if each not in items:
        raise UnknownNameError("label", each, items.columns)
    lacking = items.index[items[each].isna().to_numpy()]
    if len(lacking):
        raise ParameterError(f"item {lacking[0]!r} has no label {each!r}; leave such items out")
    parts: dict[str, list[str]] = {}
    for name, value in zip(map(str, items.index), items[each], strict=True):
        text = str(plain_label(value))
        parts.setdefault(broad_ability(text) if each == "ability" else text, []).append(name)
    return dict(sorted(parts.items()))


def _laboratories(
    journals: JournalLike | Sequence[JournalLike], scoring: Scoring, counting: Counting,
    choice: tuple[Path | str | None, str | None, Mapping[str, Any], str | None],
) -> tuple[dict[str, ItemResponses], list[str]]:  # fmt: skip
    """The responses of every journal by the name of its laboratory, and the digests of banks."""
    given = several(journals)
    if not given:
        raise ParameterError("a calibration needs a journal")
    every = [_responses(one, scoring, counting, *choice) for one in given]
    parts = dict(zip(laboratory_names(given), (one for one, _ in every), strict=True))
    return parts, sorted({digest for _, digests in every for digest in digests})


def _responses(
    journal: JournalLike, scoring: Scoring, counting: Counting, table: Path | str | None,
    benchmark: str | None, where: Mapping[str, Any], cluster: str | None,
) -> tuple[ItemResponses, list[str]]:  # fmt: skip
    """The responses of a journal, and the digests of the banks that were asked."""

    def chosen(rows: pd.DataFrame) -> pd.DataFrame:
        rows = one_benchmark(rows, benchmark)
        return with_labels(rows, where) if len(rows) else rows

    items, others = with_columns_aside(journal, cluster)
    with opened(items) as open_journal:
        responses = item_responses(
            open_journal, scoring, counting=counting, choose=chosen, one_language=CHOICE_OF_ONE,
        )  # fmt: skip
        campaigns = open_journal.meta()["campaigns"]
    digests = sorted({str(campaign["digest"]) for campaign in campaigns})
    if others is not None:
        responses = rows_as_respondents(responses, others)
    if table is None:
        return responses, digests
    frame = read_frame(table)
    named = frame.set_index(frame.columns[0]).rename(index=str)
    return responses.with_table(named, str(table)), digests
