"""`gfactor run --dry-run`: what a run would ask and cost."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from gfactor.cli.common import put_json, say

if TYPE_CHECKING:
    from gfactor.administration.cost_estimates import Estimate, Model
    from gfactor.api.administering import Campaign
    from gfactor.examinees import Examinee


def forecast(campaign: Campaign, journal: str, describer: Model | None, as_json: bool) -> None:
    """Print, for every examinee, what is missing in the journal and what asking it would take.

    `describer` is the model that describes images, where there is one.
    """
    from gfactor.administration.cost_estimates import estimate

    condition, materials = campaign.prepared(journal)
    forecasts = {}
    for examinee in campaign.examinees:
        answered, model = _stored_answers(journal, examinee, condition.key)
        how = campaign.administered, condition, materials, answered, campaign.occasions
        forecasts[examinee.name] = estimate(*how, model, describer)
    if as_json:
        rows = [{"examinee": n, **dataclasses.asdict(e)} for n, e in forecasts.items()]
        put_json({"journal": journal, "condition": condition.key, "examinees": rows})
        return
    say(f"condition {condition.key}; nothing was asked")
    for name, one in forecasts.items():
        say(_line(name, one))


def _stored_answers(
    journal: str, examinee: Examinee, condition: str
) -> tuple[set[tuple[str, int]], Model]:
    """Return the keys that an examinee answered in the journal, and what its answers took."""
    from gfactor.administration import Journal
    from gfactor.administration.cost_estimates import Model
    from gfactor.examinees import Spec
    from gfactor.examinees.http import HttpExaminee

    spec = Spec.parse(examinee.name)
    model = Model(spec.argument, thinking=spec.parameters.get("thinking", ""))
    if isinstance(examinee, HttpExaminee):
        how = {"price": examinee.budget.price, "detail": examinee.endpoint.detail}
        model = dataclasses.replace(model, **how)
    if "://" not in journal and not Path(journal).exists():
        return set(), model
    with Journal.open(journal, create=False) as stored:
        usage = stored.usage(examinee.name)
        return set(stored.answered(examinee.name, condition)), dataclasses.replace(
            model, usage=usage
        )


def _line(name: str, one: Estimate) -> str:
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
