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

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.deriving import derived
from gfactor.cli.groups import CONDITIONS, condition_options, endpoint_options
from gfactor.cli.printing import put
from gfactor.cli.spelling import options_with, reach_names
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.administering import Given
    from gfactor.api.reach import Reach

HEADING = "Asking models"

ADAPTIVE = options_with(
    "--adaptive", "run_adaptive", ("calibration", "se", "max_items"), {"se": "--se SE"}
)

ABOUT = """Several such commands at once, on one machine or, with a journal on PostgreSQL, on many,
share the work: nothing is asked twice, each waits until all is answered, and what one that was
killed had begun is taken over by the others. The exit code is 1 if attempts failed; these are
asked again by the next run.

With --until, all examinees answer the same items in random order, and the run stops when the rule
is decided. The decision is valid however often the data are looked at. The same command again
continues the run, or prints the decision. The exit code is 4 if all items were asked and the rule
is undecided."""


@derived(
    __doc__,
    "run",
    {"bank": "BANK", "until": "--until RULE"},
    helps={"bank": "Item bank whose items are asked."},
    without=[*CONDITIONS, *reach_names()],
    options=[ADAPTIVE, condition_options, endpoint_options],
    twins=["run_adaptive"],
    about=ABOUT,
)
def command(
    bank: str, examinees: tuple[str, ...], journal: str, until: tuple[str, ...], order_seed: int,
    calibration: Path | None, se: float, max_items: int | None, given: Given, reach: Reach,
    adaptive: bool = False, dry_run: bool = False, *, as_json: bool, **planned: Any,
) -> int:  # fmt: skip
    """Ask examinees, or print what asking them takes.

    Parameters
    ----------
    adaptive : bool
        Ask each examinee only the most informative items; needs --calibration.
    dry_run : bool
        Ask nothing: print how many questions the run has, and their estimated tokens and cost.
    """
    from gfactor.api.adaptive_bank import ask_adaptively
    from gfactor.api.administering import Campaign
    from gfactor.api.answer_warnings import unread_replies_of_run
    from gfactor.api.files import journal_to_write
    from gfactor.api.run_reports import AdaptiveReport, Forecast, RunReport
    from gfactor.api.tokens_taken import tokens_taken
    from gfactor.items import ItemBank
    from gfactor.psychometrics.irt.adaptive import StopRule
    from gfactor.psychometrics.irt.calibration_files import read_calibration

    _check_adaptive(adaptive, calibration, max_items, planned["occasions"], dry_run, until)
    campaign = Campaign.plan(ItemBank.open(Path(bank)), examinees, given, reach, **planned)
    rules = campaign.rules(until)
    if dry_run:
        return put(Forecast.of(campaign, journal), as_json)
    spare_the_collector()
    if calibration is not None:
        scale, rule = read_calibration(calibration), StopRule(se=se, max_items=max_items)
        with journal_to_write(journal) as opened:
            runs, scores = ask_adaptively(campaign, opened, scale, rule)
        return put(AdaptiveReport(journal, runs, scores), as_json)
    with journal_to_write(journal) as opened:
        if rules:
            results, outcomes = campaign.ask_until(opened, rules, order_seed)
        else:
            results, outcomes = campaign.ask(opened), ()
        unread = tuple(unread_replies_of_run(opened, results, campaign.administered.ids))
        tokens = tokens_taken(opened, [one.examinee for one in results])
    decided = dict(zip((rule.text for rule in rules), outcomes, strict=True))
    spent = reach.spent if reach.prices else None
    return put(RunReport(journal, results, spent, decided, unread, tokens), as_json)


def _check_adaptive(
    adaptive: bool, calibration: Path | None, max_items: int | None, occasions: int, dry_run: bool,
    until: Sequence[str],
) -> None:  # fmt: skip
    if adaptive != (calibration is not None):
        raise ParameterError("--adaptive and --calibration FILE belong together; give both or none")
    if max_items is not None and not adaptive:
        raise ParameterError("--max-items is for --adaptive; --sample asks a part of a bank")
    if adaptive and until:
        raise ParameterError("--adaptive stops by its own rules; leave out --until")
    if adaptive and (dry_run or occasions > 1):
        raise ParameterError("an adaptive run asks once, and has no forecast; leave these out")


def spare_the_collector() -> None:
    """Have Python look for garbage less often, and not among what is loaded by now.

    Items and replies hold no cycles. Going through them again and again in search of some would
    take a fifth of the time of a run over HTTP.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
