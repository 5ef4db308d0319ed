"""gfactor analyze gap: does an examinee fail to see, or fail to reason?

gfactor build percept-v --twin both -o twins.parquet
gfactor run twins.parquet --examinee openai:gpt-4o --journal g.db
gfactor run twins.parquet --examinee openai:gpt-4o --journal g.db --condition images=blank
gfactor analyze gap g.db --by family,size -o gap/
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import PAGE_OPTION, derived
from gfactor.cli.scoring import SCORED, scoring_options

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring


@derived(
    __doc__,
    "gap",
    {"journal": "JOURNAL", "by": "--by A,...", "domain_label": "--domain-label LABEL"},
    without=["level", *SCORED],
    options=[PAGE_OPTION, scoring_options],
    about="docs/gap.md says how everything is computed.",
)
def command(journal: str, scoring: Scoring, page: Path | None, as_json: bool, **given: Any) -> int:
    from gfactor.api.gaps import gap_of
    from gfactor.api.taking import opened as opened_journal

    with opened_journal(journal) as one:
        result = gap_of(one, scoring, **given)
    written = result.report(page).path if page else None
    if as_json:
        put_json({"data": journal, **result.to_dict()})
        return scoring.code
    say(result.summary())
    if written:
        say(f"\n{written}: the page")
    return scoring.code
