"""gfactor run: ask examinees the items of a bank and store every answer in a journal.

gfactor run percept_v.parquet --examinee observer:ideal --journal c.db
gfactor run percept_v.parquet --sample 1 --journal c.db \\
  --examinee baseline:random --examinee 'observer:limited?acuity=0.5&seed=3'
gfactor run percept_v.parquet --examinee openai:gpt-4o --condition cot=on,temperature=0 \\
  --journal c.db --prices prices.toml --max-cost 20
gfactor run percept_v.parquet --examinee observer:ideal --examinee baseline:random \\
  --journal c.db --until 'observer:ideal - baseline:random decided at 0.05'
"""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.conditions import CONDITIONS, condition_options
from gfactor.cli.declarations import REQUIRED, declaration
from gfactor.cli.deriving import derived, options_of
from gfactor.cli.dry_run import forecast
from gfactor.cli.endpoints import REACH, endpoint_options
from gfactor.cli.options import together
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.administration import RunResult
    from gfactor.administration.adaptive import AdaptiveRun
    from gfactor.api.administering import Given
    from gfactor.api.reach import Reach
    from gfactor.psychometrics.diagnostic import Diagnostic
    from gfactor.psychometrics.irt.calibrated_scores import CalibratedScores

HEADING = "Asking models"

UNDECIDED = 4
"""Exit code where all items were asked and a rule of --until is undecided."""


ADAPTIVE = together(
    click.option(
        "--adaptive",
        is_flag=True,
        help="Ask each examinee only the items that tell most of it; needs --calibration.",
    ),
    options_of(
        [
            replace(one, default=None if one.default is REQUIRED else one.default,
                    text=f"With --adaptive: {one.text[0].lower()}{one.text[1:]}")
            for one in declaration("run_adaptive").parameters
            if one.name in ("calibration", "se", "max_items")
        ],
        {"se": "--se SE"},
    ),
)  # fmt: skip
DRY_RUN = click.option(
    "--dry-run",
    is_flag=True,
    help="Ask nothing: print how many questions the run has, and their estimated tokens and cost.",
)
ABOUT = """Several such commands at once, on one machine or, with a journal on PostgreSQL, on many,
share the work: nothing is asked twice, each waits until all is answered, and what one that was
killed had begun is taken over by the others. The exit code is 1 where attempts failed; these are
asked again by the next run.

With --until, all examinees answer the same items in random order, and asking stops when the rule is
decided; the decision holds however often is looked. The same command again goes on, or says what is
decided. The exit code is 4 where all is asked and the rule is undecided."""


@derived(
    __doc__,
    "run",
    {"bank": "BANK", "examinees": "--examinee SPEC", "until": "--until RULE"},
    helps={"bank": "Item bank whose items are asked."},
    without=[*CONDITIONS, *REACH],
    options=[ADAPTIVE, condition_options, endpoint_options, DRY_RUN],
    twins=["run_adaptive"],
    about=ABOUT,
)
def command(
    bank: str,
    examinees: tuple[str, ...],
    journal: str,
    sample: int | None,
    occasions: int,
    jobs: int | None,
    until: tuple[str, ...],
    order_seed: int,
    adaptive: bool,
    calibration: Path | None,
    se: float,
    max_items: int | None,
    given: Given,
    reach: Reach,
    dry_run: bool,
    as_json: bool,
) -> int:
    from gfactor.administration.cost_estimates import Model
    from gfactor.api.adaptive_bank import ask_adaptively
    from gfactor.api.administering import Campaign
    from gfactor.api.answer_warnings import unread_replies_of_run
    from gfactor.api.files import journal_to_write
    from gfactor.examinees import Spec
    from gfactor.items import ItemBank
    from gfactor.psychometrics.irt.adaptive import StopRule
    from gfactor.psychometrics.irt.calibration_files import read_calibration

    _check_adaptive(adaptive, calibration, max_items, occasions, dry_run, until)
    campaign = Campaign.plan(
        ItemBank.open(Path(bank)), examinees, given, reach, sample, occasions, jobs
    )
    rules = campaign.rules(until)
    if dry_run:
        describer = None
        if given.captions_by:
            spec = Spec.parse(given.captions_by)
            describer = Model(spec.argument, reach.price(spec), reach.endpoint.detail)
        forecast(campaign, journal, describer, as_json)
        return 0
    spare_the_collector()
    if calibration is not None:
        scale, rule = read_calibration(calibration), StopRule(se=se, max_items=max_items)
        with journal_to_write(journal) as opened:
            runs, scores = ask_adaptively(campaign, opened, scale, rule)
        return _report_adaptive(runs, scores, journal, as_json)
    with journal_to_write(journal) as opened:
        if rules:
            results, outcomes = campaign.ask_until(opened, rules, order_seed)
        else:
            results, outcomes = campaign.ask(opened), ()
        unread = tuple(unread_replies_of_run(opened, results, campaign.administered.ids))
    decided = dict(zip((rule.text for rule in rules), outcomes, strict=True))
    _report(results, journal, as_json, reach.spent if reach.prices else None, decided, unread)
    if any(r.failed or r.failed_elsewhere for r in results):
        return 1
    return UNDECIDED if not all(outcomes) else 0


def _check_adaptive(
    adaptive: bool,
    calibration: Path | None,
    max_items: int | None,
    occasions: int,
    dry_run: bool,
    until: Sequence[str],
) -> None:
    if adaptive != (calibration is not None):
        raise ParameterError("--adaptive and --calibration FILE belong together; give both or none")
    if max_items is not None and not adaptive:
        raise ParameterError("--max-items is for --adaptive; --sample asks a part of a bank")
    if adaptive and until:
        raise ParameterError("--adaptive stops by its own rules; leave out --until")
    if adaptive and (dry_run or occasions > 1):
        raise ParameterError("an adaptive run asks once, and has no forecast; leave these out")


def _report_adaptive(
    runs: Sequence[AdaptiveRun], scores: CalibratedScores, journal: str, as_json: bool
) -> int:
    stopped = [run.stopped for run in runs if run.stopped]
    rows = []
    for run in runs:
        posterior, why = run.posteriors["ability"], run.stops["ability"] or "exhausted"
        rows.append({
            "examinee": run.examinee, "theta": posterior.theta, "se": posterior.se,
            "items": len(run.steps), "asked": run.asked, "stop": "stopped" if stopped else why,
        })  # fmt: skip
    if as_json:
        put_json({"journal": journal, "examinees": rows, **scores.to_dict()})
    else:
        for row in rows:
            say(f"{row['examinee']}: {row['theta']:.2f} (se {row['se']:.2f}), {row['items']:,} "
                f"items, {row['asked']:,} asked now; stopped by {row['stop']}")  # fmt: skip
        for sentence in stopped:
            say(f"  {sentence}")
        say(scores.summary())
    return 1 if stopped else 0


def spare_the_collector() -> None:
    """Have Python look for garbage less often, and not among what is loaded by now.

    Items and replies hold no cycles. Going through them again and again in search of some would
    take a fifth of the time of a run over HTTP.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def _report(
    results: Sequence[RunResult],
    journal: str,
    as_json: bool,
    spent: float | None,
    decided: Mapping[str, str],
    unread: Sequence[Diagnostic],
) -> None:
    if as_json:
        content: dict[str, Any] = {
            "journal": journal,
            "examinees": [dataclasses.asdict(r) for r in results],
            "diagnostics": [one.to_dict() for one in unread],
        }
        if decided:
            content["until"] = [
                {"rule": k, "decided": bool(v), "said": v} for k, v in decided.items()
            ]
        put_json(content if spent is None else {**content, "spent": spent})
        return
    for r in results:
        repeated = f", {r.known:,} known already" if r.known else ""
        others = f", {r.elsewhere:,} answered by other processes" if r.elsewhere else ""
        say(f"{r.examinee}: {r.asked:,} asked{others}{repeated}, in {r.seconds:.1f} s")
        if r.failed:
            say(f"  {r.failed:,} attempts failed, the last with: {r.detail}")
        if r.failed_elsewhere:
            say(f"  {r.failed_elsewhere:,} attempts of other processes failed")
        for note in r.notes:
            say(f"  {note}")
    for rule, decision in decided.items():
        say(f"decided: {decision}" if decision else f"undecided after all items: {rule}")
    if spent is not None:
        say(f"spent {spent:.4f} in all")
    for warning in unread:
        say(str(warning))
    say(f"kept in {journal}; next: gfactor score {journal}")
