"""gfactor run: ask examinees the items of a bank and store every answer in a journal.

gfactor run percept_v.parquet --examinee observer:ideal --journal c.db
gfactor run percept_v.parquet --sample 1 --journal c.db \\
  --examinee baseline:random --examinee 'observer:limited?acuity=0.5&seed=3'
gfactor run percept_v.parquet --examinee openai:gpt-4o --condition cot=on,temperature=0 \\
  --journal c.db --prices prices.toml --max-cost 20
gfactor run percept_v.parquet --examinee observer:ideal --examinee baseline:random \\
  --journal c.db --until 'observer:ideal - baseline:random decided at 0.05'

Several commands can share the work, on one machine, or on many machines with a journal on
PostgreSQL. No question is asked twice. Each command waits until all questions are answered, and
takes over the questions of a command that was killed. The exit code is 1 if attempts failed; the
next run asks these questions again.

With --until, all examinees answer the same items in the same random order, and the run stops as
soon as the rule is decided. The decision is valid however often the data are looked at. The same
command continues the run later, or prints the decision. The exit code is 4 if all items were asked
and the rule is still undecided.
"""

from __future__ import annotations

import gc
from typing import Any

from gfactor.cli import collect_rarely
from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, function_of, put
from gfactor.cli.spelling import PRESENTATION, options_with
from gfactor.errors import ParameterError

HEADING = "Asking models"

ADAPTIVE = options_with("With --adaptive", "run_adaptive", ("calibration", "se", "max_items"))


@derived(
    __doc__,
    "run",
    {**PRESENTATION, "journal": "--journal", "until": "--until RULE"},
    helps={"bank": "Bank of the items to ask."},
    options=[ADAPTIVE],
    twins=["run_adaptive"],
)
def command(adaptive: bool = False, *, as_json: bool, **given: Any) -> int:
    """Ask examinees.

    Parameters
    ----------
    adaptive : bool
        Ask each examinee only the most informative items; needs --calibration.
    """
    if adaptive != (given["calibration"] is not None):
        raise ParameterError("--adaptive and --calibration FILE belong together; give both or none")
    spare_the_collector()
    if adaptive:
        reason = "does not go with --adaptive: an adaptive run has no such option"
        return put(called("run_adaptive", given, reason, beside=["adaptive"]), as_json)
    refuse_typed("is for --adaptive; --sample asks a part of a bank", among=("se", "max_items"))
    for name in ("calibration", "se", "max_items"):
        del given[name]
    with function_of("run")(**given) as journal:
        return put(journal.report, as_json)


def spare_the_collector() -> None:
    """Make Python's garbage collection rarer, and exclude all objects that exist by now.

    Items and replies contain no reference cycles, and searching them for cycles would take a fifth
    of the time of a run over HTTP.
    """
    gc.freeze()
    collect_rarely()
