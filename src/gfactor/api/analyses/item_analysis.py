"""An item response model of a journal or a table, with everything that is looked at beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from gfactor.administration.storing.opening import is_journal
from gfactor.api.analyses.irt_files import (
    arguments,
    columns_named,
    guesses,
    read_items,
    read_journal,
    read_matrix,
    read_options,
    refuse_selection,
)
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.group_values import chosen_groups
from gfactor.api.inputs.progress_bars import climbs, counter, ticks
from gfactor.api.inputs.scoring import Scoring
from gfactor.api.inputs.table_selection import TableSelection
from gfactor.api.scales.irt_data import Counting, ItemResponses, broken_replies
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.listing import first_few
from gfactor.numbers_in_text import p_value, printed
from gfactor.parameters import PredictiveDraws, Seed, Simulations
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import ALL_BENCHMARKS
from gfactor.psychometrics.irt import MODELS, IRTFit, fit_irt
from gfactor.psychometrics.irt.checks.brokenitems import (
    BrokenItems,
    affordable_simulations,
    broken_items,
)
from gfactor.psychometrics.irt.checks.comparison import IRTComparison, compare_irt_fits
from gfactor.psychometrics.irt.checks.differential import DIF, two_groups
from gfactor.psychometrics.irt.checks.differential import dif as dif_tests
from gfactor.psychometrics.irt.checks.itemfit import person_fit_sentence, worst_items
from gfactor.psychometrics.irt.checks.observed_differential import METHODS as OBSERVED
from gfactor.psychometrics.irt.checks.observed_differential import observed_dif
from gfactor.psychometrics.irt.checks.predictive import PredictiveCheck, predictive_check
from gfactor.psychometrics.irt.documents import document
from gfactor.psychometrics.irt.models.explanatory import design_matrix, fit_design, fit_slope_design
from gfactor.psychometrics.irt.models.hierarchical import fit_hierarchical
from gfactor.psychometrics.irt.request import named_model
from gfactor.reports.pages.analysis import write_analysis
from gfactor.reports.pages.irt import irt_report
from gfactor.reports.paragraphs import write_paragraph
from gfactor.reports.writing.report_folder import Written
from gfactor.results import Result

_DRAWS = 100
"""Drawn tables of predictive checks that nobody asked for."""


@dataclass(frozen=True)
class Wanted:
    """Analyses that are requested in addition to the model.

    Parameters
    ----------
    guess : str, optional
        Fixed lower asymptote (probability of a right guess, 0 to 1). 'format' uses the chance
        level of each item, from the journal or from the column 'options' or 'chance' of the table
        of items.
    design : str, optional
        Formula that explains difficulties by the items' labels: '~ size + C(domain)'; for the
        model rasch.
    slope_design : str, optional
        Formula that explains the logarithm of discriminations, written as in --design; for the
        model 2pl.
    shrink : bool
        Shrink the parameters of items toward their common mean, by a variance that is estimated
        from the data; for few examinees.
    against : str, optional
        Second model with which the first one is compared on the same responses, by AIC, BIC and a
        test of the smaller model: 2pl, for example, if --model is rasch.
    predictive : int, optional
        Number of random tables for posterior predictive checks; by default 100 if slopes have a
        prior, else 0.
    simulations : int
        Number of simulated tables for the tests of local dependence and outfit; 0 leaves out these
        tests.
    dif : bool
        Test every item for a difference between the two groups of --group (differential item
        functioning, DIF).
    dif_uniform : bool
        With --dif: test differences in difficulty only, with equal slopes (one degree of freedom).
    dif_method : {"lr", "wald", "mantel-haenszel", "logistic"}
        With --dif: method of the test. "lr" is a likelihood ratio test of each item, "wald" tests
        all items in one model (needs --dif-anchors); "mantel-haenszel" and "logistic" compare
        examinees with equal sum scores.
    dif_anchors : list of str, optional
        With --dif: anchor items, which are taken as equal in both groups; by default all other
        items without DIF.
    seed : int
        Seed of the simulations and of the random starting values.
    """

    guess: str | None = None
    design: str | None = None
    slope_design: str | None = None
    shrink: bool = False
    against: str | None = None
    predictive: PredictiveDraws | None = None
    simulations: Simulations = 100
    dif: bool = False
    dif_uniform: bool = False
    dif_method: Literal["lr", "wald", "mantel-haenszel", "logistic"] = "lr"
    dif_anchors: Sequence[str] | None = None
    seed: Seed = 0


@dataclass(frozen=True)
class Source:
    """The journal or table of an item response model, with facts about items and examinees.

    Parameters
    ----------
    data : str
        A journal, or the file of a table.
    scoring : Scoring
        Examinees of a journal that are taken, and how their answers are read.
    selection : TableSelection
        Rows and columns of a table.
    item_table : path, optional
        Table with a row per item and its name in the first column. Not needed for the labels of
        items in a journal.
    examinee_table : path, optional
        Table with a row per examinee of the journal and its name in the first column.
    bank : path, optional
        Bank of the journal's items; the page then shows the pictures of items that do not work.
    benchmark : str, optional
        Benchmark whose items are analyzed, in a journal or in columns BENCHMARK:INDEX; needed if
        there are several. For a table, "all" puts the items of all benchmarks on one scale.
    counting : {"points", "whole", "lenient"}
        Score of an item in a journal: points (partial credit), whole (1 if the item is right as a
        whole) or lenient (like whole, with replies read leniently).
    """

    data: str
    scoring: Scoring
    selection: TableSelection
    item_table: Path | None = None
    examinee_table: Path | None = None
    bank: Path | None = None
    benchmark: str | None = None
    counting: Counting = "points"

    def journal(self, groups: Any) -> ItemResponses | None:
        """Return the responses of a journal; None for a table, to which a journal's options do not
        apply."""
        if is_journal(self.data):
            refuse_selection(self.selection, self.data)
            return read_journal(
                self.data, self.scoring, self.counting, groups, self.examinee_table, self.benchmark
            )
        needless = [
            *self.scoring.named,
            *(["--examinee-table"] if self.examinee_table else []),
            *(["--bank"] if self.bank else []),
            *(["--counting"] if self.counting != "points" else []),
        ]
        if needless:
            raise ParameterError(
                f"{needless[0]} is for a journal; {self.data!r} is a table of scores"
            )
        return None


@dataclass(frozen=True)
class ItemAnalysis:
    """An item response model, with the additional analyses.

    Parameters
    ----------
    source : Source
        The data that were read.
    fit : IRTFit
        The model.
    broken : BrokenItems, optional
        Items that do not work; None for several factors or groups.
    more : mapping of str to Result
        Further results by name: `comparison`, `design`, `slope_design`, `dif`, `predictive`.
    """

    source: Source
    fit: IRTFit
    broken: BrokenItems | None
    more: Mapping[str, Result] = field(default_factory=dict)

    def summary(self) -> str:
        """Return diagnostics first, then the model, broken items, further results and fit, as
        text."""
        broken = self.broken
        diagnostics = [*self.fit.diagnostics, *(broken.diagnostics if broken else ())]
        parts = [replace(self.fit, diagnostics=by_severity(diagnostics)).summary()]
        if broken is not None and len(broken.table):
            table = printed(broken.table, index=False, missing="")
            parts.append(f"broken items\n{table}")
        if broken is not None:
            parts.append(_fit_of_items(self.fit))
        parts += [result.summary() for result in self.more.values()]
        measures = document(self.fit)["fit"]
        if measures["m2"] is not None:
            measures_text = ", ".join(
                f"{measures['statistic'] if k == 'm2' else k} "
                f"{p_value(v) if k == 'p' else f'{v:.3f}'}"
                for k, v in measures.items()
                if isinstance(v, float)
            )
            how = (
                f"{measures['statistic']} with {measures['df']} degrees of freedom, from the "
                f"{measures['n']} of {self.fit.n_persons} persons who answered every item"
            )
            parts.append(f"{how}: {measures_text}")
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as a mapping for strict JSON."""
        more = {name: result.to_dict() for name, result in self.more.items()}
        return {"data": self.source.data, **document(self.fit, self.broken), **more}

    def report(self, folder: Path | str) -> Written:
        """Write the page."""
        bank = None if self.source.bank is None else ItemBank.open(self.source.bank)
        name = Path(self.source.data).name
        report = irt_report(self.fit, self.broken, dict(self.more), data=name, bank=bank)
        written = write_analysis(report, folder)
        write_paragraph(self.fit, folder)
        return written


def _fit_of_items(fit: IRTFit) -> str:
    """Fit of the worst items, and of persons, as text."""
    table, count = worst_items(fit), len(fit.table.items)
    which = f"the worst {len(table)} of {count}" if len(table) < count else "the worst first"
    rows = printed(table, index=False, missing="")
    return f"item fit ({which})\n{rows}\n\n{person_fit_sentence(fit)}"


def analyze_items(
    source: Source, options_file: Path | None, named: Mapping[str, Any], wanted: Wanted
) -> ItemAnalysis:
    """Fit an item response model, and run the additional analyses that are wanted.

    Parameters
    ----------
    source : Source
        The journal or table.
    options_file : path, optional
        More options of `fit_irt`, as JSON.
    named : mapping
        Options of `fit_irt`; groups and clusters are names of columns. None is left out.
    wanted : Wanted
        Analyses that are requested in addition to the model.

    Raises
    ------
    ParameterError
        If the data or options cannot be read, or the model cannot be fitted.
    """
    if "://" not in source.data and not Path(source.data).exists():
        raise ParameterError(f"{source.data!r}: there is no such file")
    options = read_options(options_file)
    if "model" in options:
        options["model"] = named_model(options["model"])
    for name, value in {**named, "model": named_model(named["model"])}.items():
        set_option(options, name, value)
    if "model" not in options:
        raise ParameterError(f"{option('model')} is missing; it is one of {', '.join(MODELS)}")
    chosen = chosen_groups(options)
    journal = source.journal(options.get("groups"))
    facts = None if source.item_table is None else read_items(source.item_table)
    if journal is None:
        frame = read_matrix(Path(source.data), source.selection, columns_named(options))
        frame = frame if chosen is None else frame.loc[chosen.rows(frame)]
    else:
        if chosen is not None:
            journal = journal.of_rows(chosen.rows(journal.columns([chosen.column])))
        frame = journal.columns(columns_named(options))
        facts = journal.items if facts is None else facts.combine_first(journal.items)
    benchmark = source.benchmark if journal is None else ALL_BENCHMARKS  # It was chosen above.
    items, given = arguments(frame, options, source.data, benchmark)
    _check_dif(given, wanted)
    notes = _prepared(journal, given, wanted.guess, items, facts)
    if wanted.design is not None:
        given["design"] = _design(wanted.design, items, facts)
    with counter(0, "irt", "step") as bar:
        fit = (fit_hierarchical if wanted.shrink else fit_irt)(
            data=items, **given, progress=climbs(bar)
        )
    fit = replace(fit, diagnostics=by_severity([*fit.diagnostics, *notes]))
    more: dict[str, Result] = {}
    if wanted.against is not None:
        more["comparison"] = _compared(fit, items, given, wanted)
    if wanted.design is not None:
        more["design"] = fit_design(items, given.pop("design"), **_without_model(given, "rasch"))
    if wanted.slope_design is not None:
        x = _design(wanted.slope_design, items, facts)
        more["slope_design"] = fit_slope_design(items, x, **_without_model(given, "2pl"))
    broken = _broken(fit, wanted.simulations, wanted.seed, journal, source.bank)
    if wanted.dif:
        more["dif"] = _dif(items, given, wanted)
        fit = replace(fit, diagnostics=by_severity([*fit.diagnostics, *_equal_items(more["dif"])]))
    checked = _predictive(fit, wanted.predictive, wanted.seed)
    if checked is not None:
        more["predictive"] = checked
    return ItemAnalysis(source, fit, broken, more)


def set_option(options: dict[str, Any], name: str, value: Any) -> None:
    """Add an option of the command line to those of the file."""
    if value is None:
        return
    if options.get(name, value) != value:
        raise ParameterError(
            f"{name} is {value!r} on the command line and {options[name]!r} in the file of "
            "options; leave one out"
        )
    options[name] = value


def _prepared(
    journal: ItemResponses | None, given: dict[str, Any], guess: str | None, items: pd.DataFrame,
    facts: pd.DataFrame | None,
) -> list[Diagnostic]:  # fmt: skip
    """Complete the arguments from a journal; return the notes about it."""
    if journal is None:
        set_option(given, "guess", guesses(guess, items, facts))
        return []
    diagnostics = list(journal.diagnostics)
    levels = guesses(guess, items, facts)
    if guess == "format":
        _, notes = journal.guessing()
        diagnostics += notes
        levels = {name: 0.0 if level != level else level for name, level in levels.items()}  # noqa: PLR0124
    set_option(given, "guess", levels)
    who = journal.respondents["examinee"]
    if who.duplicated().any() and given.get("clusters") is None:
        given["clusters"] = who
        diagnostics.append(Diagnostic(
            "clusters_of_examinees", "note",
            f"{len(who)} rows are of {who.nunique()} examinees; standard errors are clustered by "
            "examinee.",
            "Give --cluster for larger clusters.",
        ))  # fmt: skip
    return diagnostics


def _compared(
    fit: IRTFit, items: pd.DataFrame, given: Mapping[str, Any], wanted: Wanted
) -> IRTComparison:
    """The model compared with another one of the same responses."""
    if wanted.shrink:
        raise ParameterError(
            "--against does not go with --shrink, because --shrink adds a prior "
            "of the items; leave one out"
        )
    options = {name: value for name, value in given.items() if name != "model"}
    with counter(0, "irt", "step") as bar:
        other = fit_irt(named_model(wanted.against), items, **options, progress=climbs(bar))
    return compare_irt_fits(fit, other)


def _check_dif(given: dict[str, Any], wanted: Wanted) -> None:
    """Refuse tests of items that cannot be made, before models are fitted for minutes."""
    if not wanted.dif:
        if wanted.dif_uniform or wanted.dif_anchors or wanted.dif_method != "lr":
            raise ParameterError("--dif-uniform, --dif-method and --dif-anchors go with --dif")
        return
    if given.get("groups") is None or not isinstance(given["model"], str):
        raise ParameterError("--dif needs --group COLUMN and one --model for all items")
    groups = pd.Series(list(given["groups"]), dtype=str)
    counts = groups.value_counts(sort=False).sort_values(ascending=False, kind="stable")
    column = getattr(given["groups"], "name", None)
    if len(counts) > 2 and column is not None:
        sizes = first_few(f"{name} ({n:,})" for name, n in counts.items())
        raise ParameterError(
            f"DIF compares two groups, and {column!r} has {len(counts)}: {sizes}; "
            "name two, such as --group "
            f"{column}={counts.index[0]},{counts.index[1]}"
        )
    two_groups(list(groups), given.get("reference"))


def _dif(items: pd.DataFrame, given: dict[str, Any], wanted: Wanted) -> DIF:
    """Tests of all items; anchors are purified or named."""
    groups = [str(group) for group in given["groups"]]
    settings: dict[str, Any] = {"reference": given.get("reference"), "uniform": wanted.dif_uniform,
                                "anchors": wanted.dif_anchors or None}  # fmt: skip
    if wanted.dif_method in OBSERVED:
        return observed_dif(items, groups, wanted.dif_method, **settings)
    method = "wald" if wanted.dif_method == "wald" else "lr"
    with counter(len(items.columns), "dif", "item") as bar:
        return dif_tests(
            given["model"], items, groups=groups, method=method, progress=ticks(bar), **settings
        )


def _equal_items(result: Result) -> list[Diagnostic]:
    """Return a note that the model beside tests of DIF takes items as equal that differ."""
    table = result.tables["items"]
    names = tuple(map(str, table.index[table["p_adjusted"].to_numpy(float) < 0.05]))
    if not names:
        return []
    return [Diagnostic(
        "equal_in_spite_of_dif", "note",
        "Items, curves, log-likelihood and abilities are of the model in which every item is equal "
        f"in both groups, also {first_few(names)}.",
        'Free the items that differ: --irt-options with {"free_items": [...]}.', names,
    )]  # fmt: skip


def _broken(
    fit: IRTFit, simulations: int, seed: int, journal: ItemResponses | None, bank: Path | None
) -> BrokenItems | None:
    """Broken items where the model has one factor and one group."""
    model = fit.likelihood.model
    if model.factors > 1 or len(model.groups) > 1:
        return None
    count = affordable_simulations(fit, simulations)
    with counter(count, "simulation", "table") as bar:
        matches = broken_items(
            fit,
            choices=None if journal is None else journal.choices,
            key=None if journal is None else journal.key,
            n_options=None if journal is None else journal.n_options,
            simulations=count,
            seed=seed,
            progress=ticks(bar),
        )
    if journal is None:
        return matches
    opened = None if bank is None else ItemBank.open(bank)
    return replace(matches, replies=broken_replies(journal, fit, matches, opened))


def _predictive(fit: IRTFit, draws: int | None, seed: int) -> PredictiveCheck | None:
    """Predictive checks if they are asked for, or slopes of few respondents have a prior."""
    needed = any(entry.code == "slopes_with_prior" for entry in fit.diagnostics)
    model = fit.likelihood.model
    possible = model.factors == 1 and len(model.groups) == 1 and fit.vcov is not None
    if draws is None and not (needed and possible and affordable_simulations(fit, _DRAWS)):
        return None
    count = draws or _DRAWS
    with counter(count, "predictive", "table") as bar:
        return predictive_check(fit, draws=count, seed=seed, progress=ticks(bar))


def _without_model(given: dict[str, Any], model: str) -> dict[str, Any]:
    """The arguments but for the model; ParameterError if it is another one."""
    if given["model"] != model:
        raise ParameterError(
            "--design explains difficulties of the Rasch model (--model rasch), --slope-design "
            "slopes of the two-parameter model (--model 2pl)"
        )
    return {name: value for name, value in given.items() if name != "model"}


def _design(formula: str, items: pd.DataFrame, facts: pd.DataFrame | None) -> pd.DataFrame:
    if facts is None:
        raise ParameterError("a design needs --item-table with the columns of the formula")
    lacking = [item for item in items.columns if item not in facts.index]
    if lacking:
        raise ParameterError(f"--design: item {lacking[0]!r} is not in the table of items")
    return design_matrix(formula, facts.loc[list(items.columns)])
