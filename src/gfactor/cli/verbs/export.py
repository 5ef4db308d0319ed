"""gfactor export: write the results of a journal in the format of another program.

gfactor export c.db --to eee --organization "An institute" -o eee/
gfactor export c.db --to hf --dataset org/percept-v -o results/
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.scoring import SCORED, scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Results"


def _developers(texts: tuple[str, ...]) -> dict[str, str]:
    return dict(map(_pair, texts))


def _pair(text: str) -> tuple[str, str]:
    model, equals, name = text.rpartition("=")
    if not equals or not model or not name:
        raise ParameterError(f"--developer {text!r}: write MODEL=NAME, as in gpt-5=OpenAI")
    return model, name


@derived(
    __doc__,
    "export",
    {
        "journal": "JOURNAL",
        "to": "--to FORMAT",
        "path": "-o DIR",
        "organization": "--organization NAME",
        "developers": "--developer MODEL=NAME...",
        "dataset": "--dataset ORGANIZATION/NAME",
        "banks": "--bank FILE",
    },
    reads={"developers": _developers},
    without=SCORED,
    options=[scoring_options],
    about="""Accuracies are by the benchmark's own rule, with n and 95 % intervals. What a format
has no field for stands in its free text fields (docs/exchange.md).""",
)
def command(
    journal: str,
    to: str,
    path: Path,
    developers: dict[str, str] | tuple[()],
    banks: tuple[str, ...],
    as_json: bool,
    scoring: Scoring,
    **facts: Any,
) -> int:
    from gfactor.api.exporting import exported
    from gfactor.api.taking import opened as opened_journal
    from gfactor.items import ItemBank
    from gfactor.reports.exchange import EXCHANGES, Facts

    _ = EXCHANGES[to]
    opened_banks = tuple(ItemBank.open(Path(bank)) for bank in banks)
    about = Facts(developers=dict(developers or {}), banks=opened_banks, **facts)
    with opened_journal(journal) as opened:
        done = exported(opened, to, path, about, scoring)
    if as_json:
        put_json(done.to_dict())
        return scoring.code
    say(f"{done.answers:,} answers in {len(done.files):,} files below {path}")
    for line in done.left_out:
        say(f"left out: {line}")
    return scoring.code
