"""Plans of items, occasions, prompts and models, from a pilot journal or from stated numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gfactor.administration import Journal
from gfactor.api.analyses.component_files import read_components, refuse_components
from gfactor.api.analyses.pilot import few_domains, from_pilot, pilot_costs, pilot_tokens, stating
from gfactor.api.inputs.calls import names_checked, option
from gfactor.api.inputs.scoring import one_benchmark, scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.api.scores.preregistration import preregister
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.http import TokenPrice, read_prices
from gfactor.parameters import Count, Seed, Simulations
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim, claim_in_words
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration
from gfactor.psychometrics.planning import (
    Ability,
    Aim,
    Alpha,
    AnswerCosts,
    Components,
    DependabilityAim,
    DifferenceAim,
    FitAim,
    InflationAim,
    Plan,
    Ranks,
    StandardError,
    Threshold,
    make_plan,
)
from gfactor.psychometrics.planning.scores import discordant_share
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.policies import BENCHMARKS_POLICY

AIMS: Mapping[str, type[Aim]] = {
    "se": StandardError,
    "difference": DifferenceAim,
    "phi": DependabilityAim,
    "e_rho2": DependabilityAim,
    "alpha": Alpha,
    "threshold": Threshold,
    "ability": Ability,
    "cfa": FitAim,
    "ranks": Ranks,
    "inflation": InflationAim,
}
Aims = Literal[
    "se", "difference", "phi", "e_rho2", "alpha", "threshold", "ability", "cfa", "ranks",
    "inflation",
]  # fmt: skip
"""The names of the aims."""

_SCORES = ("se", "difference", "phi", "e_rho2")
_NOT_KNOWN = frozenset({"components", "table", "labels", "calibration", "kind", "delta", "solve"})
"""Fields of aims that are no numbers to be stated."""
_OF_ACCURACIES = ("accuracy_first", "accuracy_second", "correlation")
"""Quantities of two examinees that may be stated in the place of `discordant`."""
_WHOLE = frozenset({"cluster_size", "items", "domains"})
_LISTS = frozenset({"sizes", "theta", "means"})
_WORDS = frozenset({"select", "decided"})


def quantities(aim: str) -> tuple[str, ...]:
    """Return the names of the quantities that may be stated for an aim."""
    if aim not in AIMS:
        raise UnknownNameError("aim", aim, AIMS)
    kind: Any = AIMS[aim]
    names = [one.name for one in dataclasses.fields(kind)]
    derived = _OF_ACCURACIES if aim == "difference" else ()
    return (*(name for name in names if name not in _NOT_KNOWN), *derived)


@names_checked
def plan(
    pilot: JournalLike | None = None,
    *,
    aim: Aims,
    target: float | None = None,
    known: Mapping[str, object] | None = None,
    components: Mapping[str, float] | Path | str | None = None,
    tries: Mapping[str, Sequence[int]] | None = None,
    facets: Sequence[str] | None = None,
    fixed: Sequence[str] = (),
    solve: str = "item",
    claim: str | None = None,
    domain_label: str = DOMAIN,
    benchmark: str | None = None,
    cluster: str | None = None,
    calibration: Calibration | Path | str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    models: Sequence[str] = (),
    prices: Path | str | None = None,
    tokens: tuple[int, int] | None = None,
    seconds: float | None = None,
    parallel: Count = 1,
    raters: Mapping[str, float] | None = None,
    simulations: Simulations = 1000,
    seed: Seed = 0,
    prereg: Path | str | None = None,
    declare: Iterable[tuple[str, str]] = (),
) -> Plan:
    """Find the design of a study that reaches an aim, its cost, and the coverage of its interval.

    Parameters
    ----------
    pilot : Journal or path, optional
        Journal of a pilot study. What is not given otherwise is estimated from it: variance
        components, disagreement of examinees, clusters, and tokens, money and seconds per answer.
    aim : str
        Quantity that the plan has to reach: "se" (standard error of a score), "difference"
        (smallest detectable difference of two examinees on the same items), "phi" and "e_rho2"
        (dependability and generalizability coefficients), "alpha" (width of the interval of
        Cronbach's alpha), "threshold" (standard error of the threshold of size), "ability"
        (standard error on the scale of a calibration), "cfa" (power of a test of fit by RMSEA),
        "ranks" (probability that ranks are decided) or "inflation" (smallest detectable inflation
        of a public score, in percentage points).
    target : float, optional
        Value of the aim that the design has to reach, in the aim's unit. Scores are shares from 0
        to 1, so a difference of 0.03 is 3 percentage points. Without a target, the aim's value is
        computed for the numbers in `tries`.
    known : mapping, optional
        Known quantities by name, such as {"discordant": 0.3} (the share of items that exactly one
        of two examinees solves). `gfactor plan --help` lists those of every aim.
    components : mapping or path, optional
        Variance components by effect, or a file that holds them: the output of `gfactor analyze
        generalizability --json`, a JSON or TOML mapping, or a table with the columns effect and
        variance.
    tries : mapping of facet to sequence of int, optional
        Numbers of conditions to try, by facet: {"occasion": [1, 2, 5]}. The facet `solve` may be
        among them.
    facets : sequence of str, optional
        Facets of the pilot; by default item, and also occasion and condition if they vary.
    fixed : sequence of str
        Fixed facets: their conditions are all that exist, not a sample of a larger population.
    solve : str
        Facet whose number of conditions is computed (default "item"). For the aim "inflation" it
        is item or reference, for scores any facet that is a source of error.
    claim : {"same-domains", "other-domains"}, optional
        Population that scores generalize to, for the aims "se", "difference" and "ranks": other
        items of the same domains (the default), or other domains.
    domain_label : str
        Label of the pilot's items whose values are their domains (default "domain").
    benchmark : str, optional
        Benchmark of the pilot whose answers are used; needed if the pilot has several.
    cluster : str, optional
        Older way to state the claim "other-domains", with the values of this label as domains; use
        `claim` instead.
    calibration : Calibration or path, optional
        Calibration on whose scale abilities are planned, for the aim "ability".
    examinees : sequence of str
        Examinees of the pilot whose answers are used; all by default. Parameters may be left out
        of a name.
    condition : str, optional
        Condition of the pilot's answers; needed if it has several.
    models : sequence of str
        Models whose prices are used, by their names in the price table, if the pilot does not name
        them. The cost is the mean over these models.
    prices : path, optional
        Price table, as in `run`.
    tokens : tuple of int, optional
        Numbers of input and output tokens per answer.
    seconds : float, optional
        Time that an answer takes, in seconds.
    parallel : int
        Number of answers that are requested at the same time, for the estimate of hours.
    raters : mapping of facet to float, optional
        Price of one rating, by facet of raters: {"rater": 0.5}.
    simulations : int
        Number of simulated data sets on which the chosen design is tried; 0 for none.
    seed : int
        Seed of the simulations.
    prereg : path, optional
        File for a preregistration: a dated and hashed document of the plan. An existing file is
        never overwritten.
    declare : pairs of name and value
        Facts to declare in the preregistration: examinee, condition, bank (a file), policy, judge,
        cluster, analysis.

    Returns
    -------
    Plan
        `designs` (a row per design that was tried), `chosen` (the cheapest sufficient design),
        `simulated` (its coverage and power on simulated data) and `diagnostics`.

    Raises
    ------
    ParameterError
        If a quantity that the aim needs is neither given nor in the pilot.

    References
    ----------
    Miller, E. (2024). Adding error bars to evals. arXiv 2411.00640.

    Examples
    --------
    >>> import gfactor as gf
    >>> plan = gf.plan(aim="difference", target=0.1, known={"discordant": 0.3})
    >>> plan.chosen["item"]
    249
    >>> known = {"accuracy_first": 0.75, "accuracy_second": 0.65, "correlation": 0.4}
    >>> plan = gf.plan(aim="difference", target=0.1, known=known, simulations=0)
    >>> round(plan.known["discordant"], 3)
    0.26
    """
    names = quantities(aim)
    claim, domain_label, note = _claim(aim, claim, domain_label, cluster)
    stated: dict[str, Any] = dict(known or {})
    for name in stated:
        if name not in names:
            raise UnknownNameError(f"known quantity of {aim}", name, names)
    accuracies, stated = _from_accuracies(stated) if aim == "difference" else ({}, stated)
    variances = Components(read_components(components), sampled=solve, fixed=tuple(fixed)) if (
        components is not None) else None  # fmt: skip
    if variances is not None and aim not in _SCORES:
        raise ParameterError(f"variance components are for {', '.join(_SCORES)}, not for {aim}")
    source = "stated"
    priced = () if pilot is not None and tokens is None else models
    costs = _costs(priced, prices, tokens, seconds, parallel, raters)
    if pilot is not None and aim == "inflation":
        raise ParameterError(
            "inflation is planned from stated quantities; leave out the pilot, and state accuracy, "
            "interaction and item_share (--known NAME=VALUE; in Python known=)"
        )
    if pilot is not None:
        refuse_components(pilot)
        with opened(pilot) as journal:
            scoring = scoring_of(examinees, condition, None, BENCHMARKS_POLICY, {})
            table = one_benchmark(scoring.table(journal), benchmark)
            source = f"{journal.name}: {len(table):,} answers of {table['examinee'].nunique()}"
            needed = None if variances is not None else stated
            if needed is not None:
                variances, stated = from_pilot(
                    aim, journal, scoring, table, stated, facets, (solve, tuple(fixed)),
                    (claim, domain_label),
                )  # fmt: skip
                if "icc" in stated and "icc" not in (known or {}):
                    note = (*note, *few_domains(len(set(table[domain_label].dropna()))))
            elif claim == "other-domains":
                raise ParameterError(
                    "variance components have facets that say what is sampled; leave out claim"
                )
            costs = _costs_with_pilot(journal, table, costs, models, prices)
    if claim == "other-domains" and aim in ("se", "difference") and "cluster_size" not in stated:
        raise ParameterError(
            "the claim other-domains needs a pilot, or cluster_size (items of a domain) and icc"
        )
    question, displayed = _aim(aim, stated, variances, calibration, target, solve)
    if solve not in ("item", question.solves):
        raise ParameterError(
            f"this plan for {aim} finds the number of {question.solves}s, not of {solve}s; leave "
            "out solve"
        )
    chosen = make_plan(
        question,
        target,
        tries=tries,
        costs=costs,
        known={**accuracies, **displayed},
        source=source,
        simulations=simulations,
        seed=seed,
        name=aim,
    )
    if aim in _CLAIMED and variances is None:
        best = chosen.chosen
        counts = {k: int(v) for k, v in (best or {}).items() if k in (*question.facets, "item")}
        width = question.half_width(counts) if best else None
        labels = stated.get("labels")
        domains = int(stated.get("domains", 1) if labels is None else labels.nunique())
        words = claim_in_words(claim, domains, domain_label)
        if claim == "other-domains":
            words = f"generalizes to other {domain_label}s of this kind"
        chosen = dataclasses.replace(
            chosen, claim=claim, generalizes_to=words, half_width=width,
            diagnostics=by_severity((*chosen.diagnostics, *note)),
        )  # fmt: skip
    if prereg is not None:
        preregister(chosen, prereg, declare)
        chosen = dataclasses.replace(chosen, preregistered=str(prereg))
    elif list(declare):
        raise ParameterError(
            "declarations are written into the preregistration; name its file with prereg"
        )
    return chosen


_CLAIMED = ("se", "difference", "ranks")
"""Aims that make a claim of what scores generalize to."""


def _from_accuracies(stated: dict[str, Any]) -> tuple[dict[str, float], dict[str, Any]]:
    """Return two accuracies and their correlation, and what is stated with the share of discordant
    items that follows from them."""
    given = {name: _value(name, stated[name]) for name in _OF_ACCURACIES if name in stated}
    if not given:
        return {}, stated
    lacking = [name for name in _OF_ACCURACIES if name not in given]
    if lacking:
        raise ParameterError(
            f"{' and '.join(given)} give the share of discordant items only together with "
            f"{' and '.join(lacking)} (of right and wrong answers over items; a correlation of 0 "
            "is the cautious one)"
        )
    if "discordant" in stated:
        raise ParameterError("state discordant, or two accuracies and their correlation, not both")
    others = {name: value for name, value in stated.items() if name not in given}
    return given, {**others, "discordant": discordant_share(*given.values())}


def _claim(
    aim: str, claim: str | None, label: str, cluster: str | None
) -> tuple[str, str, tuple[Diagnostic, ...]]:
    """The claim, the label of domains, and a note where an older option said it."""
    if cluster is not None:
        if claim is not None:
            raise ParameterError("cluster is the older name of claim; give claim alone")
        message = f"Cluster {cluster} is the claim other-domains, items divided by {cluster}."
        note = Diagnostic("older_option", "note", message, "Use claim instead.")
        return "other-domains", cluster, (note,)
    if claim is not None and aim not in _CLAIMED:
        raise ParameterError(f"a claim is for {', '.join(_CLAIMED)}, not for {aim}")
    claim = DEFAULT_CLAIM if claim is None else checked_claim(claim)
    if claim == "these-items":
        raise ParameterError(
            "under the claim these-items the items are fixed, so more items do not help; plan "
            "occasions with solve='occasion' and fixed=['item']"
        )
    if claim == "other-domains" and aim == "ranks":
        raise ParameterError("ranks are planned for other items of the same domains; leave out "
                             "claim, or plan the difference of two examinees")  # fmt: skip
    return claim, label, ()


def _aim(
    aim: str, stated: dict[str, Any], variances: Components | None, calibration: Any,
    target: float | None, solve: str,
) -> tuple[Aim, dict[str, Any]]:  # fmt: skip
    """The aim, and its known quantities as they are shown."""
    values = {name: _value(name, value) for name, value in stated.items()}
    displayed: dict[str, Any] = dict(values)
    displayed.pop("labels", None)
    if "table" in displayed:
        pilot_means = displayed.pop("table").mean()
        displayed["means"] = {str(k): float(v) for k, v in pilot_means.items()}
    if variances is not None and aim in _SCORES:
        values["components"] = variances
        displayed["components"] = dict(variances.variances)
        if variances.fixed:
            displayed["fixed"] = ", ".join(variances.fixed)
    if aim in ("phi", "e_rho2"):
        if variances is None:
            raise ParameterError(f"{aim} needs variance components, or a pilot journal")
        values["kind"] = aim
    if aim == "ability":
        if calibration is None:
            raise ParameterError(
                "the aim ability needs a calibration, as gfactor calibrate writes it; name its "
                "file with --calibration (in Python: calibration=...)"
            )
        loaded = calibration
        if not isinstance(loaded, Calibration):
            loaded = read_calibration(calibration)
        values["calibration"], displayed["calibration"] = loaded, loaded.title
    elif calibration is not None:
        raise ParameterError(f"a calibration is for the aim ability, not for {aim}")
    if aim == "inflation":
        values["solve"] = solve
    if aim == "difference" and target is not None:
        values["delta"] = target
    if aim == "cfa" and "df" not in values:
        raise ParameterError(
            f"the aim cfa needs the degrees of freedom of the model; {stating('df')}"
        )
    if aim == "alpha" and not {"alpha", "items"} <= set(values):
        raise ParameterError(
            "the aim alpha needs the coefficient that is expected and the number of items; "
            f"{stating('alpha and items')}, or name a pilot journal"
        )
    if aim == "threshold" and not {"sizes", "threshold", "slope"} <= set(values):
        raise ParameterError(
            f"the aim threshold needs a curve; {stating('sizes, threshold and slope')}, or name a "
            "pilot journal"
        )
    chosen: Any = AIMS[aim](**values)
    for one in dataclasses.fields(chosen):
        unused = one.name == "r" and "table" in values
        if one.name in quantities(aim) and one.name not in displayed and not unused:
            value = getattr(chosen, one.name)
            if value not in (None, (), 1, 0.0) or one.name == "alpha":
                displayed[one.name] = value
    return chosen, displayed


def _value(name: str, value: Any) -> Any:
    """A stated quantity as the aim takes it; texts are what a shell gives."""
    if name in _WORDS or name in ("table", "labels"):
        return value
    try:
        if name in _LISTS:
            parts = value.split(",") if isinstance(value, str) else np.atleast_1d(value).tolist()
            return tuple(float(part) for part in parts)
        number = float(value)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be a number, not {value!r}") from None
    if not math.isfinite(number):
        raise ParameterError(f"{name} must be a number, not {value!r}")
    if name in _WHOLE:
        if number != int(number):
            raise ParameterError(f"{name} must be a whole number, not {value!r}")
        return int(number)
    return number


def _costs(
    models: Sequence[str], prices: Path | str | None, tokens: tuple[int, int] | None,
    seconds: float | None, parallel: int, raters: Mapping[str, float] | None,
) -> AnswerCosts:  # fmt: skip
    if tokens is not None and (len(tokens) != 2 or min(tokens) < 0):
        got = ",".join(map(str, tokens))
        raise ParameterError(
            f"{option('tokens')} must be two numbers of 0 or more, of input tokens and output "
            f"tokens; got {got}"
        )
    if parallel < 1:
        raise ParameterError(f"parallel is 1 or more, got {parallel}")
    for name, value in (("seconds", seconds), *(raters or {}).items()):
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise ParameterError(f"{name} must be 0 or more, not {value}")
    money = _money(models, prices, tokens) if models else None
    total = None if tokens is None else float(sum(tokens))
    return AnswerCosts(total, money, seconds, parallel, dict(raters or {}))


def _costs_with_pilot(
    journal: Journal,
    table: Any,
    costs: AnswerCosts,
    models: Sequence[str],
    prices: Path | str | None,
) -> AnswerCosts:
    """Return the cost of an answer, of models that are named or of those of the pilot."""
    if models and costs.money is None:
        money = _money(models, prices, pilot_tokens(journal, table))
        costs = dataclasses.replace(costs, money=money)
    return pilot_costs(journal, table, costs, None if models else prices)


def _money(
    models: Sequence[str], prices: Path | str | None, tokens: tuple[int, int] | None
) -> float:
    """Return the mean cost of an answer of the models."""
    if prices is None or tokens is None:
        raise ParameterError(
            f"{option('models')} also needs {option('prices')}, and {option('tokens')} unless a "
            "pilot has them"
        )
    table = read_prices(Path(prices))
    read, written = tokens
    usage = {"prompt_tokens": read, "completion_tokens": written}
    return float(np.mean([_price(table, name).of(usage) for name in models]))


def _price(table: Mapping[str, TokenPrice], model: str) -> TokenPrice:
    if model not in table:
        raise UnknownNameError("model in the price table", model, table)
    return table[model]
