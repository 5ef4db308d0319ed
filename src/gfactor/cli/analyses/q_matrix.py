"""gfactor analyze q-matrix: does a Q-matrix distinguish skills, and do answers support it?

gfactor analyze q-matrix q.csv
gfactor analyze q-matrix percept_v.parquet
gfactor analyze q-matrix q.csv --answers answers.csv -o audit/
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import PAGE_OPTION, derived, function_of


@derived(
    __doc__,
    "audit_q_matrix",
    {"q": "Q", "answers": "--answers TABLE"},
    options=[PAGE_OPTION],
    about="docs/irt.md says how everything is computed.",
)
def command(q: Any, page: Path | None, as_json: bool, **given: Any) -> None:
    result = function_of("audit_q_matrix")(q, **given)
    written = result.report(page).path if page else None
    if as_json:
        put_json({"data": str(q), **result.to_dict()})
        return
    say(result.summary())
    if written:
        say(f"\n{written}: the page")
