"""Plans: numbers of items, occasions, prompts and models, their cost, and a check by simulation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.planning.aims import EXAMINEE, Aim, Counts, Simulated
from gfactor.psychometrics.planning.diagnosing import DETECTING, diagnose
from gfactor.results import Result, shown

MOST_CELLS = 20_000_000
"""Number of simulated scores beyond which fewer data sets are drawn."""
FEWEST_RUNS = 50
MOST_DESIGNS = 10_000

Each = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class AnswerCosts:
    """Cost of one answer; None for parts that are not known.

    Parameters
    ----------
    tokens : float, optional
        Tokens read and written.
    money : float, optional
        Money in the currency of the price table.
    seconds : float, optional
        Seconds from question to answer.
    parallel : int
        Number of answers that are requested at the same time, for the estimate of hours.
    raters : mapping of facet to float
        Cost of one rating by facet: {"rater": 0.5}; conditions of that facet need no further
        answers.

    Examples
    --------
    >>> AnswerCosts(money=0.01).of({"item": 100, "examinee": 2}, ("item",))["money"]
    2.0
    """

    tokens: float | None = None
    money: float | None = None
    seconds: float | None = None
    parallel: int = 1
    raters: Mapping[str, float] = field(default_factory=dict)

    def of(self, counts: Counts, facets: Sequence[str]) -> dict[str, float]:
        """Return answers, tokens, money and hours of a design."""
        names = dict.fromkeys([*facets, EXAMINEE])
        administered = [n for n in names if n not in self.raters]
        answers = math.prod(counts.get(name, 1) for name in administered)

        def times(value: float | None) -> float:
            return math.nan if value is None else answers * value

        money = times(self.money)
        for name, price in self.raters.items():
            if name in names:
                money = np.nan_to_num(money) + answers * counts.get(name, 1) * price
        hours = times(self.seconds) / 3600 / self.parallel
        costs = {"answers": answers, "tokens": times(self.tokens), "money": money, "hours": hours}
        return {name: float(value) for name, value in costs.items()}


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """Designs with their costs and the values that they reach, and the cheapest sufficient one.

    Parameters
    ----------
    aim : str
        "se", "difference", "phi", "e_rho2", "alpha", "threshold", "ability", "cfa", "ranks",
        "inflation".
    measure : str
        Measure of the aim, in words.
    target : float or None
        Target value of the measure.
    known : mapping
        Known quantities from which the plan is computed.
    designs : DataFrame
        A row per design: counts by facet, `reached`, `enough`, `answers`, `tokens`, `money`,
        `hours`, `chosen`.
    simulated : Simulated or None
        The chosen design on simulated data.
    source : str
        Source of the known quantities.
    seed : int
        Seed of the simulation.
    diagnostics : tuple of Diagnostic
    claim, generalizes_to : str
        Population that scores or differences generalize to: its name, and a description in words;
        "" if the aim makes no such claim.
    half_width : float or None
        Half the width of the 95 % interval that `score` or `compare` will give for the chosen
        design under the claim; None if the aim has no interval.
    preregistered : str
        Path of the preregistration document; "" if none was written.

    Examples
    --------
    >>> from gfactor.psychometrics.planning import Fit, make_plan
    >>> plan = make_plan(Fit(100), 0.8, simulations=200)
    >>> plan.chosen["examinee"]
    132
    """

    aim: str
    measure: str
    target: float | None
    known: Mapping[str, Any]
    designs: pd.DataFrame
    simulated: Simulated | None
    source: str
    seed: int
    diagnostics: tuple[Diagnostic, ...] = ()
    claim: str = ""
    generalizes_to: str = ""
    half_width: float | None = None
    preregistered: str = ""

    @property
    def chosen(self) -> dict[str, Any] | None:
        """The recommended design: the cheapest sufficient one, by money or else by number of
        answers."""
        row = self.designs.loc[self.designs["chosen"].to_numpy(bool)]
        if row.empty:
            return None
        record = row.drop(columns="chosen").to_dict("records")[0]
        return {str(name): value for name, value in record.items()}

    @property
    def title(self) -> str:
        wanted = f"{self.measure}" + ("" if self.target is None else f" {shown(self.target)}")
        best = self.chosen
        if best is None:
            return f"{wanted}: no design tried is enough"
        at = list(self.designs.columns).index("reached")
        names = [str(name) for name in self.designs.columns[:at]]
        counts = " x ".join(f"{best[n]:,} {n}{'s' * (best[n] != 1)}" for n in names)
        money = "" if math.isnan(best["money"]) else f", {best['money']:,.2f} in money"
        return f"{wanted}: {counts}, {best['answers']:,.0f} answers{money}"

    @property
    def facts(self) -> Mapping[str, Any]:
        simulated = {} if self.simulated is None else vars(self.simulated)
        return {
            "aim": self.aim,
            "measure": self.measure,
            "target": self.target,
            **({"claim": self.claim, "generalizes_to": self.generalizes_to} if self.claim else {}),
            **({} if self.half_width is None else {"half_width": self.half_width}),
            **{f"known_{name}": value for name, value in self.known.items()},
            "source": self.source,
            **{f"simulated_{name}": value for name, value in simulated.items()},
            "seed": self.seed,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"designs": self.designs}

    def _document(self) -> Mapping[str, Any]:
        return {
            "aim": self.aim, "measure": self.measure, "target": self.target,
            "claim": self.claim or None, "generalizes_to": self.generalizes_to or None,
            "half_width": self.half_width, "known": self.known,
            "source": self.source, "designs": self.designs, "chosen": self.chosen,
            "simulated": self.simulated, "seed": self.seed, "diagnostics": self.diagnostics,
            **({"preregistered": self.preregistered} if self.preregistered else {}),
        }  # fmt: skip

    def _lines(self) -> list[str]:
        written = ["", f"preregistered: {self.preregistered}"] if self.preregistered else []
        return [*self._plan_lines(), *written]

    def _plan_lines(self) -> list[str]:
        lines = [self.title, *([self.generalizes_to] if self.claim else [])]
        if self.half_width is not None and math.isfinite(self.half_width):
            lines.append(f"95 % interval of the chosen design: +/- {shown(self.half_width)}")
        lines.append("")
        lines += [f"{name}: {_text(value)}" for name, value in self.known.items()]
        lines += [f"from: {self.source}", ""]
        if self.designs.empty:
            return lines[:-1]
        columns = self.designs.dropna(axis=1, how="all")
        mark = "<- chosen"
        if self.target is None:  # without a target, no design is marked as sufficient
            columns = columns.drop(columns="enough")
            mark = "<- simulated" if self.simulated else ""
        marked = columns.assign(chosen=np.where(columns["chosen"], mark, ""))
        whole, hundredths = "{:,.0f}", "{:,.2f}"
        formats = {"reached": "{:.4g}", "answers": whole, "tokens": whole, "money": hundredths,
                   "hours": "{:,.3g}"}  # fmt: skip
        lines.append(
            marked.to_string(
                index=False,
                formatters={k: v.format for k, v in formats.items() if k in marked.columns},
            )
        )
        if (s := self.simulated) is not None:
            lines += [
                "",
                f"simulated ({s.runs} data sets): the interval ({s.interval}) held the truth in "
                f"{100 * s.coverage:.1f} % (Monte Carlo error {100 * s.coverage_se:.1f}); "
                f"{'power' if self.aim in DETECTING else self.measure} {s.reached:.4g} "
                f"(Monte Carlo error {s.reached_se:.2g})",
            ]
        return lines


def make_plan(
    aim: Aim,
    target: float | None = None,
    *,
    tries: Each | None = None,
    costs: AnswerCosts | None = None,
    known: Mapping[str, Any] | None = None,
    source: str = "stated",
    simulations: int = 1000,
    seed: int = 0,
    name: str | None = None,
) -> Plan:
    """Find designs that reach an aim, or compute the values that given designs reach.

    Parameters
    ----------
    aim : Aim
        Aim with its known quantities.
    target : float, optional
        Target value; without it `tries` must give the count that the aim solves for.
    tries : mapping of facet to sequence of int
        Numbers of conditions to try, in all combinations. The count that the aim solves for is
        computed for each combination, if it is not given.
    costs : AnswerCosts
        Cost of an answer.
    known : mapping, optional
        The known quantities in the form to show to readers.
    source : str
        Source of the known quantities.
    simulations : int
        Number of simulated data sets on which the chosen design is tried; 0 for none.
    seed : int
        Seed of the simulations.
    name : str, optional
        Name of the aim, if it differs from that of the class.

    Returns
    -------
    Plan
        The designs with their cost, the chosen one marked.

    Raises
    ------
    ParameterError
        For unknown facets, counts below 1, or neither a target nor numbers to try.

    Examples
    --------
    >>> from gfactor.psychometrics.planning import Components, StandardError, make_plan
    >>> parts = {"examinee": 0.02, "item": 0.05, "examinee x item": 0.1, "occasion": 0.0,
    ...          "examinee x item x occasion": 0.05}
    >>> plan = make_plan(StandardError(Components(parts)), 0.02, tries={"occasion": [1, 2]})
    >>> plan.designs["item"].tolist()
    [500, 438]
    """
    costs = costs or AnswerCosts()
    tries = {name: tuple(given) for name, given in (tries or {}).items()}
    combinations = _combinations(aim, target, tries)
    rows, unreachable = [], 0
    for counts in combinations:
        if aim.solves not in counts:
            assert target is not None
            number = aim.needed(counts, target)
            if number is None:
                unreachable += 1
                continue
            counts[aim.solves] = number
        reached = aim.reached(counts)
        enough = math.isfinite(reached) and (target is None or aim.meets(reached, target))
        rows.append(_row(aim, counts, reached, enough, costs))
    designs = _chosen(pd.DataFrame(rows, columns=_columns(aim, rows)))
    picked = designs.loc[designs["chosen"].to_numpy(bool)]
    simulated = None
    if simulations and len(picked) and math.isfinite(picked["reached"].iloc[0]):
        counts = {str(k): int(v) for k, v in picked.iloc[0].items() if k in _counted(aim)}
        most = max(FEWEST_RUNS, MOST_CELLS // math.prod(counts.values()))
        runs = min(simulations, most, _SLOW.get(aim.name, simulations))
        simulated = aim.simulate(counts, runs, np.random.default_rng(seed))
    return Plan(
        name or aim.name, aim.measure, target, dict(known or {}), designs, simulated, source, seed,
        diagnose(aim, designs, target, unreachable, simulated),
    )  # fmt: skip


_SLOW = {"phi": 200, "ranks": 200, "inflation": 300, "threshold": 300, "alpha": 500}
"""Largest number of simulated data sets for aims whose data sets take long."""


def _counted(aim: Aim) -> tuple[str, ...]:
    return tuple(dict.fromkeys([aim.solves, *aim.facets, *aim.given, EXAMINEE]))


def _combinations(aim: Aim, target: float | None, tries: Each) -> list[dict[str, int]]:
    names = _counted(aim)
    for name, given in tries.items():
        if name not in names:
            raise ParameterError(f"this plan does not vary {name!r}; it varies {', '.join(names)}")
        if not given or min(given) < 1:
            raise ParameterError(f"numbers of {name} to try are whole numbers from 1, got {given}")
        if name == aim.solves and any(number % aim.step for number in given):
            raise ParameterError(
                f"numbers of {name} must be multiples of {aim.step} here (a cluster, or one item "
                f"at each size), not {', '.join(map(str, given))}"
            )
    if target is None and aim.solves not in tries:
        raise ParameterError(
            f"give a target ({aim.measure}), or a number of {aim.solves}, for which {aim.measure} "
            "is then computed"
        )
    if target is not None and not (math.isfinite(target) and target > 0):
        raise ParameterError(f"a target must be a number above 0, not {target:g}")
    if aim.of_shares and target is not None and target >= 1:
        raise ParameterError(
            f"scores are shares from 0 to 1, so 3 points of 100 are 0.03; a {aim.measure} of "
            f"{target:g} is more than scores can differ"
        )
    if (
        aim.measure.startswith(("power", "prob", "coeff", "width"))
        and target is not None
        and target >= 1
    ):
        raise ParameterError(f"a {aim.measure} must be below 1, not {target:g}")
    filled = {n: tuple(tries.get(n, (aim.defaults.get(n, 1),))) for n in names if n != aim.solves}
    if aim.solves in tries:
        filled = {aim.solves: tries[aim.solves], **filled}
    if math.prod(len(given) for given in filled.values()) > MOST_DESIGNS:
        raise ParameterError(f"more than {MOST_DESIGNS:,} designs; try fewer numbers")
    filled |= {name: (number,) for name, number in aim.given.items()}
    return [dict(zip(filled, one, strict=True)) for one in product(*filled.values())]


def _row(
    aim: Aim, counts: Counts, reached: float, enough: bool, costs: AnswerCosts
) -> dict[str, Any]:
    ordered = {name: counts[name] for name in _counted(aim)}
    paid = costs.of(aim.asked(counts), _counted(aim))
    return {**ordered, "reached": reached, "enough": enough, **paid}


def _columns(aim: Aim, rows: list[dict[str, Any]]) -> list[str]:
    if rows:
        return list(rows[0])
    return [*_counted(aim), "reached", "enough", "answers", "tokens", "money", "hours"]


def _chosen(designs: pd.DataFrame) -> pd.DataFrame:
    """Return True for the cheapest sufficient design: by money if it is known, else by answers."""
    marked = designs.assign(chosen=False)
    able = designs.loc[designs["enough"].to_numpy(bool)]
    if len(able):
        by = "money" if able["money"].notna().all() else "answers"
        marked.loc[able[by].astype(float).idxmin(), "chosen"] = True
    return marked


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {shown(v)}" for k, v in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(shown(one) for one in value)
    return shown(value)
