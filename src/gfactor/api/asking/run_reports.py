"""Results of runs and forecasts of what a run would ask and cost, as text and document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from gfactor.administration import Journal, RunResult
from gfactor.administration.asking.cost_estimates import PricedModel, RunEstimate, estimate
from gfactor.api.inputs.reach import CURRENCY
from gfactor.api.scores.answer_tokens import tokens_in_words
from gfactor.examinees import Examinee, Spec
from gfactor.examinees.http import HttpExaminee
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import plain

if TYPE_CHECKING:
    from gfactor.api.asking.administering import Campaign

UNDECIDED = 4
"""Exit code if all items were asked and a rule of --until is undecided."""


@dataclass(frozen=True)
class RunReport:
    """Result of a run.

    Parameters
    ----------
    journal: its name.
    results: counts of the questions to each examinee.
    spent: the money spent; None without prices.
    decided: stop rule -> what it decided, "" if that is open.
    diagnostics: warnings about replies that could not be read, and about other models that
        answered.
    tokens: tokens that the answers in the journal took (`tokens_taken`).
    """

    journal: str
    results: Sequence[RunResult]
    spent: float | None
    decided: Mapping[str, str]
    diagnostics: Sequence[Diagnostic] = ()
    tokens: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def code(self) -> int:
        """Exit code: 1 if attempts failed, 4 if a rule is undecided, else 0."""
        if any(one.failed or one.failed_elsewhere for one in self.results):
            return 1
        return 0 if all(self.decided.values()) else UNDECIDED

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor run --json`."""
        document: dict[str, Any] = {
            "journal": self.journal,
            "examinees": [asdict(one) for one in self.results],
            "diagnostics": [one.to_dict() for one in self.diagnostics],
            **({"tokens": plain(self.tokens)} if len(self.tokens) else {}),
        }
        if self.decided:
            document["until"] = [
                {"rule": rule, "decided": bool(text), "said": text}
                for rule, text in self.decided.items()
            ]
        return document if self.spent is None else {**document, "spent": self.spent}

    def summary(self) -> str:
        """Return a line or more for each examinee and rule, as text."""
        lines: list[str] = []
        for one in self.results:
            repeated = f", {one.known:,} known already" if one.known else ""
            others = f", {one.elsewhere:,} answered by other processes" if one.elsewhere else ""
            lines.append(
                f"{one.examinee}: {one.asked:,} asked{others}{repeated}, in {one.seconds:.1f} s"
            )
            if one.failed:
                lines.append(f"  {one.failed:,} attempts failed, the last with: {one.detail}")
            if one.failed_elsewhere:
                lines.append(f"  {one.failed_elsewhere:,} attempts of other processes failed")
            lines += [f"  {note}" for note in one.notes]
            if len(self.tokens):
                lines += [
                    f"  {text}"
                    for text in tokens_in_words(self.tokens, one.examinee, one.condition)
                ]
        for rule, text in self.decided.items():
            lines.append(f"decided: {text}" if text else f"undecided after all items: {rule}")
        if self.spent is not None:
            lines.append(f"spent {self.spent:.4f} in all, {CURRENCY}")
        lines += map(str, self.diagnostics)
        lines.append(f"kept in {self.journal}; next: gfactor score {self.journal}")
        return "\n".join(lines)


@dataclass(frozen=True)
class RunForecast:
    """Forecast of the questions and cost of a run.

    Parameters
    ----------
    journal: its name.
    condition: key of the condition.
    estimates: examinee -> what is missing in the journal, and what asking it would take.
    """

    journal: str
    condition: str
    estimates: Mapping[str, RunEstimate]

    @classmethod
    def of(cls, campaign: Campaign, journal: str) -> RunForecast:
        """Return the forecast of a planned campaign; nothing is asked."""
        describer = None
        if campaign.given.captions_by:
            spec, reach = Spec.parse(campaign.given.captions_by), campaign.reach
            describer = PricedModel(spec.argument, reach.price(spec), reach.endpoint.detail)
        condition, materials = campaign.prepared(journal)
        estimates = {}
        for examinee in campaign.examinees:
            answered, model = _stored_answers(journal, examinee, condition.key)
            how = campaign.administered, condition, materials, answered, campaign.occasions
            estimates[examinee.name] = estimate(*how, model, describer)
        return cls(journal, condition.key, estimates)

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor run --dry-run --json`."""
        rows = [{"examinee": name, **asdict(one)} for name, one in self.estimates.items()]
        return {"journal": self.journal, "condition": self.condition, "examinees": rows}

    def summary(self) -> str:
        """Return a line for each examinee, as text."""
        lines = [_forecast_line(name, one) for name, one in self.estimates.items()]
        return "\n".join([f"condition {self.condition}; nothing was asked", *lines])


def _stored_answers(
    journal: str, examinee: Examinee, condition: str
) -> tuple[set[tuple[str, int]], PricedModel]:
    """Return the keys that an examinee answered in the journal, and what its answers took."""
    spec = Spec.parse(examinee.name)
    model = PricedModel(spec.argument, thinking=spec.parameters.get("thinking", ""))
    if isinstance(examinee, HttpExaminee):
        how = {"price": examinee.budget.price, "detail": examinee.endpoint.detail}
        model = replace(model, **how)
    if "://" not in journal and not Path(journal).exists():
        return set(), model
    with Journal.open(journal, create=False) as stored:
        usage = stored.usage(examinee.name)
        return set(stored.answered(examinee.name, condition)), replace(model, usage=usage)


def _forecast_line(name: str, one: RunEstimate) -> str:
    before = f", after describing {one.descriptions:,} images" if one.descriptions else ""
    line = (
        f"{name}: {one.items:,} items in {one.requests:,} questions{before}; "
        f"{_size(one.input_tokens, one.output_tokens, one.cost)}"
    )
    if one.requests:
        source = (
            f"the {one.learned_from:,} in the journal" if one.learned_from else "none known yet"
        )
        line += f", with answers of {one.output_tokens / one.requests:,.0f} tokens ({source})"
    if one.most_output_tokens is not None:
        money = "" if one.most_cost is None else f" and {one.most_cost:.4g} in money"
        line += f"; at most {one.most_output_tokens:,} to write{money}, by max_tokens"
    if not one.descriptions:
        return line
    described = one.description_input_tokens, one.description_output_tokens, one.description_cost
    return f"{line}; for the descriptions {_size(*described)}"


def _size(read: int, written: int, cost: float | None) -> str:
    money = "" if cost is None else f", about {cost:.4g} in money"
    return f"about {read:,} tokens to read and {written:,} to write{money}"
